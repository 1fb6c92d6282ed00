"""Constraint row of an idle spin: the rate of an otherwise undetermined rotation is set to zero.

An idle spin is the rotation of a body about the line through its two outer joints, as of the coupler of an RSSR. The
row is e · ω = 0, where e is along the line and ω is the angular velocity of the body. A body that is symmetric about
the line has e · ω = 0 without this constraint too, if no moment acts about the line and it starts without spin.

Theory: docs/theory/02-kinematics.md, eq. (2.20).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.constraints.constraint import Constraint, End, Row, WrenchInteraction
from multiloop.kinematics.constraints.relative_motion import end_poses
from multiloop.kinematics.tree import Skeleton
from multiloop.spatial import zeros

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True)
class Spin:
    """The rotation of a body about the line between two of its joint markers."""

    body: str
    start: str
    end: str


@dataclass(frozen=True)
class SpinRow(Constraint):
    """The constraint e · ω = 0 of an idle spin, with the vector e along the line of the spin and the angular velocity ω
    of the body; e is not normalised, because only its direction matters if the right-hand side is zero."""

    spin: Spin
    skeleton: Skeleton

    @property
    def name(self) -> str:
        return self.spin.body

    @property
    def rows(self) -> tuple[Row, ...]:
        return (Row("spin", is_length=False, rate_only=True),)

    @property
    def links(self) -> tuple[int, ...]:
        from multiloop.kinematics.tree import ancestors

        return tuple(sorted(ancestors(self.skeleton, self.skeleton.index[self.spin.body])))

    def interactions(self, at: Snapshot) -> tuple[WrenchInteraction]:
        ends = end_poses(at, self._end(self.spin.start), self._end(self.spin.end))
        e = (ends.S.p - ends.F.p) / self.skeleton.characteristic_length
        body = End(self.skeleton.index[self.spin.body], "origin")
        return (WrenchInteraction(End(-1, "origin"), body, ca.vertcat(e, zeros(3))),)

    def _end(self, reference: str) -> End:
        body, _, marker = reference.partition(".")
        return End(self.skeleton.index[body], marker)
