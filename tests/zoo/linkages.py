"""Planar linkages of several loops: Watt's six-bar and Peaucellier's straight-line linkage."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from multiloop import Mechanism, Motion, Pin, Revolute, ground, plate, rod
from multiloop.model import constant_speed
from zoo.body_poses import assembled, between, meet
from zoo.entry import Entry, swinging


def watt() -> Mechanism:
    """Two four-bars in a row: the rocker of the first, an angle lever, drives the second."""
    crank, coupler, arm, link, last, start = 0.10, 0.32, 0.22, 0.35, 0.28, 0.7
    lever = {"pivot": (0, 0), "in": (arm, 0), "out": (0.12, 0.16)}
    middle, end = np.array([0.30, 0.0]), np.array([0.62, -0.05])
    pin = crank * np.array([cos(start), sin(start)])
    elbow = meet(pin, coupler, middle, arm, left=True)
    angle = between(middle, elbow)[2]
    c, s = cos(angle), sin(angle)
    out = middle + np.array([c * 0.12 - s * 0.16, s * 0.12 + c * 0.16])
    wrist = meet(out, link, end, last, left=True)
    mechanism = Mechanism(
        "Watt six-bar",
        planar=True,
        bodies=[
            ground(A=(0, 0), C=middle, F=end),
            rod("crank", length=crank, mass=0.5),
            rod("coupler", length=coupler, mass=0.9),
            plate("lever", corners=lever, mass=1.1),
            rod("link", length=link, mass=0.8),
            rod("rocker", length=last, mass=0.7),
        ],
        joints=[
            Revolute("A", "ground.A", "crank.a"),
            Revolute("B", "crank.b", "coupler.a"),
            Revolute("E", "coupler.b", "lever.in"),
            Revolute("C", "ground.C", "lever.pivot"),
            Revolute("D", "lever.out", "link.a"),
            Revolute("G", "link.b", "rocker.b"),
            Revolute("F", "ground.F", "rocker.a"),
        ],
        drives=[Motion("A", constant_speed(9.0, start=start))],
    )
    poses = {
        "crank": (0, 0, start),
        "coupler": between(pin, elbow),
        "lever": (*middle, angle),
        "link": between(out, wrist),
        "rocker": between(end, wrist),
    }
    return assembled(mechanism, poses)


def peaucellier() -> Mechanism:
    """Two long arms and a rhombus invert a circle into the straight line that the point Q draws.

        OP · OQ = l² − s²

    Source: C.-N. Peaucellier, Nouvelles annales de mathématiques 12 (1873) 71.
    """
    long, side, radius, start = 0.4, 0.2, 0.15, 0.3
    origin, centre = np.zeros(2), np.array([radius, 0.0])
    inner = centre + radius * np.array([cos(start), sin(start)])
    outer = inner * (long**2 - side**2) / (inner @ inner)
    upper = meet(origin, long, inner, side, left=True)
    lower = meet(origin, long, inner, side, left=False)
    mechanism = Mechanism(
        "Peaucellier linkage",
        planar=True,
        bodies=[
            ground(O=(0, 0), D=centre),
            rod("crank", length=radius, mass=0.3),
            rod("OA", length=long, mass=0.6),
            rod("OB", length=long, mass=0.6),
            *(rod(name, length=side, mass=0.3) for name in ("PA", "PB", "AQ", "BQ")),
        ],
        joints=[
            Revolute("D", "ground.D", "crank.a"),
            Revolute("O1", "ground.O", "OA.a"),
            Revolute("O2", "ground.O", "OB.a"),
            Pin("P", carrier="crank.b", others=("PA.a", "PB.a")),
            Pin("A", carrier="OA.b", others=("PA.b", "AQ.a")),
            Pin("B", carrier="OB.b", others=("PB.b", "BQ.a")),
            Revolute("Q", "AQ.b", "BQ.b"),
        ],
        drives=[Motion("D", swinging(start, 0.6))],
    )
    poses = {
        "crank": (*centre, start),
        "OA": between(origin, upper),
        "OB": between(origin, lower),
        "PA": between(inner, upper),
        "PB": between(inner, lower),
        "AQ": between(upper, outer),
        "BQ": between(lower, outer),
    }
    return assembled(mechanism, poses)


FAMILY = (
    Entry("watt", watt, 5, 2, count=1, mobility=1, turns=True),
    Entry("peaucellier", peaucellier, 7, 3, count=1, mobility=1),
)
