"""Test models with random loads of all types, to which the laws are applied."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
from laws.closed_positions import built
from laws.formulation_cases import Case, case_at

import multiloop as ml
from multiloop.kinematics import equations_of
from multiloop.kinematics.assembly import find_assembly_modes
from multiloop.model.drives import MOTION_COMPONENTS
from multiloop.plan import plan_at
from multiloop.plan.rank import first_order_motions
from multiloop.topology import candidate_trees, graph_of

LOADED = (
    "four-bar-offsets",
    "slider-crank",
    "3-RRR",
    "five-bar-braced",
    "RSUR",
    "6-UPS",
    "bennett",
    "screw-jack",
)
"""Planar and spatial, one freedom and several, pairs, redundant constraints and a screw."""


def random_loads(mechanism: ml.Mechanism, seed: int = 5) -> list[ml.Load]:
    """A force in either frame, a torque, springs between bodies and to the ground, a mount, and one at a joint."""
    rng, bodies = np.random.default_rng(seed), [body.name for body in mechanism.moving]
    d, weight = (2, 1) if mechanism.planar else (3, 3), 30.0

    def numbers(count: int) -> tuple[float, ...]:
        return tuple(float(x) for x in weight * rng.normal(size=count))

    force, torque = numbers(d[0]), numbers(d[1])
    joint, component = _coordinate(mechanism)
    turned = ml.position(joint, 0)
    found: list[ml.Load] = [
        ml.Force("push", f"{bodies[0]}.com", (force[0] * (1 + 0.3 * turned), *force[1:])),
        ml.Force("follow", f"{bodies[-1]}.com", numbers(d[0]), frame="body"),
        ml.Torque(
            "twist", bodies[-1], torque[0] * (2 - ml.time) if mechanism.planar else torque, frame="body"
        ),
        ml.Spring("return", f"{bodies[-1]}.com", "ground.origin", stiffness=200.0, length=0.1, damping=3.0),
        ml.Spring("strut", "ground.origin", f"{bodies[0]}.com", preload=5 + 40 * ml.length("strut")),
        ml.JointSpring("hinge", joint, component, stiffness=20.0, rest=0.2, damping=0.7),
        ml.Backlash(
            "play", along=turned + 0.2 * turned**2, play=0.02, rest=-0.3, stiffness=30.0, damping=0.4
        ),
        ml.Bushing(
            "mount",
            f"{bodies[0]}.com",
            "ground.origin",
            stiffness=(90.0, 60.0, 0.0) + (0.0, 0.0, 0.0) * (d[0] - 2),
        ),
    ]
    if len(bodies) > 1:
        between = (f"{bodies[0]}.com", f"{bodies[-1]}.com")
        found.append(ml.Spring("between", *between, stiffness=150.0, length=0.05, preload=4.0, damping=2.0))
    return found


def _coordinate(mechanism: ml.Mechanism) -> tuple[str, str]:
    """A coordinate along which a spring may act: the first driven one, or the first of all."""
    driven = [motion.of for motion in mechanism.drives if not motion.on_marker]
    joints = [mechanism.joint(driven[0])] if driven else list(mechanism.binary_joints)
    return next(
        (joint.name, component)
        for joint in joints
        for component in joint.components(mechanism.planar)
        if component in MOTION_COMPONENTS
    )


@cache
def loaded(name: str) -> ml.Mechanism:
    """A test model with loads."""
    return built(name).replace(loads=random_loads(built(name)))


@cache
def loaded_cases(name: str) -> tuple[Case, ...]:
    """The same along two of its trees, at a position other than its first."""
    mechanism = loaded(name)
    assembly = find_assembly_modes(mechanism)[0]
    trees = list(islice(candidate_trees(graph_of(mechanism)), 4))
    plan = plan_at(assembly, trees[0].cuts)
    found = []
    for tree in dict.fromkeys((trees[0], trees[-1])):
        equations = equations_of(mechanism, tree)
        q = first_order_motions(assembly).positions()[-1]
        found.append(case_at(equations, replace(assembly, q=q).coordinates_on(equations), 7, plan))
    return tuple(found)
