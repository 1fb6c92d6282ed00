"""`multiloop inverse`: inverse dynamics, which computes drive efforts (torques and forces) and joint reactions."""

from __future__ import annotations

from typing import Annotated

import typer

from multiloop.cli.arguments import GuessOption, MechanismFile, RatesOption, SetOption, StartOption
from multiloop.cli.motion_options import CycleOption, TurnsOption, UntilOption, solve_inverse
from multiloop.cli.reporting import CsvOption, PlotOption, SaveOption, print_extremes, write_outputs


def inverse(
    file: MechanismFile,
    cycle: CycleOption = 361,
    turns: TurnsOption = None,
    until: UntilOption = None,
    guess: GuessOption = None,
    start: StartOption = None,
    rates: RatesOption = None,
    settings: SetOption = None,
    elastic: Annotated[
        str | None,
        typer.Option(
            metavar="stable",
            help="With flexible bodies: compute their bounded deformation; drives must be periodic, or begin and "
            "end at rest.",
            show_default=False,
        ),
    ] = None,
    plot: PlotOption = None,
    csv: CsvOption = None,
    save: SaveOption = None,
) -> None:
    """Print the largest drive efforts and joint loads."""
    result = solve_inverse(file, cycle, turns, until, guess, start, rates, elastic, settings)
    print_extremes(result)
    write_outputs(result, plot, csv, save)
