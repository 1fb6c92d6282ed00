"""Mechanisms with impacts and unilateral constraints that have closed-form solutions."""

from __future__ import annotations

import numpy as np
from zoo.plain import free_body

import multiloop as ml

GRAVITY = 9.81
CLOSED = {"coupler.b": (0.8, 0.7)}
"""Initial position of the four-bar."""


def four_bar(*loads: ml.Stop | ml.Friction) -> ml.Mechanism:
    """The four-bar of the README without its drive, with loads."""
    return ml.examples.four_bar().without_drives().replace(loads=list(loads))


def lift(*loads: ml.Stop | ml.Friction, mass: float = 2.0) -> ml.Mechanism:
    """A weight in a vertical guide."""
    return ml.Mechanism(
        "lift",
        planar=True,
        gravity=(0, -GRAVITY),
        bodies=[
            ml.ground(foot=ml.marker((0, 0), angle=np.pi / 2)),
            ml.Body("weight", mass=mass, inertia=0.1, markers={"m": ml.marker((0, 0), angle=np.pi / 2)}),
        ],
        joints=[ml.Prismatic("guide", "ground.foot", "weight.m")],
        loads=list(loads),
    )


def floating(*loads: ml.Rope | ml.Contact, mass: float = 1.0, inertia: float = 1 / 12) -> ml.Mechanism:
    """A rod of one metre in the plane, with loads but without joints; its tip is at its left end."""
    return free_body(
        ml.Body("rod", mass=mass, inertia=inertia, markers={"tip": (-0.5, 0)}),
        "rod",
        planar=True,
        gravity=(0, -GRAVITY),
        loads=list(loads),
    )


def beads(*masses: float, restitution: float = 1.0) -> ml.Mechanism:
    """Beads on a wire, one behind the other, which collide."""
    bodies = [ml.ground(), *(ml.Body(f"bead{k}", mass=mass, inertia=0.01) for k, mass in enumerate(masses))]
    joints = [ml.Prismatic("s0", "ground.origin", "bead0.origin")]
    joints += [ml.Prismatic(f"s{k}", f"bead{k - 1}.origin", f"bead{k}.origin") for k in range(1, len(masses))]
    stops = [ml.Stop(f"gap{k}", f"s{k}", low=0.0, restitution=restitution) for k in range(1, len(masses))]
    return ml.Mechanism("beads", planar=True, gravity=(0, 0), bodies=bodies, joints=joints, loads=stops)
