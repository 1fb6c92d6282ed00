"""Coordinates of joints tied by an equation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.chart import LENGTHS
from multiloop.kinematics.constraints.constraint import Along, Constraint, Prescribed, Row
from multiloop.kinematics.skeleton import Skeleton
from multiloop.model import Relation
from multiloop.model.expressions import Position, Rate, depends_on_time, nodes_of, trace
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class RelationRow(Constraint):
    """Φ(y, t) = 0 of the coordinates y that it reads.

        Φ_y ẏ = −Φ_t,      Φ_y ÿ = −(ẏᵀ Φ_yy ẏ + 2 Φ_yt ẏ + Φ_tt)

    It pushes along every coordinate with the effort Φ_y λ.
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
    def hint(self) -> str:
        rivals = [f"'{name}'" for name in self._rivals]
        if not rivals:
            return "Check its equation and the held values."
        ask = "contradicts" if len(rivals) == 1 else "contradict"
        return f"Check its equation and the held values, and whether {' or '.join(rivals)} {ask} it."

    @property
    def _rivals(self) -> list[str]:
        """Other relations that read a coordinate of the same joint."""
        own = _joints_read(self.relation)
        others = (pair for pair in self.skeleton.mechanism.pairs if isinstance(pair, Relation))
        return [one.name for one in others if one.name != self.name and own & _joints_read(one)]

    @property
    def rheonomic(self) -> bool:
        return depends_on_time(self.relation.equation)

    @property
    def rows(self) -> tuple[Row, ...]:
        return (Row("effort", length=any(name in LENGTHS for _, _, name in self._read)),)

    @property
    def links(self) -> tuple[int, ...]:
        return tuple(sorted({link for link, _, _ in self._read}))

    @cached_property
    def _read(self) -> tuple[tuple[int, int, str], ...]:
        """Link, number and name of every coordinate that it reads."""
        found = {}
        for node in nodes_of(self.relation.equation):
            if isinstance(node, Position):
                link = self.skeleton.carrier[node.joint]
                names = link.joint.components(self.skeleton.planar)
                found[node.joint, node.component] = (
                    self.skeleton.index[link.body],
                    node.component,
                    names[node.component],
                )
        return tuple(found.values())

    @cached_property
    def _traced(self) -> tuple[Matrix, tuple[Matrix, Matrix, Matrix]]:
        """Φ on symbols of its own, and these: coordinates, their rates, the time."""
        y, rates, t = (
            ca.SX.sym(n, k) for n, k in (("y", len(self._read)), ("dy", len(self._read)), ("t", 1))
        )
        place = {(self.skeleton.links[k].joint.name, i): n for n, (k, i, _) in enumerate(self._read)}
        parameters = {name: self.skeleton.symbols[k] for k, name in enumerate(self.skeleton.names)}
        phi = trace(
            self.relation.equation,
            time=t,
            position=lambda joint, component: y[place[joint, component]],
            parameters=parameters,
        )
        return ca.SX(phi), (y, rates, t)

    def _on(self, at: Snapshot, expression: Matrix) -> Matrix:
        """An expression of its own symbols at an instant."""
        _, symbols = self._traced
        links = [self.skeleton.links[k] for k, _, _ in self._read]
        y = [at.q[link.q.start + i] for link, (_, i, _) in zip(links, self._read, strict=True)]
        rates = [at.v[link.v.start + i] for link, (_, i, _) in zip(links, self._read, strict=True)]
        now = ca.vertcat(*y, *rates, at.t)
        found = ca.substitute(expression, ca.vertcat(*symbols), ca.SX(now))
        return found if isinstance(now, ca.SX) or ca.symvar(found) else ca.evalf(found)

    def position(self, at: Snapshot, s: Matrix) -> Matrix:
        return self._on(at, self._traced[0])

    def interactions(self, at: Snapshot) -> tuple[Along, ...]:
        phi, (y, _, _) = self._traced
        slopes = self._on(at, ca.jacobian(phi, y))
        return tuple(Along(k, i, slopes[0, n]) for n, (k, i, _) in enumerate(self._read))

    def bias(self, at: Snapshot, given: Prescribed) -> Matrix:
        phi, (_, _, t) = self._traced
        return self._on(at, -ca.jacobian(phi, t))

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        phi, (y, rates, t) = self._traced
        once = ca.jacobian(phi, y) @ rates + ca.jacobian(phi, t)
        return self._on(at, -(ca.jacobian(once, y) @ rates + ca.jacobian(once, t)))


def _joints_read(relation: Relation) -> set[str]:
    """The joints whose coordinates or rates an equation reads."""
    return {node.joint for node in nodes_of(relation.equation) if isinstance(node, Position | Rate)}
