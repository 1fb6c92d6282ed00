"""Four links in one loop: the plain four-bar and its relatives in the plane and in space."""

from __future__ import annotations

import numpy as np

from multiloop import Body, Fixed, Mechanism, Motion, Parameter, Revolute, ground, rod
from multiloop.model import constant_speed
from zoo.body_poses import along, assembled, between, meet
from zoo.entry import Entry, swinging
from zoo.plain import four_bar_pins


def four_bar(size: float = 1.0, mass: float = 1.0, speed: float = 4.712) -> Mechanism:
    """The four-bar of the first page: crank 0.3, coupler 0.9, rocker 0.8 on a base of 1 m, open branch.

    All lengths are multiplied by `size` and all masses by `mass`; the crank turns at `speed` rad/s.
    """
    crank, coupler, rocker, base = 0.3 * size, 0.9 * size, 0.8 * size, 1.0 * size
    mechanism = Mechanism(
        "four-bar",
        planar=True,
        gravity=(0, -9.81),
        bodies=[
            ground(A=(0, 0), D=(base, 0)),
            rod("crank", length=crank, mass=1.0 * mass),
            rod("coupler", length=coupler, mass=2.0 * mass),
            rod("rocker", length=rocker, mass=1.5 * mass),
        ],
        joints=four_bar_pins(),
        drives=[Motion("A", constant_speed(speed, start=0.0))],
    )
    return assembled(mechanism, _open_branch(crank, coupler, rocker, base))


def four_bar_with_offsets() -> Mechanism:
    """Mass centres off the links' lines, so that no moment of weight vanishes by symmetry."""
    mechanism = Mechanism(
        "four-bar with offsets",
        planar=True,
        bodies=[
            ground(A=(0, 0), D=(0.30, 0)),
            rod("crank", length=0.10, mass=1.0, inertia=0.0015, com=(0.04, 0.01)),
            rod("coupler", length=0.28, mass=2.0, inertia=0.018, com=(0.13, 0.03)),
            rod("rocker", length=0.24, mass=1.5, inertia=0.011, com=(0.11, -0.02)),
        ],
        joints=four_bar_pins(),
        drives=[Motion("A", constant_speed(10.0))],
    )
    return assembled(mechanism, _open_branch(0.10, 0.28, 0.24, 0.30))


def four_bar_of_parameters() -> Mechanism:
    """The four-bar of the first page with its lengths, a mass and its speed as parameters."""
    crank, coupler, rocker = (
        Parameter("crank length", 0.3),
        Parameter("coupler length", 0.9),
        Parameter("rocker length", 0.8),
    )
    base = Parameter("base", 1.0)
    mechanism = Mechanism(
        "four-bar of parameters",
        planar=True,
        bodies=[
            ground(A=(0, 0), D=(base, 0)),
            rod("crank", length=crank, mass=1.0),
            rod("coupler", length=coupler, mass=Parameter("coupler mass", 2.0)),
            rod("rocker", length=rocker, mass=1.5),
        ],
        joints=four_bar_pins(),
        drives=[Motion("A", constant_speed(Parameter("speed", 4.712)))],
    )
    return assembled(mechanism, _open_branch(0.3, 0.9, 0.8, 1.0))


def four_bar_welded() -> Mechanism:
    """The coupler in two halves with a weld between them: a joint without freedom inside a loop."""
    half = 0.45
    mechanism = Mechanism(
        "four-bar welded",
        planar=True,
        bodies=[
            ground(A=(0, 0), D=(1.0, 0)),
            rod("crank", length=0.3, mass=1.0),
            rod("near half", length=half, mass=1.0),
            rod("far half", length=half, mass=1.0),
            rod("rocker", length=0.8, mass=1.5),
        ],
        joints=[
            Revolute("A", "ground.A", "crank.a"),
            Revolute("B", "crank.b", "near half.a"),
            Fixed("weld", "near half.b", "far half.a"),
            Revolute("C", "far half.b", "rocker.b"),
            Revolute("D", "ground.D", "rocker.a"),
        ],
        drives=[Motion("A", constant_speed(4.712))],
    )
    poses = _open_branch(0.3, 0.9, 0.8, 1.0)
    x, y, angle = poses.pop("coupler")
    poses["near half"] = (x, y, angle)
    poses["far half"] = (x + half * np.cos(angle), y + half * np.sin(angle), angle)
    return assembled(mechanism, poses)


def parallelogram() -> Mechanism:
    """Opposite links of equal length: with all four collinear it may change its assembly mode, so its drive only
    oscillates."""
    mechanism = Mechanism(
        "parallelogram",
        planar=True,
        bodies=[
            ground(A=(0, 0), D=(0.5, 0)),
            rod("crank", length=0.2, mass=0.7),
            rod("coupler", length=0.5, mass=1.4),
            rod("rocker", length=0.2, mass=0.7),
        ],
        joints=four_bar_pins(),
        drives=[Motion("A", swinging(1.2, 0.8))],
    )
    tip = 0.2 * np.array([np.cos(1.2), np.sin(1.2)])
    return assembled(mechanism, {"crank": (0, 0, 1.2), "coupler": (*tip, 0.0), "rocker": (0.5, 0, 1.2)})


def four_bar_in_space() -> Mechanism:
    """The four-bar of the first page built of bearings in space: parallel axes make three rows redundant."""
    slender = {"crank": (0.3, 1.0), "coupler": (0.9, 2.0), "rocker": (0.8, 1.5)}
    mechanism = Mechanism(
        "four-bar in space",
        gravity=(0, -9.81, 0),
        bodies=[
            ground(A=(0, 0, 0), D=(1.0, 0, 0)),
            *(_round_bar(name, length, mass) for name, (length, mass) in slender.items()),
        ],
        joints=four_bar_pins(),
        drives=[Motion("A", constant_speed(4.712))],
    )
    flat = _open_branch(0.3, 0.9, 0.8, 1.0)
    poses = {name: along((x, y, 0), x=(np.cos(a), np.sin(a), 0)) for name, (x, y, a) in flat.items()}
    return assembled(mechanism, poses)


def _round_bar(name: str, length: float, mass: float) -> Body:
    """A rod 20 mm thick: about its own axis it has m r²/2."""
    across = mass * length**2 / 12
    return rod(name, length=length, mass=mass, inertia=(mass * 0.01**2 / 2, across, across))


def _open_branch(
    crank: float, coupler: float, rocker: float, base: float
) -> dict[str, tuple[float, float, float]]:
    """The crank along the base and the coupler's far end above it."""
    tip, pivot = (crank, 0.0), (base, 0.0)
    joint = meet(tip, coupler, pivot, rocker, left=True)
    return {"crank": (0, 0, 0), "coupler": between(tip, joint), "rocker": between(pivot, joint)}


FAMILY = (
    Entry("four-bar", four_bar, moving=3, loops=1, count=1, mobility=1, turns=True),
    Entry("four-bar-offsets", four_bar_with_offsets, 3, 1, count=1, mobility=1, turns=True, source="saha"),
    Entry("four-bar-parameters", four_bar_of_parameters, 3, 1, count=1, mobility=1, turns=True),
    Entry("four-bar-welded", four_bar_welded, 4, 1, count=1, mobility=1, turns=True),
    Entry("four-bar-space", four_bar_in_space, 3, 1, count=-2, mobility=1, redundant=3, turns=True),
    Entry("parallelogram", parallelogram, 3, 1, count=1, mobility=1),
)
