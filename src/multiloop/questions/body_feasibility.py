"""Can there be such bodies? Asked of many designs at once, whose parameters may make a mass or an inertia negative."""

from __future__ import annotations

import casadi as ca
import numpy as np

from multiloop.kernels import Recipe, kernel_of
from multiloop.kinematics.equations import Equations
from multiloop.model.checks.bodies import SLACK
from multiloop.questions.signals.cache_keys import tree_keys
from multiloop.spatial import inertia_about
from multiloop.symbols import Traced

IMPOSSIBLE = "has a mass or inertia that no body has"


def infeasible_designs(equations: Equations, p: np.ndarray) -> np.ndarray:
    """Which designs (columns of p) have a body whose mass, or inertia about its mass centre, cannot be.

    It is negative, or two principal moments add up to less than the third.

    Source: parallel-axis theorem, I_C = I_O + m d̃ d̃.
    """
    skeleton = equations.skeleton
    if not skeleton.names:
        return np.zeros(p.shape[1], bool)
    bodies = [link.reduced for link in skeleton.links]
    about_com = [inertia_about(body.inertia, -body.mass, body.com) for body in bodies]
    outputs = {
        "mass": ca.vertcat(*[ca.SX(body.mass) for body in bodies]),
        "inertia": ca.horzcat(*[ca.densify(ca.SX(I)) for I in about_com]),
        "origin": ca.horzcat(*[ca.densify(ca.SX(body.inertia)) for body in bodies]),
    }
    words = ("bodies", *tree_keys(skeleton))
    kernel = kernel_of(Recipe(lambda: Traced("bodies", {"p": skeleton.symbols}, outputs), words))
    mass, *tensors = kernel.batch(p)
    mass = mass.T
    moments, sizes = (x.reshape(3, -1, 3, len(mass)).transpose(3, 1, 0, 2) for x in tensors)
    slack = SLACK * np.abs(sizes).max(axis=(2, 3))
    wrong = (mass < 0) | (moments[..., 2, 2] < -slack)
    if not skeleton.planar:
        a, b, c = np.moveaxis(np.linalg.eigvalsh(moments), -1, 0)
        wrong |= (a < -slack) | (a + b < c - slack)
    found: np.ndarray = wrong.any(axis=1)
    return found
