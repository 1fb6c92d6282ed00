"""A cycle whose efforts are round-off is periodic: its differences are not reported."""

from __future__ import annotations

import numpy as np
import pytest
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.analyses.results.result_warnings import repetition_warnings


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize(("stiffness", "repeats"), [(1e-17, True), (1e-2, False)])
def test_efforts_that_are_round_off_of_the_weight_repeat(
    size: float, stiffness: float, repeats: bool
) -> None:
    """A spring that is wound up by a turn: one of 1e-17 of the weight's moment represents round-off."""
    weight = 2.0 * 9.81
    machine = pinned_body(
        ml.Body("rotor", mass=2.0, inertia=0.1 * size**2, markers={"rim": (size, 0)}),
        name="rotor",
        gravity=(0, -9.81),
        loads=[ml.JointSpring("wound", "A", stiffness=stiffness * weight * size)],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(2 * np.pi))],
    )
    run = ml.inverse(machine, t=np.linspace(0.0, 1.0, 13))
    assert run["A"].effort[-1] == pytest.approx(2 * np.pi * stiffness * weight * size, rel=1e-9)
    assert (repetition_warnings(run) == []) == repeats
