"""The base classes of all constraints: `Connection` of two markers (joint or pair), `Pair`, and `Coupling`.

Theory: docs/theory/03-constraints.md, eqs. (3.1), (3.2).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import casadi as ca
import numpy as np

from multiloop.model.deprecation import accept_earlier_names
from multiloop.model.expressions import Expression, Scalar
from multiloop.model.marker_poses import nominal_value
from multiloop.model.markers import value_of
from multiloop.model.synonyms import SuggestsArguments
from multiloop.spatial import Matrix, Pose, skew

if TYPE_CHECKING:
    from multiloop.model.loads import Load
    from multiloop.model.mechanism import Mechanism

IN_PLANE = (2, 3, 4)
"""Indices of the components of a twist or wrench that a planar mechanism uses: ω_z, v_x, v_y or n_z, f_x, f_y."""


Read = TypeVar("Read", bound=Callable[..., np.ndarray])


def accepts_pose_stacks(read: Read) -> Read:
    """Mark a method `read` that also accepts stacked poses.

    The rotation matrices R of stacked poses have the shape (3, 3, count) and the positions p the shape (3, count); the
    method then returns the joint coordinates as an array (coordinates, count).
    """
    read.of_stacks = True  # type: ignore[attr-defined]
    return read


@dataclass(frozen=True)
class Connection(SuggestsArguments, ABC):
    """A joint or pair, which connects two markers given as "body.marker"; only joints have coordinates."""

    name: str
    first: str
    second: str

    called: ClassVar[str] = "joint"  # the noun for this type in messages
    planar_too: ClassVar[bool] = False  # whether planar mechanisms may contain connections of this type
    must_stay: ClassVar[bool] = False  # whether connections of this type must be joints of the spanning tree
    always_cut: ClassVar[bool] = (
        False  # whether connections of this type cannot be joints of the spanning tree
    )
    hint: ClassVar[str] = ""  # advice in the error message if the constraints cannot be satisfied

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        accept_earlier_names(
            cls,
            {
                "freedom": "motion_subspace",
                "freedoms": "degrees_of_freedom",
                "flipped": "is_inverted",
                "read_over_time": "read_trajectory",
                "held": "constraint_wrenches",
                "freedom_rate": "motion_subspace_rate",
            },
        )

    def resolved(self, resolve: Callable[[Any], Any]) -> Self:
        """The connection with its expressions replaced by the numbers or symbols that `resolve` returns for them."""
        changes = {
            entry.name: resolve(getattr(self, entry.name))
            for entry in fields(self)
            if isinstance(getattr(self, entry.name), Expression)
        }
        return replace(self, **changes) if changes else self

    def components(self, planar: bool) -> tuple[str, ...]:
        """Names of the coordinates of the connection, in the order of its rates v; empty for pairs."""
        return ()

    def positions(self, planar: bool) -> int:
        """Number of position coordinates q of the connection: one more than the number of its rates v if q contains a
        quaternion."""
        return len(self.components(planar))

    def turning(self, planar: bool) -> tuple[bool, ...]:
        """For each position coordinate q of the connection, whether this coordinate is an angle with the period 2π."""
        return ()

    def neutral(self, planar: bool) -> np.ndarray:
        """The position coordinates q at which the two markers coincide."""
        return np.zeros(self.positions(planar))

    @abstractmethod
    def degrees_of_freedom(self, planar: bool) -> int:
        """Number of degrees of freedom that the connection leaves to its second body relative to the first."""

    def rows(self, planar: bool) -> int:
        """Number of constraint equations of the connection, equal to the number of its constraint wrenches."""
        return (3 if planar else 6) - self.degrees_of_freedom(planar)

    def position_rows(self, planar: bool) -> int:
        """Number of those constraint equations of the connection that constrain positions.

        The equations that constrain positions come first; those after them constrain velocities only.
        """
        return self.rows(planar)

    def row_lengths(self, planar: bool) -> tuple[bool, ...]:
        """For every constraint equation, True if its residual is a length and its wrench a force, False if they are an
        angle and a moment."""
        return (True,) * self.rows(planar)

    def holds_point(self, planar: bool) -> bool:
        """Whether the connection fixes a point of one body to the other.

        Its last constraint wrenches are then forces at this point, three in space and two in the plane, along axes that
        may be chosen freely.
        """
        return False

    def motion_subspace(self, pose: Pose, planar: bool) -> Matrix:
        """The 6×f motion subspace P: the twist of the second marker relative to the first is P v for the f rates v.

        A twist consists of the angular velocity and the velocity of the second marker's origin, along the axes of the
        first marker.

        Source: [chaudhary], eq. (20).
        """
        return ca.DM(6, 0)

    @abstractmethod
    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """The 6×c matrix W, in space and in the plane, whose columns [moment; force] are the c constraint wrenches.

        The wrenches are taken at the origin of the second marker, along the axes of the first.
        """

    def wrenches_rate(self, pose: Pose, twist: Matrix, planar: bool) -> Matrix:
        """Time derivative of the components of the 6×c matrix W of the constraint wrenches, given by `wrenches`.

        `twist` = [ω; v] is the twist of the second marker relative to the first. The derivative is zero unless the
        directions of the wrenches move relative to the first marker.
        """
        return ca.DM(6, self.wrenches(pose, planar).shape[1])

    @abstractmethod
    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        """A name for each column of `wrenches`; the constraint wrenches are along axes of the first marker."""

    @abstractmethod
    def closure(self, pose: Pose, planar: bool) -> Matrix:
        """Residuals of the constraint equations of the connection, zero if the equations are satisfied.

        Where the residuals are zero, their time derivative is Wᵀ times the relative twist; the columns of W are the
        constraint wrenches.
        """

    def counts_turns(self, planar: bool) -> bool:
        """Whether the last position constraints of the connection depend on the number of turns of the second marker
        relative to the first; `turn_closure` then returns their residuals."""
        return False

    def turn_closure(self, pose: Pose, turn: Matrix, planar: bool) -> Matrix:
        """Residuals of the constraint equations that depend on the number of turns; for planar mechanisms only.

        `turn` is the continuous angle, over several turns, of the second marker relative to the first. These residuals
        follow those of `closure`.
        """
        return ca.DM(0, 1)

    def opening(self, row: float) -> float:
        """The gap in metres or radians for `row`, the residual of one of the constraint equations in `closure`."""
        return abs(row)

    def is_inverted(self, pose: Pose) -> bool:
        """Whether an axis of the second marker is reversed at this pose, which `closure` cannot distinguish."""
        return False

    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        """Position coordinates q of a numerical relative pose; angles are those nearest to the coordinates `near`."""
        return np.zeros(0)

    def read_trajectory(self, frames: np.ndarray, near: np.ndarray, planar: bool) -> np.ndarray:
        """Position coordinates q (instants × coordinates) of the relative poses [R | p] in `frames` (instants × 3 × 4).

        The coordinates are continuous in time; at the first instant they are those nearest to `near`.
        """
        if getattr(type(self).read, "of_stacks", False):
            stacked = Pose(np.moveaxis(frames[:, :, :3], 0, -1), frames[:, :, 3].T)
            return self._unwrapped(np.column_stack([near, self.read(stacked, near, planar)]), planar)
        rows: list[Any] = []
        for frame in frames:
            near = self.read(Pose(frame[:, :3], frame[:, 3]), near, planar)
            rows.append(near)
        return np.array(rows)

    def _unwrapped(self, q: np.ndarray, planar: bool) -> np.ndarray:
        """The coordinates `q` made continuous in time by multiples of 2π for angles and by signs of quaternions.

        `q` has the shape (coordinates, instants). The result has the shape (instants − 1, coordinates), without the
        first instant, whose coordinates determine how those of the second are continued.
        """
        for entry in np.flatnonzero(self.turning(planar)):
            q[entry] = np.unwrap(q[entry])
        if self.positions(planar) > len(
            self.components(planar)
        ):  # q ends with a quaternion e; −e is the same rotation
            e = q[-4:]
            e[:, 1:] *= np.cumprod(np.where((e[:, 1:] * e[:, :-1]).sum(axis=0) < 0, -1.0, 1.0))
        return q[:, 1:].T


@dataclass(frozen=True)
class ContactGeometry:
    """Geometry of a contact: point, and normal from the first body to the second, in the frame of the first marker.

    `carried` is the point of the follower whose velocity defines the pressure angle: the contact point itself, or the
    centre of a roller. `radius` is the radius of curvature of the first body, negative where it is concave. Unless the
    contact is `two_sided`, it can only transmit compression: a negative normal force means that the bodies would
    separate. `limit` is the largest allowed pressure angle (rad).
    """

    point: Matrix
    normal: Matrix
    carried: Matrix
    radius: Matrix
    two_sided: bool = False
    limit: float | None = None


@dataclass(frozen=True)
class Pair(Connection):
    """A constraint between two bodies, without coordinates: it always closes a loop, outside the spanning tree."""

    called: ClassVar[str] = "pair"
    planar_too: ClassVar[bool] = True
    always_cut: ClassVar[bool] = True
    touches: ClassVar[bool] = (
        False  # whether the first constraint equation is a contact, at the point that `contact` returns
    )

    def wrenches_rate(self, pose: Pose, twist: Matrix, planar: bool) -> Matrix:
        """Time derivative of the components of the matrix that `wrenches` returns, by symbolic differentiation.

        Pairs with a closed formula override this method.
        """
        R, p = ca.SX.sym("R", 3, 3), ca.SX.sym("p", 3)
        W = ca.SX(self.wrenches(Pose(R, p), planar))
        where, moving = ca.vertcat(ca.vec(R), p), ca.vertcat(ca.vec(skew(twist[:3]) @ pose.R), twist[3:])
        change = ca.jacobian(ca.vec(W), where)
        change = ca.substitute(change, where, ca.densify(ca.vertcat(ca.vec(ca.SX(pose.R)), pose.p)))
        return ca.sparsify(ca.reshape(change @ moving, *W.shape))

    def contact(self, pose: Pose, planar: bool) -> ContactGeometry | None:
        """Geometry of the contact between the two bodies of the pair; None if they are not in contact, or if the
        geometry is not known."""
        return None

    def loads(self) -> tuple[Load, ...]:
        """The loads that the pair adds to the mechanism, such as rolling resistance."""
        return ()

    def reach(self, resolve: Callable[[Any], Any] = value_of) -> Any:
        """The length (m) of the element between the two markers, for instance of a massless rod; 0 if the pair has no
        length.

        `resolve` returns the values of expressions.
        """
        return 0.0


@dataclass(frozen=True)
class Coupling(SuggestsArguments, ABC):
    """A constraint between coordinates of joints, or between more than two bodies.

    The coupled joints stay in the spanning tree. The equations are defined in `kinematics.constraints`, where
    `COUPLINGS` maps each type of coupling to its constraint class.
    """

    name: str

    called: ClassVar[str] = "coupling"  # the noun for this type in messages

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints whose coordinates are coupled, if the fields of the coupling contain them; otherwise
        empty."""
        return ()

    def joints_in(self, mechanism: Mechanism) -> tuple[str, ...]:
        """Names of the joints whose coordinates are coupled; for gears, the bearings of the wheels in `mechanism`."""
        return self.joints

    def equation_in(self, mechanism: Mechanism) -> Scalar | None:
        """The expression of joint positions that the coupling keeps at zero; None if the coupling has no such
        expression."""
        return None

    def reach_in(self, mechanism: Mechanism, resolve: Callable[[Any], Any] = nominal_value) -> Any:
        """The length of the coupling (m), for instance of a belt; 0 if the coupling has no length.

        `resolve` returns the values of expressions.
        """
        return 0.0

    @property
    def rows(self) -> int:
        """Number of constraint equations of the coupling."""
        return 1
