"""An expression of joint coordinates, joint rates and time, with its derivatives, evaluated at an instant."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.chart import LENGTHS
from multiloop.kinematics.skeleton import Link, Skeleton
from multiloop.model.expressions import Position, Rate, Scalar, nodes_of, trace
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot

Places = dict[tuple[str, int], tuple[Link, int]]
"""Link and component number of every coordinate, or rate, in an expression."""


@dataclass(frozen=True, eq=False)
class JointEquation:
    """f(y, u, t) on separate symbols: coordinates y, rates u and the time t; dy are the time derivatives of y."""

    expression: Scalar
    skeleton: Skeleton

    def _places(self, kind: type[Position | Rate]) -> Places:
        nodes = [node for node in nodes_of(self.expression) if isinstance(node, kind)]
        return {(n.joint, n.component): (self.skeleton.carrier[n.joint], n.component) for n in nodes}

    @cached_property
    def coordinates(self) -> Places:
        """Places of the coordinates y."""
        return self._places(Position)

    @cached_property
    def rates(self) -> Places:
        """Places of the rates u."""
        return self._places(Rate)

    def measures_length(self, places: Places) -> bool:
        """Whether some of these coordinates or rates are lengths."""
        planar = self.skeleton.planar
        return any(link.joint.components(planar)[k] in LENGTHS for link, k in places.values())

    def links(self, places: Places) -> tuple[int, ...]:
        """Indices of the links of these coordinates or rates."""
        return tuple(sorted({self.skeleton.index[link.body] for link, _ in places.values()}))

    @cached_property
    def symbols(self) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """y, u, t and dy."""
        n, m = len(self.coordinates), len(self.rates)
        return ca.SX.sym("y", n), ca.SX.sym("u", m), ca.SX.sym("t"), ca.SX.sym("dy", n)

    @cached_property
    def value(self) -> Matrix:
        """f."""
        y, u, t, _ = self.symbols
        coordinates, rates = ({key: k for k, key in enumerate(one)} for one in (self.coordinates, self.rates))
        found = trace(
            self.expression,
            time=t,
            position=lambda joint, component: y[coordinates[joint, component]],
            rate=lambda joint, component: u[rates[joint, component]],
            parameters={name: self.skeleton.symbols[k] for k, name in enumerate(self.skeleton.names)},
        )
        return ca.SX(found)

    def rate_along(self, part: Matrix) -> Matrix:
        """Time derivative of a function of y and t: ∂/∂y dy + ∂/∂t."""
        y, _, t, dy = self.symbols
        return ca.jacobian(part, y) @ dy + ca.jacobian(part, t)

    def at(self, at: Snapshot, part: Matrix) -> Matrix:
        """A function of y, u, t and dy evaluated at an instant."""
        places = [link.q.start + k for link, k in self.coordinates.values()]
        rates = [at.v[link.v.start + k] for link, k in self.rates.values()]
        now, symbols = [*(at.q[k] for k in places), *rates, at.t], list(self.symbols[:3])
        if ca.depends_on(part, self.symbols[3]):
            now += [at.q_rate[k] for k in places]
            symbols.append(self.symbols[3])
        values = ca.vertcat(*now)
        found = ca.substitute(part, ca.vertcat(*symbols), ca.SX(values))
        return found if isinstance(values, ca.SX) or ca.symvar(found) else ca.evalf(found)
