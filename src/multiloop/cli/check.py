"""`multiloop check`: reads and assembles mechanisms and reports all faults."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from multiloop.cli.failures import expected, words_of
from multiloop.cli.files import read_mechanism
from multiloop.cli.named_numbers import Settings

if TYPE_CHECKING:
    from multiloop.plan import Plan


def check(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Mechanisms, .json, .yaml or .yml files.", show_default=False),
    ],
    settings: Settings = None,
) -> None:
    """Read and assemble mechanisms, and tell every fault.

    The exit code is 1 where there is one.
    """
    from multiloop.plan import analyse
    from multiloop.plan.plausibility import implausible_numbers

    failed = 0
    for file in files:
        try:
            plan = analyse(read_mechanism(file, settings))
        except Exception as error:
            if not expected(error):
                raise
            typer.echo(f"{file}:\n{words_of(error)}", err=True)
            failed += 1
        else:
            typer.echo(f"{file}: in order. {_told(plan)}")
            for said in implausible_numbers(plan.mechanism):
                typer.echo(f"  Warning: {said}")
    if failed:
        raise typer.Exit(1)


def _told(plan: Plan) -> str:
    """The summary of the plan, with the number of undriven degrees of freedom."""
    from multiloop.questions.leading.under_actuation import undriven

    count = undriven(plan)
    free = f" Nothing drives {count} of its freedoms." if count else ""
    return f"{plan!r}{free}"
