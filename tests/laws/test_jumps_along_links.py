"""Jumps of forces and axes along a link: at its corners and markers, and the values on either side of them."""

from __future__ import annotations

import numpy as np
import pytest
from zoo.plain import clamped_body

import multiloop as ml

STRIP = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.01)}


@pytest.mark.parametrize("seed", range(20))
def test_a_place_at_a_corner_is_just_behind_it(seed: int) -> None:
    """For random lines, at the arc length of the corner: the values are those a micron behind it.

    Over that micron moments change by the force times it, 1e-4 N m, and stresses by less than a part in a thousand.
    """
    points = [(0.0, 0.0), *np.random.default_rng(seed).uniform(-0.5, 0.5, (3, 2)).round(3).tolist()]
    bar = ml.beam("bar", through=points, modes=2, elements=4, frame="a", **STRIP)
    machine = clamped_body(
        bar,
        name="hook",
        gravity=(0, 0),
        loads=[ml.Force("push", "bar.c1", (100.0, 0.0)), ml.Force("pull", "bar.c2", (0.0, 50.0))],
    )
    link = ml.equilibrium(machine).result.link("bar")
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    for corner in np.cumsum(steps)[:2]:
        for read in (link.axial, link.shear, link.moment, link.stress):
            at, behind = read(corner)[0], read(corner + 1e-6)[0]
            # over that micron
            assert at == pytest.approx(behind, rel=1e-5, abs=1e-4), read.__name__


def test_modes_with_a_jump_of_the_moment_have_both_values() -> None:
    """A bell crank on a spring at its corner: constraint modes of all three markers have the jumps of the moments.

    The remaining difference, below a hundredth, is the deflection by the inertia of its parts.
    """
    lever = ml.beam(
        "lever",
        through=[(-0.15, 0), (0, 0), (0.2, -0.05)],
        modes=6,
        interfaces=("a", "c1", "b"),
        basis="interface",
        frame="a",
        masses={"b": 0.3},
        damping=0.02,
        **STRIP,
    )
    machine = ml.Mechanism(
        "rocker",
        planar=True,
        bodies=[ml.ground(P=(0, 0)), lever],
        joints=[ml.Revolute("pivot", "ground.P", "lever.c1")],
        loads=[
            ml.JointSpring("return", "pivot", stiffness=600.0, rest=0.0),
            ml.Force("push", "lever.a", (0, -30.0)),
        ],
    )
    run = ml.simulate(machine, until=0.02, start={"pivot": 0.0, "eta": "relaxed"}, samples=51)
    truncation = run.link("lever").truncation
    assert truncation is not None
    assert truncation.relative < 0.01
