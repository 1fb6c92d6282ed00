"""Moment of RollingResistance on a wheel, proportional to the normal force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import UNITS, Action, Applied, Felt
from multiloop.dynamics.actions.creep import creep_speed
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import expression_value, marker_motion
from multiloop.model.loads.rolling_resistance import RollingResistance
from multiloop.spatial import Matrix

NORMAL = "normal force"
"""Name of the normal component of the reaction of rolling pairs."""


@dataclass(frozen=True)
class RollingResistanceAction(Action):
    """A couple −x e on the wheel and x e on the road, x = arm |N|;  power −x e · ω ≤ 0.

        e = σ(|ω_r| / speed) ω_r / |ω_r|,   ω_r = ω − (n · ω) n

    ω is the angular velocity of the wheel relative to the road, n the normal of the road, and σ the function of
    Friction: odd, 1 above the creep speed.

    Source: derived here.
    """

    load: RollingResistance

    def _normal(self, at: Snapshot) -> Matrix:
        """n, in inertial axes."""
        return marker_motion(at, self.load.second)[0].R[:, 1 if at.skeleton.planar else 2]

    def _rolling(self, at: Snapshot) -> Matrix:
        """ω_r."""
        first, second = (marker_motion(at, marker)[1] for marker in self.load.markers)
        omega = first.omega - second.omega
        if at.skeleton.planar:
            return omega
        n = self._normal(at)
        return omega - ca.dot(n, omega) * n

    def _way(self, at: Snapshot) -> Matrix:
        """e."""
        w = self._rolling(at) / creep_speed(at, self.load.speed, turns=True)
        square = ca.dot(w, w)
        s = ca.fmin(1.0, square)
        return w * ((15 - s * (10 - 3 * s)) / 8 / ca.sqrt(ca.fmax(1.0, square)))

    def _moment(self, at: Snapshot) -> Matrix:
        """Moment on the wheel."""
        return -self.own_strengths(at)[0] * self._way(at)

    def wrenches(self, at: Snapshot) -> tuple[Applied, ...]:
        couple = ca.vertcat(self._moment(at), ca.DM(3, 1))
        return (Applied(self.load.first, couple), Applied(self.load.second, -couple))

    def power(self, at: Snapshot) -> Matrix:
        return ca.dot(self._moment(at), self._rolling(at))

    def state_rates(self, at: Snapshot) -> tuple[Matrix, ...]:
        return (-self.power(at),)

    # reactions ----------------------------------------------------------------------------------------------

    def follows(self, skeleton: Skeleton) -> Mapping[str, tuple[str, ...]]:
        return {self.load.pair: (NORMAL,)}

    @property
    def otherwise(self) -> str:
        return "leave its resistance out"

    def _pressing(self, at: Snapshot, felt: Felt) -> Matrix:
        """Normal force N of the wheel on the road."""
        return -ca.dot(self._normal(at), felt[self.load.pair][3:])

    def law(self, at: Snapshot, felt: Felt) -> tuple[Matrix, ...]:
        return (expression_value(at, self.load.arm) * ca.fabs(self._pressing(at, felt)),)

    # outputs ------------------------------------------------------------------------------------------------

    def felt_readouts(self, at: Snapshot, felt: Felt) -> dict[str, Matrix]:
        moment = self._moment(at)
        told = {"moment": moment[2] if at.skeleton.planar else moment, "normal": self._pressing(at, felt)}
        return told | {"limit": self.law(at, felt)[0], "heat": self.own_states(at)[0]}

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return {**UNITS, "normal": "N", "limit": "N m", "heat": "J"}
