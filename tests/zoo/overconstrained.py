"""Mechanisms that move although the mobility count is not positive: Sarrus, three cranks, two bearings, a jack."""

from __future__ import annotations

from math import cos, pi, sin

from multiloop import Body, Helical, Mechanism, Motion, Prismatic, Revolute, ground, marker, plate, rod
from multiloop.model import constant_speed
from zoo.body_poses import along, assembled
from zoo.entry import Entry, swinging


def sarrus() -> Mechanism:
    """Two legs of three parallel hinges, in perpendicular planes, allow vertical translation of the platform only.

    Source: [sarrus].
    """
    reach, length, start = 0.20, 0.25, pi / 3
    height = 2 * length * sin(start)
    planes = {
        1: ((1, 0, 0), (0, -1, 0)),
        2: ((0, 1, 0), (1, 0, 0)),
    }  # direction of the leg, axis of its hinges
    hinges = {f"h{k}": marker([reach * c for c in out], z=axis, x=out) for k, (out, axis) in planes.items()}
    bodies, joints, poses = [], [], {"platform": along((0, 0, height), x=(1, 0, 0))}
    for k, (out, axis) in planes.items():
        bar = (2e-5, 0.4 * length**2 / 12, 0.4 * length**2 / 12)
        bodies += [rod(f"lower{k}", length=length, mass=0.4, inertia=bar)]
        bodies += [rod(f"upper{k}", length=length, mass=0.4, inertia=bar)]
        joints += [
            Revolute(f"base{k}", f"ground.h{k}", f"lower{k}.a"),
            Revolute(f"knee{k}", f"lower{k}.b", f"upper{k}.a"),
            Revolute(f"top{k}", f"upper{k}.b", f"platform.h{k}"),
        ]
        foot = [reach * c for c in out]
        knee = [(reach + length * cos(start)) * c for c in out]
        up = (0, 0, sin(start))
        poses[f"lower{k}"] = along(foot, x=[cos(start) * c + u for c, u in zip(out, up, strict=True)], z=axis)
        knee[2] = length * sin(start)
        poses[f"upper{k}"] = along(
            knee, x=[-cos(start) * c + u for c, u in zip(out, up, strict=True)], z=axis
        )
    platform = Body("platform", mass=2.0, com=(0.05, 0.05, 0), inertia=(0.02, 0.02, 0.04), markers=hinges)
    mechanism = Mechanism(
        "Sarrus linkage",
        bodies=[ground(hinges), *bodies, platform],
        joints=joints,
        drives=[Motion("base1", swinging(start, 0.4))],
    )
    return assembled(mechanism, poses)


def double_parallelogram() -> Mechanism:
    """Three parallel cranks carry one plate; the third, not collinear with the others, adds no constraint."""
    corners = {"a": (0.0, 0.0), "b": (0.6, 0.0), "c": (0.25, 0.2)}
    crank, start = 0.15, 0.5
    cranks = [rod(f"crank {name}", length=crank, mass=0.5) for name in corners]
    mechanism = Mechanism(
        "double parallelogram",
        planar=True,
        bodies=[ground(corners), *cranks, plate("plate", corners=corners, mass=3.0)],
        joints=[
            *(Revolute(f"base {name}", f"ground.{name}", f"crank {name}.a") for name in corners),
            *(Revolute(f"top {name}", f"crank {name}.b", f"plate.{name}") for name in corners),
        ],
        drives=[Motion("base a", constant_speed(8.0, start=start))],
    )
    poses = {f"crank {name}": (*corner, start) for name, corner in corners.items()}
    return assembled(mechanism, poses | {"plate": (crank * cos(start), crank * sin(start), 0.0)})


def shaft_in_two_bearings() -> Mechanism:
    """One shaft, two bearings on one line: the five constraints of the second are redundant."""
    axis = {"z": (1, 0, 0), "x": (0, 1, 0)}
    shaft = Body(
        "shaft",
        mass=6.0,
        com=(0.22, 0.004, 0.0),
        inertia=(0.0075, 0.09, 0.09),
        markers={"left": marker((0, 0, 0), **axis), "right": marker((0.5, 0, 0), **axis)},
    )
    mechanism = Mechanism(
        "shaft in two bearings",
        bodies=[ground(left=marker((0, 0, 0), **axis), right=marker((0.5, 0, 0), **axis)), shaft],
        joints=[
            Revolute("left", "ground.left", "shaft.left"),
            Revolute("right", "ground.right", "shaft.right"),
        ],
        drives=[Motion("left", constant_speed(50.0))],
    )
    return assembled(mechanism, {"shaft": along((0, 0, 0), x=(1, 0, 0))})


def screw_jack() -> Mechanism:
    """A screw rotates in its bearing and lifts a nut that a guide prevents from rotating: one loop, one axis."""
    mechanism = Mechanism(
        "screw jack",
        bodies=[
            ground(bearing=(0, 0, 0), guide=(0.1, 0, 0)),
            Body(
                "screw", mass=1.5, com=(0, 0, 0.2), inertia=(0.02, 0.02, 3e-4), markers={"thread": (0, 0, 0)}
            ),
            Body(
                "nut", mass=20.0, com=(0.03, 0, 0.02), inertia=(0.2, 0.2, 0.1), markers={"guide": (0.1, 0, 0)}
            ),
        ],
        joints=[
            Revolute("bearing", "ground.bearing", "screw.origin"),
            Helical("thread", "screw.thread", "nut.origin", pitch=0.006 / (2 * pi)),
            Prismatic("guide", "ground.guide", "nut.guide"),
        ],
        drives=[Motion("bearing", constant_speed(-10.0))],
    )
    return assembled(
        mechanism, {"screw": along((0, 0, 0), x=(1, 0, 0)), "nut": along((0, 0, 0), x=(1, 0, 0))}
    )


FAMILY = (
    Entry("sarrus", sarrus, 5, 1, count=0, mobility=1, redundant=1, source="sarrus"),
    Entry("double-parallelogram", double_parallelogram, 4, 2, count=0, mobility=1, redundant=1, turns=True),
    Entry("two-bearings", shaft_in_two_bearings, 1, 1, count=-4, mobility=1, redundant=5, turns=True),
    Entry("screw-jack", screw_jack, 2, 1, count=-3, mobility=1, redundant=4, turns=True),
)
