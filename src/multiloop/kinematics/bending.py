"""Twists of markers relative to the frames of their elastic bodies, per unit of the elastic rates."""

from __future__ import annotations

import casadi as ca
import numpy as np

from multiloop.kinematics.motion import marker_bending
from multiloop.kinematics.trace import Trace
from multiloop.symbols import Traced

Bends = dict[tuple[int, str], np.ndarray]


def marker_bends(trace: Trace, q: np.ndarray, p: np.ndarray) -> Bends:
    """Twist at its origin, per unit of the elastic rates, of every marker that moves relative to its body, 6×e."""
    function, names, ends = _traced(trace)
    (stack,) = function(q, p)
    parts = np.split(stack.reshape(6, -1), ends, axis=1)
    return dict(zip(names, parts, strict=False))


def _traced(trace: Trace) -> tuple[Traced, list[tuple[int, str]], list[int]]:
    if "bends" not in trace.keeps:
        names, stacked = [], [ca.SX(6, 0)]
        for k, link in enumerate(trace.skeleton.links):
            place = trace.placed[k]
            for marker in filter(link.reduced.moves, link.reduced.markers):
                point = place.pose.point(link.reduced.marker_pose(marker, place.eta).p)
                names.append((k, marker))
                stacked.append(marker_bending(trace.skeleton, trace.placed, k, marker, point))
        ends = np.cumsum([part.shape[1] for part in stacked[1:]]).tolist()
        function = trace.function("bends", "q", bends=ca.densify(ca.horzcat(*stacked)))
        trace.keeps["bends"] = (function, names, ends)
    found: tuple[Traced, list[tuple[int, str]], list[int]] = trace.keeps["bends"]
    return found
