"""Loops of flexible links given by their integrals, in the plane and in space, with initial deflections and rates."""

from zoo.plain import four_bar_pins

import multiloop as ml

WHERE = {"coupler.b": (0.8, 0.7)}
BENT = {"A": 1.0, "crank.eta": (0.002, -0.0003), "coupler.eta": (0.03, 0.004), "rocker.eta": (0.05, -0.002)}
MOVING = {"A": 2.0, "crank.eta": (0.01, 0.02), "coupler.eta": (-0.3, 0.1), "rocker.eta": (0.2, 0.1)}


def four_bar(frame="chord", EI=20.0, damping=0.0, modes=2):
    """Three flexible links, pinned in a loop; units m, kg and N m²."""

    def beam(name, length, mass):
        return ml.uniform_beam(
            name, length=length, mass=mass, EI=EI, modes=modes, frame=frame, damping=damping
        )

    return ml.Mechanism(
        "elastic four-bar",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), D=(1.0, 0)),
            beam("crank", 0.3, 1.0),
            beam("coupler", 0.9, 2.0),
            beam("rocker", 0.8, 1.5),
        ],
        joints=four_bar_pins(),
    )


def spatial_loop(frame):
    """An RSSR whose links bend in both directions; the rocker carries rigid bobs on a universal joint and on a ball."""

    def beam(name, length, mass):
        across = mass * length**2 / 12
        return ml.uniform_beam(
            name,
            length=length,
            mass=mass,
            EI=20.0,
            frame=frame,
            across=("y", "z"),
            inertia=(0.01, across, across),
        )

    bob = {"mass": 0.4, "com": (0.1, 0.2, 0.05), "inertia": (0.01, 0.02, 0.015)}
    return ml.Mechanism(
        "elastic RSSR",
        bodies=[
            ml.ground(A=(0, 0, 0), D=ml.marker((1.0, 0, 0.1), z=(0, 1, 0.3))),
            beam("crank", 0.3, 1.0),
            beam("coupler", 0.9, 2.0),
            beam("rocker", 0.8, 1.5),
            ml.Body("bob", **bob),
            ml.Body("ball", **bob),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Spherical("B", "crank.b", "coupler.a"),
            ml.Spherical("C", "coupler.b", "rocker.b"),
            ml.Revolute("D", "ground.D", "rocker.a"),
            ml.Universal("U", "rocker.b", "bob.origin"),
            ml.Spherical("S", "rocker.b", "ball.origin"),
        ],
    )


SPATIAL_START = {"A": 0.4, "crank.eta": (0.002, 0.001, -0.003, 0.0), "rocker.eta": (0.03, 0.01, 0.05, -0.01)}
SPATIAL_RATES = {
    "A": 1.0,
    "coupler.eta": (0.3, -0.1, 0.2, 0.1),
    "rocker.eta": (0.1, 0.2, -0.3, 0.1),
    "U": (0.5, -0.8),
}
