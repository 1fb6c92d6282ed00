"""`multiloop plot`: plots efforts, loads, speeds, energies and other quantities over the motion."""

from __future__ import annotations

from typing import Annotated

import typer

from multiloop.cli.arguments import (
    GuessOption,
    MechanismFile,
    PictureFile,
    RatesOption,
    SetOption,
    StartOption,
)
from multiloop.cli.motion_options import CycleOption, TurnsOption, UntilOption, solve_motion
from multiloop.cli.reporting import report_written, show_progress

PLOT_NAMES = (
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
            help=f"What to plot; may be repeated: {', '.join(PLOT_NAMES)}.",
            show_default=False,
        ),
    ] = None,
    of: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A joint, a marker body.marker, or a flexible body, to plot instead of the default ones; "
            "may be repeated.",
            show_default=False,
        ),
    ] = None,
    over: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Abscissa of the curves: time, or a joint.", show_default=False),
    ] = None,
    units: Annotated[
        list[str] | None,
        typer.Option(
            metavar="UNIT", help="A unit of the axes, e.g. kN, rpm, mm; may be repeated.", show_default=False
        ),
    ] = None,
    cycle: CycleOption = 361,
    turns: TurnsOption = None,
    until: UntilOption = None,
    guess: GuessOption = None,
    start: StartOption = None,
    rates: RatesOption = None,
    settings: SetOption = None,
) -> None:
    """Plot the prescribed or free motion.

    A mechanism without drives moves freely from its start and needs --until. Flexible bodies start undeformed.
    """
    result = solve_motion(file, cycle, turns, until, guess, start, rates, settings)
    with show_progress("Plotting …"):
        result.plot(path=out, show=show or None, of=of or (), over=over, units=units or None)
    report_written(out)
