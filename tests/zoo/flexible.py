"""Mechanisms with flexible links. `inverse` requires an argument for them, so that they are separate from the other
test models."""

from __future__ import annotations

from multiloop import (
    Friction,
    JointSpring,
    Mechanism,
    Motion,
    Revolute,
    Spring,
    beam,
    ground,
    rectangle,
    rod,
    time,
)
from zoo.entry import Entry, by_name
from zoo.four_bars import four_bar
from zoo.geared import planetary_linkage
from zoo.rssr import COUPLER, rssr

STRIP = {"E": 70e9, "density": 2700.0, "section": rectangle(0.02, 0.008), "damping": 0.01}


def bending_four_bar() -> Mechanism:
    """A coupler and a rocker of aluminium; a spring acts at the middle of the coupler, and its pins have friction and
    springs."""
    links = (
        beam("coupler", length=0.9, modes=3, markers={"p": 0.45}, **STRIP),
        beam("rocker", length=0.8, modes={"y": 2, "x": 1}, frame="a", **STRIP),
    )
    machine = four_bar()
    for link in links:
        machine = machine.with_body(link)
    loads = (
        Spring("pull", "ground.H", "coupler.p", stiffness=60.0, length=0.5),
        Friction("rubbing", "C", effort=0.3),
        JointSpring("winding", "D", stiffness=5.0, rest=1.0),
    )
    frame = ground(A=(0, 0), D=(1.0, 0), H=(0.3, 1.2))
    return machine.with_body(frame).replace(name="bending four-bar", loads=loads)


def bending_rod_on_a_planet() -> Mechanism:
    """A flexible rod between the rim of a planet and a rocker."""
    return planetary_linkage().with_body(beam("rod", length=0.21, modes=2, **STRIP))


def bending_rssr() -> Mechanism:
    """An RSSR whose coupler is flexible in both directions."""
    modes = {"y": 2, "z": 1}
    return rssr().with_body(beam("coupler", length=COUPLER, modes=modes, **STRIP))


def bending_four_bar_in_space() -> Mechanism:
    """A four-bar of Revolutes in space, closed perpendicular to its plane by bending and torsion of its links."""
    strip = STRIP | {"G": 27e9, "elements": 4, "basis": "natural", "frame": "chord"}
    return Mechanism(
        "bending four-bar in space",
        gravity=(0, -9.81, 0),
        bodies=[
            ground(A=(0, 0, 0), D=(1, 0, 0)),
            rod("crank", length=0.3, mass=1.0),
            beam("coupler", length=0.9, modes={"y": 1, "z": 1, "twist": 1}, **strip),
            beam("rocker", length=0.8, modes={"y": 2, "z": 2, "twist": 1}, **strip),
        ],
        joints=[
            Revolute("A", "ground.A", "crank.a"),
            Revolute("B", "crank.b", "coupler.a"),
            Revolute("C", "coupler.b", "rocker.b"),
            Revolute("D", "ground.D", "rocker.a"),
        ],
        drives=[Motion("A", 1.0 + 4.0 * time)],
        guess={"coupler.b": (0.8, 0.7, 0)},
    )


def bending_bell_crank() -> Mechanism:
    """A tapered bell crank on a pin at its corner: a rod loads one arm, a spring and a mass the other."""
    crank = rod("crank", length=0.08, mass=0.4)
    pusher = rod("pusher", length=0.35, mass=0.5)
    bell = beam(
        "bell",
        through=[(0.0, 0.25), (0.0, 0.0), (0.3, 0.0)],
        section=(rectangle(0.02, 0.008), rectangle(0.02, 0.005)),
        masses={"b": 0.3},
        modes=3,
        **{name: value for name, value in STRIP.items() if name != "section"},
    )
    return Mechanism(
        "bending bell crank",
        planar=True,
        bodies=[ground(A=(-0.35, 0.2), C=(0, 0), S=(0.3, 0.4)), crank, pusher, bell],
        joints=[
            Revolute("A", "ground.A", "crank.a"),
            Revolute("P", "crank.b", "pusher.a"),
            Revolute("Q", "pusher.b", "bell.a"),
            Revolute("C", "ground.C", "bell.c1"),
        ],
        drives=[Motion("A", 1.0 + 20.0 * time)],
        loads=[Spring("hold", "ground.S", "bell.b", stiffness=400.0, length=0.35)],
        guess={"pusher.b": (0.0, 0.25)},
    )


BENDING = by_name(
    (
        Entry("bending four-bar", bending_four_bar, moving=3, loops=1, count=1, mobility=1, turns=True),
        Entry("bending rod on a planet", bending_rod_on_a_planet, moving=5, loops=3, count=1, mobility=1),
        Entry("bending bell crank", bending_bell_crank, moving=3, loops=1, count=1, mobility=1),
        Entry("bending RSSR", bending_rssr, moving=3, loops=1, count=2, mobility=2, turns=True),
        Entry(
            "bending four-bar in space", bending_four_bar_in_space, moving=3, loops=1, count=-2, mobility=1
        ),
    )
)
"""By name."""
