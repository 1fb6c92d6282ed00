"""A driven motion at one instant, or at many: coordinates, rates and accelerations of the tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import overload

import numpy as np


@dataclass(frozen=True, eq=False)
class Instant:
    """Position, rate and acceleration of the tree's coordinates at one time."""

    t: float
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    closeness: float  # to a singular configuration, see Linear.closeness


@dataclass(frozen=True, eq=False)
class Course(Sequence[Instant]):
    """A driven motion at given times, as arrays; a sequence of Instants."""

    t: np.ndarray
    q: np.ndarray  # instants × coordinates
    v: np.ndarray  # instants × rates
    a: np.ndarray
    closeness: np.ndarray

    @classmethod
    def of(cls, instants: Sequence[Instant]) -> Course:
        """The trajectory of a sequence of instants."""
        return cls(*(np.array([getattr(at, one.name) for at in instants]) for one in fields(Instant)))

    @classmethod
    def joined(cls, parts: Sequence[Course]) -> Course:
        """Concatenate parts of a motion."""
        return cls(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls)))

    def part(self, which: slice) -> Course:
        """The trajectory of a slice of the instants."""
        return Course(*(getattr(self, one.name)[which] for one in fields(self)))

    def put(self, k: int, at: Instant) -> None:
        """Replace instant k."""
        for one in fields(self):
            getattr(self, one.name)[k] = getattr(at, one.name)

    def __len__(self) -> int:
        return len(self.t)

    @overload
    def __getitem__(self, k: int) -> Instant: ...

    @overload
    def __getitem__(self, k: slice) -> list[Instant]: ...

    def __getitem__(self, k: int | slice) -> Instant | list[Instant]:
        if isinstance(k, slice):
            return [self[one] for one in range(*k.indices(len(self)))]
        return Instant(float(self.t[k]), self.q[k], self.v[k], self.a[k], float(self.closeness[k]))
