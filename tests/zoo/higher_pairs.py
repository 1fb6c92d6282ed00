"""Mechanisms whose loops are closed by pairs, which constrain two bodies without being joints."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from multiloop import Body, Distance, Free, Mechanism, Motion, Parameter, Revolute, ground, marker, rod
from multiloop.model import constant_speed
from zoo.body_poses import along, assembled, between, meet
from zoo.entry import Entry, swinging


def four_bar_with_a_rod() -> Mechanism:
    """The four-bar of the first page with a massless coupler."""
    tip = meet((0.3, 0.0), 0.9, (1.0, 0.0), 0.8, left=True)
    mechanism = Mechanism(
        "four-bar with a rod",
        planar=True,
        bodies=[
            ground(A=(0, 0), D=(1.0, 0)),
            rod("crank", length=0.3, mass=1.0),
            rod("rocker", length=0.8, mass=1.5),
        ],
        joints=[Revolute("A", "ground.A", "crank.a"), Revolute("D", "ground.D", "rocker.a")],
        pairs=[Distance("coupler", "crank.b", "rocker.b", length=Parameter("L", 0.9))],
        drives=[Motion("A", constant_speed(4.712, start=0.0))],
    )
    return assembled(mechanism, {"crank": (0, 0, 0), "rocker": between((1.0, 0.0), tip)})


def braced_five_bar() -> Mechanism:
    """A five-bar with a prescribed distance between its first crank and second coupler: a joint and a pair close its
    loops."""
    left, right = (0.3 * cos(1.9), 0.3 * sin(1.9)), (0.6 + 0.3 * cos(1.1), 0.3 * sin(1.1))
    top = meet(left, 0.6, right, 0.55, left=True)
    middle = np.add(right, top) / 2
    mechanism = Mechanism(
        "braced five-bar",
        planar=True,
        bodies=[
            ground(A=(0, 0), E=(0.6, 0)),
            rod("one", length=0.3, mass=0.8),
            rod("two", length=0.6, mass=1.2),
            rod("three", length=0.55, mass=1.1, markers={"m": 0.275}),
            rod("four", length=0.3, mass=0.7),
        ],
        joints=[
            Revolute("A", "ground.A", "one.a"),
            Revolute("B", "one.b", "two.a"),
            Revolute("C", "two.b", "three.b"),
            Revolute("D", "three.a", "four.b"),
            Revolute("E", "ground.E", "four.a"),
        ],
        pairs=[Distance("brace", "one.b", "three.m", length=float(np.hypot(*np.subtract(middle, left))))],
        drives=[Motion("E", swinging(1.1, 0.08))],
    )
    poses = {
        "one": between((0, 0), left),
        "two": between(left, top),
        "three": between(right, top),
        "four": between((0.6, 0), right),
    }
    return assembled(mechanism, poses)


def delta_with_rods() -> Mechanism:
    """A Delta robot whose six rods are massless: a floating platform with six distances.

    Source: R. Clavel, Proc. 18th Int. Symp. on Industrial Robots (1988) 91.
    """
    base, arm, bar, small, half, start = 0.20, 0.30, 0.70, 0.06, 0.05, 0.4
    inward = base + arm * cos(start) - small
    depth = -arm * sin(start) - np.sqrt(bar**2 - inward**2)
    poses = {"platform": along((0, 0, depth), x=(1, 0, 0))}
    pivots, sockets, bodies, joints, pairs = {}, {}, [], [], []
    for k, turn in enumerate((0.0, 2 * pi / 3, 4 * pi / 3), start=1):
        out, side = np.array([cos(turn), sin(turn), 0.0]), np.array([-sin(turn), cos(turn), 0.0])
        pivots[f"p{k}"] = marker(base * out, z=side, x=out)
        tips = {"left": (arm, 0, half), "right": (arm, 0, -half)}
        bodies += [rod(f"arm{k}", length=arm, mass=0.8, inertia=(4e-4, 6e-3, 6e-3), markers=tips)]
        joints += [Revolute(f"A{k}", f"ground.p{k}", f"arm{k}.a")]
        poses[f"arm{k}"] = along(base * out, x=cos(start) * out - sin(start) * np.array([0, 0, 1]), z=side)
        for name, place in (("left", half), ("right", -half)):
            sockets[f"{name}{k}"] = small * out + place * side
            pairs += [Distance(f"{name}{k}", f"arm{k}.{name}", f"platform.{name}{k}", length=bar)]
    mechanism = Mechanism(
        "Delta robot with rods",
        bodies=[
            ground(pivots),
            *bodies,
            Body("platform", mass=0.5, inertia=(1e-3, 1e-3, 2e-3), markers=sockets),
        ],
        joints=[*joints, Free("floating", "ground.origin", "platform.origin")],
        pairs=pairs,
        drives=[Motion(f"A{k}", swinging(start, 0.1 * k)) for k in (1, 2, 3)],
    )
    return assembled(mechanism, poses)


FAMILY = (
    Entry("four-bar-rod", four_bar_with_a_rod, 2, 1, count=1, mobility=1, turns=True),
    Entry("five-bar-braced", braced_five_bar, 4, 2, count=1, mobility=1),
    Entry("delta-rods", delta_with_rods, 4, 6, count=3, mobility=3),
)
