"""What holds at an instant of a known motion, and how it is found where it depends on itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

ROUNDS = 50
"""Rounds in which a choice among efforts and what follows reactions are brought together …"""

AGREED = 1e-14
"""… until they change by no more than this part."""


@dataclass(frozen=True, eq=False)
class LoadsFound:
    """Of one instant, or of many with one row each: accelerations, forces along every rate (known and found),
    constraint wrenches (6 × joints), what follows reactions (`dynamics.following`), and of one instant λ."""

    a: np.ndarray
    tau: np.ndarray
    wrenches: np.ndarray
    following: np.ndarray
    lam: np.ndarray = field(default_factory=lambda: np.zeros(0))


def brought_together(find: Callable[[np.ndarray], LoadsFound], found: LoadsFound) -> LoadsFound:
    """What holds where idle freedoms and a choice among efforts go by the strengths that follow from it.

    Every round shrinks the error as friction shrinks forces.
    """
    for _ in range(ROUNDS if found.following.size else 0):
        before = found.following[:, 0]
        found = find(before)
        if np.abs(found.following[:, 0] - before).max() <= AGREED * np.abs(before).max():
            break
    return found
