"""A mechanism that almost closes: what it would be if its dimensions were exact.

Overconstrained linkages move only at exact proportions. Typed with a few digits they do not close to
round-off; the plan is then made at the nearest position, and the rank's doubt and the gap tell the story.
"""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.assembly import Assembly
from multiloop.kinematics.equations import equations_of
from multiloop.model import AssemblyError, Mechanism
from multiloop.topology import tree_of

NEARLY = 1e-2
"""Largest gap, relative to the mechanism's size, that is still taken for rounding."""


def nearest_position(mechanism: Mechanism, error: AssemblyError) -> Assembly:
    """The best attempt of a failed assembly, when it is near enough; otherwise the failure itself."""
    if error.gap is None or error.best is None or error.gap > NEARLY:
        raise error
    tree = tree_of(mechanism)
    equations = equations_of(mechanism, tree)
    q = equations.skeleton.neutral.copy()
    for link in equations.skeleton.links:
        q[link.q] = error.best[link.joint.name]
    p = np.array(list(mechanism.parameters.values()))
    return Assembly(mechanism, equations, q, equations.own_values(0.0), p, 0.0, error.gap, 0.0, ())
