"""`multiloop explain`: mobility, redundancy and the plan of solution of a mechanism."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from multiloop.cli.files import PICTURES, MechanismFile, ending, read_mechanism
from multiloop.cli.named_numbers import Guesses, Settings, guess_of
from multiloop.cli.progress import working, wrote


def explain(
    file: MechanismFile,
    cuts: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Joints at which to open the loops, instead of the cheapest."),
    ] = None,
    guess: Guesses = None,
    settings: Settings = None,
    draw: Annotated[
        Path | None,
        typer.Option(
            metavar="PLAN.png", help="Also draw the plan into this file.", callback=ending(*PICTURES)
        ),
    ] = None,
) -> None:
    """Print what moves, what drives it, and what is not determined.

    Then how it is solved: tree, cuts, order.
    """
    named = None if cuts is None else [name.strip() for name in cuts.split(",") if name.strip()]
    wished = guess_of(guess)
    mechanism = read_mechanism(file, settings)
    with working("Planning …"):
        from multiloop.plan import analyse

        plan = analyse(mechanism, cuts=named, guess=wished)
    typer.echo(plan.explain())
    if draw is not None:
        plan.draw(path=draw)
        wrote(draw)
