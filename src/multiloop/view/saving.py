"""How is a picture saved, and what is said where it cannot be?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from multiloop.io.atomic_file import atomic_file
from multiloop.io.refusals import path_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS = 200
"""Dots per inch of pictures that are made of dots."""


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a picture, its kind by the name's ending; refuses a folder that is not there, and unknown endings."""
    from matplotlib import rcParams  # a drawing may be described without Matplotlib

    path = path_of(path)
    if not path.suffix:
        path = path.with_name(f"{path.name}.{rcParams['savefig.format']}")  # as Matplotlib names it
    with atomic_file(path) as file:
        figure.savefig(file, dpi=DOTS)
