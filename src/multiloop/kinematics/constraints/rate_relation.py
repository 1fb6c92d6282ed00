"""Rates of joints tied by an equation that is linear in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.chart import LENGTHS
from multiloop.kinematics.constraints.constraint import Along, Constraint, Prescribed, Row
from multiloop.kinematics.skeleton import Link, Skeleton
from multiloop.model import Relation
from multiloop.model.expressions import Position, Rate, depends_on_time, nodes_of, trace
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class RateRelationRow(Constraint):
    """Ψ = A(y, t) u + c(y, t) = 0 of rates u, with coefficients of coordinates y.

        A u = −c,      A u̇ = −(∂Ψ/∂y ẏ + ∂Ψ/∂t)

    It pushes along every rate with the effort Aᵀ λ; no coordinate is held by it. y may be entries of a quaternion:
    ẏ is taken of the tree's q̇ = E(q) v.

    Source: derived here; linear nonholonomic rows as in [neimark_fufaev].
    """

    relation: Relation
    skeleton: Skeleton

    @property
    def name(self) -> str:
        return self.relation.name

    @property
    def called(self) -> str:
        return "relation"

    @property
    def rheonomic(self) -> bool:
        return self._moves_by_itself

    @cached_property
    def _moves_by_itself(self) -> bool:
        """Whether it depends on time, or asks for rates where all could be zero: c ≠ 0."""
        psi, (_, u, _) = self._traced
        return depends_on_time(self.relation.equation) or not _zero(ca.substitute(psi, u, 0 * u))

    @property
    def rows(self) -> tuple[Row, ...]:
        lengths = [
            link.joint.components(self.skeleton.planar)[k] in LENGTHS for link, k in self._read(Rate).values()
        ]
        return (Row("effort", length=any(lengths), rate_only=True),)

    @property
    def links(self) -> tuple[int, ...]:
        return tuple(sorted({self.skeleton.index[link.body] for link, _ in self._read(Rate).values()}))

    def _read(self, kind: type[Position | Rate]) -> dict[tuple[str, int], tuple[Link, int]]:
        """Link and number of every coordinate, or rate, that it reads."""
        nodes = [node for node in nodes_of(self.relation.equation) if isinstance(node, kind)]
        return {(n.joint, n.component): (self.skeleton.carrier[n.joint], n.component) for n in nodes}

    @cached_property
    def _traced(self) -> tuple[Matrix, tuple[Matrix, Matrix, Matrix]]:
        """Ψ on symbols of its own, and these: coordinates, rates, the time."""
        coordinates, rates = ({key: k for k, key in enumerate(self._read(kind))} for kind in (Position, Rate))
        y, u, t = (ca.SX.sym(n, k) for n, k in (("y", len(coordinates)), ("u", len(rates)), ("t", 1)))
        psi = trace(
            self.relation.equation,
            time=t,
            position=lambda joint, component: y[coordinates[joint, component]],
            rate=lambda joint, component: u[rates[joint, component]],
            parameters={name: self.skeleton.symbols[k] for k, name in enumerate(self.skeleton.names)},
        )
        return ca.SX(psi), (y, u, t)

    def _on(self, at: Snapshot, build: Matrix, y_rate: Matrix | None = None) -> Matrix:
        """An expression of its own symbols at an instant; `y_rate` are symbols for the rates of the coordinates."""
        _, (y, u, t) = self._traced
        places = [link.q.start + k for link, k in self._read(Position).values()]
        rates = [at.v[link.v.start + k] for link, k in self._read(Rate).values()]
        now = [*(at.q[k] for k in places), *rates, at.t]
        symbols = [y, u, t]
        if y_rate is not None:
            now += [at.q_rate[k] for k in places]
            symbols.append(y_rate)
        values = ca.vertcat(*now)
        found = ca.substitute(build, ca.vertcat(*symbols), ca.SX(values))
        return found if isinstance(values, ca.SX) or ca.symvar(found) else ca.evalf(found)

    def interactions(self, at: Snapshot) -> tuple[Along, ...]:
        psi, (_, u, _) = self._traced
        A = self._on(at, ca.jacobian(psi, u))
        return tuple(
            Along(self.skeleton.index[link.body], k, A[0, n])
            for n, (link, k) in enumerate(self._read(Rate).values())
        )

    def bias(self, at: Snapshot, given: Prescribed) -> Matrix:
        psi, (_, u, _) = self._traced
        return self._on(at, -ca.substitute(psi, u, 0 * u))

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        psi, (y, _, t) = self._traced
        y_rate = ca.SX.sym("dy", y.shape[0])
        return self._on(at, -(ca.jacobian(psi, y) @ y_rate + ca.jacobian(psi, t)), y_rate)


def _zero(expression: Matrix) -> bool:
    """Whether nothing is left of an expression."""
    return bool(ca.SX(ca.simplify(expression)).is_zero())
