"""Layout of the graph of a plan: subsystems side by side, each as a tree upward from the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiloop.plan import Plan
from multiloop.view.labels import extent

ROW = 64.0
"""Vertical distance between a body and its child, in points."""

GAP = 30.0
"""Smallest horizontal gap between two boxes, in points."""

BOX = 22.0
"""Height of a box, in points."""

ABOVE = 84.0
"""Space above the uppermost boxes for curves of cut joints and the numerals of the subsystems, in points."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Centres and widths of the boxes in points, the ground at height 0; `bands` are the ends of the subsystems."""

    centres: dict[str, np.ndarray]
    widths: dict[str, float]
    bands: dict[str, tuple[float, float]]
    size: np.ndarray
    font: float


def layout_of(plan: Plan) -> Layout:
    """Leaves of the tree take successive columns; every other body is centred over its children."""
    tree = plan.tree
    font = 9.0 if len(tree.branches) <= 16 else 7.5
    widths = {branch.body: extent(branch.body, font)[0] + 16.0 for branch in tree.branches}
    names = [extent(branch.joint, font - 1)[0] + 12.0 for branch in tree.branches]
    column = max([*widths.values(), *names], default=40.0) + GAP
    columns: dict[str, float] = {}
    bands: dict[str, tuple[float, float]] = {}
    taken = 0.0
    for subsystem in tree.subsystems:
        first = taken
        for body in subsystem.bodies:
            if not tree.children(body):
                columns[body] = taken
                taken += 1.0
        bands[subsystem.name] = (first * column + 4.0, taken * column - 4.0)
    for branch in reversed(tree.branches):
        if branch.body not in columns:
            columns[branch.body] = float(np.mean([columns[child] for child in tree.children(branch.body)]))
    depths = {body: len(tree.path(body)) for body in columns}
    centres = {body: np.array([(columns[body] + 0.5) * column, ROW * depths[body]]) for body in columns}
    height = ROW * max(depths.values(), default=1) + ABOVE
    return Layout(centres, widths, bands, np.array([max(taken, 1.0) * column, height]), font)
