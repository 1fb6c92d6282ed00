"""Times between two instants at which drives are sampled, to detect whether they leave the workspace in between.

These are fractions of the step that no whole number of periods meets, and the knots and corners of tables: a cam that
dwells at the requested instants may rise between them.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from multiloop.kinematics.targets import drive_profiles
from multiloop.model import Mechanism
from multiloop.model.expressions.breakpoints import recurring

PARTS = tuple(sorted(k * (5**0.5 - 1) / 2 % 1 for k in range(1, 8)))
"""Fractions of a step, by the golden section: .09, .24, .33, .47, .62, .71, .85."""

MOST = 64
"""Largest number of knots of one drive that are sampled; of more, a regular selection is used."""


def looks(mechanism: Mechanism, begin: np.ndarray, span: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sample times within steps that begin at given times, forward or backward, and the index of the step of each.

    A knot that recurs within the step is sampled once.
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
    """Knots and corners of every drive, and their period; 0 if they do not recur."""
    found = [one for profile in drive_profiles(mechanism) for one in recurring(profile)]
    return tuple((np.array(times[:: -(-len(times) // MOST)]), every) for times, every in found)
