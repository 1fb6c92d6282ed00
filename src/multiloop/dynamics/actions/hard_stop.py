"""Effort of a hard Stop, which has a coefficient of restitution: unilateral contact at the ends of a coordinate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import FLAG, Felt
from multiloop.dynamics.actions.grip import Grip
from multiloop.dynamics.actions.joint_spring import effort_units
from multiloop.dynamics.actions.one_sided import OneSidedAction
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import expression_value
from multiloop.model import Stop
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class HardStopAction(OneSidedAction):
    """Unilateral contact at both ends.

        g = q − low ≥ 0,  g = high − q ≥ 0,      x ≥ 0,  x g = 0,      ġ⁺ ≥ −e ġ⁻ at an impact

    Source: [pfeiffer], ch. 3; Newton's law of impact.
    """

    load: Stop

    def _ends(self, at: Snapshot) -> list[tuple[int, Matrix, Matrix]]:
        """Sign, g and ġ at every end; the sign is that of its effort."""
        load, link = self.load, at.skeleton.carrier[self.load.joint]
        (rate,) = self.rates(at.skeleton)
        q, v = at.q[link.q.start + rate - link.v.start], at.v[rate]
        ends = ((1, load.low), (-1, load.high))
        return [
            (sign, sign * (q - expression_value(at, end)), sign * v) for sign, end in ends if end is not None
        ]

    def grips(self, at: Snapshot, felt: Felt) -> tuple[Grip, ...]:
        e, speed = (expression_value(at, value or 0.0) for value in (self.load.restitution, self.load.speed))
        return tuple(Grip(rate, ca.SX(0), None, gap, e, speed) for _, gap, rate in self._ends(at))

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        pushes = zip(self._ends(at), self.own_strengths(at), strict=True)
        return (sum((sign * x for (sign, _, _), x in pushes), start=ca.DM(1, 1)),)

    def power(self, at: Snapshot) -> Matrix:
        (rate,) = self.rates(at.skeleton)
        return self.efforts(at)[0] * at.v[rate]

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return {**effort_units(skeleton, self.load.joint, self.load.component), "touching": FLAG}

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        return {"effort": self.efforts(at)[0], "touching": self.holding(at)}
