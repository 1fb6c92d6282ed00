"""`multiloop film`: writes an animation of the motion."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from multiloop.cli.arguments import (
    FILM_SUFFIXES,
    GuessOption,
    MechanismFile,
    RatesOption,
    SetOption,
    StartOption,
    require_suffix,
)
from multiloop.cli.motion_options import CycleOption, ScaleOption, TurnsOption, UntilOption, solve_motion
from multiloop.cli.reporting import report_written, show_progress


def film(
    file: MechanismFile,
    out: Annotated[
        Path,
        typer.Argument(
            metavar="OUT.html",
            help=f"The film: {', '.join(FILM_SUFFIXES)}.",
            callback=require_suffix(*FILM_SUFFIXES),
            show_default=False,
        ),
    ],
    cycle: CycleOption = 361,
    turns: TurnsOption = None,
    until: UntilOption = None,
    speed: Annotated[
        float | None,
        typer.Option(
            metavar="TIMES",
            help="Seconds of motion per second of film; by default, short motions are slowed down.",
            show_default=False,
        ),
    ] = None,
    trace: Annotated[
        list[str] | None,
        typer.Option(metavar="BODY.MARKER", help="A marker whose path is shown; may be repeated."),
    ] = None,
    guess: GuessOption = None,
    start: StartOption = None,
    rates: RatesOption = None,
    settings: SetOption = None,
    scale: ScaleOption = 1.0,
) -> None:
    """Film the prescribed or free motion.

    A mechanism without drives moves freely from its start and needs --until. Flexible bodies start undeformed; their
    motion is simulated over one cycle or up to --until.
    """
    result = solve_motion(file, cycle, turns, until, guess, start, rates, settings)
    with show_progress("Filming …"):
        result.film(out, speed=speed, traces=trace or (), scale=scale)
    report_written(out)
