"""Cams: an eccentric circle with a flat face and with a rolling roller; a cam law that swings a rocker."""

from __future__ import annotations

from math import acos, atan2, cos, hypot, pi, sin
from typing import Any

from multiloop import (
    Body,
    Cam,
    Circle,
    Expression,
    JointSpring,
    Mechanism,
    Motion,
    Prismatic,
    Revolute,
    cam_angle,
    ground,
    marker,
)
from multiloop.model import constant_speed
from multiloop.model.expressions import functions
from zoo.body_poses import assembled
from zoo.entry import Entry

R, E, M1, C1, I1 = 0.03, 0.01, 0.8, 0.006, 4e-4
"""Radius, eccentricity, mass, distance of the mass centre along the eccentricity, inertia about it."""

UP = pi / 2

SPRINGS = {
    "flat-face cam": JointSpring("spring", "guide", stiffness=100.0, rest=R - E - 0.08),
    "roller cam": JointSpring("spring", "guide", stiffness=100.0, rest=R + 0.012 - E - 0.1),
}
"""−(100 (s − (R − e)) + 8) and −(100 (y − (R + r − e)) + 10) along the guide."""


def _follower(com: tuple[float, float], mass: float, size: float) -> Body:
    return Body(
        "follower",
        mass=mass,
        com=[size * x for x in com],
        inertia=2e-4 * size**2,
        markers={"foot": (0, 0), "guide": marker((0, 0), angle=UP)},
    )


def _frame(size: float) -> list[Body]:
    cam = Body("cam", mass=M1, com=(size * C1, 0), inertia=I1 * size**2)
    return [ground(O=(0, 0), guide=marker((0, 0), angle=UP)), cam]


def _joints() -> list[Any]:
    return [Revolute("O", "ground.O", "cam.origin"), Prismatic("guide", "ground.guide", "follower.guide")]


def flat_face(profile: Expression, size: float = 1.0, **changes: Any) -> Mechanism:
    """Follower 0.3 kg, its mass centre 4 mm beside the guide and 50 mm above the face; `size` times as large."""
    circle = Circle(size * R, (size * E, 0))
    given: dict[str, Any] = {
        "bodies": [*_frame(size), _follower((0.004, 0.05), 0.3, size)],
        "joints": _joints(),
        "pairs": [Cam("contact", "cam.origin", "follower.foot", profile=circle)],
        "drives": [Motion("O", profile)],
        "guess": {"guide": size * R},
    }
    return Mechanism("flat-face cam", planar=True, **(given | changes))


def roller(profile: Expression, radius: float = 0.012, size: float = 1.0, **changes: Any) -> Mechanism:
    """Roller 12 mm, rolling without slip; follower 0.4 kg, its mass centre (3, 60) mm from the middle of the roller."""
    kind = {"profile": Circle(size * R, (size * E, 0)), "roller": size * radius, "rolling": True}
    given: dict[str, Any] = {
        "bodies": [
            *_frame(size),
            Body("roller", mass=0.1, inertia=7.2e-6 * size**2),
            _follower((0.003, 0.06), 0.4, size),
        ],
        "joints": [*_joints(), Revolute("pin", "follower.foot", "roller.origin")],
        "pairs": [Cam("contact", "cam.origin", "roller.origin", **kind)],
        "drives": [Motion("O", profile)],
        "guess": {"guide": size * (R + radius)},
    }
    return Mechanism("roller cam", planar=True, **(given | changes))


def sprung(mechanism: Mechanism) -> Mechanism:
    """The same with its spring."""
    return mechanism.replace(loads=[SPRINGS[mechanism.name]])


def large_flat_face() -> Mechanism:
    """Ten times the size of the published one."""
    mechanism, psi = flat_face(constant_speed(6.0, start=0.3), size=10.0), 0.3
    return assembled(mechanism, {"cam": (0, 0, psi), "follower": (0, 10 * (R + E * sin(psi)), 0)})


def three_to_one() -> Mechanism:
    """A roller of a third of the cam's size, which is back in its position with every turn of the cam."""
    mechanism, psi, rho = roller(constant_speed(6.0, start=0.3), radius=0.01, size=10.0), 0.3, R + 0.01
    way = acos(-E * cos(psi) / rho)  # of the line from the middle of the cam to that of the roller
    y = 10 * (E * sin(psi) + rho * sin(way))
    turned = psi + rho / 0.01 * (way - psi - UP)  # rolled from the position above the cam at angle 0
    return assembled(mechanism, {"cam": (0, 0, psi), "follower": (0, y, 0), "roller": (0, y, turned)})


def rocker() -> Mechanism:
    """A roller on a rocker, which swings by 0.15 (1 − cos u): the pose is the law of cosines."""
    pivot, arm, base, radius, psi = (-0.9, 0.35), 0.9, 0.3, 0.12, 0.3
    lift = 0.15 * (1 - functions.cos(cam_angle))
    away, far = hypot(*pivot), base + radius
    opening = acos((arm**2 + away**2 - far**2) / (2 * arm * away)) + 0.15 * (1 - cos(psi))
    mechanism = Mechanism(
        "rocker cam",
        planar=True,
        bodies=[
            ground(O=(0, 0), P=pivot),
            Body("cam", mass=M1, com=(0.06, 0.01), inertia=I1 * 100),
            Body("rocker", mass=0.4, com=(0.5, 0.04), inertia=0.03, markers={"tip": (arm, 0)}),
        ],
        joints=[Revolute("O", "ground.O", "cam.origin"), Revolute("P", "ground.P", "rocker.origin")],
        pairs=[
            Cam(
                "contact",
                "cam.origin",
                "rocker.tip",
                lift=lift,
                base=base,
                roller=radius,
                pivot=pivot,
                arm=arm,
            )
        ],
        drives=[Motion("O", constant_speed(6.0, start=psi))],
    )
    angle = atan2(-pivot[1], -pivot[0]) + opening
    return assembled(mechanism, {"cam": (0, 0, psi), "rocker": (*pivot, angle)})


FAMILY = (
    Entry("cam-flat", large_flat_face, 2, 1, count=1, mobility=1, turns=True),
    Entry("cam-roller", three_to_one, 3, 1, count=1, mobility=1, turns=True),
    Entry("cam-rocker", rocker, 2, 1, count=1, mobility=1, turns=True),
)
