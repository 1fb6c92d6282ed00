"""What a command leaves behind besides what it prints: a picture, a table, a data file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from multiloop.cli.files import DATA, PICTURES, TABLES, ending
from multiloop.cli.progress import wrote

if TYPE_CHECKING:
    from multiloop.questions import Result

INTERRUPTED = 130
"""The exit code of a command that was interrupted, as shells have it."""

Plotted = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="OUT.png",
        help="Also plot efforts and loads into this file.",
        callback=ending(*PICTURES),
        show_default=False,
    ),
]

Tabled = Annotated[
    Path | None,
    typer.Option(
        "--csv",
        metavar="OUT.csv",
        help="Also write a table, one row an instant.",
        callback=ending(*TABLES),
        show_default=False,
    ),
]

Saved = Annotated[
    Path | None,
    typer.Option(
        "--save",
        metavar="OUT.nc",
        help="Also save everything as netCDF.",
        callback=ending(*DATA),
        show_default=False,
    ),
]


def leave(result: Result, plot: Path | None, csv: Path | None, save: Path | None) -> None:
    """Write the files that were asked for, and say so; an answer that was interrupted ends the command as such."""
    if plot is not None:
        result.plot(path=plot)
        wrote(plot)
    if csv is not None:
        result.to_table().to_csv(csv)
        wrote(csv)
    if save is not None:
        result.dataset.to_netcdf(save, engine="scipy")
        wrote(save)
    if "interrupted" in result.status:
        raise typer.Exit(INTERRUPTED)
