"""Saving of figures to files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from multiloop.io.atomic_file import atomic_file
from multiloop.io.refusals import path_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS = 200
"""Dots per inch of raster images."""


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure in the format of the file name's extension; missing folders and unknown extensions are refused."""
    from matplotlib import rcParams  # imported on use, so that this package loads without Matplotlib

    path = path_of(path)
    if not path.suffix:
        path = path.with_name(f"{path.name}.{rcParams['savefig.format']}")  # as Matplotlib names it
    with atomic_file(path) as file:
        figure.savefig(file, dpi=DOTS)
