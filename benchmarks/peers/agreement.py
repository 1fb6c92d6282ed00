"""Do all tools find the same accelerations? Nothing is timed that does not agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.peers.mujoco_peer import MuJoCo
from benchmarks.peers.opened import Opened
from benchmarks.peers.ours import Ours
from benchmarks.peers.states import Moment

CHECKED = 6
"""States at which the tools are compared; all of them move and are under efforts."""

RIGID = 1e-6
"""Largest difference of a rigid peer, of the largest acceleration: Pinocchio's proximal solver stops near 1e-8."""

SOFT = 0.1
"""The same of MuJoCo, whose loops give way; how much depends on how far the mechanism is from a singular position."""

SAME = 1e-10
"""What MuJoCo's own inertia, bias and Jacobians may leave unbalanced at our accelerations: the model is the same."""


def difference(
    ours: Ours, opened: Opened, accelerations: Callable[[Moment], np.ndarray], moments: Sequence[Moment]
) -> float:
    """The largest difference of an acceleration, of the largest acceleration, over joints in both trees."""
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
    """What our accelerations leave unbalanced in MuJoCo's equations; none where its tree has other joints."""
    worst = 0.0
    for moment in moments[:CHECKED]:
        here = ours.accelerations(moment)
        if any(link.joint.name not in here for link in peer.opened.links):
            return None
        a = peer.opened.rates(peer.opened.positions(moment.positions), here)
        worst = max(worst, peer.unbalanced(moment, a))
    return worst
