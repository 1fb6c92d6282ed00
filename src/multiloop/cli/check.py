"""`multiloop check`: reads and assembles mechanisms and reports all errors."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from multiloop.cli.arguments import SetOption, read_mechanism
from multiloop.cli.failures import error_message, is_expected

if TYPE_CHECKING:
    from multiloop.plan import Plan


def check(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Mechanisms, .json, .yaml or .yml files.", show_default=False),
    ],
    settings: SetOption = None,
) -> None:
    """Read and assemble mechanisms, and report all errors.

    The exit code is 1 if there are errors.
    """
    from multiloop.plan import analyse

    failed = 0
    for file in files:
        try:
            plan = analyse(read_mechanism(file, settings))
        except Exception as error:
            if not is_expected(error):
                raise
            typer.echo(f"{file}:\n{error_message(error)}", err=True)
            failed += 1
        else:
            typer.echo(f"{file}: no errors. '{plan.mechanism.name}': {_plan_summary(plan)}")
            for warning in plan.warnings:
                typer.echo(f"  Warning: {warning}.")
    if failed:
        raise typer.Exit(1)


def _plan_summary(plan: Plan) -> str:
    """Text on the loops, mobility, redundant constraints and undriven degrees of freedom of a mechanism."""
    from multiloop.analyses.prescribed_motion import undriven_freedoms
    from multiloop.model import count_text

    loops, redundant = count_text(len(plan.tree.loops), "independent loop"), plan.redundant
    undriven = undriven_freedoms(plan)
    free = f" Degrees of freedom without a drive: {undriven}." if undriven else ""
    return f"{loops}, mobility {plan.mobility}, {count_text(redundant, 'redundant constraint')}.{free}"
