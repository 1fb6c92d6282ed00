"""Output of a result by a command: a printed table, a picture, a table file, a data file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multiloop.cli.files import DATA, PICTURES, TABLES, ending
from multiloop.cli.progress import wrote

if TYPE_CHECKING:
    from multiloop.questions import Result

INTERRUPTED = 130
"""The exit code of an interrupted command, as in shells."""


def _file_to_write(flag: str, metavar: str, words: str, endings: tuple[str, ...]) -> Any:
    """An option for a file to be written."""
    return typer.Option(flag, metavar=metavar, help=words, callback=ending(*endings), show_default=False)


Plotted = Annotated[
    Path | None,
    _file_to_write("--plot", "OUT.png", "Also plot efforts and loads into this file.", PICTURES),
]
Tabled = Annotated[
    Path | None, _file_to_write("--csv", "OUT.csv", "Also write a table, one row per instant.", TABLES)
]
Saved = Annotated[Path | None, _file_to_write("--save", "OUT.nc", "Also save everything as netCDF.", DATA)]


def print_extremes(result: Result) -> None:
    """Print the headline and the largest values with their warnings.

    The representation of a result also contains the warnings; printing both would repeat them.
    """
    from multiloop.questions.answers.extremes import headline_of

    typer.echo(f"{headline_of(result)}.\n\n{result.extremes()}")


def leave(result: Result, plot: Path | None, csv: Path | None, save: Path | None) -> None:
    """Write the requested files and report them; exit with INTERRUPTED if the result is marked as interrupted."""
    if plot is not None:
        result.plot(path=plot)
        wrote(plot)
    if csv is not None:
        result.write(csv)
        wrote(csv)
    if save is not None:
        result.write(save)
        wrote(save)
    if "interrupted" in result.status:
        raise typer.Exit(INTERRUPTED)
