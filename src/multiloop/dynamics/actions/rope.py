"""Tension of a Rope between two markers: a unilateral constraint of their distance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import FLAG, UNITS, Applied, Felt
from multiloop.dynamics.actions.grip import Grip
from multiloop.dynamics.actions.one_sided import OneSidedAction
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import TINY, Span, expression_value, span_between
from multiloop.model import Rope
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class RopeAction(OneSidedAction):
    """Tension x along the line of two markers, f = x d/L on the first body, −f on the second; ġ = −L̇."""

    load: Rope

    def _span(self, at: Snapshot) -> Span:
        return span_between(at, self.load.first, self.load.second)

    def grips(self, at: Snapshot, felt: Felt) -> tuple[Grip, ...]:
        load, span = self.load, self._span(at)
        length, e, speed = (
            expression_value(at, value or 0.0) for value in (load.length, load.restitution, load.speed)
        )
        return (Grip(-span.length_rate, ca.SX(0), None, length - span.length, e, speed),)

    def wrenches(self, at: Snapshot) -> tuple[Applied, ...]:
        span, (x,) = self._span(at), self.own_strengths(at)
        w = ca.vertcat(ca.DM(3, 1), x * span.d / ca.fmax(span.length, TINY))
        return (Applied(self.load.first, w), Applied(self.load.second, -w))

    def power(self, at: Snapshot) -> Matrix:
        (x,) = self.own_strengths(at)
        return -x * self._span(at).length_rate

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return {**UNITS, "taut": FLAG}

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        span, (x,) = self._span(at), self.own_strengths(at)
        told = {"force": x, "length": span.length, "length_rate": span.length_rate}
        return told | {"taut": self.holding(at)}
