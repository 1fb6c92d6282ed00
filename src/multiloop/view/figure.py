"""Figures: blank figures, saving to a file, colours, and errors of pictures that cannot be drawn."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.io.atomic_file import as_path, atomic_file
from multiloop.model import GROUND, DrawingError, Fault, Mechanism

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def blank_figure(page: np.ndarray) -> Figure:
    """An empty figure of the given width and height in points; no window is opened."""
    from multiloop.view.notebook_display import Picture

    return Picture(figsize=tuple(page / 72.0), dpi=100)


def page_of(axes: Any) -> np.ndarray:
    """Lower left and upper right corner of the axes in the figure, in points."""
    box = axes.get_position(original=True)
    size = axes.figure.get_size_inches() * 72.0
    corners: np.ndarray = np.array([box.min, box.max]) * size
    return corners


DOTS = 200
"""Resolution of raster images in dots per inch."""


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure to a file, in the format that the extension of its name specifies.

    Raises an error if the folder does not exist or the extension is unknown.
    """
    from matplotlib import rcParams  # imported on use, so that the package can be imported without Matplotlib

    path = as_path(path)
    if not path.suffix:
        # Matplotlib also adds its default extension
        path = path.with_name(f"{path.name}.{rcParams['savefig.format']}")
    with atomic_file(path) as file:
        figure.savefig(file, dpi=DOTS)


def drawing_error(mechanism: Mechanism, code: str, where: str, what: str, remedy: str) -> DrawingError:
    """A `DrawingError` with a single fault about the picture of a mechanism."""
    return DrawingError(f"picture of '{mechanism.name}'", [Fault(code, where, what, remedy)])


BODIES = (
    "#4477aa",
    "#cc6677",
    "#44aa99",
    "#ddaa33",
    "#aa4499",
    "#117733",
    "#77bbdd",
    "#882255",
    "#999933",
    "#332288",
    "#a0693f",
)
"""Colours of bodies, in the order in which they are used.

Source: P. Tol, Colour Schemes, SRON technical note (2021): the muted scheme. Differs: another order, and a brown."""

INK = "#2b2b2b"
GREY = "#8a8a8a"
PALE = "#e9e9e9"
PAPER = "#ffffff"
DRIVE = "#c2410c"
LOAD = "#1d4ed8"
BEARING = "#0f766e"


def colours_of(bodies: Iterable[str]) -> dict[str, str]:
    """Colour of each body by its name: the colours `BODIES` in turn, and grey for the ground."""
    moving = [body for body in bodies if body != GROUND]
    return {body: BODIES[k % len(BODIES)] for k, body in enumerate(moving)} | {GROUND: GREY}


def tinted(colour: str, share: float) -> str:
    """The colour mixed with white; `share` is the fraction of the colour."""
    return _mixed(colour, 255, share)


def shaded(colour: str, share: float) -> str:
    """The colour mixed with black; `share` is the fraction of the colour."""
    return _mixed(colour, 0, share)


def _mixed(colour: str, other: int, share: float) -> str:
    channels = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(share * channel + (1 - share) * other):02x}" for channel in channels)


UNNAMED = tinted(GREY, 0.6)
"""Colour of plotted curves that have no label."""
