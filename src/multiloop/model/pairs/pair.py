"""Base class of pairs: constraints between two markers that carry no body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import casadi as ca

from multiloop.model.connection import Connection
from multiloop.model.pairs.contact import Contact
from multiloop.spatial import Matrix, Pose, skew

if TYPE_CHECKING:
    from multiloop.model.loads import Load


@dataclass(frozen=True)
class Pair(Connection):
    """A constraint between two bodies that is never part of the spanning tree: it closes a loop and is always cut."""

    called: ClassVar[str] = "pair"
    planar_too: ClassVar[bool] = True
    always_cut: ClassVar[bool] = True
    touches: ClassVar[bool] = (
        False  # whether its first row is the contact of two bodies, at the point given by `contact`
    )

    def wrenches_rate(self, pose: Pose, twist: Matrix, planar: bool) -> Matrix:
        """Ẇ by symbolic differentiation of W; a pair with a closed form overrides it."""
        R, p = ca.SX.sym("R", 3, 3), ca.SX.sym("p", 3)
        W = ca.SX(self.wrenches(Pose(R, p), planar))
        where, moving = ca.vertcat(ca.vec(R), p), ca.vertcat(ca.vec(skew(twist[:3]) @ pose.R), twist[3:])
        change = ca.jacobian(ca.vec(W), where)
        change = ca.substitute(change, where, ca.densify(ca.vertcat(ca.vec(ca.SX(pose.R)), pose.p)))
        return ca.sparsify(ca.reshape(change @ moving, *W.shape))

    def contact(self, pose: Pose, planar: bool) -> Contact | None:
        """Geometry of the contact of its two bodies; None if there is no contact or it is unknown."""
        return None

    def loads(self) -> tuple[Load, ...]:
        """The loads that it implies."""
        return ()

    def reach(self) -> float:
        """The length that it spans between its markers, for default parameter values."""
        return 0.0
