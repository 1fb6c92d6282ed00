"""At which times between two instants are the drives looked at, to see whether they go out of reach and come back?

At parts of the step that no whole number of periods falls on, and at the knots and corners of tables: a cam that dwells
at the instants asked for has its rise there.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from multiloop.kinematics.targets import drive_profiles
from multiloop.model import Mechanism
from multiloop.model.expressions.breakpoints import recurring

PARTS = tuple(sorted(k * (5**0.5 - 1) / 2 % 1 for k in range(1, 8)))
"""Parts of a step, by the golden section: .09, .24, .33, .47, .62, .71, .85."""

MOST = 64
"""Knots of one drive that are looked at; of more, some in equal steps."""


def looks(mechanism: Mechanism, begin: np.ndarray, span: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Times within steps that begin at given times, forward or back, and the number of the step that each is in.

    Of what comes again after less than the step, once is enough.
    """
    steps = np.arange(len(begin))
    times, within = [begin[:, None] + span[:, None] * PARTS], [np.tile(steps, (len(PARTS), 1)).T]
    low, width = np.minimum(begin, begin + span), np.abs(span)
    for knots, every in _knots(mechanism):
        after = knots - low[:, None]
        after = after % every if every else after
        inside = (after > 0) & (after < width[:, None])
        times.append((low[:, None] + after)[inside])
        within.append(np.broadcast_to(steps[:, None], inside.shape)[inside])
    return np.concatenate([t.ravel() for t in times]), np.concatenate([k.ravel() for k in within])


@lru_cache(maxsize=64)
def _knots(mechanism: Mechanism) -> tuple[tuple[np.ndarray, float], ...]:
    """Knots and corners of every drive, and the time after which they come again; 0 where they do not."""
    found = [one for profile in drive_profiles(mechanism) for one in recurring(profile)]
    return tuple((np.array(times[:: -(-len(times) // MOST)]), every) for times, every in found)
