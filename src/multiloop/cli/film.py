"""`multiloop film`: writes an animation of the motion."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from multiloop.cli.files import FILMS, MechanismFile, ending
from multiloop.cli.motions import Instants, Scale, Turns, Until, moving
from multiloop.cli.named_numbers import Guesses, Rates, Settings, Starts
from multiloop.cli.progress import working, wrote


def film(
    file: MechanismFile,
    out: Annotated[
        Path,
        typer.Argument(
            metavar="OUT.html",
            help=f"The film: {', '.join(FILMS)}.",
            callback=ending(*FILMS),
            show_default=False,
        ),
    ],
    cycle: Instants = 361,
    turns: Turns = None,
    until: Until = None,
    speed: Annotated[
        float | None,
        typer.Option(
            metavar="TIMES",
            help="Seconds of motion a second of film; short motions are slowed down without it.",
            show_default=False,
        ),
    ] = None,
    trace: Annotated[
        list[str] | None,
        typer.Option(metavar="BODY.MARKER", help="A marker whose path is shown; may be repeated."),
    ] = None,
    guess: Guesses = None,
    start: Starts = None,
    rates: Rates = None,
    settings: Settings = None,
    scale: Scale = 1.0,
) -> None:
    """Film the motion along the drives, or let go.

    A mechanism without drives is let go from its start, and needs --until. Links that bend begin undeformed, and are
    shown over a cycle or --until as they bend.
    """
    result = moving(file, cycle, turns, until, guess, start, rates, settings)
    with working("Filming …"):
        result.film(out, speed=speed, traces=trace or (), scale=scale)
    wrote(out)
