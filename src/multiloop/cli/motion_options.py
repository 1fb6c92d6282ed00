"""Options and functions by which commands compute a motion: inverse dynamics for driven mechanisms, else simulation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from multiloop.cli.arguments import Numbers, Start, parse_guess, parse_rates, parse_start, read_mechanism
from multiloop.cli.reporting import show_progress

if TYPE_CHECKING:
    from multiloop.analyses import Result
    from multiloop.model import Mechanism

CycleOption = Annotated[
    int,
    typer.Option(
        "--cycle",
        metavar="N",
        min=2,
        help="Number of instants over one cycle of drives and loads, including both ends.",
    ),
]

TurnsOption = Annotated[
    float | None,
    typer.Option(
        metavar="N", help="Number of turns of the first drive, instead of one cycle.", show_default=False
    ),
]

UntilOption = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="End time; without it, one cycle is computed.", show_default=False),
]

ScaleOption = Annotated[
    float, typer.Option(metavar="TIMES", help="Factor by which deformations are magnified.")
]


def require_span(until: float | None, turns: float | None) -> None:
    """Raise an error for an invalid end time, or if both `--until` and `--turns` are given."""
    if until is not None and not 0.0 < until < float("inf"):
        raise typer.BadParameter(
            f"the end time is {until:g} s; give a time above zero.", param_hint="'--until'"
        )
    if until is not None and turns is not None:
        raise typer.BadParameter(
            "--until is given, too; give only one of the two options.", param_hint="'--turns'"
        )


def solve_inverse(
    file: Path,
    cycle: int,
    turns: float | None,
    until: float | None,
    guess: list[str] | None,
    start: list[str] | None = None,
    rates: list[str] | None = None,
    elastic: str | None = None,
    settings: list[str] | None = None,
) -> Result:
    """Result of inverse dynamics for the drives of a mechanism file; the arguments are values of command-line options.

    Degrees of freedom without a drive move freely from the initial state given by `start` and `rates`.
    """
    mechanism, wished, held, begun = _read_options(file, turns, until, guess, start, rates, settings)
    return _along_drives(mechanism, cycle, turns, until, wished, held, begun, elastic)


def _read_options(
    file: Path,
    turns: float | None,
    until: float | None,
    guess: list[str] | None,
    start: list[str] | None,
    rates: list[str] | None,
    settings: list[str] | None,
) -> tuple[Mechanism, Numbers | None, Start, Numbers]:
    """Check the values of command-line options, and return the mechanism of the file with guess, initial positions and
    initial rates."""
    require_span(until, turns)
    wished, held, begun = parse_guess(guess), parse_start(start), parse_rates(rates)
    return read_mechanism(file, settings), wished, held, begun


def _along_drives(
    mechanism: Mechanism,
    cycle: int,
    turns: float | None,
    until: float | None,
    guess: Numbers | None,
    start: Start,
    rates: Numbers,
    elastic: str | None = None,
) -> Result:
    with show_progress(f"Solving {cycle} instants …"):
        import numpy as np

        from multiloop.analyses import inverse

        times = None if until is None else np.linspace(0.0, until, cycle)
        whole = cycle if until is None else None
        return inverse(
            mechanism,
            t=times,
            cycle=whole,
            turns=turns,
            guess=guess,
            start=start or None,
            rates=rates or None,
            elastic=elastic,
            progress=False,
        )


def solve_motion(
    file: Path,
    cycle: int,
    turns: float | None,
    until: float | None,
    guess: list[str] | None,
    start: list[str] | None,
    rates: list[str] | None,
    settings: list[str] | None = None,
) -> Result:
    """Motion of a mechanism file: the motion that its drives prescribe, or a simulated motion if it has no drives.

    The arguments are the values of command-line options.

    Drives do not determine elastic coordinates; a mechanism with flexible bodies is therefore simulated, by default
    over one cycle of its drives.
    """
    mechanism, wished, held, begun = _read_options(file, turns, until, guess, start, rates, settings)
    if mechanism.drives and not any(body.elastic for body in mechanism.moving):
        return _along_drives(mechanism, cycle, turns, until, wished, held, begun)
    end = end_of_motion(mechanism, until, turns)
    with show_progress(f"Simulating {end:g} s …"):
        from multiloop.analyses import simulate

        return simulate(
            mechanism, until=end, start=held, rates=begun, guess=wished, samples=cycle, progress=False
        )


def end_of_motion(mechanism: Mechanism, until: float | None, turns: float | None = None) -> float:
    """End time of a simulation: the time `until` if given, else the time of `turns` turns or of one cycle of the
    drives."""
    if until is not None:
        return until
    if not mechanism.drives:
        what = f"'{mechanism.name}' has no drives and moves freely; give the end time."
        raise typer.BadParameter(what, param_hint="'--until'")
    from multiloop.analyses.prescribed_motion import requested_times

    return float(requested_times(mechanism, None, 2, turns)[-1])
