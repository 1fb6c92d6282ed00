"""What torque drives the carpet scraper, and what do its bearings carry?

A crank at 45 rpm moves a four-bar whose coupler tip draws a pantograph over the carpet: 7 links, 3 loops.
Check: 100.327 N·m at 160.25° and −6.5996 N·m at 0°, found by two formulations from the same data.
Source: H. Chaudhary and S. K. Saha, J. Mech. Design 129 (2007) 1234, §6.1 and Table 1.
"""

from functools import cache
from pathlib import Path

import yaml
from matplotlib.figure import Figure

import multiloop as ml

EXPECTED = {
    "largest torque": (100.327, 5e-4, "N·m"),
    "crank angle there": (160.25, 1e-6, "°"),
    "torque at 0°": (-6.5996, 5e-5, "N·m"),
}
"""What is known, how near we must come (half a unit of the last digit), and the unit."""


def link(name, length, mass, inertia, about="origin", **pins):
    return ml.rod(name, length=length, mass=mass, inertia=inertia, inertia_at=about, markers=pins)


mechanism = ml.Mechanism(
    "carpet scraper",
    planar=True,
    bodies=[
        ml.ground(crank=(0, 0), rocker=(-0.089, 0), pantograph=(0.038, 0.410)),
        link("crank", 0.038, 1.5, 0.73e-3),
        link("rocker", 0.115, 3.0, 13.30e-3),
        link("coupler", 0.230, 5.0, 22.12e-3, about="m", m=0.115),
        link("link4", 0.335, 4.2, 157e-3, m=0.096),
        link("link5", 0.239, 3.0, 57e-3),
        link("link6", 0.836, 10.5, 2449e-3, m=0.239),
        link("link7", 0.239, 3.0, 57e-3),
    ],
    joints=[
        ml.Revolute("crank pivot", "ground.crank", "crank.a"),
        ml.Revolute("crank-coupler", "crank.b", "coupler.a"),
        ml.Revolute("rocker pivot", "ground.rocker", "rocker.a"),
        ml.Revolute("rocker-coupler", "rocker.b", "coupler.m"),
        ml.Revolute("pantograph pivot", "ground.pantograph", "link4.a"),
        ml.Revolute("link4-link5", "link4.m", "link5.a"),
        ml.Revolute("link4-link6", "link4.b", "link6.a"),
        ml.Revolute("link6-link7", "link6.m", "link7.a"),
        ml.Pin("Q", carrier="link5.b", others=("coupler.b", "link7.b")),
    ],
    drives=[ml.Motion("crank pivot", ml.constant_speed(45 * 6.283185307179586 / 60))],
    guess={"coupler.b": (-0.09, 0.19), "link4.b": (0.26, 0.16)},  # the tip above, link 4 down to the right
)
