"""One small mechanism for every type of pair, load, control law and link, with its free or prescribed motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from laws import cams, gearings
from zoo import ZOO
from zoo.plain import free_body

import multiloop as ml
from multiloop.kinematics.assembly import find_assembly_modes


@dataclass(frozen=True)
class Item:
    """A mechanism with one such part, and further arguments of `simulate`.

    `pushed` are efforts by joint, as many as degrees of freedom: forward dynamics finds their motion, and inverse
    dynamics recovers them from it.
    """

    name: str
    build: Callable[[], ml.Mechanism]
    asked: Mapping[str, Any] = field(default_factory=dict)
    pushed: Mapping[str, float] = field(default_factory=dict)


THROWN = {"start": {"A": 1.0}, "rates": {"A": 0.5}}
"""Initial rates of a released four-bar."""


def four_bar(**parts: Any) -> ml.Mechanism:
    """The four-bar of the README without its drive, with an additional part."""
    return ml.examples.four_bar().without_drives().replace(**parts)


def loaded(name: str, load: Any, rate: float = 0.5) -> Item:
    """A four-bar under a load."""
    return Item(name, lambda: four_bar(loads=[load]), THROWN | {"rates": {"A": rate}}, {"A": 3.0})


def on_floor() -> ml.Mechanism:
    """A four-bar whose coupler lands on a floor."""
    frame = ml.ground(A=(0, 0), D=(1, 0), floor=(0.5, 0.7913))
    foot = ml.Contact("foot", "coupler.b", "ground.floor", coefficient=0.3)
    return four_bar(bodies=[frame, *ml.examples.four_bar().bodies[1:]], loads=[foot])


def geared(name: str, build: Callable[[], ml.Mechanism]) -> Item:
    """A gearing on an arm that swings."""
    start, rates = {"H": 0.2, "A": 0.0}, {"H": 1.0, "A": 2.0}
    return Item(name, build, {"start": start, "rates": rates}, {"H": 1.0, "A": 0.3})


def ruled(name: str, law: Any) -> Item:
    """A four-bar under a control law."""
    led = ml.examples.four_bar
    return Item(name, led, {"control": law, "start": {"A": 0.05}})


def sledge() -> ml.Mechanism:
    """A body on a blade, in top view."""
    body = ml.Body("sledge", mass=2.0, com=(0.1, 0), inertia=0.05)
    return free_body(
        body,
        "sledge",
        planar=True,
        gravity=(0, 0),
        pairs=[ml.Skate("blade", "sledge.origin", "ground.origin")],
    )


def lid(**stops: float) -> ml.Mechanism:
    """A flap on a strut."""
    return ml.Mechanism(
        "lid",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), foot=(0.4, -0.5)),
            ml.rod("lid", length=1.2, mass=60.0, markers={"head": 0.7}),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "lid.a"),
            ml.Strut("lift", "ground.foot", "lid.head", length=(0.5, 0.9), mass=(4, 2), **stops),
        ],
        drives=[ml.Motion("lift", ml.motion_laws.cycloidal(0.60, 0.78, duration=2.0))],
        guess={"A": 0.0},
    )


def slotted() -> ml.Mechanism:
    """A bead on a fixed circle."""
    return ml.Mechanism(
        "bead",
        planar=True,
        bodies=[ml.ground(), ml.Body("bead", mass=1.0, inertia=0.01)],
        pairs=[ml.PointOnCurve("slot", "ground.origin", "bead.origin", curve=ml.Circle(0.3, (0, 0)))],
    )


def bending() -> ml.Mechanism:
    """A four-bar with flexible inextensible coupler and rocker, each with a different frame."""
    strip = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.016), "damping": 0.01}
    coupler = ml.beam("coupler", length=0.9, modes=2, **strip)
    return four_bar().with_body(coupler).with_body(ml.beam("rocker", length=0.8, modes=1, frame="a", **strip))


def cranked() -> ml.Mechanism:
    """A four-bar whose coupler has a corner, tapers and has shear deformation."""
    ends = ml.rectangle(0.02, 0.02), ml.rectangle(0.02, 0.014)
    through = [(0, 0), (0.45, 0.05), (0.9, 0)]
    link = {"E": 70e9, "density": 2700.0, "section": ends, "damping": 0.01}
    return four_bar().with_body(ml.beam("coupler", through=through, shear=True, modes=2, **link))


def meshed() -> ml.Mechanism:
    """A four-bar whose coupler is a mesh of solid elements."""
    mesh = ml.box_mesh(0.9, 0.016, 0.02, elements=(6, 1, 1))
    link = {"E": 70e9, "nu": 0.3, "density": 2700.0, "interfaces": {"a": "x0", "b": "x1"}, "damping": 0.01}
    return four_bar().with_body(
        ml.solid("coupler", mesh=mesh, basis="natural", frame="chord", modes=2, **link)
    )


def modal() -> ml.Mechanism:
    """A four-bar whose coupler is given by its modes."""
    return four_bar().with_body(
        ml.uniform_beam("coupler", length=0.9, mass=2.0, EI=500.0, modes=2, damping=0.01)
    )


def cam(name: str, follower: str, build: Callable[..., ml.Mechanism] = cams.sliding) -> Item:
    """A driven cam with the test law."""
    return Item(name, lambda: build("program", follower), {}, {"O": 2.0})


def from_zoo(name: str, member: str, pushed: Mapping[str, float], **rates: Any) -> Item:
    """A test model with its drives, or released with given rates."""
    mechanism = ZOO[member].build()
    if mechanism.drives:
        return Item(name, lambda: mechanism, {}, pushed)
    standing = {joint: tuple(q) for joint, q in find_assembly_modes(mechanism)[0].coordinates().items()}
    return Item(name, lambda: mechanism, {"start": standing, "rates": rates}, pushed)


ITEMS = (
    from_zoo("Distance", "four-bar-rod", {"A": 3.0}),
    from_zoo("Relation of positions", "five-bar-geared", {"A": 3.0}),
    from_zoo(
        "Relation of rates",
        "trailer",
        {"sled slides.x": 5.0, "sled slides.angle": 2.0},
        **{"sled slides": (1.0, None, 2.0)},
    ),
    from_zoo("Rolling", "cart", {"rear axle": 2.0}, **{"rear axle": 3.0}),
    from_zoo("Rolling with resistance", "cart-resisting", {"rear axle": 2.0}, **{"rear axle": 3.0}),
    from_zoo(
        "RollingBall",
        "ball-on-plate",
        {"hinge": 1.0, "ball floats.x": 0.5, "ball floats.y": -0.5},
        hinge=1.0,
        **{"ball floats": (0.8, -0.5, None, None, None, None)},
    ),
    Item(
        "Skate",
        sledge,
        {"start": {"floats": (0, 0, 0.2)}, "rates": {"floats": (None, None, 1.0)}},
        {"floats.x": 2.0, "floats.angle": 1.0},
    ),
    from_zoo("Gear", "planetary", {"S": 1.0}),
    from_zoo("Bevel", "bevel", {"H": 1.0, "A": 0.3}),
    geared("Worm", gearings.worm),
    geared("Rack", gearings.rack),
    geared("Belt", gearings.belt),
    geared("Chain", gearings.chain),
    cam("Cam, flat follower", "flat"),
    cam("Cam, knife edge", "knife"),
    cam("Cam, roller", "roller"),
    cam("Cam, roller that rolls", "rolling"),
    cam("Cam, swinging flat follower", "flat", cams.swinging),
    Item("Cam, flat follower given by its swing", lambda: cams.swung("flat"), {}, {"O": 2.0}),
    Item(
        "PointOnCurve",
        slotted,
        {"start": {"bead": (0.3, None, 0.0)}, "rates": {"bead": (None, 1.0, 2.0)}},
        {"bead floats.y": 1.0, "bead floats.angle": 0.2},
    ),
    Item("Strut", lid, {}, {"lift": 500.0}),
    Item("Strut with stops", lambda: lid(stop_stiffness=1e4, stop_damping=50.0), {}, {"lift": 500.0}),
    from_zoo("Payload, rotors", "geared-arm", {"turn": 1.0, "lift": 2.0}),
    loaded("Force", ml.Force("push", "coupler.b", (5.0, 3.0 * ml.time))),
    loaded("Torque", ml.Torque("brake", "crank", -0.3 * ml.rate("A"))),
    loaded("Spring", ml.Spring("pull", "coupler.b", "ground.A", stiffness=80.0, length=0.3, damping=1.0)),
    loaded("JointSpring", ml.JointSpring("hinge", "D", stiffness=4.0, damping=0.2)),
    loaded("Bushing", ml.Bushing("mount", "ground.D", "rocker.com", stiffness=(90.0, 60.0, 3.0))),
    loaded("Stop", ml.Stop("end", "A", high=0.9, stiffness=200.0, damping=2.0)),
    loaded("Backlash", ml.Backlash("play", "A", play=0.02, rest=0.9, stiffness=200.0, damping=2.0)),
    Item(
        "ToothFriction",
        lambda: gearings.worm().replace(loads=[ml.ToothFriction("rub", "mesh", coefficient=0.05)]),
        {"start": {"H": 0.2, "A": 0.0}, "rates": {"H": 1.0, "A": 2.0}},
        {"H": 1.0, "A": 0.3},
    ),
    loaded("Friction with a given limit", ml.Friction("seal", "A", effort=0.4)),
    loaded("Friction by the joint reaction", ml.Friction("pin", "D", coefficient=0.2, radius=0.02)),
    loaded("hard Stop", ml.Stop("end", "A", high=1.003, restitution=0.5)),
    loaded("Rope", ml.Rope("sling", "ground.D", "coupler.a", length=0.8758)),
    Item("Contact", on_floor, THROWN, {"A": 3.0}),
    loaded("Freewheel", ml.Freewheel("clutch", "A"), rate=0.2),
    loaded("Friction with exact stiction", ml.Friction("seal", "A", effort=30.0, stiction="exact")),
    ruled("PD", ml.PD(kp=200.0, kd=20.0)),
    ruled("PID", ml.PID(kp=200.0, kd=20.0, ki=50.0)),
    ruled("ComputedTorque", ml.ComputedTorque(kp=200.0, kd=20.0)),
    Item(
        "Integral",
        lambda: four_bar(integrals=[ml.Integral("angle", of=ml.position("A"))]),
        THROWN,
        {"A": 3.0},
    ),
    Item("flexible beam", bending, THROWN, {"A": 3.0}),
    Item("flexible beam with a corner, a taper and shear", cranked, THROWN, {"A": 3.0}),
    Item("flexible solid", meshed, THROWN, {"A": 3.0}),
    Item("modal body", modal, THROWN, {"A": 3.0}),
)
