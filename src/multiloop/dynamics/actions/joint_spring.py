"""Effort of a JointSpring along a joint coordinate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from multiloop.dynamics.actions.action import UNITS, Action
from multiloop.kinematics.chart import LENGTHS
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import expression_value
from multiloop.model import JointSpring
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class JointSpringAction(Action):
    """An effort along a coordinate: −k (q − q₀) − c q̇,  V = k (q − q₀)²/2,  power −c q̇²."""

    load: JointSpring

    def _at(self, at: Snapshot) -> tuple[Any, Any, Any, Any]:
        """k, q − q₀, c, q̇."""
        load, link = self.load, at.skeleton.carrier[self.load.joint]
        (rate,) = self.rates(at.skeleton)
        q = at.q[link.q.start + rate - link.v.start]
        k, rest, c = (expression_value(at, value) for value in (load.stiffness, load.rest, load.damping))
        return k, q - rest, c, at.v[rate]

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        k, turned, c, rate = self._at(at)
        return (-k * turned - c * rate,)

    def potential(self, at: Snapshot) -> Matrix:
        k, turned, _, _ = self._at(at)
        return k * turned**2 / 2

    def power(self, at: Snapshot) -> Matrix:
        _, _, c, rate = self._at(at)
        return -c * rate**2

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return effort_units(skeleton, self.load.joint, self.load.component)

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        return {"effort": self.efforts(at)[0]}


def effort_units(skeleton: Skeleton, joint: str, component: str) -> Mapping[str, str]:
    """Units of the outputs of a load that acts along a coordinate of a joint."""
    names = skeleton.carrier[joint].joint.components(skeleton.planar)
    return {**UNITS, "effort": "N" if (component or names[0]) in LENGTHS else "N m"}
