"""Differences between a Result and a peer, joint by joint, each number relative to the peer's."""

from __future__ import annotations

import numpy as np
from peers.pinocchio_instant import Instant

DIGITS = 1e-8
"""Eight digits. Round-off of 1e-16 times the condition numbers of two independent solutions, of up to 1e6."""

PENALISED = 1e-5
"""For the augmented method: round-off of its penalty, 1e-16 · 1e5 of the largest inertia, affects bodies of small
inertia.

A rod of the Delta robot has 4e-6 kg m² compared with 0.5 kg m²; all others stay below 1e-6.
"""

SMALL = 1e-3
"""Numbers below this part of the largest of their type are compared with that part instead."""

COMPONENTS = [f"moment about {axis}" for axis in "xyz"] + [f"force along {axis}" for axis in "xyz"]


class Judge:
    """Differences between a Result and a peer, each relative to the peer's number; the worst of each kind."""

    def __init__(self):
        self.worst = {}

    def hold(self, what, pairs, allowed, size=0.0):
        """Record vectors by joint; `size` is a further scale of the numbers of this type."""
        size = max([size, *(np.abs(theirs).max(initial=0.0) for _, theirs in pairs.values())])
        for name, (ours, theirs) in pairs.items():
            apart = np.abs(ours - theirs).max(initial=0.0)
            apart = apart / max(np.abs(theirs).max(initial=0.0), SMALL * size) if apart else 0.0
            self.worst[what] = max(self.worst.get(what, 0.0), float(apart))
            assert apart <= allowed, f"{what} at '{name}': {apart:.1e} apart, {ours} here, {theirs} there"

    def __str__(self):
        return ", ".join(f"{what} {apart:.0e}" for what, apart in self.worst.items())


def judge(result, k, tree_peers, *, efforts, prescribed, allowed=DIGITS):
    """Compare instant k of a result with every peer; known efforts and prescribed joints by name."""
    judged, mechanism = Judge(), result.mechanism
    positions, rates = ({j: getattr(result[j], what)[k] for j in result} for what in ("position", "rate"))
    for peer in tree_peers:
        at = Instant(peer, positions, rates)
        # Positions are closed to 1e-12 of the size of the mechanism.
        assert at.gap < 1e-11 * max(1.0, result.plan.length)
        answer = at.solve(efforts, {j: result[j].acceleration[k] for j in prescribed})
        assert answer.left < 1e-10, "the peer contradicts itself"
        judged.hold("accelerations", paired(result, k, "acceleration", answer.accelerations), allowed)
        judged.hold("efforts", paired(result, k, "effort", answer.efforts), allowed)
        reactions = {j: determined(result, k, j, answer.wrenches[j], at) for j in result}
        forces = {j: (ours[3:], theirs[3:]) for j, (ours, theirs) in reactions.items()}
        moments = {j: (ours[:3], theirs[:3]) for j, (ours, theirs) in reactions.items()}
        judged.hold("forces", forces, allowed)
        largest = max(np.abs(theirs).max() for _, theirs in forces.values())
        judged.hold("moments", moments, allowed, size=result.plan.length * largest)
    print(f"{mechanism.name}, {result.method}: {judged}")


def paired(result, k, what, theirs):
    return {j: (np.atleast_1d(getattr(result[j], what)[k]), value) for j, value in theirs.items()}


def determined(result, k, joint, theirs, at):
    """[moment; force] of both along the first marker's axes, without undetermined components."""
    history, R = result[joint], at.place(result[joint].first).rotation
    force, moment = history.force[k], history.moment[k]
    ours = [0.0, 0.0, moment, *force, 0.0] if result.mechanism.planar else [*moment, *force]
    kept = np.array([component not in history.undetermined for component in COMPONENTS])
    return tuple(kept * np.concatenate([R.T @ w[:3], R.T @ w[3:]]) for w in (np.array(ours), theirs))
