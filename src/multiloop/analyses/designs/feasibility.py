"""Check of many designs at once for invalid masses, inertias, beam dimensions and load constants.

Invalid values in the description of a mechanism raise an error; in a parameter sweep the status of the design states
them, and the other designs are computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import casadi as ca
import numpy as np

from multiloop.analyses.signals import tree_keys
from multiloop.kernels import Recipe, build_kernel
from multiloop.kinematics import Equations
from multiloop.model import Mechanism, parameter_error
from multiloop.model.checks.body_checks import SLACK
from multiloop.model.expressions import Expression, depends_on_state, depends_on_time, evaluate, parameters_of
from multiloop.spatial import inertia_about
from multiloop.symbols import Traced

INFEASIBLE_BODY = "with an invalid mass or inertia"
INFEASIBLE_LINK = "with an invalid link dimension or stiffness"

SHARED_TOLERANCE = 1e-9
"""Largest relative difference between designs of a number that must be equal in all designs."""


def require_shared_reduction(mechanism: Mechanism, values: Mapping[str, np.ndarray]) -> None:
    """Raise an error if a number on which the mode shapes of a flexible link depend differs between designs.

    The mode shapes of a link are computed once and used for all designs.
    """
    for body in mechanism.all_bodies:
        for what, number in body.fixed_numbers.items():
            own, found = evaluate(number), np.atleast_1d(evaluate(number, parameters=values))
            if np.abs(found - own).max() > SHARED_TOLERANCE * max(1.0, abs(own)):
                far = found[np.abs(found - own).argmax()]
                said = (
                    f"{what} is at {own:.4g} of the length in the description, but at {far:.4g} in "
                    "another design."
                )
                remedy = (
                    "Give its position as a fraction of the length, such as 0.5 * length, or run the "
                    "designs one at a time."
                )
                raise parameter_error(mechanism, f"body '{body.name}'", said, remedy)
        for what, number in body.unit_interval_numbers.items():
            found = np.atleast_1d(evaluate(number, parameters=values))
            if max(-found.min(), found.max() - 1.0) > SHARED_TOLERANCE:
                far = found[np.abs(found - 0.5).argmax()]
                said = f"{what} is at {far:.4g} of the length in one design, outside the link."
                remedy = "Keep the position on the link, or run the designs one at a time."
                raise parameter_error(mechanism, f"body '{body.name}'", said, remedy)


def require_fixed_reduction(mechanism: Mechanism, names: Iterable[str]) -> None:
    """Raise an error if the mode shapes of a flexible link depend on one of the parameters `names`.

    These parameters are inputs of the compiled functions and may change, but the mode shapes are computed only once.
    """
    for body in mechanism.all_bodies:
        for what, number in body.fixed_numbers.items():
            if both := sorted({one.name for one in parameters_of(number)} & set(names)):
                said = (
                    f"it changes the position of {what} along '{body.name}', whose modes are computed for "
                    "one position."
                )
                remedy = (
                    "Give its position as a fraction of the length, such as 0.5 * length, or as a number "
                    "and run the designs one at a time."
                )
                raise parameter_error(mechanism, f"parameter '{both[0]}'", said, remedy)


def infeasible_links(mechanism: Mechanism, values: Mapping[str, np.ndarray]) -> np.ndarray:
    """Mask of the designs in which a flexible link has an invalid dimension or material.

    In the description of a mechanism such a value raises error M15.
    """
    found = np.zeros(len(next(iter(values.values()))), bool)
    for body in mechanism.all_bodies:
        for number in body.positive_numbers.values():
            if isinstance(number, Expression):
                found |= ~(np.asarray(evaluate(number, parameters=values), float) > 0)
    return found


def infeasible_bodies(equations: Equations, p: np.ndarray) -> np.ndarray:
    """Mask of the designs in which a body has an invalid mass, or an invalid inertia about its mass centre.

    The columns of p are the parameter values of the designs. A mass or principal moment of inertia is invalid if it is
    negative; the moments are also invalid if two of them add up to less than the third.

    Source: parallel-axis theorem, I_C = I_O + m d̃ d̃, with the inertia I_O about the origin of the body frame, the
    mass m, and the cross-product matrix d̃ of the vector d from the origin to the mass centre.
    """
    skeleton = equations.skeleton
    if not skeleton.parameter_names:
        return np.zeros(p.shape[1], bool)
    bodies = [link.reduced for link in skeleton.links]
    about_com = [inertia_about(body.inertia, -body.mass, body.com) for body in bodies]
    outputs = {
        "mass": ca.vertcat(*[ca.SX(body.mass) for body in bodies]),
        "inertia": ca.horzcat(*[ca.densify(ca.SX(I)) for I in about_com]),
        "origin": ca.horzcat(*[ca.densify(ca.SX(body.inertia)) for body in bodies]),
    }
    words = ("bodies", *tree_keys(skeleton))
    kernel = build_kernel(Recipe(lambda: Traced("bodies", {"p": skeleton.parameter_symbols}, outputs), words))
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


INFEASIBLE_LOAD = "with a negative load parameter"


def infeasible_loads(mechanism: Mechanism, values: Mapping[str, np.ndarray]) -> np.ndarray:
    """Mask of the designs in which a constant of a load is negative, although it must not be negative.

    In the description of a mechanism such a value raises error L06.
    """
    found = np.zeros(len(next(iter(values.values()))), bool)
    for load in mechanism.all_loads:
        for number in load.unsigned_numbers(mechanism.planar):
            if isinstance(number, Expression) and not (depends_on_time(number) or depends_on_state(number)):
                found |= np.asarray(evaluate(number, parameters=values), float) < 0
    return found
