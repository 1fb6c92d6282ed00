"""Mechanisms with equilibria and steady motions in closed form."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
from zoo.plain import crank_slider

import multiloop as ml
from multiloop.examples.mechanisms.toggle_clamp import ANGLE, BAR, STIFFNESS

G = 9.81


def toggle(*, load: float = 0.0) -> ml.Mechanism:
    """The toggle clamp of the examples without masses and damping: statics alone."""
    clamp = ml.examples.toggle_clamp()
    bare = [ml.rod(name, length=BAR, mass=0.0) for name in ("left", "right")]
    return clamp.replace(
        name="toggle",
        bodies=[clamp.bodies[0], *bare, ml.Body("slide", mass=0.0)],
        loads=[
            ml.JointSpring("spring", "guide", stiffness=STIFFNESS, rest=2 * BAR * cos(ANGLE)),
            ml.Force("push", "left.b", (0, -ml.Parameter("P", load))),
        ],
    )


def governor(
    *, speed: float = 18.0, arm: float = 0.3, ball: float = 1.0, sleeve: float = 5.0, opened: float = 0.6
) -> ml.Mechanism:
    """Porter's governor: balls at the knees of two pairs of massless arms, a heavy sleeve, with prescribed speed."""
    right = ml.marker((0, 0, 0), z=(0, 1, 0), x=(1, 0, 0))
    left = ml.marker((0, 0, 0), z=(0, -1, 0), x=(-1, 0, 0))

    def rod(name: str, mass: float) -> ml.Body:
        pins = {"a": (0, 0, 0), "b": (arm, 0, 0)}
        return ml.Body(name, mass=mass, inertia=(0, 0, 0), com=(arm, 0, 0), markers=pins)

    small = (1e-3, 1e-3, 1e-3)
    guess = {
        f"{joint}{k}": angle for joint, angle in (("A", pi / 2 - opened), ("B", 2 * opened)) for k in (1, 2)
    }
    return ml.Mechanism(
        "governor",
        gravity=(0, 0, -G),
        bodies=[
            ml.ground(O=(0, 0, 0)),
            ml.Body("spindle", mass=1.0, inertia=small, markers={"right": right, "left": left}),
            rod("arm1", ball),
            rod("arm2", ball),
            rod("link1", 0.0),
            rod("link2", 0.0),
            ml.Body("sleeve", mass=sleeve, inertia=small, markers={"right": right, "left": left}),
        ],
        joints=[
            ml.Revolute("spin", "ground.O", "spindle.origin"),
            ml.Revolute("A1", "spindle.right", "arm1.a"),
            ml.Revolute("A2", "spindle.left", "arm2.a"),
            ml.Revolute("B1", "arm1.b", "link1.a"),
            ml.Revolute("B2", "arm2.b", "link2.a"),
            ml.Revolute("C1", "link1.b", "sleeve.right"),
            ml.Revolute("C2", "link2.b", "sleeve.left"),
            ml.Prismatic("slide", "spindle.origin", "sleeve.origin"),
        ],
        drives=[ml.Motion("spin", ml.motion_laws.constant_speed(ml.Parameter("Omega", speed)))],
        guess=guess | {"slide": -2 * arm * cos(opened), "C1": -pi / 2 - opened, "C2": -pi / 2 - opened},
    )


def disc(*, mass: float = 1.0, radius: float = 0.3, hoop: bool = False) -> ml.Mechanism:
    """A thin disc, or a hoop, that rolls on a horizontal plane without further constraints."""
    across = mass * radius**2 / (2 if hoop else 4)
    return ml.Mechanism(
        "hoop" if hoop else "disc",
        gravity=(0, 0, -G),
        bodies=[ml.ground(plane=(0, 0, 0)), ml.Body("disc", mass=mass, inertia=(across, across, 2 * across))],
        pairs=[ml.Rolling("contact", "disc.origin", "ground.plane", radius=radius)],
    )


def leaning_disc(*, mass: float = 1.0, radius: float = 0.3) -> ml.Mechanism:
    """The same disc behind massless parts, so that its heading, lean and roll are coordinates."""
    across = mass * radius**2 / 4
    lean = ml.marker((0, 0, 0), z=(1, 0, 0), x=(0, 1, 0))
    axle = ml.marker((0, 0, 0), z=(0, 1, 0), x=(1, 0, 0))
    return ml.Mechanism(
        "leaning disc",
        gravity=(0, 0, -G),
        bodies=[
            ml.ground(plane=(0, 0, 0)),
            ml.Body("cart", mass=0.0),
            ml.Body("lift", mass=0.0, markers={"lean": lean}),
            ml.Body("fork", mass=0.0, markers={"lean": lean, "axle": axle}),
            ml.Body("disc", mass=mass, inertia=(across, across, 2 * across)),
        ],
        joints=[
            ml.Planar("road", "ground.plane", "cart.origin"),
            ml.Prismatic("height", "cart.origin", "lift.origin"),
            ml.Revolute("lean", "lift.lean", "fork.lean"),
            ml.Revolute("spin", "fork.axle", "disc.origin"),
        ],
        pairs=[ml.Rolling("contact", "disc.origin", "ground.plane", radius=radius)],
        guess={"height": radius, "lean": 0.2},
    )


def upright(radius: float, rate: float) -> tuple[dict[str, tuple[float, ...]], dict[str, tuple[float, ...]]]:
    """The start and the rates of a disc that rolls straight along x, its axle along y."""
    start = {"disc": (0.0, 0.0, radius, cos(pi / 4), -sin(pi / 4), 0.0, 0.0)}
    return start, {"disc": (rate * radius, 0.0, 0.0, 0.0, rate, 0.0)}


def damped_four_bar() -> ml.Mechanism:
    """A four-bar on a spring with a damper, a torsion spring at the rocker, and a motor to push it."""
    bar = ml.examples.sprung_four_bar()
    return bar.replace(
        loads=[
            ml.Spring("spring", "coupler.p", "ground.S", stiffness=400.0, length=0.45, damping=7.0),
            ml.JointSpring("hinge", "D", stiffness=12.0, rest=-1.2, damping=0.8),
            ml.Force("push", "coupler.c", (ml.Parameter("F", 20.0), -5.0)),
        ]
    )


CRANK, ROD = 0.05, 0.2
GAS, FLYWHEEL = 120.0, 0.5
ROD_MASS, PISTON = 0.6, 0.8


def engine(*, damping: float = 0.0, load: float = 60.0) -> ml.Mechanism:
    """A slider-crank with its flywheel; a torque of the angle drives it, and a load brakes it, proportional to its
    speed or constant."""
    angle, sine = ml.position("O"), ml.expr.sin
    driving = GAS * (0.5 + sine(angle) + 0.4 * sine(2 * angle))
    braking = damping * ml.rate("O") if damping else ml.Parameter("load", load)
    return crank_slider(
        ml.Body("crank", mass=2.0, inertia=FLYWHEEL, markers={"a": (0, 0), "b": (CRANK, 0)}),
        ml.rod("rod", length=ROD, mass=ROD_MASS),
        ml.Body("piston", mass=PISTON),
        "engine",
        pins=("O", "P", "W", "bore"),
        gravity=(0, 0),
        actuators=[ml.Actuator("O", effort=driving - braking)],
        guess={"O": 0.0, "rod.b": (CRANK + ROD, 0)},
    )


def engine_inertia(angle: np.ndarray) -> np.ndarray:
    """J(φ) of the engine at its crank, by hand."""
    sine, cosine = np.sin(angle), np.cos(angle)
    lean = np.sqrt(ROD**2 - (CRANK * sine) ** 2)  # l cos β
    turn = CRANK * cosine / lean  # of the rod, per turn of the crank
    piston = -CRANK * sine - CRANK**2 * sine * cosine / lean
    middle = np.array([-CRANK * sine - CRANK**2 * sine * cosine / lean / 2, CRANK * cosine / 2])
    rod = ROD_MASS * (middle**2).sum(axis=0) + ROD_MASS * ROD**2 / 12 * turn**2
    return FLYWHEEL + rod + PISTON * piston**2
