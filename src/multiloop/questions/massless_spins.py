"""Idle spins without inertia: a body such as a thin rod between two ball joints does not turn about its own line.

This is the rule of `inverse`, e · ω = 0 (decision 6). Any inertia ε about the line e gives the same motion: no
moment acts about the line, so that ε e · ω stays zero, and then the added inertia exerts no force elsewhere:

    d/dt (ε (e · ω) e) = 0
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from multiloop.kinematics.constraints import Spin
from multiloop.kinematics.equations import Equations, equations_of
from multiloop.kinematics.readings import marker_frames
from multiloop.kinematics.targets import Target
from multiloop.model import Body, Fault, Mechanism, SolveError
from multiloop.plan import Plan
from multiloop.plan.massless import Massless, massless_links
from multiloop.plan.mobility import Idle
from multiloop.plan.weighing import WEIGHTLESS
from multiloop.spatial import numeric

SHARE = 1e-2
"""Inertia added to a spin, as a part of the body's inertia across the line."""


def with_mass(plan: Plan, targets: tuple[Target, ...]) -> tuple[Equations, Massless, dict[Idle, float]]:
    """The equations of a plan with rotors on idle spins without inertia, the verdict on massless links, and
    these spins.
    """
    if plan.massless.rule == "regular":
        return equations_of(plan.mechanism, plan.tree, targets), plan.massless, {}
    spins = massless_spins(equations_of(plan.mechanism, plan.tree), plan)
    mechanism = with_rotors(plan.mechanism, spins)
    plain = equations_of(mechanism, plan.tree)
    verdict = massless_links(plain, plan.assembly.on(plain), plan.assembly.p, plan.assembly.t)
    return equations_of(mechanism, plan.tree, targets), verdict, spins


def undecided(mechanism: Mechanism, massless: Massless) -> SolveError:
    """The error for a motion that no inertia determines, with the body and its axis if it is a rotation."""
    joints = ", ".join(massless.undetermined)
    what, remedy = f"no mass decides the motion at {joints}.", "Give the links there some inertia."
    if massless.turning:
        body, axis = massless.turning[0]
        shown = ", ".join(f"{x:.3g}" for x in axis)
        what = f"no mass decides how '{body}' turns about its axis ({shown}), at {joints}."
        remedy = (
            f"Give '{body}' some inertia about it, inertia=(xx, yy, zz); a rod has none about its own line."
        )
    fault = Fault("S06", "forward dynamics", what, remedy)
    return SolveError(f"mechanism '{mechanism.name}'", [fault])


def massless_spins(equations: Equations, plan: Plan) -> dict[Idle, float]:
    """Idle spins of single bodies without inertia about their lines, with the inertia across the line."""
    q, p = plan.assembly.on(equations), plan.assembly.p
    frames, masses = marker_frames(equations, q, p), equations.masses(q, p)
    origins = equations.poses(q, p)
    found: dict[Idle, float] = {}
    for idle in plan.idle:
        if (
            len(idle.bodies) > 1 or plan.mechanism.body(idle.spin.body).derived
        ):  # its inertia cannot be changed
            continue
        start, end = (numeric(frames[marker].p) for marker in (idle.spin.start, idle.spin.end))
        M, r = masses[equations.skeleton.index[idle.spin.body]], numeric(origins[idle.spin.body].p) - start
        axes = np.linalg.svd(np.atleast_2d(end - start))[2]  # along the line, then across
        twists = np.vstack([axes.T, np.cross(axes, r).T])
        along, *across = np.sum(twists * (M @ twists), axis=0)
        if along <= WEIGHTLESS * max(across):
            found[idle] = float(max(across))
    return found


def with_rotors(mechanism: Mechanism, spins: dict[Idle, float]) -> Mechanism:
    """The mechanism with some inertia about the line of every massless spin."""
    extra = {idle.spin.body: (idle.spin, SHARE * across) for idle, across in spins.items()}
    bodies = [_spun(body, *extra[body.name]) if body.name in extra else body for body in mechanism.bodies]
    return mechanism.replace(bodies=bodies) if extra else mechanism


def _spun(body: Body, spin: Spin, inertia: float) -> Body:
    """The body with inertia I + ε e eᵀ; its numbers may be expressions."""
    start, end = (
        (*body.marker(reference.partition(".")[2]).point, 0.0, 0.0)[:3]
        for reference in (spin.start, spin.end)
    )
    e = [b - a for a, b in zip(start, end, strict=True)]
    length = sum(x * x for x in e)
    own: Any = body.inertia
    if not isinstance(own[0], tuple):
        own = tuple(tuple(own[i] if i == j else 0.0 for j in range(3)) for i in range(3))
    rows = [[own[i][j] + inertia * e[i] * e[j] / length for j in range(3)] for i in range(3)]
    return replace(body, inertia=tuple(map(tuple, rows)))
