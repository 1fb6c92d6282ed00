"""Mechanisms whose loops couple the modes of several links: rigid motions of the joints alone could not close them."""

from __future__ import annotations

import numpy as np
from zoo.plain import four_bar_pins

import multiloop as ml

LEAF_LENGTH, WIDTH, THICKNESS, STEEL = 0.1, 0.02, 0.0005, 210e9

STAGE_STIFFNESS = 2 * 12 * STEEL * (WIDTH * THICKNESS**3 / 12) / LEAF_LENGTH**3
"""Stiffness of two leaf springs that guide a table, N/m: 2 · 12 E I/L³."""


def leaf_stage(modes: int = 3, **more: object) -> ml.Mechanism:
    """Two leaf springs, clamped to the ground and to a table."""
    section, up = ml.rectangle(WIDTH, THICKNESS), np.pi / 2
    made = {"length": LEAF_LENGTH, "E": STEEL, "density": 7800.0, "section": section, "damping": 0.01}
    ends = {"p": ml.marker((0, 0), angle=up), "q": ml.marker((0.1, 0), angle=up), "c": (0.05, 0), "e": (0, 0)}
    places = {"A": ml.marker((0, 0), angle=up), "B": ml.marker((0.1, 0), angle=up), "M": (-0.2, LEAF_LENGTH)}
    return ml.Mechanism(
        "leaf stage",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(**places),
            ml.beam("l1", modes=modes, **made),
            ml.beam("l2", modes=modes, **made),
            ml.Body("table", mass=0.2, inertia=2e-4, com=(0.05, 0.01), markers=ends),
        ],
        joints=[
            ml.Fixed("a1", "ground.A", "l1.a"),
            ml.Fixed("a2", "ground.B", "l2.a"),
            ml.Fixed("b1", "l1.b", "table.p"),
            ml.Fixed("b2", "l2.b", "table.q"),
        ],
        guess={"table": (0, LEAF_LENGTH, 0)},
        **more,
    )


def driven_stage(drive: ml.Motion, *, by: str, modes: int = 3) -> ml.Mechanism:
    """The stage with a motor that moves its table by a "spring" or a "rod"."""
    stage, drawn = leaf_stage(modes), ml.Spring("link", "slide.origin", "table.e", stiffness=5e3, length=0.2)
    bodies = [*stage.bodies, ml.Body("slide", mass=0.1, inertia=1e-5)]
    joints = [*stage.joints, ml.Prismatic("motor", "ground.M", "slide.origin")]
    if by == "rod":
        bodies.append(ml.rod("rod", length=0.2, mass=0.02))
        joints += [ml.Revolute("P", "slide.origin", "rod.a"), ml.Revolute("Q", "rod.b", "table.e")]
    described = {"bodies": bodies, "joints": joints, "drives": [drive], "actuators": [ml.Actuator("motor")]}
    described["guess"] = {"table": (0, LEAF_LENGTH, 0), "motor": 0.0}
    return stage.replace(loads=[drawn] if by == "spring" else [], **described)


def tied_bar(first: type[ml.Joint], second: type[ml.Joint], modes: object) -> ml.Mechanism:
    """A bar with both ends attached to the ground."""
    bar = ml.beam("bar", length=0.8, E=70e9, density=2700.0, section=ml.rectangle(0.01, 0.01), modes=modes)
    return ml.Mechanism(
        "bar",
        planar=True,
        bodies=[ml.ground(A=(0, 0), B=(0.8, 0)), bar],
        joints=[first("A", "ground.A", "bar.a"), second("B", "ground.B", "bar.b")],
    )


def space_four_bar(profile: object = 1.0) -> ml.Mechanism:
    """A four-bar of Revolutes in space, with gravity perpendicular to its plane, whose coupler deforms where the loop
    does not close rigidly."""
    made = {"E": 70e9, "G": 27e9, "density": 2700.0, "section": ml.rectangle(0.01, 0.01), "damping": 0.01}
    shapes = {"modes": {"y": 2, "z": 4, "twist": 1}, "basis": "interface", "frame": "chord"}
    coupler = ml.beam("coupler", length=0.9, **made, **shapes)
    crank, rocker = (
        ml.rod(name, length=length, mass=1.0, inertia=(1e-3, 0.02, 0.02))
        for name, length in (("crank", 0.3), ("rocker", 0.8))
    )
    return ml.Mechanism(
        "space four-bar",
        gravity=(0, 0, -9.81),
        bodies=[ml.ground(A=(0, 0, 0), D=(1.0, 0, 0)), crank, coupler, rocker],
        joints=four_bar_pins(),
        drives=[ml.Motion("A", profile)],
        guess={"coupler.b": (0.8, 0.7, 0)},
    )
