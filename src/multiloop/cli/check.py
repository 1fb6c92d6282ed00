"""`multiloop check`: is everything in order with these files?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from multiloop.cli.failures import expected, words_of

if TYPE_CHECKING:
    from multiloop.plan import Plan


def check(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Mechanisms, .json, .yaml or .yml files.", show_default=False),
    ],
) -> None:
    """Read and assemble mechanisms, and tell every fault.

    The exit code is 1 where there is one.
    """
    from multiloop.io import load
    from multiloop.plan import analyse

    failed = 0
    for file in files:
        try:
            plan = analyse(load(file))
        except Exception as error:
            if not expected(error):
                raise
            typer.echo(f"{file}:\n{words_of(error)}", err=True)
            failed += 1
        else:
            typer.echo(f"{file}: in order. {_told(plan)}")
    if failed:
        raise typer.Exit(1)


def _told(plan: Plan) -> str:
    """What it is, and what nothing drives."""
    from multiloop.questions.leading.under_actuation import undriven

    count = undriven(plan)
    free = f" Nothing drives {count} of its freedoms." if count else ""
    return f"{plan!r}{free}"
