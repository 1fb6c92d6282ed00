"""The planar manipulators of Fattah's thesis: two arms that carry an object, and the 3-RRR with two sets of data.

Data: [fattah], Tables 4.1, 5.1, 5.2 and manoeuvres of §§4.6, 5.2.2, 5.3.2, in a plane without gravity. The thesis does
not state the positions of the bases; here they are chosen so that the manoeuvres are possible. E I = 7.815 N m² of all
links.
"""

from __future__ import annotations

from math import pi

import numpy as np

import multiloop as ml

E, DENSITY, EI = 70e9, 2700.0, 7.815
"""Of aluminium; only E I and the masses matter."""


def link(name: str, length: float, mass: float, modes: object, **more: object) -> ml.Body:
    """A rod, or with modes a beam of the same mass."""
    if not modes:
        return ml.rod(name, length=length, mass=mass)
    section = ml.Section(A=mass / length / DENSITY, Iz=EI / E)
    return ml.beam(name, length=length, E=E, density=DENSITY, section=section, modes=modes, **more)


def cooperating(modes: object = None, drives: object = None, **more: object) -> ml.Mechanism:
    """Two arms of two links that carry an object: motors at O₁, O₂ and at the first elbow O₃."""
    to = {"duration": 0.5}
    path = ml.Motion(
        "object.c",
        x=ml.motion_laws.cycloidal(0.2, 0.7, **to),
        y=0.6,
        angle=ml.motion_laws.cycloidal(0.0, pi / 6, **to),
    )
    return ml.Mechanism(
        "two cooperating arms",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(O1=(0, 0), O2=(0.6, 0)),
            link("link 1", 0.45, 0.0623, modes, **more),
            link("link 2", 0.45, 0.0623, modes, **more),
            link("link 3", 0.55, 0.0761, modes, **more),
            link("link 4", 0.55, 0.0761, modes, **more),
            ml.rod("object", length=0.40, mass=0.665, markers={"c": 0.2}),
        ],
        joints=[
            ml.Revolute("O1", "ground.O1", "link 1.a"),
            ml.Revolute("O2", "ground.O2", "link 2.a"),
            ml.Revolute("O3", "link 1.b", "link 3.a"),
            ml.Revolute("O4", "link 2.b", "link 4.a"),
            ml.Revolute("O5", "link 3.b", "object.a"),
            ml.Revolute("O6", "link 4.b", "object.b"),
        ],
        drives=[path] if drives is None else drives,
        actuators=[ml.Actuator(joint) for joint in ("O1", "O2", "O3")],
        guess={
            "link 1.b": elbow(np.zeros(2), np.array([0.0, 0.6]), 0.45, 0.55, 1),
            "link 2.b": elbow(np.array([0.6, 0.0]), np.array([0.4, 0.6]), 0.45, 0.55, -1),
            "object": (0.0, 0.6, 0.0),
        },
    )


def three_rrr(
    sides: tuple[float, float],
    lengths: tuple[float, float],
    masses: tuple[float, float, float],
    drives: list[ml.Motion],
    guess: dict[str, object],
    modes: object = None,
    arms: dict[str, object] | None = None,
    **more: object,
) -> ml.Mechanism:
    """A platform on three legs, its base and itself equilateral; motors at the base; `arms` is for proximal links."""
    base, side = sides
    corners = {k + 1: np.array(point) for k, point in enumerate([(0, 0), (1, 0), (0.5, 3**0.5 / 2)])}
    centre = np.array([0.5, 3**0.5 / 6])
    platform = ml.Body(
        "platform",
        mass=masses[2],
        inertia=masses[2] * side**2 / 12,
        markers={f"c{k}": tuple(side * (point - centre)) for k, point in corners.items()},
    )
    return ml.Mechanism(
        "3-RRR",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground({f"O{k}": tuple(base * point) for k, point in corners.items()}),
            *(
                link(f"proximal {k}", lengths[0], masses[0], modes, **{**more, **(arms or {})})
                for k in corners
            ),
            *(link(f"distal {k}", lengths[1], masses[1], modes, **more) for k in corners),
            platform,
        ],
        joints=[
            *(ml.Revolute(f"A{k}", f"ground.O{k}", f"proximal {k}.a") for k in corners),
            *(ml.Revolute(f"B{k}", f"proximal {k}.b", f"distal {k}.a") for k in corners),
            *(ml.Revolute(f"C{k}", f"distal {k}.b", f"platform.c{k}") for k in corners),
        ],
        drives=drives,
        actuators=[ml.Actuator(f"A{k}") for k in corners],
        guess=guess,
    )


def fast(modes: object = None, **more: object) -> ml.Mechanism:
    """Along x by half a metre in a quarter of a second."""
    path = ml.Motion(
        "platform.origin", x=ml.motion_laws.cycloidal(0.2, 0.7, duration=0.25), y=0.35, angle=0.0
    )
    guess = {"platform.origin": (0.2, 0.35), **elbow_guess(1.2, 0.4, (0.45, 0.55), (0.2, 0.35))}
    return three_rrr((1.2, 0.4), (0.45, 0.55), (0.0623, 0.0761, 0.0959), [path], guess, modes, **more)


def slow(modes: object = None, **more: object) -> ml.Mechanism:
    """Motor angles change by up to 60° in a second; the platform begins at ψ = 1.7563."""
    ends = {"A1": (pi / 3, 2 * pi / 3), "A2": (2 * pi / 3, pi / 3), "A3": (pi / 2, 2 * pi / 3)}
    drives = [ml.Motion(joint, ml.motion_laws.cycloidal(*span, duration=1.0)) for joint, span in ends.items()]
    return three_rrr(
        (2.0, 0.8),
        (0.8, 1.2),
        (0.1108, 0.1652, 0.384),
        drives,
        {"platform": (None, None, 1.7563)},
        modes,
        **more,
    )


def elbow_guess(
    base: float, side: float, lengths: tuple[float, float], at: tuple[float, float]
) -> dict[str, object]:
    """Positions of the elbows: to the left of the lines from base to platform, which is not rotated."""
    found = {}
    for k, unit in enumerate([(0, 0), (1, 0), (0.5, 3**0.5 / 2)], start=1):
        O = base * np.array(unit)
        tip = np.array(at) + side * (np.array(unit) - [0.5, 3**0.5 / 6])
        found[f"proximal {k}.b"] = elbow(O, tip, *lengths, 1)
    return found


def elbow(foot: np.ndarray, tip: np.ndarray, first: float, second: float, side: int) -> tuple[float, float]:
    """The joint of two links: to the left of foot → tip for +1, to the right for −1."""
    d = np.linalg.norm(tip - foot)
    along = (first**2 - second**2 + d**2) / (2 * d)
    e = (tip - foot) / d
    x, y = foot + along * e + side * np.sqrt(first**2 - along**2) * np.array([-e[1], e[0]])
    return float(x), float(y)


MOTORS = {"cooperating": ("O1", "O2", "O3"), "fast": ("A1", "A2", "A3"), "slow": ("A1", "A2", "A3")}
MANOEUVRES = {"cooperating": (cooperating, 0.5), "fast": (fast, 0.25), "slow": (slow, 1.0)}
"""Functions that build the manipulators, and the durations of their manoeuvres."""

HANDS = {"cooperating": "object.c", "fast": "platform.origin", "slow": "platform.origin"}
LEGS = {"cooperating": ("O5", "O6"), "fast": ("C1", "C2", "C3"), "slow": ("C1", "C2", "C3")}
"""Joints between the legs and the carried object."""


def in_cartesian_space(name: str, machine: ml.Mechanism) -> ml.Mechanism:
    """The same with the pose of the carried object among its coordinates; it is to be cut at the ends of its LEGS.

    [fattah], §2.7: in joint space the motors' angles and the links' own coordinates are independent, in Cartesian space
    the pose of the end effector and the links' own.
    """
    return machine.replace(joints=[*machine.joints, ml.Free("pose", "ground.O1", HANDS[name])])


def needed(name: str, instants: int = 1001) -> ml.Result:
    """The motor torques of the rigid manipulator for its manoeuvre."""
    made, duration = MANOEUVRES[name]
    return ml.inverse(made(), t=np.linspace(0.0, duration, instants))


def driven(
    name: str,
    modes: object = 2,
    *,
    rtol: float = 1e-9,
    rigid: ml.Result | None = None,
    samples: int = 101,
    space: str = "joint",
    **more: object,
) -> ml.Result:
    """The manipulator with flexible links, undeformed at first, under the torques of the rigid one."""
    made, duration = MANOEUVRES[name]
    rigid = needed(name) if rigid is None else rigid
    how = {key: more.pop(key) for key in ("method", "integrator", "cuts") if key in more}
    machine = made(modes, **more).without_drives()
    if space == "Cartesian":
        machine, how = in_cartesian_space(name, machine), {"cuts": LEGS[name]} | how
    start = {joint: float(rigid[joint].position[0]) for joint in MOTORS[name]}
    efforts = dict.fromkeys(MOTORS[name], rigid)
    return ml.simulate(
        machine, start=start, efforts=efforts, until=duration, samples=samples, rtol=rtol, **how
    )
