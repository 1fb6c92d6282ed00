"""What joints and pairs have in common: two markers, and the wrenches that go from one to the other.

F is the frame of the first marker, S that of the second. All matrices are in F and at the origin of S, six rows
[ω; v] or [n; f]. A planar mechanism keeps only the rows and columns of (ω_z, v_x, v_y).
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
    """Mark a `read` that takes poses side by side too, R (3, 3, count) and p (3, count), and gives (entries, count)."""
    read.of_stacks = True  # type: ignore[attr-defined]
    return read


@dataclass(frozen=True)
class Connection(ABC):
    """Something that holds two markers, written "body.marker"; without coordinates unless it is a joint."""

    name: str
    first: str
    second: str

    called: ClassVar[str] = "joint"  # what it is called in messages
    planar_too: ClassVar[bool] = False  # whether it may stand in a planar mechanism
    must_stay: ClassVar[bool] = False  # whether it must stay in the tree
    always_cut: ClassVar[bool] = False  # whether it can carry no body, so that the tree does without it
    hint: ClassVar[str] = ""  # what to look at where it cannot be closed

    def resolved(self, resolve: Callable[[Any], Any]) -> Self:
        """The same with numbers or symbols in place of its expressions."""
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
        """Which entries of q are angles that come round after 2π."""
        return ()

    def neutral(self, planar: bool) -> np.ndarray:
        """q at which the two markers coincide."""
        return np.zeros(self.positions(planar))

    @abstractmethod
    def freedoms(self, planar: bool) -> int:
        """Degrees of freedom that it leaves between its two bodies."""

    def rows(self, planar: bool) -> int:
        """Degrees of freedom that it takes, the number of its wrenches."""
        return (3 if planar else 6) - self.freedoms(planar)

    def position_rows(self, planar: bool) -> int:
        """How many of its rows, the first ones, hold positions; the others hold rates alone."""
        return self.rows(planar)

    def row_lengths(self, planar: bool) -> tuple[bool, ...]:
        """For every row whether it is a length: its wrench is a force; else it is an angle."""
        return (True,) * self.rows(planar)

    def holds_point(self, planar: bool) -> bool:
        """Whether the last of its wrenches are all forces at its point, so that they may stand along any axes."""
        return False

    def freedom(self, pose: Pose, planar: bool) -> Matrix:
        """6×f matrix P: the relative twist is P v (joint-rate propagation, [chaudhary], eq. (20))."""
        return ca.DM(6, 0)

    @abstractmethod
    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """6×c matrix W of the wrenches that it can transmit."""

    def wrenches_rate(self, pose: Pose, twist: Matrix, planar: bool) -> Matrix:
        """Time derivative of W seen in F, when S moves in F with [ω; v]; zero unless an axis moves in F."""
        return ca.DM(6, self.wrenches(pose, planar).shape[1])

    @abstractmethod
    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        """A word for each column of W, along the axes of the first marker."""

    @abstractmethod
    def closure(self, pose: Pose, planar: bool) -> Matrix:
        """Rows that vanish when it holds; their rate is Wᵀ times the relative twist there."""

    def counts_turns(self, planar: bool) -> bool:
        """Whether its last position rows depend on how often it has turned, and are those of `turn_closure`."""
        return False

    def turn_closure(self, pose: Pose, turn: Matrix, planar: bool) -> Matrix:
        """Rows after those of `closure`, from the angle of S in F counted on from turn to turn; in the plane alone."""
        return ca.DM(0, 1)

    def opening(self, row: float) -> float:
        """How far it is open, in metres or radians, where a row of `closure` has this value."""
        return abs(row)

    def flipped(self, pose: Pose) -> bool:
        """Whether the rows of `closure` vanish at an upside-down solution that is not meant."""
        return False

    def read(self, pose: Pose, near: np.ndarray, planar: bool) -> np.ndarray:
        """q from a pose of numbers, on the turn nearest to `near`."""
        return np.zeros(0)

    def read_over_time(self, frames: np.ndarray, near: np.ndarray, planar: bool) -> np.ndarray:
        """q from poses [R | p] one after another (instants × 3 × 4), instants × entries, running on from `near`."""
        if getattr(type(self).read, "of_stacks", False):
            stacked = Pose(np.moveaxis(frames[:, :, :3], 0, -1), frames[:, :, 3].T)
            return self._run_on(np.column_stack([near, self.read(stacked, near, planar)]), planar)
        rows: list[Any] = []
        for frame in frames:
            near = self.read(Pose(frame[:, :3], frame[:, 3]), near, planar)
            rows.append(near)
        return np.array(rows)

    def _run_on(self, q: np.ndarray, planar: bool) -> np.ndarray:
        """Coordinates (entries, instants) made continuous from the first instant on, which is left out."""
        for entry in np.flatnonzero(self.turning(planar)):
            q[entry] = np.unwrap(q[entry])
        if self.positions(planar) > len(
            self.components(planar)
        ):  # they end with a quaternion e, the same as −e
            e = q[-4:]
            e[:, 1:] *= np.cumprod(np.where((e[:, 1:] * e[:, :-1]).sum(axis=0) < 0, -1.0, 1.0))
        return q[:, 1:].T
