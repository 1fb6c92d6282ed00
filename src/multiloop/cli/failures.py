"""Errors of commands: expected errors are printed as messages, with exit code 1."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import typer


def print_expected_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command so that expected errors are printed as messages; unexpected errors are raised."""

    @wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        try:
            command(*arguments, **options)
        except Exception as error:
            if not is_expected(error):
                raise
            _name_command(error, command.__name__)
            typer.echo(error_message(error), err=True)
            raise typer.Exit(1) from None

    return run


def warn_renamed_option(earlier: str, present: str) -> None:
    """Warn that an option was given by its `earlier` name, and state the present one."""
    from multiloop.model.deprecation import warn_changed

    typer.echo(f"Warning: the option {earlier} is called {present} now.", err=True)
    warn_changed(f"The option {earlier} is called {present} now.")


def _name_command(error: Exception, command: str) -> None:
    """Store the name of the command in an error that was raised before an analysis started, for its message."""
    from multiloop.model import SolveError

    if isinstance(error, SolveError) and not error.asked and error.faults[0].code.startswith("S"):
        error.asked = command


def error_message(error: Exception) -> str:
    """Message of an error, with remedies in terms of command-line options and file entries."""
    from multiloop.cli.advice import command_line_message
    from multiloop.model import MultiloopError

    return command_line_message(error) if isinstance(error, MultiloopError) else str(error)


def is_expected(error: Exception) -> bool:
    """Whether an error concerns the user's mechanism or files, and is not a defect of multiloop.

    A closed pipe (`multiloop examples | head`) is handled by Typer, which ends the command without a message.
    """
    from multiloop.model import MultiloopError

    return isinstance(error, MultiloopError | OSError) and not isinstance(error, BrokenPipeError)
