"""Constraint rows of relations between joint coordinates y, Φ(y, t) = 0, or joint rates u, A(y, t) u + c(y, t) = 0.

Theory: docs/theory/03-constraints.md, eq. (3.13).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.constraints.constraint import Constraint, EffortInteraction, Prescribed, Row
from multiloop.kinematics.tree import LENGTH_COMPONENTS, Link, Skeleton
from multiloop.model import Relation
from multiloop.model.expressions import Position, Rate, Scalar, depends_on_time, nodes_of, trace
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot

CoordinatePlaces = dict[tuple[str, int], tuple[Link, int]]
"""The coordinates, or rates, in an expression: link and component number for each tuple (joint name, component
number)."""


@dataclass(frozen=True, eq=False)
class JointEquation:
    """The expression f(y, u, t) of a relation, with its own symbols for joint coordinates y, joint rates u, time t, and
    the time derivatives dy of y."""

    expression: Scalar
    skeleton: Skeleton

    def _places(self, kind: type[Position | Rate]) -> CoordinatePlaces:
        nodes = [node for node in nodes_of(self.expression) if isinstance(node, kind)]
        return {(n.joint, n.component): (self.skeleton.link_of_joint[n.joint], n.component) for n in nodes}

    @cached_property
    def coordinates(self) -> CoordinatePlaces:
        """Links and component numbers of the coordinates y in the expression."""
        return self._places(Position)

    @cached_property
    def rates(self) -> CoordinatePlaces:
        """Links and component numbers of the rates u in the expression."""
        return self._places(Rate)

    def measures_length(self, places: CoordinatePlaces) -> bool:
        """Whether at least one of the coordinates or rates `places` is a length (otherwise all are angles)."""
        planar = self.skeleton.planar
        return any(link.joint.components(planar)[k] in LENGTH_COMPONENTS for link, k in places.values())

    def links(self, places: CoordinatePlaces) -> tuple[int, ...]:
        """Indices of the links whose inboard joints have the coordinates or rates `places`."""
        return tuple(sorted({self.skeleton.index[link.body] for link, _ in places.values()}))

    @cached_property
    def symbols(self) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """The symbols of the coordinates y, the rates u, the time t and the time derivatives dy."""
        n, m = len(self.coordinates), len(self.rates)
        return ca.SX.sym("y", n), ca.SX.sym("u", m), ca.SX.sym("t"), ca.SX.sym("dy", n)

    @cached_property
    def value(self) -> Matrix:
        """The expression f of the relation in the symbols that `symbols` returns."""
        y, u, t, _ = self.symbols
        coordinates, rates = ({key: k for k, key in enumerate(one)} for one in (self.coordinates, self.rates))
        found = trace(
            self.expression,
            time=t,
            position=lambda joint, component: y[coordinates[joint, component]],
            rate=lambda joint, component: u[rates[joint, component]],
            parameters={
                name: self.skeleton.parameter_symbols[k]
                for k, name in enumerate(self.skeleton.parameter_names)
            },
        )
        return ca.SX(found)

    def time_derivative(self, part: Matrix) -> Matrix:
        """Time derivative ∂f/∂y dy + ∂f/∂t of a function f of the coordinates y and the time t."""
        y, _, t, dy = self.symbols
        return ca.jacobian(part, y) @ dy + ca.jacobian(part, t)

    def evaluate_at(self, at: Snapshot, part: Matrix) -> Matrix:
        """The value, at an instant, of an expression `part` in the symbols of coordinates y, rates u, time t and time
        derivatives dy."""
        places = [link.q.start + k for link, k in self.coordinates.values()]
        rates = [at.v[link.v.start + k] for link, k in self.rates.values()]
        now, symbols = [*(at.q[k] for k in places), *rates, at.t], list(self.symbols[:3])
        if ca.depends_on(part, self.symbols[3]):
            now += [at.q_rate[k] for k in places]
            symbols.append(self.symbols[3])
        values = ca.vertcat(*now)
        found = ca.substitute(part, ca.vertcat(*symbols), ca.SX(values))
        return found if isinstance(values, ca.SX) or ca.symvar(found) else ca.evalf(found)


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
        """The equation of the relation in symbols for its coordinates, rates and time."""
        return JointEquation(self.relation.equation, self.skeleton)

    def _efforts(
        self, at: Snapshot, places: CoordinatePlaces, weights: Matrix
    ) -> tuple[EffortInteraction, ...]:
        """Torques or forces of a unit multiplier along the coordinates or rates `places`, of magnitudes `weights`."""
        index = self.skeleton.index
        return tuple(
            EffortInteraction(index[link.body], k, weights[0, n])
            for n, (link, k) in enumerate(places.values())
        )


@dataclass(frozen=True, eq=False)
class RelationRow(EquationRow):
    """Constraint Φ(y, t) = 0 between joint coordinates y.

        Φ_y ẏ = −Φ_t,      Φ_y ÿ = −(ẏᵀ Φ_yy ẏ + 2 Φ_yt ẏ + Φ_tt)

    Subscripts denote partial derivatives. The multiplier λ exerts the torques or forces Φ_yᵀ λ along the coordinates.
    """

    @property
    def hint(self) -> str:
        rivals = [f"'{name}'" for name in self._competing_relations]
        if not rivals:
            return "Check its equation and the values of start and drives."
        ask = "contradicts" if len(rivals) == 1 else "contradict"
        return f"Check its equation and the values of start and drives, and whether {' or '.join(rivals)} {ask} it."

    @property
    def _competing_relations(self) -> list[str]:
        """Names of the other relations that contain a coordinate or rate of one of the same joints."""
        own = _joints_read(self.relation)
        others = (pair for pair in self.skeleton.mechanism.pairs if isinstance(pair, Relation))
        return [one.name for one in others if one.name != self.name and own & _joints_read(one)]

    @property
    def rheonomic(self) -> bool:
        return depends_on_time(self.relation.equation)

    @property
    def rows(self) -> tuple[Row, ...]:
        return (Row("effort", is_length=self.equation.measures_length(self.equation.coordinates)),)

    @property
    def links(self) -> tuple[int, ...]:
        return self.equation.links(self.equation.coordinates)

    def position_residual(self, at: Snapshot, s: Matrix) -> Matrix:
        return self.equation.evaluate_at(at, self.equation.value)

    def interactions(self, at: Snapshot) -> tuple[EffortInteraction, ...]:
        own = self.equation
        slopes = own.evaluate_at(at, ca.jacobian(own.value, own.symbols[0]))
        return self._efforts(at, own.coordinates, slopes)

    def bias(self, at: Snapshot, given: Prescribed) -> Matrix:
        own = self.equation
        return own.evaluate_at(at, -ca.jacobian(own.value, own.symbols[2]))

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        own = self.equation
        return own.evaluate_at(at, -own.time_derivative(own.time_derivative(own.value)))


def _joints_read(relation: Relation) -> set[str]:
    """Names of the joints whose coordinates or rates occur in the equation of a relation."""
    return {node.joint for node in nodes_of(relation.equation) if isinstance(node, Position | Rate)}


@dataclass(frozen=True, eq=False)
class RateRelationRow(EquationRow):
    """Constraint Ψ = A(y, t) u + c(y, t) = 0 between joint rates u, with coefficients that depend on joint coordinates
    y.

        A u = −c,      A u̇ = −(∂Ψ/∂y ẏ + ∂Ψ/∂t)

    The multiplier λ exerts the torques or forces Aᵀ λ along the rates; no coordinate is constrained. The coordinates y
    may include entries of a quaternion; ẏ is therefore taken from q̇ = E(q) v, the time derivative of all tree
    coordinates q for the joint rates v, and not from u.

    Source: derived here; linear nonholonomic rows as in [neimark_fufaev].
    """

    @property
    def rheonomic(self) -> bool:
        return self._is_rheonomic

    @cached_property
    def _is_rheonomic(self) -> bool:
        """Whether the relation depends on time or requires nonzero rates (c ≠ 0)."""
        return depends_on_time(self.relation.equation) or not _is_zero(self._constant_term)

    @cached_property
    def _constant_term(self) -> Matrix:
        """The term c(y, t) of the relation, which does not depend on the rates."""
        u = self.equation.symbols[1]
        return ca.substitute(self.equation.value, u, 0 * u)

    @property
    def rows(self) -> tuple[Row, ...]:
        length = self.equation.measures_length(self.equation.rates)
        return (Row("effort", is_length=length, rate_only=True),)

    @property
    def links(self) -> tuple[int, ...]:
        return self.equation.links(self.equation.rates)

    def interactions(self, at: Snapshot) -> tuple[EffortInteraction, ...]:
        own = self.equation
        return self._efforts(at, own.rates, own.evaluate_at(at, ca.jacobian(own.value, own.symbols[1])))

    def bias(self, at: Snapshot, given: Prescribed) -> Matrix:
        return self.equation.evaluate_at(at, -self._constant_term)

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        return self.equation.evaluate_at(at, -self.equation.time_derivative(self.equation.value))


def _is_zero(expression: Matrix) -> bool:
    """Whether an expression simplifies to zero."""
    return bool(ca.SX(ca.simplify(expression)).is_zero())
