"""Layout of the state vector of a run: named blocks one after another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.kinematics.skeleton import Skeleton


@dataclass(frozen=True)
class StateLayout:
    """y = [q, v, x, work]: coordinates, rates, further states, and the work done by drives and efforts.

    q, v, x and work are the sizes of the blocks; `layout["v"]` is the slice of a block. q and v are projected onto the
    constraints, which changes the work; x is not. The first entry of `work` is the total work, the others are the
    energies of single items, which are integrated without error control.
    """

    q: int
    v: int
    x: int = 0
    work: int = 1

    @classmethod
    def of(cls, skeleton: Skeleton) -> StateLayout:
        """The layout for the tree of a mechanism."""
        return cls(skeleton.positions, skeleton.rates, len(skeleton.states))

    @cached_property
    def _places(self) -> dict[str, slice]:
        found, at = {}, 0
        for name, size in (("q", self.q), ("v", self.v), ("x", self.x), ("work", self.work)):
            found[name] = slice(at, at + size)
            at += size
        return found

    def __getitem__(self, block: str) -> slice:
        return self._places[block]

    @property
    def size(self) -> int:
        """Number of entries of the state."""
        return self.q + self.v + self.x + self.work

    def blocks(self, y: Any) -> dict[str, Any]:
        """Blocks by name of one state, or of many with entries along the last axis; views, not copies."""
        return {name: y[..., place] for name, place in self._places.items()}

    def pack(self, **values: Any) -> np.ndarray:
        """A state from its blocks; omitted blocks are zero."""
        y = np.zeros(self.size)
        for name, value in values.items():
            y[self[name]] = value
        return y
