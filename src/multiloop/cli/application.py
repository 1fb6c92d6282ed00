"""The command-line program; a new command is one module in this package and one line in the table `COMMANDS`."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Annotated

import typer

from multiloop.cli.cache import cache
from multiloop.cli.check import check
from multiloop.cli.draw import draw
from multiloop.cli.examples import examples
from multiloop.cli.explain import explain
from multiloop.cli.failures import print_expected_errors
from multiloop.cli.film import film
from multiloop.cli.inverse import inverse
from multiloop.cli.outputs import outputs
from multiloop.cli.plot import plot
from multiloop.cli.schema import schema
from multiloop.cli.simulate import simulate

COMMANDS: dict[str, Callable[..., None]] = {
    "check": check,
    "explain": explain,
    "outputs": outputs,
    "inverse": inverse,
    "simulate": simulate,
    "draw": draw,
    "plot": plot,
    "film": film,
    "examples": examples,
    "schema": schema,
    "cache": cache,
}


def application() -> typer.Typer:
    """The program with all commands; expected errors are printed as messages without a traceback."""
    program = typer.Typer(
        name="multiloop",
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    program.callback()(_about)
    for name, command in COMMANDS.items():
        program.command(name, no_args_is_help=_needs_arguments(command))(print_expected_errors(command))
    return program


def _needs_arguments(command: Callable[..., None]) -> bool:
    """Whether a command has required arguments."""
    return any(given.default is given.empty for given in signature(command).parameters.values())


def main() -> None:
    """Entry point of the console script `multiloop`."""
    application()()


def _version(wanted: bool) -> None:
    if wanted:
        from multiloop import __version__

        typer.echo(f"multiloop {__version__}")
        raise typer.Exit


def _about(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Dynamics of mechanisms with closed kinematic loops.

    A mechanism FILE is JSON or YAML; `multiloop examples NAME --save FILE` writes an example to start from.
    """
