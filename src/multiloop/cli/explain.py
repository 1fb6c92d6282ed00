"""`multiloop explain`: mobility, redundancy and the plan of solution of a mechanism."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from multiloop.cli.arguments import (
    PICTURE_SUFFIXES,
    GuessOption,
    MechanismFile,
    SetOption,
    parse_guess,
    read_mechanism,
    require_suffix,
)
from multiloop.cli.reporting import report_written, show_progress


def explain(
    file: MechanismFile,
    cuts: Annotated[
        str | None,
        typer.Option(
            metavar="A,B", help="Joints at which to cut the loops, instead of the automatic choice."
        ),
    ] = None,
    guess: GuessOption = None,
    settings: SetOption = None,
    draw: Annotated[
        Path | None,
        typer.Option(
            metavar="PLAN.png",
            help="Also draw the plan to this file.",
            callback=require_suffix(*PICTURE_SUFFIXES),
        ),
    ] = None,
) -> None:
    """Print mobility, drives and undetermined reactions.

    Also prints redundant constraints and the plan of solution: tree, cut joints and order.
    """
    named = None if cuts is None else [name.strip() for name in cuts.split(",") if name.strip()]
    wished = parse_guess(guess)
    mechanism = read_mechanism(file, settings)
    with show_progress("Planning …"):
        from multiloop.plan import analyse

        plan = analyse(mechanism, cuts=named, guess=wished)
    typer.echo(plan.explain())
    if draw is not None:
        plan.draw(path=draw)
        report_written(draw)
