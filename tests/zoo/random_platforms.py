"""Parallel machines and lifts drawn at random, with the poses of all their bodies in one closed position."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

import casadi as ca
import numpy as np

from multiloop import (
    Body,
    Mechanism,
    Motion,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
    ground,
    marker,
    plate,
    rod,
)
from multiloop.spatial import Pose, Rx, Ry, Rz
from zoo.body_poses import Poses, along, between, meet

Drawn = tuple[Mechanism, Poses]
"""A mechanism without a guess, and the initial poses of its bodies."""


def hexapod(draw: np.random.Generator) -> Drawn:
    """A platform on six driven struts, each with a universal joint, a slide and a ball."""
    base, top = _around(draw, 6, 0.5), _around(draw, 6, 0.3)
    cross = {"z": (1, 0, 0), "x": (0, 1, 0)}
    tilt = draw.uniform(-0.25, 0.25, 3)
    place = np.array([*draw.uniform(-0.1, 0.1, 2), draw.uniform(0.5, 0.8)])
    platform = Pose(Rz(tilt[2]) @ Ry(tilt[1]) @ Rx(tilt[0]), ca.DM(place))
    bodies, joints, drives, poses = [], [], [], {"platform": platform}
    for k, (foot, head) in enumerate(zip(base, top, strict=True), start=1):
        d = np.array(platform.point(ca.DM(head)).full()[:, 0]) - foot
        length = float(np.linalg.norm(d))
        strut = Rx(np.arctan2(-d[1], d[2])) @ Ry(np.arcsin(d[0] / length))
        poses |= {f"lower{k}": Pose(strut, ca.DM(foot)), f"upper{k}": Pose(strut, ca.DM(foot + d))}
        bodies += [
            Body(
                f"lower{k}",
                mass=1.0,
                inertia=(0.01, 0.01, 1e-3),
                markers={"foot": marker((0, 0, 0), **cross)},
            ),
            Body(f"upper{k}", mass=0.5, inertia=(0.01, 0.01, 1e-3)),
        ]
        joints += [
            Universal(f"U{k}", f"ground.f{k}", f"lower{k}.foot"),
            Prismatic(f"P{k}", f"lower{k}.origin", f"upper{k}.origin"),
            Spherical(f"S{k}", f"upper{k}.origin", f"platform.h{k}"),
        ]
        drives.append(Motion(f"P{k}", length))
    feet = {f"f{k}": marker(foot, **cross) for k, foot in enumerate(base, start=1)}
    heads = {f"h{k}": head for k, head in enumerate(top, start=1)}
    top_plate = Body("platform", mass=10.0, inertia=(0.3, 0.3, 0.5), markers=heads)
    return Mechanism(
        "hexapod", bodies=[ground(feet), *bodies, top_plate], joints=joints, drives=drives
    ), poses


def three_rrr(draw: np.random.Generator) -> Drawn:
    """A triangular platform on three legs of two links; the first joints are driven."""
    pivots, corners, platform, tips = _three_legs(draw)
    joints, bodies, drives, poses = [], [], [], {"platform": platform}
    for k, (pivot, tip) in enumerate(zip(pivots, tips, strict=True), start=1):
        reach = float(np.linalg.norm(tip - pivot))
        first, second = draw.uniform(0.6, 0.9, 2) * reach
        elbow = meet(pivot, first, tip, second, left=bool(draw.integers(2)))
        poses |= {f"proximal{k}": between(pivot, elbow), f"distal{k}": between(elbow, tip)}
        bodies += [
            rod(f"proximal{k}", length=first, mass=1.0),
            rod(f"distal{k}", length=second, mass=1.0),
        ]
        joints += [
            Revolute(f"A{k}", f"ground.A{k}", f"proximal{k}.a"),
            Revolute(f"B{k}", f"proximal{k}.b", f"distal{k}.a"),
            Revolute(f"C{k}", f"distal{k}.b", f"platform.c{k}"),
        ]
        drives.append(Motion(f"A{k}", poses[f"proximal{k}"][2]))
    return _planar("3-RRR", pivots, corners, bodies, joints, drives), poses


def three_rpr(draw: np.random.Generator) -> Drawn:
    """A triangular platform on three driven struts."""
    pivots, corners, platform, tips = _three_legs(draw)
    joints, bodies, drives, poses = [], [], [], {"platform": platform}
    for k, (pivot, tip) in enumerate(zip(pivots, tips, strict=True), start=1):
        x, y, angle = between(pivot, tip)
        poses |= {f"lower{k}": (x, y, angle), f"upper{k}": (*tip, angle)}
        bodies += [Body(f"{part}{k}", mass=1.0, inertia=0.01) for part in ("lower", "upper")]
        joints += [
            Revolute(f"A{k}", f"ground.A{k}", f"lower{k}.origin"),
            Prismatic(f"P{k}", f"lower{k}.origin", f"upper{k}.origin"),
            Revolute(f"C{k}", f"upper{k}.origin", f"platform.c{k}"),
        ]
        drives.append(Motion(f"P{k}", float(np.linalg.norm(tip - pivot))))
    return _planar("3-RPR", pivots, corners, bodies, joints, drives), poses


def delta(draw: np.random.Generator) -> Drawn:
    """Three driven arms, each with two parallel rods on balls, and the platform at a random reachable position."""
    base, arm, bar = draw.uniform(0.15, 0.25), draw.uniform(0.25, 0.35), draw.uniform(0.65, 0.8)
    small, half = draw.uniform(0.04, 0.1), draw.uniform(0.04, 0.08)
    place = np.array([*draw.uniform(-0.1, 0.1, 2), -draw.uniform(0.65, 0.8)])
    poses = {"platform": along(place, x=(1, 0, 0))}
    pivots, sockets, bodies, joints, drives = {}, {}, [], [], []
    for k, turn in enumerate((0.0, 2 * pi / 3, 4 * pi / 3), start=1):
        out, side = np.array([cos(turn), sin(turn), 0.0]), np.array([-sin(turn), cos(turn), 0.0])
        end = place + small * out
        # The arm rotates in the plane of `out` and z; the rods are offset by `across` from it.
        across, flat = end @ side, (end @ out, end[2])
        elbow = meet((base, 0.0), arm, flat, np.sqrt(bar**2 - across**2), left=False)
        tip = elbow[0] * out + elbow[1] * np.array([0, 0, 1])
        pivots[f"p{k}"] = marker(base * out, z=side, x=out)
        tips = {"left": (arm, 0, half), "right": (arm, 0, -half)}
        bodies.append(rod(f"arm{k}", length=arm, mass=0.8, inertia=(4e-4, 6e-3, 6e-3), markers=tips))
        joints.append(Revolute(f"A{k}", f"ground.p{k}", f"arm{k}.a"))
        poses[f"arm{k}"] = along(base * out, x=tip - base * out, z=side)
        drives.append(Motion(f"A{k}", float(np.arctan2(-elbow[1], elbow[0] - base))))
        for name, shift in (("left", half), ("right", -half)):
            rod_name = f"{name}{k}"
            sockets[rod_name] = small * out + shift * side
            bodies.append(rod(rod_name, length=bar, mass=0.15, inertia=(4e-6, 6e-3, 6e-3)))
            joints += [
                Spherical(f"B{rod_name}", f"arm{k}.{name}", f"{rod_name}.a"),
                Spherical(f"C{rod_name}", f"{rod_name}.b", f"platform.{rod_name}"),
            ]
            poses[rod_name] = along(tip + shift * side, x=end - tip, z=side)
    top = Body("platform", mass=0.5, inertia=(1e-3, 1e-3, 2e-3), markers=sockets)
    return Mechanism("Delta", bodies=[ground(pivots), *bodies, top], joints=joints, drives=drives), poses


def scissor_lift(draw: np.random.Generator, stages: int | None = None) -> Drawn:
    """Crossed bars on top of each other under a platform; the shoe at the foot is driven, the one at the top is Q."""
    stages = stages or int(draw.integers(1, 4))
    length, tilt = draw.uniform(0.8, 1.2), draw.uniform(0.3, 1.0)
    width, height = length * cos(tilt), length * sin(tilt)
    shoe = {"mass": 0.1, "inertia": 1e-4}
    bodies = [Body("foot", **shoe)]
    poses = {"foot": (width, 0, 0), "head": (width, stages * height, 0), "platform": (0, stages * height, 0)}
    joints = [Prismatic("drive", "ground.O", "foot.origin")]
    left, right = "ground.O", "foot.origin"
    for k in range(1, stages + 1):
        middle = {"m": (length / 2, 0)}
        bodies += [rod(f"{side}{k}", length=length, mass=2.0, markers=middle) for side in ("a", "b")]
        poses |= {f"a{k}": (0, (k - 1) * height, tilt), f"b{k}": (width, (k - 1) * height, pi - tilt)}
        joints += [
            Revolute(f"L{k}", left, f"a{k}.a"),
            Revolute(f"R{k}", right, f"b{k}.a"),
            Revolute(f"M{k}", f"a{k}.m", f"b{k}.m"),
        ]
        left, right = f"b{k}.b", f"a{k}.b"
    bodies += [Body("platform", mass=5.0, inertia=0.5), Body("head", **shoe)]
    joints += [
        Revolute("T", left, "platform.origin"),
        Revolute("H", right, "head.origin"),
        Prismatic("Q", "platform.origin", "head.origin"),
    ]
    drives = [Motion("drive", width)]
    return Mechanism(
        "scissor lift", planar=True, bodies=[ground(O=(0, 0)), *bodies], joints=joints, drives=drives
    ), poses


def _around(draw: np.random.Generator, count: int, radius: float) -> list[np.ndarray]:
    """Points in the plane z = 0, in order around a circle, each displaced from its regular position."""
    angles = 2 * pi / count * (np.arange(count) + draw.uniform(-0.3, 0.3, count))
    radii = radius * draw.uniform(0.8, 1.2, count)
    return [r * np.array([cos(a), sin(a), 0.0]) for r, a in zip(radii, angles, strict=True)]


def _three_legs(
    draw: np.random.Generator,
) -> tuple[list[np.ndarray], list[np.ndarray], tuple[float, float, float], list[np.ndarray]]:
    """Pivots on the ground, corners of the platform, its pose, and the positions of the corners."""
    pivots = [point[:2] for point in _around(draw, 3, 0.7)]
    corners = [point[:2] for point in _around(draw, 3, 0.25)]
    x, y, tilt = (*draw.uniform(-0.15, 0.15, 2), draw.uniform(-0.5, 0.5))
    turn = np.array([[cos(tilt), -sin(tilt)], [sin(tilt), cos(tilt)]])
    return pivots, corners, (x, y, tilt), [np.array([x, y]) + turn @ corner for corner in corners]


def _planar(name, pivots, corners, bodies, joints, drives) -> Mechanism:  # type: ignore[no-untyped-def]
    named = {f"c{k}": tuple(corner) for k, corner in enumerate(corners, start=1)}
    feet = {f"A{k}": tuple(pivot) for k, pivot in enumerate(pivots, start=1)}
    bodies = [ground(feet), *bodies, plate("platform", corners=named, mass=8.0)]
    return Mechanism(name, planar=True, bodies=bodies, joints=joints, drives=drives)


FAMILIES: dict[str, Callable[[np.random.Generator], Drawn]] = {
    "hexapod": hexapod,
    "3-RRR": three_rrr,
    "delta": delta,
    "3-RPR": three_rpr,
    "scissor lift": scissor_lift,
}
