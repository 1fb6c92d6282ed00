"""An idle spin stands still: a row that holds a rate where nothing else decides.

An idle spin (the coupler of an RSSR) is held by the rule that its body does not turn about the line through its two
outer joints, e · ω = 0. For a body that is symmetric about the line this is also how it moves when nothing acts on
the spin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.constraints.constraint import Between, Constraint, End, Row
from multiloop.kinematics.constraints.ends import placed_ends
from multiloop.kinematics.skeleton import Skeleton
from multiloop.spatial import zeros

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True)
class Spin:
    """The turning of a body about the line from one of its joints to another, by their markers."""

    body: str
    start: str
    end: str


@dataclass(frozen=True)
class SpinRow(Constraint):
    """e · ω = 0; e is not normalised, only its direction matters for a row that vanishes."""

    spin: Spin
    skeleton: Skeleton

    @property
    def name(self) -> str:
        return self.spin.body

    @property
    def rows(self) -> tuple[Row, ...]:
        return (Row("spin", length=False, rate_only=True),)

    @property
    def links(self) -> tuple[int, ...]:
        from multiloop.kinematics.constraints.rates import ancestors

        return tuple(sorted(ancestors(self.skeleton, self.skeleton.index[self.spin.body])))

    def interactions(self, at: Snapshot) -> tuple[Between]:
        ends = placed_ends(at, self._end(self.spin.start), self._end(self.spin.end))
        e = (ends.S.p - ends.F.p) / self.skeleton.length
        body = End(self.skeleton.index[self.spin.body], "origin")
        return (Between(End(-1, "origin"), body, ca.vertcat(e, zeros(3))),)

    def _end(self, reference: str) -> End:
        body, _, marker = reference.partition(".")
        return End(self.skeleton.index[body], marker)
