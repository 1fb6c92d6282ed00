"""Cams of every kind, with followers that slide or swing, for tests."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

import multiloop as ml
from multiloop.model.expressions.functions import clip, cos

TURN = 2 * pi


def rise(begin: float, end: float, height: float, of: Any = ml.cam_angle) -> Any:
    """3-4-5 polynomial: height (10 s³ − 15 s⁴ + 6 s⁵)."""
    s = clip((of - begin) / (end - begin), 0.0, 1.0)
    return height * (10 * s**3 - 15 * s**4 + 6 * s**5)


def program(height: float = 0.008) -> Any:
    """A cam law: rise, dwell, return, dwell."""
    return rise(0.4, 1.9, height) - rise(2.6, 4.4, height)


def egg(count: int = 24) -> ml.Curve:
    """A spline through points of an egg."""
    u = np.arange(count) * (TURN / count)
    radius = 0.03 + 0.004 * np.cos(u) + 0.002 * np.cos(2 * u + 0.3)
    return ml.spline(np.column_stack([radius * np.cos(u), radius * np.sin(u)]))


OVAL = ml.Curve(0.034 * cos(ml.cam_angle) + 0.004, 0.028 * ml.expr.sin(ml.cam_angle))

OUTLINES: dict[str, dict[str, Any]] = {
    "circle": {"profile": ml.Circle(0.03, (0.01, 0.002))},
    "program": {"lift": program(), "base": 0.03},
    "harmonic": {"lift": 0.004 * (1 - cos(ml.cam_angle)), "base": 0.025},
    "spline": {"profile": egg()},
    "oval": {"profile": OVAL},
}
FOLLOWERS: dict[str, dict[str, Any]] = {
    "flat": {},
    "knife": {"follower": "knife"},
    "roller": {"roller": 0.012},
    "rolling": {"roller": 0.012, "rolling": True},
}


def sliding(outline: str, follower: str, start: float = 0.7, **changes: Any) -> ml.Mechanism:
    """A follower that slides along y, with an offset of 2 mm from the axis of the cam, or hardly any for a flat
    face."""
    kind = FOLLOWERS[follower] | OUTLINES[outline] | changes.pop("cam", {})
    aside = 0.0 if follower == "flat" else 0.002
    if "lift" in kind and follower != "flat":
        kind |= {"offset": aside}
    second = "wheel.origin" if kind.get("rolling") else "follower.tip"
    bodies = [
        ml.ground(O=(0, 0), guide=ml.marker((aside, 0), angle=pi / 2)),
        ml.Body("cam", mass=0.8, com=(0.006, 0.001), inertia=4e-4),
        ml.Body(
            "follower",
            mass=0.3,
            com=(0.004, 0.05),
            inertia=1e-4,
            markers={"axis": ml.marker((0, 0), angle=pi / 2), "tip": (0, 0)},
        ),
    ]
    joints = [
        ml.Revolute("O", "ground.O", "cam.origin"),
        ml.Prismatic("guide", "ground.guide", "follower.axis"),
    ]
    if kind.get("rolling"):
        bodies.append(ml.Body("wheel", mass=0.1, inertia=7.2e-6))
        joints.append(ml.Revolute("C", "follower.tip", "wheel.origin"))
    given: dict[str, Any] = {
        "bodies": bodies,
        "joints": joints,
        "pairs": [ml.Cam("valve", "cam.origin", second, **kind)],
        "drives": [ml.Motion("O", ml.motion_laws.constant_speed(20.0, start=start))],
        "guess": {"guide": 0.05},
    }
    return ml.Mechanism(f"{outline} cam, {follower}", planar=True, **(given | changes))


def swinging(outline: str, follower: str, start: float = 0.7) -> ml.Mechanism:
    """A rocker beside the cam, with its arm in contact with it."""
    kind = FOLLOWERS[follower] | OUTLINES[outline]
    second = "wheel.origin" if kind.get("rolling") else "rocker.tip"
    bodies = [
        ml.ground(O=(0, 0), P=(-0.08, 0.035)),
        ml.Body("cam", mass=0.8, com=(0.006, 0.001), inertia=4e-4),
        ml.Body("rocker", mass=0.4, com=(0.05, 0.004), inertia=3e-4, markers={"tip": (0.08, -0.002)}),
    ]
    joints = [ml.Revolute("O", "ground.O", "cam.origin"), ml.Revolute("P", "ground.P", "rocker.origin")]
    if kind.get("rolling"):
        bodies.append(ml.Body("wheel", mass=0.1, inertia=7.2e-6))
        joints.append(ml.Revolute("C", "rocker.tip", "wheel.origin"))
    return ml.Mechanism(
        f"{outline} cam, {follower} on a rocker",
        planar=True,
        bodies=bodies,
        joints=joints,
        pairs=[ml.Cam("valve", "cam.origin", second, **kind)],
        drives=[ml.Motion("O", ml.motion_laws.constant_speed(20.0, start=start))],
        guess={"P": 0.1},
    )


SWINGS: dict[str, tuple[float, float]] = {
    "flat": (0.12, 0.04),
    "knife": (0.3, 0.03),
    "roller": (0.3, 0.03),
    "rolling": (0.3, 0.03),
}
"""Angle of the swing in rad and radius of the base in m: a flat face requires a larger cam."""


def swung(follower: str, *, clockwise: bool = False, start: float = 0.7, **changes: Any) -> ml.Mechanism:
    """A rocker that swings by a law of the cam angle, on a pivot to the left of the cam, clockwise to the right."""
    (height, base), side, aside = SWINGS[follower], -1 if clockwise else 1, 0.004
    pivot, flat = (-0.09 * side, 0.035), follower == "flat"
    kind = FOLLOWERS[follower] | ({"offset": aside} if flat else {"arm": 0.09})
    kind |= {"lift": program(height), "base": base, "pivot": pivot, "clockwise": clockwise}
    kind |= changes.pop("cam", {})
    tip = (0.07 * side, aside) if flat else (0.09 * side, 0)
    bodies = [
        ml.ground(O=(0, 0), P=pivot),
        ml.Body("cam", mass=0.8, com=(0.006, 0.001), inertia=4e-4),
        ml.Body("rocker", mass=0.4, com=(0.05 * side, 0.004), inertia=3e-4, markers={"tip": tip}),
    ]
    joints = [ml.Revolute("O", "ground.O", "cam.origin"), ml.Revolute("P", "ground.P", "rocker.origin")]
    if follower == "rolling":
        bodies.append(ml.Body("wheel", mass=0.1, inertia=7.2e-6))
        joints.append(ml.Revolute("C", "rocker.tip", "wheel.origin"))
    second = "wheel.origin" if follower == "rolling" else "rocker.tip"
    given: dict[str, Any] = {
        "bodies": bodies,
        "joints": joints,
        "pairs": [ml.Cam("valve", "cam.origin", second, **kind)],
        "drives": [ml.Motion("O", ml.motion_laws.constant_speed(20.0, start=start))],
        "guess": {"P": 0.0},
    }
    return ml.Mechanism(f"{follower} on a rocker by a program", planar=True, **(given | changes))
