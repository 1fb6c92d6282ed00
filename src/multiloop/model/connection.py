"""What joints and constraints between two markers have in common, and the base classes `Pair` and `Coupling`.

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
"""Rows of a twist or wrench that a planar mechanism uses: ω_z, v_x, v_y."""


Read = TypeVar("Read", bound=Callable[..., np.ndarray])


def accepts_pose_stacks(read: Read) -> Read:
    """Mark a `read` that also accepts stacked poses, R (3, 3, count) and p (3, count), and returns (entries, count)."""
    read.of_stacks = True  # type: ignore[attr-defined]
    return read


@dataclass(frozen=True)
class Connection(SuggestsArguments, ABC):
    """A connection of two markers, written "body.marker"; only joints have coordinates."""

    name: str
    first: str
    second: str

    called: ClassVar[str] = "joint"  # its name in messages
    planar_too: ClassVar[bool] = False  # whether a planar mechanism may contain it
    must_stay: ClassVar[bool] = False  # whether it must be a tree joint
    always_cut: ClassVar[bool] = False  # whether it can be no tree joint, so that it is always a cut joint
    hint: ClassVar[str] = ""  # advice if it cannot be closed

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
        """The connection with its expressions replaced by numbers or symbols."""
        changes = {
            entry.name: resolve(getattr(self, entry.name))
            for entry in fields(self)
            if isinstance(getattr(self, entry.name), Expression)
        }
        return replace(self, **changes) if changes else self

    def components(self, planar: bool) -> tuple[str, ...]:
        """Names of its coordinates, the entries of v in order."""
        return ()

    def positions(self, planar: bool) -> int:
        """Length of q; longer than v by one where q holds a quaternion."""
        return len(self.components(planar))

    def turning(self, planar: bool) -> tuple[bool, ...]:
        """Which entries of q are angles of period 2π."""
        return ()

    def neutral(self, planar: bool) -> np.ndarray:
        """q at which the two markers coincide."""
        return np.zeros(self.positions(planar))

    @abstractmethod
    def degrees_of_freedom(self, planar: bool) -> int:
        """Number of relative degrees of freedom of its two bodies."""

    def rows(self, planar: bool) -> int:
        """Number of its constraints, which is that of its constraint wrenches."""
        return (3 if planar else 6) - self.degrees_of_freedom(planar)

    def position_rows(self, planar: bool) -> int:
        """How many of its rows, the first ones, constrain positions; the others constrain velocities only."""
        return self.rows(planar)

    def row_lengths(self, planar: bool) -> tuple[bool, ...]:
        """For every row whether it is a length, with a force as its wrench; otherwise it is an angle."""
        return (True,) * self.rows(planar)

    def holds_point(self, planar: bool) -> bool:
        """Whether its last wrenches span all forces at its point, so that they may be resolved along any axes."""
        return False

    def motion_subspace(self, pose: Pose, planar: bool) -> Matrix:
        """6×f motion subspace P: the relative twist is P v (joint-rate propagation, [chaudhary], eq. (20))."""
        return ca.DM(6, 0)

    @abstractmethod
    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """6×c matrix W of its constraint wrenches."""

    def wrenches_rate(self, pose: Pose, twist: Matrix, planar: bool) -> Matrix:
        """Time derivative of W in F when S moves in F with the twist [ω; v]; zero unless an axis moves in F."""
        return ca.DM(6, self.wrenches(pose, planar).shape[1])

    @abstractmethod
    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        """A name for each column of W, along the axes of the first marker."""

    @abstractmethod
    def closure(self, pose: Pose, planar: bool) -> Matrix:
        """Constraint equations Φ that vanish when it is closed; there Φ̇ is Wᵀ times the relative twist."""

    def counts_turns(self, planar: bool) -> bool:
        """Whether its last position rows depend on the number of turns; `turn_closure` returns these rows."""
        return False

    def turn_closure(self, pose: Pose, turn: Matrix, planar: bool) -> Matrix:
        """Rows after those of `closure`, from the continuous angle of S in F over several turns; planar only."""
        return ca.DM(0, 1)

    def opening(self, row: float) -> float:
        """The gap in metres or radians for this value of a row of `closure`."""
        return abs(row)

    def is_inverted(self, pose: Pose) -> bool:
        """Whether the pose is a spurious solution of `closure`, with an axis reversed."""
        return False

    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        """Coordinates q of a numeric relative pose; angles are those nearest to `near`."""
        return np.zeros(0)

    def read_trajectory(self, frames: np.ndarray, near: np.ndarray, planar: bool) -> np.ndarray:
        """Coordinates q, instants × entries, of poses [R | p] in time (instants × 3 × 4), continuous from `near` on."""
        if getattr(type(self).read, "of_stacks", False):
            stacked = Pose(np.moveaxis(frames[:, :, :3], 0, -1), frames[:, :, 3].T)
            return self._unwrapped(np.column_stack([near, self.read(stacked, near, planar)]), planar)
        rows: list[Any] = []
        for frame in frames:
            near = self.read(Pose(frame[:, :3], frame[:, 3]), near, planar)
            rows.append(near)
        return np.array(rows)

    def _unwrapped(self, q: np.ndarray, planar: bool) -> np.ndarray:
        """Coordinates (entries, instants) made continuous from the first instant on; the first instant is dropped."""
        for entry in np.flatnonzero(self.turning(planar)):
            q[entry] = np.unwrap(q[entry])
        if self.positions(planar) > len(
            self.components(planar)
        ):  # q ends with a quaternion; e and −e are the same rotation
            e = q[-4:]
            e[:, 1:] *= np.cumprod(np.where((e[:, 1:] * e[:, :-1]).sum(axis=0) < 0, -1.0, 1.0))
        return q[:, 1:].T


@dataclass(frozen=True)
class ContactGeometry:
    """Contact point and normal, from the first body to the second, in the frame of the first marker.

    `carried` is the point of the second body that the contact drives: the contact point itself, or the centre of a
    roller. `radius` is the radius of curvature of the first body, negative where it is concave. Unless the contact is
    `two_sided`, it can only transmit compression: a negative normal force means that the bodies would separate.
    `limit` is the largest allowed pressure angle.
    """

    point: Matrix
    normal: Matrix
    carried: Matrix
    radius: Matrix
    two_sided: bool = False
    limit: float | None = None


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

    def contact(self, pose: Pose, planar: bool) -> ContactGeometry | None:
        """Geometry of the contact of its two bodies; None if there is no contact or it is unknown."""
        return None

    def loads(self) -> tuple[Load, ...]:
        """The loads that it implies."""
        return ()

    def reach(self, resolve: Callable[[Any], Any] = value_of) -> Any:
        """The length that it spans between its markers; `resolve` gives the values of parameter expressions."""
        return 0.0


@dataclass(frozen=True)
class Coupling(SuggestsArguments, ABC):
    """A constraint between coordinates of joints, or between more than two bodies.

    Its joints stay in the tree. Its rows are defined in `kinematics.constraints`, where `COUPLINGS` maps each type of
    coupling to its constraint.
    """

    name: str

    called: ClassVar[str] = "coupling"  # what it is called in messages

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that it couples, if they are named in its description."""
        return ()

    def joints_in(self, mechanism: Mechanism) -> tuple[str, ...]:
        """The joints that it couples; those of a gear are the bearings found in the mechanism."""
        return self.joints

    def equation_in(self, mechanism: Mechanism) -> Scalar | None:
        """The expression of joint positions that it keeps at zero, if it can be written as one; otherwise None."""
        return None

    def reach_in(self, mechanism: Mechanism, resolve: Callable[[Any], Any] = nominal_value) -> Any:
        """The length that it spans; `resolve` gives the values of parameter expressions."""
        return 0.0

    @property
    def rows(self) -> int:
        """Number of degrees of freedom that it removes."""
        return 1
