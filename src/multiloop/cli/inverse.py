"""`multiloop inverse`: what torque must each drive give, and what force does each joint carry?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from multiloop.cli.files import DATA, PICTURES, MechanismFile, ending
from multiloop.cli.guesses import Guesses, guess_of
from multiloop.cli.progress import working, wrote

if TYPE_CHECKING:
    from multiloop.questions import Result


def inverse(
    file: MechanismFile,
    cycle: Annotated[
        int,
        typer.Option(
            metavar="N", min=2, help="Instants over one cycle of drives and loads, both ends included."
        ),
    ] = 361,
    turns: Annotated[
        float | None,
        typer.Option(
            metavar="N", help="Turns of the first drive to take instead of one cycle.", show_default=False
        ),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="Go from 0 to this time instead of over one cycle.", show_default=False
        ),
    ] = None,
    guess: Guesses = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.png", help="Also plot efforts and loads into this file.", callback=ending(*PICTURES)
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="OUT.nc", help="Also save everything as netCDF.", callback=ending(*DATA)),
    ] = None,
) -> None:
    """Print the largest efforts and joint loads over the motion."""
    if until is not None and not 0.0 < until < float("inf"):
        raise typer.BadParameter(
            f"{until:g} s is no time to go on for; give one above zero.", param_hint="'--until'"
        )
    if until is not None and turns is not None:
        raise typer.BadParameter("give either --turns or --until.", param_hint="'--turns'")
    wished = guess_of(guess)
    from multiloop.io import load

    mechanism = load(file)
    with working(f"Solving {cycle} instants …"):
        import numpy as np

        from multiloop.questions import inverse as solved

        times = None if until is None else np.linspace(0.0, until, cycle)
        whole = cycle if until is None else None
        result = solved(mechanism, t=times, cycle=whole, turns=turns, guess=wished, progress=False)
    typer.echo(f"{result!r}\n\n{result.extremes()}")
    _doubts(result)
    if plot is not None:
        result.plot(path=plot)
        wrote(plot)
    if save is not None:
        result.dataset.to_netcdf(save, engine="scipy")
        wrote(save)


def _doubts(result: Result) -> None:
    """Name the joints whose loads are only the least of many."""
    doubtful = [name for name, joint in result.joints.items() if not joint.determined]
    if doubtful:
        typer.echo(f"\nNot determined by equilibrium alone, least values shown: {', '.join(doubtful)}.")
