"""Bushings (rubber mounts): springs and dampers in all directions between two markers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.loads.load import Load
from multiloop.model.markers import Vector, value_of
from multiloop.model.names import body_of, counted


@dataclass(frozen=True)
class Bushing(Load):
    """A bushing between two markers, unloaded where they coincide: `Bushing("mount", "frame.m", "engine.m", …)`.

        y = [p; θ],   F = −K y − D ẏ      on the second body, along the axes of the first marker

    p is the position of the second marker relative to the first and θ the rotation vector of its orientation, with an
    angle of at most half a turn: a bushing does not wind up, and beyond half a turn its moment changes sign. Use a
    `JointSpring` for angles of more than half a turn. In the plane y is (x, y, angle), in space (x, y, z, rotations
    about x, y, z). `stiffness` and `damping` have one number for each of these, or all entries of a symmetric matrix,
    row by row. The opposite wrench acts on the first body.
    """

    first: str
    second: str
    stiffness: Vector = field(default=(), kw_only=True)
    damping: Vector = field(default=(), kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("stiffness", "damping")

    @property
    def dissipates(self) -> bool:
        return True

    def __post_init__(self) -> None:
        for entry in self.steady:
            rows = getattr(self, entry)
            if isinstance(rows, list | tuple) and rows and all(isinstance(row, list | tuple) for row in rows):
                object.__setattr__(self, entry, [number for row in rows for number in row])
        super().__post_init__()

    @property
    def markers(self) -> tuple[str, ...]:
        return (self.first, self.second)

    def matrix(self, entry: str, planar: bool) -> list[list[Any]]:
        """The matrix of stiffness or damping; zero if it is not given."""
        size, given = 3 if planar else 6, getattr(self, entry) or (0.0,) * (3 if planar else 6)
        if len(given) == size:
            return [[given[i] if i == j else 0.0 for j in range(size)] for i in range(size)]
        return [list(given[size * i : size * (i + 1)]) for i in range(size)]

    def unsigned_numbers(self, planar: bool) -> tuple[Scalar, ...]:
        rows = [row for entry in self.steady for row in enumerate(self.matrix(entry, planar))]
        return tuple(row[i] for i, row in rows)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if body_of(self.first) == body_of(self.second):
            what = f"connects body '{body_of(self.first)}' with itself."
            yield Fault("L02", where, what, "Give markers of two different bodies.")
        if not self.stiffness and not self.damping:
            yield Fault("L07", where, "does nothing.", "Give stiffness= or damping=.")
        for entry in self.steady:
            yield from self._matrix_faults(where, entry, planar)

    def _matrix_faults(self, where: str, entry: str, planar: bool) -> Iterator[Fault]:
        """Errors in the number of values, of asymmetric matrices, and of negative diagonal entries."""
        size, given = 3 if planar else 6, getattr(self, entry)
        if not isinstance(given, tuple) or len(given) not in (0, size, size * size):
            found = counted(len(given), "number") if isinstance(given, tuple) else "one number"
            remedy = f"Give {size}, or {size * size} of a symmetric matrix, row by row."
            yield Fault("L04", where, f"its {entry} has {found}.", remedy)
            return
        rows = [[value_of(number) for number in row] for row in self.matrix(entry, planar)]
        if any(number is None for row in rows for number in row):
            return
        for i in range(size):
            if (rows[i][i] or 0.0) < 0:
                remedy = f"Give a positive {entry}: it acts against the motion by itself."
                yield Fault("L06", where, f"its {entry} is {rows[i][i]:g}.", remedy)
            for j in range(i):
                if rows[i][j] != rows[j][i]:
                    what = f"its {entry} is not symmetric: {rows[i][j]:g} and {rows[j][i]:g}."
                    yield Fault("L04", where, what, "Give a symmetric matrix: another has no energy.")
