"""The truncation error of modes is estimated by residual flexibility: random links against many modes of the same link.

The true error is the largest difference of displacements, or of rotations, as a part of the largest one. Geometric
stiffness is disabled here: the estimate is one of linear theory, as the modes are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import multiloop as ml

MANY = 10
"""Modes of the reference in each direction: constraint modes of both ends, and fixed-interface modes."""


def true_error(few: ml.Result, many: ml.Result) -> float:
    """Of the link at all instants and at 33 points, relative to the largest."""
    one, other = few.link("link"), many.link("link")
    s = np.linspace(0.0, one.line.length, 33)
    parts = []
    for reading in ("deflection", "rotation"):
        known = getattr(other, reading)(s)
        away = getattr(one, reading)(s) - known
        if known.ndim == 2:  # rotations in the plane are numbers
            known, away = known[..., None], away[..., None]
        parts.append(np.linalg.norm(away, axis=-1).max() / np.linalg.norm(known, axis=-1).max())
    return float(max(parts))


def compared(machine: Any, beam: dict[str, Any], modes: dict[str, int], ask: Any) -> tuple[float, float]:
    """The estimate and the true error of a link with some modes."""
    first = machine(ml.beam("link", modes=modes, **beam))
    same = {"frame": first.body("link").frame, "basis": "interface"}
    many = machine(ml.beam("link", modes=dict.fromkeys(modes, MANY), **beam | same))
    few, known = ask(first), ask(many)
    truncation = few.link("link").truncation
    assert truncation is not None
    stated = [one.value for one in few.warnings if (one.code, one.place) == ("W82", "link")]
    assert stated == ([truncation.relative] if truncation.relative > 0.05 else [])
    return truncation.relative, true_error(few, known)


def random_beam(rng: np.random.Generator, cranked: bool = False) -> dict[str, Any]:
    """Material, line and sections."""
    size = rng.uniform(0.3, 2.0)
    height = size / rng.uniform(30, 80)
    section: Any = ml.rectangle(height * rng.uniform(0.5, 2.0), height)
    if rng.random() < 0.4:
        section = (section, ml.rectangle(0.6 * height, 0.6 * height))
    line = {"length": size}
    if cranked:
        bend = rng.uniform(0.2, 1.4)
        line = {"through": [(0, 0), (size, 0), (size + size * np.cos(bend) / 2, size * np.sin(bend) / 2)]}
    how = {"E": 70e9, "density": 2700.0, "section": section, "stiffening": False}
    return line | how | ({} if rng.random() < 0.5 else {"frame": str(rng.choice(["a", "chord"]))})


def resting(machine: ml.Mechanism) -> ml.Result:
    """At rest under its loads."""
    return ml.equilibrium(machine).result


def spatial_arm(seed: int) -> tuple[float, float]:
    """Clamped to the ground, with a body on a tilted hinge at its far end; weight, a force and a moment."""
    rng = np.random.default_rng(seed)
    beam, tilt = random_beam(rng), rng.uniform(0.0, np.pi / 2)
    modes = {"y": int(rng.integers(1, 4)), "z": int(rng.integers(1, 4))}
    beam |= {"basis": str(rng.choice(["natural", "auto"]))}
    down, force, moment = rng.normal(size=(3, 3))
    end = ml.marker((beam["length"], 0, 0), z=(0, -np.sin(tilt), np.cos(tilt)), x=(1, 0, 0))

    def machine(link: ml.Beam) -> ml.Mechanism:
        size = 0.3 * link.mass * 9.81
        return ml.Mechanism(
            "arm",
            gravity=tuple(9.81 * down / np.linalg.norm(down)),
            bodies=[ml.ground(), link, ml.Body("body", mass=0.2 * link.mass, inertia=(1e-3,) * 3)],
            joints=[
                ml.Fixed("wall", "ground.origin", "link.a"),
                ml.Revolute("hinge", "link.b", "body.origin"),
            ],
            loads=[
                ml.Force("push", "body.origin", tuple(size * force)),
                ml.Torque("turn", "body", tuple(0.5 * size * beam["length"] * moment)),
                ml.JointSpring("hold", "hinge", stiffness=10 * size * beam["length"]),
            ],
        )

    return compared(machine, beam | {"markers": {"b": end}}, modes, resting)


def planar_link(seed: int) -> tuple[float, float]:
    """On a pin and in a guide, straight or with a corner; weight, and a force somewhere."""
    rng = np.random.default_rng(seed)
    beam = random_beam(rng, cranked=bool(rng.random() < 0.5)) | {
        "basis": str(rng.choice(["natural", "auto"])),
        "markers": {"m": 0.4 * 0.3},
    }
    modes = {"y": int(rng.integers(2, 5))}
    force, welded = rng.normal(size=2), rng.random() < 0.5

    def machine(link: ml.Beam) -> ml.Mechanism:
        size = link.mass * 9.81
        at_b = (ml.Fixed if welded else ml.Revolute)("B", "link.b", "shoe.p")
        far = link.marker("b").point
        reach = float(np.hypot(*(*far, 0.0)[:2]))
        lean = float(np.arctan2(*(*far, 0.0)[1::-1]))
        shoe = ml.Body("shoe", mass=0.1, inertia=1e-3, markers={"p": ml.marker((0, 0), angle=-lean)})
        return ml.Mechanism(
            "link",
            planar=True,
            bodies=[ml.ground(), link, shoe],
            joints=[
                ml.Revolute("A", "ground.origin", "link.a"),
                at_b,
                ml.Prismatic("guide", "ground.origin", "shoe.origin"),
            ],
            loads=[
                ml.Force("push", "link.m", tuple(size * force)),
                ml.JointSpring("hold", "guide", stiffness=1e3 * size / reach, rest=reach),
            ],
            guess={"guide": reach, "A": -lean},
        )

    return compared(machine, beam, modes, resting)


def driven_arm(seed: int) -> tuple[float, float]:
    """On a motor that starts, without gravity, with a body on a pin at its end: deformed by its own inertia."""
    rng = np.random.default_rng(seed)
    beam = random_beam(rng) | {"basis": str(rng.choice(["natural", "auto"])), "damping": 0.05}
    modes = {"y": int(rng.integers(1, 4))}
    share, acceleration = rng.uniform(0.1, 1.0), rng.uniform(0.5, 2.0)

    def machine(link: ml.Beam) -> ml.Mechanism:
        body = ml.Body("body", mass=share * link.mass, com=(0.1, 0), inertia=1e-3)
        return ml.Mechanism(
            "driven arm",
            planar=True,
            gravity=(0, 0),
            bodies=[ml.ground(), link, body],
            joints=[ml.Revolute("A", "ground.origin", "link.a"), ml.Revolute("B", "link.b", "body.origin")],
            drives=[ml.Motion("A", acceleration * ml.time**2 / 2)],
        )

    def ask(made: ml.Mechanism) -> ml.Result:
        start = {"B": 0.0, "eta": "relaxed"}
        return ml.simulate(made, start=start, until=1e-4, samples=2, target="interpreter")

    return compared(machine, beam, modes, ask)


KINDS = {"arm in space": (spatial_arm, 20), "planar link": (planar_link, 20), "driven arm": (driven_arm, 10)}
QUICK = {"arm in space": 2, "planar link": 4, "driven arm": 2}
CASES = [
    pytest.param(kind, seed, marks=() if seed < QUICK[kind] else pytest.mark.slow)
    for kind, (_, count) in KINDS.items()
    for seed in range(count)
]


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_the_estimate_is_within_a_factor_of_three(kind: str, seed: int) -> None:
    """On fifty random links, with errors from 0.1 % to all of their deformation."""
    estimate, known = KINDS[kind][0](seed)
    assert 1 / 3 < estimate / known < 3
