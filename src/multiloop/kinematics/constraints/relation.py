"""Constraint row of a relation between joint coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.constraints.constraint import Along, Constraint, Prescribed, Row
from multiloop.kinematics.joint_equation import JointEquation, Places
from multiloop.kinematics.skeleton import Skeleton
from multiloop.model import Relation
from multiloop.model.expressions import Position, Rate, depends_on_time, nodes_of
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class EquationRow(Constraint):
    """A relation as a constraint row; subclasses define the efforts that its multiplier exerts."""

    relation: Relation
    skeleton: Skeleton

    @property
    def name(self) -> str:
        return self.relation.name

    @property
    def called(self) -> str:
        return "relation"

    @cached_property
    def equation(self) -> JointEquation:
        """The equation of the relation on symbols."""
        return JointEquation(self.relation.equation, self.skeleton)

    def _pushes(self, at: Snapshot, places: Places, weights: Matrix) -> tuple[Along, ...]:
        """Efforts of a unit multiplier along the given coordinates or rates."""
        index = self.skeleton.index
        return tuple(Along(index[link.body], k, weights[0, n]) for n, (link, k) in enumerate(places.values()))


@dataclass(frozen=True, eq=False)
class RelationRow(EquationRow):
    """Φ(y, t) = 0 of joint coordinates y.

        Φ_y ẏ = −Φ_t,      Φ_y ÿ = −(ẏᵀ Φ_yy ẏ + 2 Φ_yt ẏ + Φ_tt)

    It exerts the efforts Φ_yᵀ λ along the coordinates.
    """

    @property
    def hint(self) -> str:
        rivals = [f"'{name}'" for name in self._rivals]
        if not rivals:
            return "Check its equation and the held values."
        ask = "contradicts" if len(rivals) == 1 else "contradict"
        return f"Check its equation and the held values, and whether {' or '.join(rivals)} {ask} it."

    @property
    def _rivals(self) -> list[str]:
        """Other relations that contain a coordinate of the same joint."""
        own = _joints_read(self.relation)
        others = (pair for pair in self.skeleton.mechanism.pairs if isinstance(pair, Relation))
        return [one.name for one in others if one.name != self.name and own & _joints_read(one)]

    @property
    def rheonomic(self) -> bool:
        return depends_on_time(self.relation.equation)

    @property
    def rows(self) -> tuple[Row, ...]:
        return (Row("effort", length=self.equation.measures_length(self.equation.coordinates)),)

    @property
    def links(self) -> tuple[int, ...]:
        return self.equation.links(self.equation.coordinates)

    def position(self, at: Snapshot, s: Matrix) -> Matrix:
        return self.equation.at(at, self.equation.value)

    def interactions(self, at: Snapshot) -> tuple[Along, ...]:
        own = self.equation
        slopes = own.at(at, ca.jacobian(own.value, own.symbols[0]))
        return self._pushes(at, own.coordinates, slopes)

    def bias(self, at: Snapshot, given: Prescribed) -> Matrix:
        own = self.equation
        return own.at(at, -ca.jacobian(own.value, own.symbols[2]))

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        own = self.equation
        return own.at(at, -own.rate_along(own.rate_along(own.value)))


def _joints_read(relation: Relation) -> set[str]:
    """The joints whose coordinates or rates an equation contains."""
    return {node.joint for node in nodes_of(relation.equation) if isinstance(node, Position | Rate)}
