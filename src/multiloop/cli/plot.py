"""`multiloop plot`: plots efforts, loads, speeds, energies and other quantities over the motion."""

from __future__ import annotations

from typing import Annotated

import typer

from multiloop.cli.files import MechanismFile, PictureFile
from multiloop.cli.motions import Instants, Turns, Until, moving
from multiloop.cli.named_numbers import Guesses, Rates, Settings, Starts
from multiloop.cli.progress import working, wrote

SHOWN = (
    *("positions", "speeds", "accelerations", "efforts", "loads", "moments", "forces"),
    *("polar", "energy", "power", "hodograph", "paths", "deflection", "moment", "stress"),
)
"""Quantities that can be plotted, listed here so that `--help` does not import the plotting code."""


def plot(
    file: MechanismFile,
    out: PictureFile,
    show: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHAT",
            help=f"What to plot; may be repeated: {', '.join(SHOWN)}.",
            show_default=False,
        ),
    ] = None,
    of: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A joint, a marker body.marker, or a link that bends, to plot instead of the usual ones; "
            "may be repeated.",
            show_default=False,
        ),
    ] = None,
    over: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What the curves run over: time, or a joint.", show_default=False),
    ] = None,
    units: Annotated[
        list[str] | None,
        typer.Option(
            metavar="UNIT", help="A unit of the axes, e.g. kN, rpm, mm; may be repeated.", show_default=False
        ),
    ] = None,
    cycle: Instants = 361,
    turns: Turns = None,
    until: Until = None,
    guess: Guesses = None,
    start: Starts = None,
    rates: Rates = None,
    settings: Settings = None,
) -> None:
    """Plot the motion along the drives, or let go.

    A mechanism without drives is let go from its start, and needs --until. Links that bend begin undeformed.
    """
    result = moving(file, cycle, turns, until, guess, start, rates, settings)
    with working("Plotting …"):
        result.plot(path=out, show=show or None, of=of or (), over=over, units=units or None)
    wrote(out)
