"""Rows of several constraints together. Formulations, projections and plans use constraints through this class only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from multiloop.kinematics.constraints.constraint import Constraint, Prescribed, Row
from multiloop.kinematics.constraints.rates import jacobian_of
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True, eq=False)
class RowSet:
    """Constraints in order, with the slices of their rows and of their prescribed values."""

    constraints: tuple[Constraint, ...] = ()

    def __add__(self, other: RowSet) -> RowSet:
        return RowSet((*self.constraints, *other.constraints))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All rows in order."""
        return tuple(row for constraint in self.constraints for row in constraint.rows)

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @cached_property
    def values(self) -> int:
        """Number of prescribed values."""
        return sum(constraint.values for constraint in self.constraints)

    @property
    def rheonomic(self) -> bool:
        """Whether one of the constraints depends explicitly on time."""
        return any(constraint.rheonomic for constraint in self.constraints)

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """Slice of the rows of every constraint."""
        return _slices([len(constraint.rows) for constraint in self.constraints])

    @cached_property
    def _given(self) -> tuple[slice, ...]:
        return _slices([constraint.values for constraint in self.constraints])

    @cached_property
    def held_slices(self) -> tuple[slice, ...]:
        """Slice of the position rows of every constraint among all position rows."""
        return _slices([sum(not row.rate_only for row in c.rows) for c in self.constraints])

    @cached_property
    def held(self) -> list[int]:
        """Indices of the rows that constrain positions."""
        return [k for k, row in enumerate(self.rows) if not row.rate_only]

    def in_order(self, first: Sequence[int]) -> list[int]:
        """Indices of all rows, with those of the constraints `first` first, in this order."""
        others = [k for k in range(len(self.constraints)) if k not in set(first)]
        return [row for k in (*first, *others) for row in range(self.slices[k].start, self.slices[k].stop)]

    def scale(self, length: float) -> np.ndarray:
        """Factors that divide rows that are lengths by the characteristic length."""
        return np.where([row.length for row in self.rows], 1 / length, 1.0)

    # on an instant -----------------------------------------------------------------------------------

    def position(self, at: Snapshot, s: Matrix) -> Matrix:
        """Φ(q, s) of all rows that constrain positions."""
        parts = [c.position(at, s[place]) for c, place in zip(self.constraints, self._given, strict=True)]
        return ca.vertcat(ca.DM(0, 1), *parts)

    def jacobian(self, at: Snapshot) -> Matrix:
        """J, rows × rates."""
        blocks = [jacobian_of(at, c.interactions(at), len(c.rows)) for c in self.constraints]
        return ca.vertcat(ca.DM(0, at.skeleton.rates), *blocks)

    def bias(self, at: Snapshot, given: Prescribed) -> Matrix:
        """b of J v = b."""
        parts = [
            c.bias(at, given.part(place)) for c, place in zip(self.constraints, self._given, strict=True)
        ]
        return ca.vertcat(ca.DM(0, 1), *parts)

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        """γ of J a = γ."""
        parts = [
            c.gamma(at, given.part(place)) for c, place in zip(self.constraints, self._given, strict=True)
        ]
        return ca.vertcat(ca.DM(0, 1), *parts)

    def given_to(self, given: Prescribed, number: int) -> Prescribed:
        """The prescribed values of one constraint."""
        return given.part(self._given[number])


def _slices(sizes: list[int]) -> tuple[slice, ...]:
    ends = np.cumsum([0, *sizes]).tolist()
    return tuple(slice(begin, end) for begin, end in pairwise(ends))
