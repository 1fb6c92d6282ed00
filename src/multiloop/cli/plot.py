"""`multiloop plot`: how do efforts, loads, speeds or energies run over the motion?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from multiloop.cli.files import PICTURES, MechanismFile, ending
from multiloop.cli.motions import Instants, Turns, Until, moving
from multiloop.cli.named_numbers import Guesses, Rates, Starts
from multiloop.cli.progress import working, wrote


def plot(
    file: MechanismFile,
    out: Annotated[
        Path,
        typer.Argument(
            metavar="OUT.png",
            help=f"The picture: {', '.join(PICTURES)}.",
            callback=ending(*PICTURES),
            show_default=False,
        ),
    ],
    show: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHAT",
            help="What to plot, e.g. speeds, polar, energy; may be repeated.",
            show_default=False,
        ),
    ] = None,
    cycle: Instants = 361,
    turns: Turns = None,
    until: Until = None,
    guess: Guesses = None,
    start: Starts = None,
    rates: Rates = None,
) -> None:
    """Plot the motion along the drives, or let go.

    A mechanism without drives is let go from its start, and needs --until.
    """
    result = moving(file, cycle, turns, until, guess, start, rates)
    with working("Plotting …"):
        result.plot(path=out, **({"show": show} if show else {}))
    wrote(out)
