"""Feasibility of bodies in many designs at once: parameters may make a mass, an inertia or a stiffness negative."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import casadi as ca
import numpy as np

from multiloop.kernels import Recipe, kernel_of
from multiloop.kinematics.equations import Equations
from multiloop.model import Expression, Mechanism
from multiloop.model.checks.bodies import SLACK
from multiloop.model.expressions import evaluate, parameters_of
from multiloop.questions.parameters import refused
from multiloop.questions.signals.cache_keys import tree_keys
from multiloop.spatial import inertia_about
from multiloop.symbols import Traced

IMPOSSIBLE = "has a mass or inertia that no body has"
LIMP = "has a link with a size or a stiffness that no link has"

SAME = 1e-9
"""Tolerance for numbers that all designs must share."""


def require_kept(mechanism: Mechanism, values: Mapping[str, np.ndarray]) -> None:
    """Refuse designs that differ in a number on which the modes of a flexible link depend: all designs share its
    modes.
    """
    for body in mechanism.all_bodies:
        for what, number in body.kept.items():
            own, found = evaluate(number), np.atleast_1d(evaluate(number, parameters=values))
            if np.abs(found - own).max() > SAME * max(1.0, abs(own)):
                far = found[np.abs(found - own).argmax()]
                said = f"{what} stands at {own:.4g} of its length as described, and at {far:.4g} in another design."
                remedy = "Give its place as a part of the length, 0.5 * length, or ask design by design."
                raise refused(mechanism, f"body '{body.name}'", said, remedy)
        for what, number in body.within.items():
            found = np.atleast_1d(evaluate(number, parameters=values))
            if max(-found.min(), found.max() - 1.0) > SAME:
                far = found[np.abs(found - 0.5).argmax()]
                said = f"{what} stands at {far:.4g} of its length in one design, beyond its end."
                remedy = "Keep it on the link, or ask design by design."
                raise refused(mechanism, f"body '{body.name}'", said, remedy)


def require_no_input(mechanism: Mechanism, names: Iterable[str]) -> None:
    """Refuse parameters as kernel inputs if the modes of a flexible link depend on them: its modes are computed
    once.
    """
    for body in mechanism.all_bodies:
        for what, number in body.kept.items():
            if both := sorted({one.name for one in parameters_of(number)} & set(names)):
                said = f"{what} is moved by it along '{body.name}', whose shapes are taken where it is."
                remedy = (
                    "Give its place as a part of the length, 0.5 * length, or as a number, design by design."
                )
                raise refused(mechanism, f"parameter '{both[0]}'", said, remedy)


def infeasible_links(mechanism: Mechanism, values: Mapping[str, np.ndarray]) -> np.ndarray:
    """Which designs have a link with an invalid dimension or material; a single such design is refused (M15)."""
    found = np.zeros(len(next(iter(values.values()))), bool)
    for body in mechanism.all_bodies:
        for number in body.positive.values():
            if isinstance(number, Expression):
                found |= ~(np.asarray(evaluate(number, parameters=values), float) > 0)
    return found


def infeasible_designs(equations: Equations, p: np.ndarray) -> np.ndarray:
    """Which designs (columns of p) have a body with an invalid mass, or an invalid inertia about its mass centre.

    A mass or principal moment is invalid if it is negative, or if two principal moments add up to less than the third.

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
