"""Output of commands: progress on the terminal, printed tables, and files (pictures, tables, data)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multiloop.cli.arguments import DATA_SUFFIXES, PICTURE_SUFFIXES, TABLE_SUFFIXES, require_suffix

if TYPE_CHECKING:
    from multiloop.analyses import Result


@contextmanager
def show_progress(words: str) -> Iterator[None]:
    """Show a progress indicator with the text `words` while the block runs, if stderr is a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(words):
        yield


def report_written(path: Path) -> None:
    """Report that a file was written."""
    typer.echo(f"Wrote {path}.")


INTERRUPTED = 130
"""Exit code of an interrupted command, as in shells."""


def _file_to_write(flag: str, metavar: str, words: str, endings: tuple[str, ...]) -> Any:
    """The command-line option `flag` for the name of an output file with one of the suffixes `endings`.

    `metavar` is the example file name that the help shows, and `words` the help text.
    """
    return typer.Option(
        flag, metavar=metavar, help=words, callback=require_suffix(*endings), show_default=False
    )


PlotOption = Annotated[
    Path | None,
    _file_to_write("--plot", "OUT.png", "Also plot efforts and loads to this file.", PICTURE_SUFFIXES),
]
CsvOption = Annotated[
    Path | None,
    _file_to_write("--csv", "OUT.csv", "Also write a table, one row per instant.", TABLE_SUFFIXES),
]
SaveOption = Annotated[
    Path | None, _file_to_write("--save", "OUT.nc", "Also save all results as netCDF.", DATA_SUFFIXES)
]


def print_extremes(result: Result) -> None:
    """Print the headline of a result, and a table of its largest values with the warnings.

    `repr(result)` is not used, because it contains the warnings a second time.
    """
    from multiloop.analyses.results import headline_of

    typer.echo(f"{headline_of(result)}.\n\n{result.extremes()}")


def write_outputs(result: Result, plot: Path | None, csv: Path | None, save: Path | None) -> None:
    """Write the files whose names are given and report them; exit with the code `INTERRUPTED` if the analysis was
    interrupted."""
    from multiloop.analyses.results import INTERRUPTED_CODE

    if plot is not None:
        result.plot(path=plot)
        report_written(plot)
    if csv is not None:
        result.write(csv)
        report_written(csv)
    if save is not None:
        result.write(save)
        report_written(save)
    if any(warning.code == INTERRUPTED_CODE for warning in result.reported):
        raise typer.Exit(INTERRUPTED)
