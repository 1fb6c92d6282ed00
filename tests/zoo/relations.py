"""Mechanisms with relations between coordinates, and rolling mechanisms."""

from __future__ import annotations

from dataclasses import replace
from math import cos, sin

import numpy as np

from multiloop import (
    Body,
    Marker,
    Mechanism,
    Motion,
    Prismatic,
    Relation,
    Revolute,
    Rolling,
    ground,
    marker,
    position,
)
from zoo.body_poses import along, assembled
from zoo.entry import Entry, swinging
from zoo.planar_parallel import five_bar


def geared_five_bar() -> Mechanism:
    """A five-bar whose second crank is geared to the first, one to minus two, in mesh in the initial position."""
    plain = five_bar()
    mesh = Relation("mesh", position("E") + position("A") / 2 - 2.0)
    return plain.replace(name="geared five-bar", pairs=[mesh], drives=plain.drives[:1])


def differential() -> Mechanism:
    """Three coaxial shafts: the third rotates by half the sum of the others; all carry an eccentric mass."""
    bodies, joints, pivots = [], [], {}
    for k, name in enumerate(("left", "right", "carrier")):
        pivots[name] = marker((0.2 * k, 0, 0), z=(1, 0, 0), x=(0, 1, 0))
        bodies += [Body(name, mass=1.0 + k, com=(0.02 * k, 0, 0.05), inertia=(0.03, 0.03, 0.03 + 0.01 * k))]
        joints += [Revolute(f"{name} bearing", f"ground.{name}", f"{name}.origin")]
    half = (position("left bearing") + position("right bearing")) / 2
    return Mechanism(
        "differential",
        bodies=[ground(pivots), *bodies],
        joints=joints,
        pairs=[Relation("planets", half - position("carrier bearing"))],
        drives=[
            Motion("left bearing", swinging(0.2, 0.4)),
            Motion("right bearing", swinging(-0.1, 0.3, 5.0)),
        ],
        guess={"left bearing": 0.2, "right bearing": -0.1, "carrier bearing": 0.05},
    )


def rack_and_pinion() -> Mechanism:
    """An unbalanced pinion drives an inclined rack."""
    return Mechanism(
        "rack and pinion",
        planar=True,
        bodies=[
            ground(O=(0, 0), rail=Marker((0, 0.1), angle=0.4)),
            Body("pinion", mass=2.0, inertia=0.02, com=(0.03, 0.01)),
            Body("rack", mass=5.0, inertia=0.1, com=(0.05, 0.02)),
        ],
        joints=[
            Revolute("axle", "ground.O", "pinion.origin"),
            Prismatic("rail", "ground.rail", "rack.origin"),
        ],
        pairs=[Relation("teeth", position("rail") + 0.1 * position("axle"))],
        drives=[Motion("axle", swinging(0.3, 0.5))],
        guess={"axle": 0.3, "rail": -0.03},
    )


def rolling_disc() -> Mechanism:
    """A disc with an eccentric mass that leans on an inclined plane, without further constraints."""
    radius, lean = 0.3, 0.5
    normal = np.array([0.0, -sin(0.2), cos(0.2)])
    axle = np.array([cos(lean), 0.0, sin(lean)])
    down = (normal @ axle) * axle - normal
    centre = np.array([0.1, 0.2, 0.0]) - radius * down / np.linalg.norm(down)
    centre += (0.04 - normal @ (centre + radius * down / np.linalg.norm(down))) * normal
    mechanism = Mechanism(
        "rolling disc",
        bodies=[
            ground(plane=marker(0.04 * normal, z=normal)),
            Body("disc", mass=1.2, inertia=(0.03, 0.028, 0.055), com=(0.02, 0.01, 0.0)),
        ],
        pairs=[Rolling("contact", "disc.origin", "ground.plane", radius=radius)],
    )
    return assembled(mechanism, {"disc": along(centre, z=axle)})


def cart() -> Mechanism:
    """A frame on two wheels of different size that roll on a slope, in the plane."""
    rear, front, slope = 0.2, 0.3, -0.2
    pitch = slope + np.arcsin((front - rear) / 1.0)
    normal = np.array([-sin(slope), cos(slope)])
    at = 0.1 * np.array([cos(slope), sin(slope)]) + rear * normal
    mechanism = Mechanism(
        "cart",
        planar=True,
        bodies=[
            ground(road=Marker((0, 0), angle=slope)),
            Body(
                "frame", mass=20.0, inertia=1.0, com=(0.45, 0.2), markers={"rear": (0, 0), "front": (1.0, 0)}
            ),
            Body("rear", mass=1.0, inertia=0.02, com=(0.01, 0.0)),
            Body("front", mass=1.5, inertia=0.06, com=(0.0, 0.02)),
        ],
        joints=[
            Revolute("rear axle", "frame.rear", "rear.origin"),
            Revolute("front axle", "frame.front", "front.origin"),
        ],
        pairs=[
            Rolling("rear contact", "rear.origin", "ground.road", radius=rear),
            Rolling("front contact", "front.origin", "ground.road", radius=front),
        ],
    )
    tip = at + np.array([cos(pitch), sin(pitch)])
    return assembled(mechanism, {"frame": (*at, pitch), "rear": (*at, 0.3), "front": (*tip, -0.2)})


def resisting_cart() -> Mechanism:
    """The same on tyres with rolling resistance."""
    plain = cart()
    pairs = [replace(pair, resistance=0.02, resistance_speed=0.05) for pair in plain.pairs]
    return plain.replace(name="cart on tyres", pairs=pairs)


FAMILY = (
    Entry("five-bar-geared", geared_five_bar, 4, 1, count=1, mobility=1),
    Entry("differential", differential, 3, 0, count=2, mobility=2),
    Entry("rack", rack_and_pinion, 2, 0, count=1, mobility=1),
    Entry("rolling-disc", rolling_disc, 1, 1, count=3, mobility=3, rates_alone=2),
    Entry("cart", cart, 3, 2, count=1, mobility=1, rates_alone=2),
    Entry("cart-resisting", resisting_cart, 3, 2, count=1, mobility=1, rates_alone=2),
)
