"""A single-stage scissor lift, raised by a cylinder between the floor and one of its beams."""

from math import asin, cos, radians, sin

import multiloop as ml

BEAM = 2.0
FOOT, HEAD = 0.5, 1.5
BARREL = 0.9
LOW, HIGH = radians(12.0), radians(55.0)
MASSES = {"beam": 40.0, "platform": 500.0, "block": 3.0, "barrel": 15.0, "piston": 8.0}
"""Masses in kg; the mass of the platform includes its load. Each beam has a block at its sliding end."""


def reach(angle: float) -> float:
    """Length of the cylinder (m) at a given angle of the beams to the floor (rad), by the law of cosines."""
    return (FOOT**2 + HEAD**2 - 2 * FOOT * HEAD * cos(angle)) ** 0.5


def slope(angle: float) -> float:
    """Angle of the cylinder to the floor (rad) at a given angle of the beams."""
    return asin(HEAD * sin(angle) / reach(angle))


def scissor_lift() -> ml.Mechanism:
    """Build a scissor lift whose beams are raised from 12° to 55° in 5 s, from rest to rest."""
    x, h, tilt, out = BEAM * cos(LOW), BEAM * sin(LOW), slope(LOW), reach(LOW) - BARREL
    return ml.Mechanism(
        "scissor lift",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), foot=(FOOT, 0)),
            ml.rod("beam 1", length=BEAM, mass=MASSES["beam"], markers={"m": BEAM / 2, "head": HEAD}),
            ml.rod("beam 2", length=BEAM, mass=MASSES["beam"], markers={"m": BEAM / 2}),
            ml.Body("roller", mass=MASSES["block"]),
            ml.Body("slider", mass=MASSES["block"]),
            ml.rod("platform", length=2.1, mass=MASSES["platform"]),
            ml.rod("barrel", length=BARREL, mass=MASSES["barrel"]),
            ml.rod("piston", length=BARREL, mass=MASSES["piston"]),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "beam 1.a"),
            ml.Revolute("M", "beam 1.m", "beam 2.m"),
            ml.Revolute("B", "beam 2.a", "roller.origin"),
            ml.Prismatic("floor", "ground.A", "roller.origin"),
            ml.Revolute("C", "beam 2.b", "platform.a"),
            ml.Revolute("D", "beam 1.b", "slider.origin"),
            ml.Prismatic("rail", "platform.a", "slider.origin"),
            ml.Revolute("foot", "ground.foot", "barrel.a"),
            ml.Prismatic("cylinder", "barrel.a", "piston.a"),
            ml.Revolute("head", "piston.b", "beam 1.head"),
        ],
        drives=[ml.Motion("cylinder", ml.motion_laws.cycloidal(out, reach(HIGH) - BARREL, duration=5.0))],
        guess={
            "beam 1": (0, 0, LOW),
            "beam 2": (x, 0, radians(180) - LOW),
            "platform": (0, h, 0),
            "roller": (x, 0, 0),
            "slider": (x, h, 0),
            "barrel": (FOOT, 0, tilt),
            "piston": (FOOT + out * cos(tilt), out * sin(tilt), tilt),
        },
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute the force of the cylinder during lifting."""
    return ml.inverse(mechanism, t=[k / 20 for k in range(101)])


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    force, load = result["cylinder"].effort, MASSES["platform"] * 9.81 / 1e3
    return (
        f"{force[0] / 1e3:.1f} kN at the bottom, where the beams are nearly horizontal, and {force[-1] / 1e3:.1f} kN "
        f"at the top, for a platform with a weight of {load:.1f} kN."
    )
