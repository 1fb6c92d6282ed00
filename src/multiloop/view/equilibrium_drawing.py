"""Pictures of equilibria: the mechanism in equilibrium, its eigenmodes, and branches of equilibria over a parameter.

The functions are the implementations of `Equilibrium.draw`, `Eigenmodes.draw` and `Branch.plot`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses import Branch, Eigenmodes, Equilibrium, State
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.model import UnknownNameError, suggestion
from multiloop.view.body_outlines import body_outlines
from multiloop.view.figure import BODIES, GREY, INK, blank_figure, save_figure
from multiloop.view.label_placement import escape_dollars
from multiloop.view.mechanism_drawing import draw_scene
from multiloop.view.plots.page_layout import style_axes
from multiloop.view.scene import scene_at
from multiloop.view.symbols.marker_symbols import Trace, traces_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNSTABLE = (0, (4, 3))
"""Dash pattern of curves of unstable equilibria."""

PAGE, INSIDE = np.array([461.0, 302.0]), (0.13, 0.14, 0.84, 0.77)
"""Width and height of a branch plot in points, and position of its axes as fractions of these: left, bottom, width,
height."""


def draw_equilibrium(
    equilibrium: Equilibrium,
    *,
    traces: Sequence[Any] | Mapping[str, Any] = (),
    path: str | Path | None = None,
    axes: Any = None,
) -> Figure:
    """Draw a mechanism in equilibrium; the arguments are described in `Equilibrium.draw`."""
    paths = traces_of(equilibrium.state.mechanism, traces)
    figure = draw_scene(scene_at(equilibrium.state), paths, axes, note="in equilibrium")
    if path is not None:
        save_figure(figure, path)
    return figure


def draw_mode(
    modes: Eigenmodes, k: int = 0, *, size: float = 0.3, path: str | Path | None = None, axes: Any = None
) -> Figure:
    """Draw the k-th eigenmode with the equilibrium position; the arguments are described in `Eigenmodes.draw`."""
    ends = [modes.displaced(k, sign * size) for sign in (1.0, -1.0)]
    ghosts = [*_outlines(modes.state, dotted=True), *_outlines(ends[1])]
    note = f"mode {k}: {modes.frequencies[k]:.4g} rad/s, damping ratio {modes.damping[k]:.3g}"
    figure = draw_scene(scene_at(ends[0]), ghosts, axes, note=note)
    if path is not None:
        save_figure(figure, path)
    return figure


def _outlines(state: State, *, dotted: bool = False) -> list[Trace]:
    """Outlines of all bodies in a state, as paths that are drawn dotted if `dotted`, otherwise dashed."""
    shapes = body_outlines(scene_at(state)).values()
    return [Trace(shape.ring, dotted=dotted) for shape in shapes if len(shape.points) > 1]


def plot_branch(
    branch: Branch,
    *,
    show: str | Sequence[str] | None = None,
    path: str | Path | None = None,
    axes: Any = None,
) -> Figure:
    """Plot joint coordinates of a branch of equilibria over its parameter, see `Branch.plot` for the arguments."""
    names = _curves_shown(branch, show)
    own = axes is None
    axes = blank_figure(PAGE).add_axes(INSIDE) if axes is None else axes
    style_axes(axes)
    x, stable = branch.values, branch.stable
    for k, (joint, component, label) in enumerate(names):
        y = _component(branch.position(joint), component)
        colour = BODIES[k % len(BODIES)]
        for part, style in ((stable, "-"), (~stable, UNSTABLE)):
            for begin, end in _intervals(part):
                stop = min(end + 1, len(x))  # includes the next point, so that curves have no gaps
                axes.plot(x[begin:stop], y[begin:stop], color=colour, lw=1.7, ls=style)
        axes.plot([], [], color=colour, lw=1.7, label=escape_dollars(label))
        for ending in (*branch.folds, *branch.branchings):
            axes.plot(branch.value(ending), ending.positions[joint][component], "o", color=INK, ms=4.5)
    if any(begin + 1 < end for begin, end in _intervals(~stable)):  # a single unstable point is not a curve
        axes.plot([], [], color=GREY, lw=1.7, ls=UNSTABLE, label="unstable")
    ends = {"fold": branch.folds, "branching": branch.branchings}
    if told := " or ".join(word for word, found in ends.items() if found):
        axes.plot([], [], "o", color=INK, ms=4.5, label=told)
    axes.set_xlabel(axes.get_xlabel() or escape_dollars(branch.parameter), fontsize=9, color=INK)
    axes.set_ylabel(axes.get_ylabel() or _ordinate_label(branch, names), fontsize=9, color=INK)
    axes.legend(fontsize=8, frameon=False)
    if own:
        axes.set_title(escape_dollars(f"{branch.mechanism.name}: equilibria"), fontsize=9, color=GREY)
    figure: Figure = axes.figure
    if path is not None:
        save_figure(figure, path)
    return figure


def _curves_shown(branch: Branch, show: str | Sequence[str] | None) -> list[tuple[str, int, str]]:
    """Joint name, index of the coordinate, and label of every curve in a branch plot."""
    known = {name: q for name, q in branch[0].positions.items() if len(q)}
    if show is None:
        moved = {name: float(np.ptp(np.atleast_1d(branch.position(name)), axis=0).max()) for name in known}
        asked = sorted(known, key=lambda name: -moved[name])[:2]
    else:
        asked = [show] if isinstance(show, str) else list(show)
    for name in asked:
        if name not in known:
            raise UnknownNameError(branch.mechanism.name, "joint", name, suggestion(name, known))
    found = []
    for name in asked:
        count = len(known[name])
        found += [(name, k, name if count == 1 else f"{name} {k + 1}") for k in range(count)]
    return found


def _ordinate_label(branch: Branch, names: Sequence[tuple[str, int, str]]) -> str:
    """Label of the vertical axis, with unit, for the coordinates that are plotted."""
    components = {
        joint.name: joint.components(branch.mechanism.planar) for joint in branch.mechanism.binary_joints
    }
    kinds = {components.get(joint, ("angle",) * (k + 1))[k] in LENGTH_COMPONENTS for joint, k, _ in names}
    return {frozenset({True}): "position (m)", frozenset({False}): "angle (rad)"}.get(
        frozenset(kinds), "angle (rad), position (m)"
    )


def _component(values: np.ndarray, k: int) -> np.ndarray:
    return values if values.ndim == 1 else values[:, k]


def _intervals(flags: np.ndarray) -> list[tuple[int, int]]:
    """Index ranges (begin, end) in which all flags are true; `end` is excluded."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
