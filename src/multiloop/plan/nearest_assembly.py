"""Nearest configuration of a mechanism whose loops close only approximately.

Overconstrained linkages are mobile only for exact proportions. If their dimensions are entered with few digits, the
loops do not close to round-off. The plan is then made at the nearest configuration, and the doubtful rank and the
remaining gap are reported.
"""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.assembly import Assembly
from multiloop.kinematics.equations import equations_of
from multiloop.model import AssemblyError, Mechanism
from multiloop.topology import tree_of

NEARLY = 1e-2
"""Largest gap, relative to the size of the mechanism, that is still attributed to rounded dimensions."""


def nearest_position(mechanism: Mechanism, error: AssemblyError) -> Assembly:
    """The best configuration of a failed assembly if its gap is small enough; otherwise `error` is raised."""
    if error.gap is None or error.best is None or error.gap > NEARLY:
        raise error
    tree = tree_of(mechanism)
    equations = equations_of(mechanism, tree)
    q = equations.skeleton.neutral.copy()
    for link in equations.skeleton.links:
        q[link.q] = error.best[link.joint.name]
    p = np.array(list(mechanism.parameters.values()))
    return Assembly(mechanism, equations, q, equations.own_values(0.0), p, 0.0, error.gap, 0.0, ())
