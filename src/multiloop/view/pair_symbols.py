"""Pairs on paper, in the plane and in space; a new one is one function here and one line in PAIRED."""

from __future__ import annotations

from collections.abc import Callable

from multiloop.view.colours import INK, PAPER
from multiloop.view.drawing import JOINT_LEVEL, Drawing
from multiloop.view.scene import Site


def distance(drawing: Drawing, site: Site) -> None:
    """A thin line between two small rings: it has no mass, and so no body."""
    canvas, ends = drawing.canvas, (site.F[:, 3], site.S[:, 3])
    level = drawing.joint_level(site) if canvas.spatial else JOINT_LEVEL
    canvas.line(ends, INK, 1.4, level=level - 0.01)
    for end in ends:
        canvas.dot(end, 5.0, PAPER, INK, level=level)
        drawing.obstacles.add_disc(canvas.page(end), 4.0)
    drawing.obstacles.add_line(canvas.page([*ends]), 1.0, width=2.0)


PAIRED: dict[str, Callable[[Drawing, Site], None]] = {"Distance": distance}
