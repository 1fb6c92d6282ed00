"""Paths of markers (lines, arcs, waypoints, rotations), along which a motion law moves the marker.

Each function returns components of a `Motion` as a dict of expressions, to be passed by `**`:

    Motion("platform.c", **line(a, b, s), **turn(e, f, s)),      s = polynomial_345(0, 1, duration=2)

s is the fraction of the path that has been travelled, an expression of time from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from multiloop.model.expressions import Constant, Expression, Scalar, lift
from multiloop.model.expressions.expression import finite_number, is_number
from multiloop.model.expressions.functions import cos, sin
from multiloop.model.faults import short_repr
from multiloop.model.profiles.motion_laws import piecewise
from multiloop.model.profiles.orientations import Orientation

Components = dict[str, Any]
"""Components of a Motion by name: "x", "y" and, in space, "z"; or "orientation"."""

AXES = "xyz"
HALF_TURN_TOLERANCE = 1e-9
"""Scalar product of two unit quaternions below which their orientations are taken to differ by half a turn, so that
the direction of rotation is ambiguous."""


def line(start: Sequence[Scalar], end: Sequence[Scalar], s: Scalar) -> Components:
    """A straight path from one point to another, with the position p at the fraction s of the path:

    p = start (1 − s) + end s
    """
    _require_points("line", [start, end])
    return {axis: _interpolate(a, b, lift(s)) for axis, a, b in zip(AXES, start, end, strict=False)}


def arc(
    centre: Sequence[Scalar],
    start: Sequence[float],
    angle: Scalar,
    s: Scalar,
    *,
    normal: Sequence[float] = (0.0, 0.0, 1.0),
) -> Components:
    """A circular path about a centre, from a starting point through an angle (rad), positive about `normal`.

        p = centre + r cos(angle s) + (n × r) sin(angle s),      r = start − centre

    p is the position at the fraction s of the path and n the unit vector along `normal`. In space the centre is first
    moved along the normal into the plane of the starting point, so that the path lies in this plane.
    """
    _require_points("arc", [centre, start])
    if not all(is_number(x) for x in (*centre, *start, *normal)):
        raise ValueError(
            "arc: its centre, start or normal contains a value that is not a number. Give numbers; "
            "only the angle may be a parameter."
        )
    n, r = np.array(normal, float), np.zeros(3)
    size = float(np.linalg.norm(n)) if n.shape == (3,) else 0.0
    if not np.isfinite(size) or size == 0.0:
        raise ValueError(f"arc: its normal is {short_repr(normal)}. Give a vector (x, y, z) other than zero.")
    n, d = n / size, len(start)
    r[:d] = np.array(start, float) - np.array(centre, float)
    along = n * (n @ r)
    across, middle = np.cross(n, r), np.array([*map(float, centre), 0.0])[:3] + along
    r = r - along
    if not np.linalg.norm(r) > 0:
        raise ValueError(f"arc: it starts at its centre, {short_repr(tuple(start))}. Give another point.")
    turned = lift(angle) * s
    return {
        AXES[k]: float(middle[k]) + float(r[k]) * cos(turned) + float(across[k]) * sin(turned)
        for k in range(d)
    }


def waypoints(points: Sequence[Sequence[float]], s: Scalar, *, blend: float) -> Components:
    """A path of straight pieces from point to point with rounded corners.

    The path leaves a piece `blend` metres before a corner and joins the next piece at the same distance after it. In
    between, the direction changes by 3u² − 2u³ from one piece to the next, so that path and speed have continuous
    derivatives:

        p = p₀ + e₀ σ + Σ (eₖ − eₖ₋₁) B(σ − σₖ),      B′ = 3u² − 2u³,   σ = L s

    with the first point p₀, the unit vectors e along the pieces, the total length L of the pieces, the distance σ from
    the first point along the pieces, σₖ at corner k, and u from 0 to 1 during a change of direction.

    Source: derived here; a smoother form of the linear function with parabolic blends of [craig], ch. 7.
    """
    _require_points("waypoints", points)
    if len(points) < 2 or not all(is_number(x) for point in points for x in point):
        raise ValueError(
            f"waypoints: its points are {short_repr(points)}. Give two or more points of numbers."
        )
    table = np.array(points, float)
    steps = np.diff(table, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    if not (lengths > 0).all():
        twice = int(np.argmin(lengths))
        raise ValueError(f"waypoints: points {twice} and {twice + 1} are the same. Keep one of them.")
    reach = finite_number(blend)
    room = [min(a, b) / 2 for a, b in pairwise(lengths)]
    if reach is None or reach <= 0 or (room and reach > min(room) * (1 + 1e-12)):
        most = f"up to {min(room):g} m, half of the shortest segment at a corner" if room else "above zero"
        raise ValueError(f"waypoints: its blend is {short_repr(blend)}. Give a blend {most}.")
    ways, sigma = steps / lengths[:, None], float(lengths.sum()) * lift(s)
    corners = np.cumsum(lengths)[:-1]
    found: Components = {}
    for k in range(table.shape[1]):
        total: Expression = float(table[0, k]) + float(ways[0, k]) * sigma
        for before, after, at in zip(ways[:-1, k], ways[1:, k], corners, strict=True):
            if after != before:
                total = total + float(after - before) * _corner_blend(sigma - float(at), reach)
        found[AXES[k]] = total
    return found


def turn(start: Sequence[float], end: Sequence[float], s: Scalar) -> dict[str, Orientation]:
    """A rotation about a fixed axis from one orientation to another, in the shorter sense (spherical interpolation).

        e = [e₁ sin((1 − s) θ) + e₂ sin(s θ)] / sin θ,      cos θ = e₁ · e₂ ≥ 0

    e is the quaternion at the fraction s of the rotation; `start` e₁ and `end` e₂ are quaternions, scalar first.
    Source: K. Shoemake, Animating rotation with quaternion curves (1985).
    """
    e, f = (_unit(given) for given in (start, end))
    f = f if e @ f >= 0 else -f
    theta = float(np.arctan2(np.linalg.norm(f - e * (e @ f)), e @ f))
    if abs(float(e @ f)) < HALF_TURN_TOLERANCE:
        raise ValueError(
            "turn: its orientations are half a turn apart: the direction is ambiguous. "
            "Call `turn` twice, with an orientation between them."
        )
    if theta == 0.0:
        return {"orientation": tuple(e.tolist())}
    across = (f - e * np.cos(theta)) / np.sin(theta)
    swept = theta * lift(s)
    return {
        "orientation": tuple(
            float(a) * cos(swept) + float(b) * sin(swept) for a, b in zip(e, across, strict=True)
        )
    }


def _corner_blend(past: Expression, reach: float) -> Expression:
    """The function B in the formula of `waypoints`: 0 before a corner, equal to `past` after it, and smooth in between.

    `past` is the distance along the pieces from the corner, negative before it; `reach` is the distance from the corner
    at which the rounding begins.
    """
    u = (past + reach) / (2 * reach)
    inside = 2 * reach * (u * u * u * (1 - u / 2))
    return piecewise(u, [(0.0, inside), (1.0, past)])


def _interpolate(a: Scalar, b: Scalar, s: Expression) -> Scalar:
    if lift(a) == lift(b):
        return a
    return lift(b) * s if lift(a) == Constant(0.0) else lift(a) * (1 - s) + lift(b) * s


def _unit(given: Sequence[float]) -> np.ndarray:
    e = np.array(given, float) if all(is_number(x) for x in given) else np.zeros(0)
    size = float(np.linalg.norm(e))
    if e.shape != (4,) or not np.isfinite(size) or size == 0.0:
        raise ValueError(
            f"turn: an orientation is {short_repr(tuple(given))}. Give a quaternion, scalar first."
        )
    return np.asarray(e / size)


def _require_points(path: str, points: Sequence[Sequence[Scalar]]) -> None:
    counts = {len(point) if isinstance(point, Sequence | np.ndarray) else 0 for point in points}
    if counts not in ({2}, {3}):
        raise ValueError(f"{path}: its points are {short_repr(points)}. Give two coordinates each, or three.")
