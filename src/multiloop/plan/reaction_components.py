"""Reactions of all joints as one vector of components that can be compared with each other.

    wrench of joint k = S⁻¹ W_k r_k,      S = diag(1/L, 1/L, 1/L, 1, 1, 1)

W_k (6 × c_k) are the wrenches that joint k transmits (`joint_wrenches`) and L is the characteristic length of the
mechanism. Moments are divided by L, so that the norm of r does not depend on the unit of length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np


@dataclass(frozen=True, eq=False)
class ReactionComponents:
    """The components r of the reactions of all joints, at one instant or at n instants at once.

    `bases` are W of every joint, 6 × c or n × 6 × c, and `length` is the characteristic length.
    """

    bases: Sequence[np.ndarray]
    length: float

    @cached_property
    def scale(self) -> np.ndarray:
        """The diagonal of S, by which moments and forces are multiplied."""
        return np.array([1 / self.length] * 3 + [1.0] * 3)

    @cached_property
    def joints(self) -> list[slice]:
        """The slice of r that holds the components of each joint."""
        ends = np.cumsum([0, *(W.shape[-1] for W in self.bases)]).tolist()
        return [slice(begin, end) for begin, end in pairwise(ends)]

    @property
    def count(self) -> int:
        """Number of components of all joints."""
        return sum(W.shape[-1] for W in self.bases)

    def pack(self, wrenches: np.ndarray) -> np.ndarray:
        """The components r (… × components) of reactions (… × 6 × joints)."""
        parts = [
            (np.linalg.pinv(W) @ (self.scale * wrenches[..., k])[..., None])[..., 0]
            for k, W in enumerate(self.bases)
        ]
        return np.concatenate(parts, axis=-1)

    def unpack(self, r: np.ndarray) -> np.ndarray:
        """The reactions (… × 6 × joints) of components r (… × components)."""
        both = zip(self.bases, self.joints, strict=True)
        return np.stack([(W @ r[..., place, None])[..., 0] / self.scale for W, place in both], axis=-1)
