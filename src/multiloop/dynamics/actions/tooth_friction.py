"""Force of ToothFriction along the teeth of a gear, proportional to the normal tooth force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import UNITS, Action, Applied, Felt
from multiloop.dynamics.actions.creep import creep_speed
from multiloop.dynamics.actions.friction import magnitude, regularised
from multiloop.kinematics.constraints.gearing import GearingRow, Rubbing
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import expression_value, marker_motion
from multiloop.model import Gearing, ToothFriction
from multiloop.model.names import body_of
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class ToothFrictionAction(Action):
    """A force x along the teeth, x = −σ μ N,  power x v ≤ 0; N = |λ| √(1 + tan²β + tan²α/cos²β)."""

    load: ToothFriction

    def _row(self, at: Snapshot) -> GearingRow:
        found = next(row for row in at.own.constraints if row.name == self.load.gear)
        assert isinstance(found, GearingRow)
        return found

    def _rubbing(self, at: Snapshot) -> Rubbing:
        return self._row(at).rubbing(at)

    def links(self, skeleton: Skeleton) -> frozenset[int]:
        gears = [pair for pair in skeleton.mechanism.couplings if isinstance(pair, Gearing)]
        gear = next(gear for gear in gears if gear.name == self.load.gear)
        return frozenset(skeleton.index[body_of(wheel)] for wheel in (gear.first, gear.second))

    def wrenches(self, at: Snapshot) -> tuple[Applied, ...]:
        gear, (x,) = self._row(at).gearing, self.own_strengths(at)
        w = x * self._rubbing(at).wrench
        one, other = (marker_motion(at, wheel)[0].p for wheel in (gear.first, gear.second))
        moved = ca.vertcat(w[:3] + ca.cross(other - one, w[3:]), w[3:])
        return Applied(gear.second, w), Applied(gear.first, -moved)

    def slip(self, at: Snapshot) -> Matrix:
        return regularised(self._rubbing(at).speed / creep_speed(at, self.load.speed))

    def power(self, at: Snapshot) -> Matrix:
        return self.own_strengths(at)[0] * self._rubbing(at).speed

    def state_rates(self, at: Snapshot) -> tuple[Matrix, ...]:
        return (-self.power(at),)

    def follows(self, skeleton: Skeleton) -> Mapping[str, tuple[str, ...]]:
        return {self.load.gear: ("tooth force",)}

    def law(self, at: Snapshot, felt: Felt) -> tuple[Matrix, ...]:
        mu = expression_value(at, self.load.coefficient or 0.0)
        normal = self._rubbing(at).steepness * magnitude(felt[self.load.gear][3:])
        return (-self.slip(at) * mu * normal,)

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        (x,) = self.own_strengths(at)
        return {"force": x, "sliding": self._rubbing(at).speed, "heat": self.own_states(at)[0]}

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return {**UNITS, "sliding": "m/s", "heat": "J"}
