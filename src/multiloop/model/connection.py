"""Connections, the base class of joints and higher pairs: two markers and the constraint wrenches between them.

F is the frame of the first marker, S that of the second. All matrices are in the axes of F at the origin of S, with six
rows [ω; v] or [n; f]. A planar mechanism uses only the rows and columns of (ω_z, v_x, v_y).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self, TypeVar

import casadi as ca
import numpy as np

from multiloop.model.expressions import Expression
from multiloop.spatial import Matrix, Pose

IN_PLANE = (2, 3, 4)
"""Rows of a twist or wrench that a planar mechanism uses: ω_z, v_x, v_y."""


Read = TypeVar("Read", bound=Callable[..., np.ndarray])


def of_stacks(read: Read) -> Read:
    """Mark a `read` that also accepts stacked poses, R (3, 3, count) and p (3, count), and returns (entries, count)."""
    read.of_stacks = True  # type: ignore[attr-defined]
    return read


@dataclass(frozen=True)
class Connection(ABC):
    """A connection of two markers, written "body.marker"; only joints have coordinates."""

    name: str
    first: str
    second: str

    called: ClassVar[str] = "joint"  # its name in messages
    planar_too: ClassVar[bool] = False  # whether a planar mechanism may contain it
    must_stay: ClassVar[bool] = False  # whether it must be a tree joint
    always_cut: ClassVar[bool] = False  # whether it can be no tree joint, so that it is always a cut joint
    hint: ClassVar[str] = ""  # advice if it cannot be closed

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
    def freedoms(self, planar: bool) -> int:
        """Number of relative degrees of freedom of its two bodies."""

    def rows(self, planar: bool) -> int:
        """Number of its constraints, which is that of its constraint wrenches."""
        return (3 if planar else 6) - self.freedoms(planar)

    def position_rows(self, planar: bool) -> int:
        """How many of its rows, the first ones, constrain positions; the others constrain velocities only."""
        return self.rows(planar)

    def row_lengths(self, planar: bool) -> tuple[bool, ...]:
        """For every row whether it is a length, with a force as its wrench; otherwise it is an angle."""
        return (True,) * self.rows(planar)

    def holds_point(self, planar: bool) -> bool:
        """Whether its last wrenches span all forces at its point, so that they may be resolved along any axes."""
        return False

    def freedom(self, pose: Pose, planar: bool) -> Matrix:
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

    def flipped(self, pose: Pose) -> bool:
        """Whether the pose is a spurious solution of `closure`, with an axis reversed."""
        return False

    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        """Coordinates q of a numeric relative pose; angles are those nearest to `near`."""
        return np.zeros(0)

    def read_over_time(self, frames: np.ndarray, near: np.ndarray, planar: bool) -> np.ndarray:
        """Coordinates q, instants × entries, of poses [R | p] in time (instants × 3 × 4), continuous from `near` on."""
        if getattr(type(self).read, "of_stacks", False):
            stacked = Pose(np.moveaxis(frames[:, :, :3], 0, -1), frames[:, :, 3].T)
            return self._run_on(np.column_stack([near, self.read(stacked, near, planar)]), planar)
        rows: list[Any] = []
        for frame in frames:
            near = self.read(Pose(frame[:, :3], frame[:, 3]), near, planar)
            rows.append(near)
        return np.array(rows)

    def _run_on(self, q: np.ndarray, planar: bool) -> np.ndarray:
        """Coordinates (entries, instants) made continuous from the first instant on; the first instant is dropped."""
        for entry in np.flatnonzero(self.turning(planar)):
            q[entry] = np.unwrap(q[entry])
        if self.positions(planar) > len(
            self.components(planar)
        ):  # q ends with a quaternion; e and −e are the same rotation
            e = q[-4:]
            e[:, 1:] *= np.cumprod(np.where((e[:, 1:] * e[:, :-1]).sum(axis=0) < 0, -1.0, 1.0))
        return q[:, 1:].T
