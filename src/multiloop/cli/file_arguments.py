"""File arguments of commands: permitted suffixes, and reading of mechanisms with `--set`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from multiloop.cli.named_numbers import parse_settings, setting_texts

if TYPE_CHECKING:
    from multiloop.model import Mechanism

PICTURE_SUFFIXES = (".png", ".pdf", ".svg", ".jpg")
DATA_SUFFIXES = (".nc",)
TABLE_SUFFIXES = (".csv",)
MECHANISM_SUFFIXES = (".yaml", ".yml", ".json")
FILM_SUFFIXES = (".html", ".gif", ".mp4")


def require_suffix(*allowed: str) -> Callable[[Path | None], Path | None]:
    """A callback that checks the suffix of a file to be written, and that its folder exists."""

    def checked(path: Path | None) -> Path | None:
        if path is not None and path.suffix.lower() not in allowed:
            raise typer.BadParameter(f"'{path.name}' must end in {', '.join(allowed)}.")
        if path is not None and not path.parent.is_dir():
            raise typer.BadParameter(f"there is no folder '{path.parent}' to write '{path.name}' into.")
        return path

    return checked


def read_mechanism(file: Path, settings: list[str] | None) -> Mechanism:
    """The mechanism of a file, with the parameter values given by `--set`."""
    given = parse_settings(settings)
    from multiloop.io import load

    mechanism = load(file)
    if not given:
        return mechanism
    from multiloop.model.parameter_values import require_fitting_units, single_design

    require_fitting_units(mechanism, setting_texts(settings))
    return single_design(mechanism, given)


MechanismFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="The mechanism, a .json, .yaml or .yml file.", show_default=False),
]

PictureFile = Annotated[
    Path,
    typer.Argument(
        metavar="OUT.png",
        help=f"The picture: {', '.join(PICTURE_SUFFIXES)}.",
        callback=require_suffix(*PICTURE_SUFFIXES),
        show_default=False,
    ),
]
