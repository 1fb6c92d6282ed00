"""Picture of a plan: the spanning-tree graph, the block patterns of J and Ī, and the order of solution."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from multiloop.plan import Plan
from multiloop.view.canvas import Canvas
from multiloop.view.colours import GREY, INK
from multiloop.view.framing import blank_figure
from multiloop.view.outlines import step
from multiloop.view.plan_blocks import Blocks
from multiloop.view.plan_graph import draw_graph
from multiloop.view.plan_layout import layout_of
from multiloop.view.saving import save_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MARGIN, HEAD, BETWEEN = 22.0, 46.0, 40.0
"""Points around everything, for the heading, and between the graph and the blocks."""


def draw_plan(plan: Plan, *, path: str | Path | None = None) -> Figure:
    """Draw a plan.

    On the left the graph: boxes are bodies, coloured by subsystem, solid lines are tree joints, dashed lines are cut
    joints with the number of the loop that each closes. On the right the nonzero blocks of J (loops × subsystems) and
    of Ī (loops × loops), and the stages in which inverse dynamics solves for its unknowns. With `path` the picture is
    saved. Nothing is shown on a screen.
    """
    layout, blocks = layout_of(plan), Blocks(plan)
    inner = np.array([layout.size[0] + BETWEEN + blocks.size[0], max(layout.size[1] + 10, blocks.size[1])])
    page = inner + step(2 * MARGIN, 2 * MARGIN + HEAD)
    figure = blank_figure(page)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, page[0]), ylim=(0, page[1]))
    axes.set_axis_off()
    canvas = Canvas(axes, np.eye(2, 3), np.zeros(2))
    top = page[1] - MARGIN
    title = np.array([MARGIN, top - 4, 0.0])
    canvas.text(title, f"Plan of '{plan.mechanism.name}'", INK, 12, level=5.0, ha="left", weight="bold")
    canvas.text(title - np.array([0.0, 17.0, 0.0]), _findings(plan), GREY, 9, level=5.0, ha="left")
    below = top - HEAD
    draw_graph(canvas, plan, layout, np.array([MARGIN, below - layout.size[1]]))
    blocks.draw(canvas, np.array([MARGIN + layout.size[0] + BETWEEN, below]))
    if path is not None:
        save_figure(figure, path)
    return figure


def _findings(plan: Plan) -> str:
    """Mobility, redundancy and other findings of the plan, in one line."""
    found = [f"mobility {plan.mobility}" + (f" (count {plan.count})" if plan.mobility != plan.count else "")]
    if plan.redundant:
        found.append(f"{plan.redundant} redundant constraint{'s' if plan.redundant != 1 else ''}")
    if plan.idle:
        found.append(f"{len(plan.idle)} idle freedom{'s' if len(plan.idle) != 1 else ''}")
    found.append(f"{len(plan.tree.loops)} loop{'s' if len(plan.tree.loops) != 1 else ''}")
    found.append(f"{len(plan.tree.subsystems)} subsystem{'s' if len(plan.tree.subsystems) != 1 else ''}")
    return ", ".join(found)
