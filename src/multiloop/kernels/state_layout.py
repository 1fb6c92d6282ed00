"""Where everything lies in the state of a run: named blocks one after another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.kinematics.skeleton import Skeleton


@dataclass(frozen=True)
class StateLayout:
    """y = [q, v, x, work]: coordinates, their rates, further states, and the work done by drives and efforts.

    q, v, x and work count the entries of a block; `layout["v"]` is its place. q and v are kept on the constraints,
    which changes the work; x never is. The first entry of `work` is all work together, the others are the energies of
    single items: they are carried with the run and have no part in the choice of its steps.
    """

    q: int
    v: int
    x: int = 0
    work: int = 1

    @classmethod
    def of(cls, skeleton: Skeleton) -> StateLayout:
        """The state of a mechanism along its tree."""
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
        """Entries of the whole state."""
        return self.q + self.v + self.x + self.work

    def blocks(self, y: Any) -> dict[str, Any]:
        """The blocks of a state, or of many (the last axis holds the entries), by name; views, not copies."""
        return {name: y[..., place] for name, place in self._places.items()}

    def pack(self, **values: Any) -> np.ndarray:
        """A state from its blocks; what is not given is zero."""
        y = np.zeros(self.size)
        for name, value in values.items():
            y[self[name]] = value
        return y
