"""What a Stop does: a buffer by itself, a hard one by `hard_stop`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import Action
from multiloop.dynamics.actions.hard_stop import HardStopAction
from multiloop.dynamics.actions.joint_spring import effort_units
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import expression_value
from multiloop.model import Stop
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class StopAction(Action):
    """Buffers at both ends.

        δ = max(0, ±(q − end)),   F = max(0, k δ + c δ̇) where δ > 0,   V = k δ²/2,   power −(F − k δ) δ̇

    What a buffer does beyond its spring is never positive: c δ̇² while it pushes, and where it would have to pull, on
    its way back, what its spring still stores is lost.
    """

    load: Stop

    def _ends(self, at: Snapshot) -> list[tuple[int, Matrix, Matrix, Matrix]]:
        """Sign, δ, δ̇ and F of every buffer; the sign is that of the motion that it ends."""
        load, link = self.load, at.skeleton.carrier[self.load.joint]
        (rate,) = self.rates(at.skeleton)
        q, v = at.q[link.q.start + rate - link.v.start], at.v[rate]
        k, c = (expression_value(at, value) for value in (load.stiffness, load.damping))
        found = []
        for sign, end in ((1, load.high), (-1, load.low)):
            if end is not None:
                deep = ca.fmax(0.0, sign * (q - expression_value(at, end)))
                force = ca.if_else(deep > 0, ca.fmax(0.0, k * deep + c * sign * v), 0.0)
                found.append((sign, deep, sign * v, force))
        return found

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        return (sum((-sign * force for sign, _, _, force in self._ends(at)), start=ca.DM(1, 1)),)

    def potential(self, at: Snapshot) -> Matrix:
        k = expression_value(at, self.load.stiffness)
        return sum((k * deep**2 / 2 for _, deep, _, _ in self._ends(at)), start=ca.DM(1, 1))

    def power(self, at: Snapshot) -> Matrix:
        k, lost = expression_value(at, self.load.stiffness), ca.DM(1, 1)
        for _, deep, rate, force in self._ends(at):
            lost = lost - ca.if_else(deep > 0, (force - k * deep) * rate, 0.0)
        return lost

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return effort_units(skeleton, self.load.joint, self.load.component)

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        return {"effort": self.efforts(at)[0]}


def stop_action(load: Stop) -> Action:
    """Hard where it has a restitution."""
    return StopAction(load) if load.restitution is None else HardStopAction(load)
