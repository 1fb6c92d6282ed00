"""Effort of a Freewheel: a unilateral constraint of a joint rate."""

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
from multiloop.model import Freewheel
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class FreewheelAction(OneSidedAction):
    """x ≥ 0 in the free direction, x = 0 while it overruns: ġ = q̇, or −q̇ if its free direction is negative."""

    load: Freewheel

    @property
    def _way(self) -> int:
        return 1 if self.load.free == "forward" else -1

    def _rate(self, at: Snapshot) -> Matrix:
        (rate,) = self.rates(at.skeleton)
        return at.v[rate]

    def grips(self, at: Snapshot, felt: Felt) -> tuple[Grip, ...]:
        return (Grip(self._way * self._rate(at), ca.SX(0), None),)

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        return (self._way * self.own_strengths(at)[0],)

    def power(self, at: Snapshot) -> Matrix:
        return self.efforts(at)[0] * self._rate(at)

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return {**effort_units(skeleton, self.load.joint, self.load.component), "holding": FLAG}

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        return {"effort": self.efforts(at)[0], "holding": self.holding(at)}
