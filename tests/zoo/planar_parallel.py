"""Planar manipulators with several legs on one tool: 3-RRR and five-bar."""

from __future__ import annotations

import numpy as np

from multiloop import Mechanism, Motion, Revolute, ground, plate, rod
from zoo.body_poses import assembled, between, meet
from zoo.entry import Entry, swinging

SIDE, PROXIMAL, DISTAL = 0.4, 0.4, 0.6
STARTS = (1.04, 4.1883, 5.7637)
CORNER, TILT = (0.79201821, 0.45656032), 3.91595341


def three_rrr() -> Mechanism:
    """Three legs of two links and a triangular platform, on an equilateral base of side 1 m."""
    height = np.sqrt(3) / 2
    pivots = [(0.0, 0.0), (1.0, 0.0), (0.5, height)]
    corners = {"c1": (0, 0), "c2": (SIDE, 0), "c3": (SIDE / 2, SIDE * height)}
    joints, bodies, poses = [], [], {"platform": (*CORNER, TILT)}
    turn = np.array([[np.cos(TILT), -np.sin(TILT)], [np.sin(TILT), np.cos(TILT)]])
    for k, (pivot, start) in enumerate(zip(pivots, STARTS, strict=True), start=1):
        bodies += [rod(f"proximal{k}", length=PROXIMAL, mass=3.0), rod(f"distal{k}", length=DISTAL, mass=4.0)]
        joints += [
            Revolute(f"A{k}", f"ground.A{k}", f"proximal{k}.a"),
            Revolute(f"B{k}", f"proximal{k}.b", f"distal{k}.a"),
            Revolute(f"C{k}", f"distal{k}.b", f"platform.c{k}"),
        ]
        elbow = np.array(pivot) + PROXIMAL * np.array([np.cos(start), np.sin(start)])
        poses[f"proximal{k}"] = (*pivot, start)
        poses[f"distal{k}"] = between(elbow, np.array(CORNER) + turn @ np.array(corners[f"c{k}"]))
    mechanism = Mechanism(
        "3-RRR",
        planar=True,
        bodies=[
            ground({f"A{k}": pivot for k, pivot in enumerate(pivots, start=1)}),
            *bodies,
            plate("platform", corners=corners, mass=8.0),
        ],
        joints=joints,
        drives=[Motion(f"A{k}", swinging(start, 0.1)) for k, start in enumerate(STARTS, start=1)],
    )
    return assembled(mechanism, poses, decimals=4)


def five_bar() -> Mechanism:
    """Two driven cranks and two rods that carry the tool between them."""
    pivots, starts = [(0.0, 0.0), (0.30, 0.0)], (2.0, 1.0)
    elbows = [
        np.array(p) + 0.25 * np.array([np.cos(a), np.sin(a)]) for p, a in zip(pivots, starts, strict=True)
    ]
    tool = meet(elbows[0], 0.38, elbows[1], 0.38, left=True)
    mechanism = Mechanism(
        "five-bar",
        planar=True,
        bodies=[
            ground(A=pivots[0], E=pivots[1]),
            rod("left crank", length=0.25, mass=0.6),
            rod("left rod", length=0.38, mass=0.5),
            rod("right rod", length=0.38, mass=0.5),
            rod("right crank", length=0.25, mass=0.6),
        ],
        joints=[
            Revolute("A", "ground.A", "left crank.a"),
            Revolute("B", "left crank.b", "left rod.a"),
            Revolute("C", "left rod.b", "right rod.b"),
            Revolute("D", "right crank.b", "right rod.a"),
            Revolute("E", "ground.E", "right crank.a"),
        ],
        drives=[Motion("A", swinging(2.0, 0.4)), Motion("E", swinging(1.0, 0.4, speed=3.0))],
    )
    poses = {"left crank": (0, 0, 2.0), "right crank": (0.30, 0, 1.0)}
    poses |= {"left rod": between(elbows[0], tool), "right rod": between(elbows[1], tool)}
    return assembled(mechanism, poses)


FAMILY = (
    Entry("3-RRR", three_rrr, 7, 2, count=3, mobility=3, source="koul"),
    Entry("five-bar", five_bar, 4, 1, count=2, mobility=2),
)
