"""Forces of a Backlash: elastic contact at two flanks with a clearance between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import UNITS
from multiloop.dynamics.actions.buffer import BufferAction, Flank
from multiloop.dynamics.actions.joint_spring import effort_units
from multiloop.kinematics.joint_equation import JointEquation
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import expression_value
from multiloop.model import Backlash, position
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class BacklashAction(BufferAction):
    """Elastic contact at two flanks, with penetrations δ = max(0, ±(x − rest) − play/2), `play` being the clearance.

    The effort along every coordinate is ∓F ∂x/∂q.
    """

    load: Backlash

    def _equation(self, skeleton: Skeleton) -> JointEquation:
        """The expression x of joint coordinates."""
        if self.load.along is not None:
            return JointEquation(self.load.along, skeleton)
        names = skeleton.carrier[self.load.joint].joint.components(skeleton.planar)
        place = names.index(self.load.component or names[0])
        return JointEquation(position(self.load.joint, place), skeleton)

    def links(self, skeleton: Skeleton) -> frozenset[int]:
        links = [link for link, _ in self._equation(skeleton).coordinates.values()]
        return frozenset(k for link in links for k in (skeleton.index[link.body], link.parent))

    def rates(self, skeleton: Skeleton) -> tuple[int, ...]:
        return tuple(link.v.start + k for link, k in self._equation(skeleton).coordinates.values())

    def flanks(self, at: Snapshot) -> list[Flank]:
        own, load = self._equation(at.skeleton), self.load
        x, rate = own.at(at, own.value), own.at(at, own.rate_along(own.value))
        play, rest = (expression_value(at, value) for value in (load.play, load.rest))
        return [self.flank(at, sign, sign * (x - rest) - play / 2, rate) for sign in (1, -1)]

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        own = self._equation(at.skeleton)
        slopes = own.at(at, ca.jacobian(own.value, own.symbols[0]))
        force = self.push(at)
        return tuple(force * slopes[0, n] for n in range(len(own.coordinates)))

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        """Units for backlash of a joint; the unit of an expression is not known."""
        if self.load.along is not None:
            return {name: unit for name, unit in UNITS.items() if name != "displacement"}
        units = dict(effort_units(skeleton, self.load.joint, self.load.component))
        return {**units, "displacement": "m" if units["effort"] == "N" else "rad"}

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        own = self._equation(at.skeleton)
        rest = expression_value(at, self.load.rest)
        return {"effort": self.push(at), "displacement": own.at(at, own.value) - rest}
