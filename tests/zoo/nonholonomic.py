"""Mechanisms with more coordinates than degrees of freedom of motion: balls, skates, equations of rates."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from multiloop import (
    Body,
    Free,
    Mechanism,
    Relation,
    Revolute,
    RollingBall,
    Skate,
    ground,
    marker,
    position,
    rate,
)
from multiloop.model.expressions import functions
from zoo.body_poses import along, assembled
from zoo.entry import Entry


def ball_on_plate() -> Mechanism:
    """A ball with an eccentric mass, without pivoting, on a plate that tilts about an oblique axis."""
    radius, tip = 0.08, 0.25
    axis = np.array([0.0, cos(0.1), sin(0.1)])
    mechanism = Mechanism(
        "ball on plate",
        bodies=[
            ground(axle=marker((0.1, 0.0, 0.3), z=axis, x=(-1, 0, 0))),
            Body(
                "plate",
                mass=3.0,
                inertia=(0.08, 0.06, 0.1),
                com=(0.05, 0.02, 0.01),
                markers={"top": marker((0.0, 0.04, 0.0), z=(0, 1, 0), x=(1, 0, 0))},
            ),
            Body("ball", mass=0.9, inertia=(0.0025, 0.002, 0.003), com=(0.01, -0.02, 0.015)),
        ],
        joints=[Revolute("hinge", "ground.axle", "plate.origin")],
        pairs=[RollingBall("contact", "ball.origin", "plate.top", radius=radius, pivots=False)],
    )
    # In the frame of the plate, y up from it; the hinge's own x, and z along its axis.
    x, z = np.array([-1.0, 0.0, 0.0]), axis
    y = np.cross(z, x)
    x, y = cos(tip) * x + sin(tip) * y, cos(tip) * y - sin(tip) * x
    middle = np.array([0.1, 0.0, 0.3]) + 0.12 * x + (0.04 + radius) * y - 0.05 * z
    return assembled(
        mechanism, {"plate": along((0.1, 0.0, 0.3), z=z, x=x), "ball": along(middle, z=(0.6, 0.0, 0.8))}
    )


def trailer() -> Mechanism:
    """A sled whose runner is an equation of rates, on a slope in top view, and a trailer on a skate behind it."""
    turn = position("sled slides", 2)
    across = functions.sin(turn) * rate("sled slides", 0) - functions.cos(turn) * rate("sled slides", 1)
    mechanism = Mechanism(
        "trailer",
        planar=True,
        gravity=(0.3, -1.1),
        bodies=[
            ground(),
            Body("sled", mass=12.0, inertia=0.9, com=(0.15, 0.02), markers={"hook": (-0.4, 0.05)}),
            Body("trailer", mass=5.0, inertia=0.4, com=(-0.3, 0.01), markers={"axle": (-0.6, 0.0)}),
        ],
        joints=[
            Free("sled slides", "ground.origin", "sled.origin"),
            Revolute("hitch", "sled.hook", "trailer.origin"),
        ],
        pairs=[Relation("runner", across), Skate("wheels", "trailer.axle", "ground.origin")],
    )
    hook = np.array([cos(0.3) * -0.4 - sin(0.3) * 0.05, sin(0.3) * -0.4 + cos(0.3) * 0.05])
    return assembled(mechanism, {"sled": (0.0, 0.0, 0.3), "trailer": (*hook, -0.1)})


FAMILY = (
    Entry("ball-on-plate", ball_on_plate, 2, 1, count=3, mobility=3, rates_alone=3),
    Entry("trailer", trailer, 2, 1, count=2, mobility=2, rates_alone=2),
)
