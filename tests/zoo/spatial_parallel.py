"""Platforms on legs in space: six struts, the Delta robot, and a spherical wrist on three arms."""

from __future__ import annotations

from math import cos, pi, radians, sin

import casadi as ca
import numpy as np

from multiloop import (
    Body,
    Marker,
    Mechanism,
    Motion,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
    ground,
    marker,
    rod,
)
from multiloop.spatial import Pose, Rx, Ry, Rz
from zoo.body_poses import along, assembled
from zoo.entry import Entry, swinging

BASE_ANGLES = (-10, 10, 110, 130, 230, 250)
PLATFORM_ANGLES = (-50, 50, 70, 170, 190, 290)


def six_ups() -> Mechanism:
    """Gough and Stewart's platform: six struts, each a cross, a slide and a ball; the slides are driven."""
    feet = [_circle(0.5, angle) for angle in BASE_ANGLES]
    heads = [_circle(0.3, angle) for angle in PLATFORM_ANGLES]
    cross = {"z": (1, 0, 0), "x": (0, 1, 0)}  # the first pin along x, the second along y, the strut along z
    platform = Pose(Rz(0.15) @ Ry(0.05) @ Rx(0.1), ca.DM([0.05, -0.03, 0.62]))
    bodies, joints, drives, poses = [], [], [], {"platform": platform}
    for k, (foot, head) in enumerate(zip(feet, heads, strict=True), start=1):
        d = np.array(platform.point(ca.DM(head)).full()[:, 0]) - foot
        length = float(np.linalg.norm(d))
        u = d / length
        strut = Rx(np.arctan2(-u[1], u[2])) @ Ry(np.arcsin(u[0]))
        poses |= {f"lower{k}": Pose(strut, ca.DM(foot)), f"upper{k}": Pose(strut, ca.DM(foot + d))}
        lower = (0.0075, 0.0075, 2e-4)
        upper = (0.00375, 0.00375, 1e-4)
        bodies += [
            Body(
                f"lower{k}",
                mass=1.0,
                com=(0, 0, 0.15),
                inertia=lower,
                markers={"foot": marker((0, 0, 0), **cross)},
            ),
            Body(f"upper{k}", mass=0.5, com=(0, 0, -0.15), inertia=upper),
        ]
        joints += [
            Universal(f"U{k}", f"ground.f{k}", f"lower{k}.foot"),
            Prismatic(f"P{k}", f"lower{k}.origin", f"upper{k}.origin"),
            Spherical(f"S{k}", f"upper{k}.origin", f"platform.h{k}"),
        ]
        drives += [Motion(f"P{k}", swinging(round(length, 4), 0.01 * k))]
    named = {f"h{k}": head for k, head in enumerate(heads, start=1)}
    mechanism = Mechanism(
        "6-UPS platform",
        bodies=[
            ground({f"f{k}": marker(foot, **cross) for k, foot in enumerate(feet, start=1)}),
            *bodies,
            Body("platform", mass=10.0, inertia=(0.25, 0.25, 0.45), markers=named),
        ],
        joints=joints,
        drives=drives,
    )
    return assembled(mechanism, poses)


def delta() -> Mechanism:
    """Three driven arms, each with two parallel rods on balls; the rods may spin, the platform may not tilt.

    Source: R. Clavel, Proc. 18th Int. Symp. on Industrial Robots (1988) 91.
    """
    base, arm, bar, small, half, start = 0.20, 0.30, 0.70, 0.06, 0.05, 0.4
    inward = base + arm * cos(start) - small
    drop = np.sqrt(bar**2 - inward**2)
    depth = -arm * sin(start) - drop
    poses = {"platform": along((0, 0, depth), x=(1, 0, 0))}
    pivots, sockets, bodies, joints = {}, {}, [], []
    for k, turn in enumerate((0.0, 2 * pi / 3, 4 * pi / 3), start=1):
        out, side = np.array([cos(turn), sin(turn), 0.0]), np.array([-sin(turn), cos(turn), 0.0])
        pivots[f"p{k}"] = marker(base * out, z=side, x=out)
        tips = {"left": (arm, 0, half), "right": (arm, 0, -half)}
        bodies += [rod(f"arm{k}", length=arm, mass=0.8, inertia=(4e-4, 6e-3, 6e-3), markers=tips)]
        joints += [Revolute(f"A{k}", f"ground.p{k}", f"arm{k}.a")]
        poses[f"arm{k}"] = along(base * out, x=cos(start) * out - sin(start) * np.array([0, 0, 1]), z=side)
        tip = (base + arm * cos(start)) * out - arm * sin(start) * np.array([0, 0, 1])
        for name, place in (("left", half), ("right", -half)):
            rod_name = f"{name}{k}"
            sockets[rod_name] = small * out + place * side
            bodies += [rod(rod_name, length=bar, mass=0.15, inertia=(4e-6, 6e-3, 6e-3))]
            joints += [
                Spherical(f"B{rod_name}", f"arm{k}.{name}", f"{rod_name}.a"),
                Spherical(f"C{rod_name}", f"{rod_name}.b", f"platform.{rod_name}"),
            ]
            poses[rod_name] = along(tip + place * side, x=-inward * out - drop * np.array([0, 0, 1]), z=side)
    mechanism = Mechanism(
        "Delta robot",
        bodies=[
            ground(pivots),
            *bodies,
            Body("platform", mass=0.5, inertia=(1e-3, 1e-3, 2e-3), markers=sockets),
        ],
        joints=joints,
        drives=[Motion(f"A{k}", swinging(start, 0.1 * k)) for k in (1, 2, 3)],
    )
    return assembled(mechanism, poses)


def spherical_wrist() -> Mechanism:
    """Nine revolutes whose axes all intersect in one point rotate a platform about three axes: the Agile Eye.

    Source: C. M. Gosselin and J.-F. Hamel, Proc. IEEE Conf. on Robotics and Automation (1994) 781.
    """
    x, y, z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    axes = {1: (x, y, z), 2: (y, z, x), 3: (z, x, y)}  # of the base, the elbow and the platform

    def seat(axis: tuple[int, int, int], radius: float) -> Marker:
        return marker([radius * c for c in axis], z=axis)

    bodies, joints = [], []
    for k, (base, elbow, top) in axes.items():
        parts = {f"proximal{k}": ((base, 0.15), (elbow, 0.12)), f"distal{k}": ((elbow, 0.12), (top, 0.10))}
        for name, (first, second) in parts.items():
            com = [0.06 * (p + q) for p, q in zip(first[0], second[0], strict=True)]
            bodies += [
                Body(name, 0.4, com, (1e-3, 1e-3, 1e-3), markers={"a": seat(*first), "b": seat(*second)})
            ]
        joints += [
            Revolute(f"A{k}", f"ground.p{k}", f"proximal{k}.a"),
            Revolute(f"B{k}", f"proximal{k}.b", f"distal{k}.a"),
            Revolute(f"C{k}", f"distal{k}.b", f"platform.c{k}"),
        ]
    tops = {f"c{k}": seat(top, 0.10) for k, (_, _, top) in axes.items()}
    return Mechanism(
        "spherical wrist",
        bodies=[
            ground({f"p{k}": seat(base, 0.15) for k, (base, _, _) in axes.items()}),
            *bodies,
            Body("platform", 0.7, (0.02, 0.02, 0.02), (2e-3, 2e-3, 3e-3), markers=tops),
        ],
        joints=joints,
        drives=[Motion(f"A{k}", swinging(0.0, 0.1 * k)) for k in axes],
        guess={f"{letter}{k}": 0.0 for k in axes for letter in "ABC"},
    )


def _circle(radius: float, degrees: float) -> np.ndarray:
    return radius * np.array([cos(radians(degrees)), sin(radians(degrees)), 0.0])


RODS = tuple(f"{side}{k}" for k in (1, 2, 3) for side in ("left", "right"))

FAMILY = (
    Entry("6-UPS", six_ups, 13, 5, count=6, mobility=6),
    Entry("delta", delta, 10, 5, count=9, mobility=9, idle=RODS),
    Entry("spherical-wrist", spherical_wrist, 7, 2, count=-3, mobility=3, redundant=6),
)
