"""Do all programs find the same accelerations? A program is timed only if it agrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.peers.mujoco_peer import MuJoCo
from benchmarks.peers.opened import Opened
from benchmarks.peers.ours import Ours
from benchmarks.peers.states import Moment

CHECKED = 6
"""States at which the programs are compared, with nonzero rates and efforts."""

RIGID = 1e-6
"""Largest difference with rigid constraints, relative to the largest acceleration: Pinocchio's solver stops near
1e-8."""

SOFT = 0.1
"""The same for MuJoCo, whose loop constraints are soft; the error grows near singular positions."""

SAME = 1e-10
"""Allowed residual of MuJoCo's inertia, bias and Jacobians at our accelerations, which shows that the models agree."""


def difference(
    ours: Ours, opened: Opened, accelerations: Callable[[Moment], np.ndarray], moments: Sequence[Moment]
) -> float:
    """The largest difference of an acceleration, relative to the largest acceleration, over joints in both trees."""
    worst = 0.0
    for moment in moments[:CHECKED]:
        here, there = ours.accelerations(moment), accelerations(moment)
        joints = [
            link for link in opened.links if link.joint.name in here and link.joint.name in opened.plain
        ]
        a = np.concatenate([opened.signs[link.joint.name] * here[link.joint.name] for link in joints])
        b = np.concatenate([there[link.v] for link in joints])
        worst = max(worst, float(np.abs(a - b).max() / np.abs(a).max()))
    return worst


def unbalanced(ours: Ours, peer: MuJoCo, moments: Sequence[Moment]) -> float | None:
    """The residual of our accelerations in MuJoCo's equations; none if its tree has other joints."""
    worst = 0.0
    for moment in moments[:CHECKED]:
        here = ours.accelerations(moment)
        if any(link.joint.name not in here for link in peer.opened.links):
            return None
        a = peer.opened.rates(peer.opened.positions(moment.positions), here)
        worst = max(worst, peer.unbalanced(moment, a))
    return worst
