"""Parts that can be combined on one four-bar: pairs, loads, laws and links, each with its degrees of freedom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from math import pi
from typing import Any

import numpy as np

import multiloop as ml


@dataclass(frozen=True)
class Part:
    """A part for the four-bar, the initial values of its degrees of freedom, and the efforts along them."""

    bodies: tuple[ml.Body, ...] = ()
    joints: tuple[Any, ...] = ()
    pairs: tuple[Any, ...] = ()
    loads: tuple[Any, ...] = ()
    ground: Mapping[str, Any] = field(default_factory=dict)
    start: Mapping[str, Any] = field(default_factory=dict)
    rates: Mapping[str, Any] = field(default_factory=dict)
    pushed: Mapping[str, float] = field(default_factory=dict)
    guess: Mapping[str, Any] = field(default_factory=dict)
    changed: Callable[[ml.Mechanism], ml.Mechanism] = lambda mechanism: mechanism


def wheel(name: str, size: float = 1.0) -> ml.Body:
    """A wheel out of balance."""
    return ml.Body(name, mass=0.8 * size, inertia=4e-3 * size, com=(0.01, 0.004))


def _on_ground(joint: str, body: ml.Body, at: Any, pair: Any, kind: Any = ml.Revolute) -> Part:
    own = kind(joint, f"ground.{joint}", f"{body.name}.origin")
    return Part(bodies=(body,), joints=(own,), pairs=(pair,), ground={joint: at})


def _load(load: Any) -> Part:
    return Part(loads=(load,))


def _integral(mechanism: ml.Mechanism) -> ml.Mechanism:
    return mechanism.replace(
        integrals=[*mechanism.integrals, ml.Integral("past", of=ml.position("A") - 1)],
        actuators=[*mechanism.actuators, ml.Actuator("B", effort=-3.0 * ml.integral("past"))],
    )


def _ruled(mechanism: ml.Mechanism) -> ml.Mechanism:
    return ml.PD({"A": 1.0 + 2.0 * ml.time}, kp=30.0, kd=2.0).built_into(mechanism)


def _bending(mechanism: ml.Mechanism) -> ml.Mechanism:
    beam = ml.uniform_beam("rocker", length=0.8, mass=1.5, EI=300.0, modes=1)
    return mechanism.replace(bodies=[beam if body.name == "rocker" else body for body in mechanism.bodies])


PARTS: dict[str, Part] = {
    "Force": _load(ml.Force("push", "coupler.com", (5.0, 3.0 * ml.time), frame="body")),
    "Torque": _load(ml.Torque("brake", "rocker", -0.3 * ml.rate("D"))),
    "Spring": _load(ml.Spring("pull", "coupler.com", "ground.D", stiffness=80.0, length=0.3, damping=1.0)),
    "JointSpring": _load(ml.JointSpring("hinge", "B", stiffness=4.0, damping=0.2)),
    "Bushing": _load(ml.Bushing("mount", "ground.D", "rocker.com", stiffness=(90.0, 60.0, 3.0))),
    "Stop": _load(ml.Stop("end", "A", high=0.9, stiffness=200.0, damping=2.0)),
    "Friction of an effort": _load(ml.Friction("seal", "A", effort=0.4)),
    "Friction by its force": _load(ml.Friction("pin", "D", coefficient=0.2, radius=0.02)),
    "Gear": _on_ground(
        "G", wheel("gear"), (-0.2, 0.0), ml.Gear("mesh", "crank.a", "gear.origin", teeth=(20, 30))
    ),
    "Belt": _on_ground(
        "P",
        wheel("pulley"),
        (0.1, -0.4),
        ml.Belt("belt", "crank.a", "pulley.origin", radii=(0.05, 0.08), pretension=90.0),
    ),
    "Rack": _on_ground(
        "S", wheel("bar"), (0.0, -0.06), ml.Rack("rack", "crank.a", "bar.origin", radius=0.06), ml.Prismatic
    ),
    "Relation": _on_ground(
        "F",
        wheel("fly"),
        (0.4, -0.3),
        ml.Relation("tie", ml.position("F") - 2 * ml.position("A") - 0.1 * ml.expr.sin(ml.position("A"))),
    ),
    "Cam": Part(
        bodies=(
            ml.Body("tappet", mass=0.3, inertia=1e-3, markers={"axis": ml.marker((0, 0), angle=pi / 2)}),
        ),
        joints=(ml.Prismatic("guide", "ground.guide", "tappet.axis"),),
        pairs=(ml.Cam("cam", "crank.a", "tappet.origin", profile=ml.Circle(0.05, (0.015, 0.0))),),
        ground={"guide": ml.marker((0, 0), angle=pi / 2)},
        guess={"guide": 0.06},
    ),
    "Distance": Part(
        bodies=(ml.rod("idler", length=0.4, mass=0.6),),
        joints=(ml.Revolute("I", "ground.I", "idler.a"),),
        pairs=(ml.Distance("rod", "coupler.com", "idler.b", length=0.6),),
        ground={"I": (0.2, -0.3)},
        guess={"I": 0.3},
    ),
    "PointOnCurve": Part(
        bodies=(wheel("bead"),),
        pairs=(ml.PointOnCurve("slot", "ground.slot", "bead.origin", curve=ml.Circle(0.3, (0, 0))),),
        ground={"slot": (0.3, 0.2)},
        start={"bead floats": (0.6, 0.2, 0.0)},
        rates={"bead floats": (None, 1.0, 2.0)},
        pushed={"bead floats.y": 2.0, "bead floats.angle": 0.3},
    ),
    "Rolling": Part(
        bodies=(wheel("disc"),),
        pairs=(ml.Rolling("road", "disc.origin", "ground.road", radius=0.1),),
        ground={"road": ml.marker((0, -0.5), angle=0.1)},
        start={"disc floats": (0.2, None, 0.4)},
        rates={"disc floats": (None, None, -2.0)},
        pushed={"disc floats.angle": 0.5},
    ),
    "Skate": Part(
        bodies=(ml.Body("sledge", mass=2.0, com=(0.1, 0), inertia=0.05),),
        pairs=(ml.Skate("blade", "sledge.origin", "ground.A"),),
        start={"sledge floats": (0.0, 0.0, 0.2)},
        rates={"sledge floats": (1.0, None, 1.0)},
        pushed={"sledge floats.x": 3.0, "sledge floats.angle": 1.0},
    ),
    "Strut": Part(
        joints=(ml.Strut("ram", "ground.foot", "coupler.com", length=(0.3, 1.0), mass=(4, 2)),),
        ground={"foot": (0.4, -0.4)},
    ),
    "Integral": Part(changed=_integral),
    "PD": Part(changed=_ruled),
    "link that bends": Part(changed=_bending),
}


def combined(*names: str) -> tuple[ml.Mechanism, list[Part]]:
    """The four-bar with these parts."""
    parts, bare = [PARTS[name] for name in names], ml.examples.four_bar().without_drives()
    markers = {"A": (0.0, 0.0), "D": (1.0, 0.0)}
    for part in parts:
        markers |= dict(part.ground)
    whole = bare.replace(
        name=" + ".join(names),
        bodies=[ml.ground(**markers), *bare.bodies[1:], *(body for part in parts for body in part.bodies)],
        joints=[*bare.joints, *(joint for part in parts for joint in part.joints)],
        pairs=[pair for part in parts for pair in part.pairs],
        loads=[load for part in parts for load in part.loads],
        guess=reduce(lambda one, part: {**one, **part.guess}, parts, dict(bare.guess)),
    )
    return reduce(lambda mechanism, part: part.changed(mechanism), parts, whole), parts


def random_pairs(count: int = 30, seed: int = 12) -> list[tuple[str, str]]:
    """The given number of different pairs of parts."""
    names = sorted(PARTS)
    every = [(one, other) for k, one in enumerate(names) for other in names[k + 1 :]]
    chosen = np.random.default_rng(seed).choice(len(every), count, replace=False)
    return [every[k] for k in sorted(chosen)]
