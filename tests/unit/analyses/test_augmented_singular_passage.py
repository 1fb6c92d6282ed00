"""Singular positions are passed alike, compiled and interpreted: one routine projects onto the loops."""

import numpy as np
import pytest
from laws.closed_positions import built
from zoo import chains

import multiloop as ml

LEVEL = 0.2
"""Time at which the ladder is flat, in s."""


def levelling() -> ml.Mechanism:
    """A ladder whose first vertical is driven through the flat position."""
    return chains.ladder(2).replace(drives=[ml.Motion("P0", -np.pi / 6 * (LEVEL - ml.time))])


def test_the_compiled_loop_passes_a_singular_position_as_scipy_does() -> None:
    asked = {"until": 0.4, "samples": 5, "rtol": 1e-9, "method": "augmented"}
    plain = ml.simulate(levelling(), **asked)
    watched = ml.simulate(levelling(), events={"flat": ml.position("P0")}, **asked)
    assert watched.events["flat"] == pytest.approx([LEVEL], abs=1e-12)
    assert watched["P2"].position == pytest.approx(watched["P0"].position, abs=1e-6)
    beside = plain.time != LEVEL  # at the flat position the loops do not determine the reactions
    assert watched["P0"].effort[beside] == pytest.approx(plain["P0"].effort[beside], rel=1e-6)
    # Straight code that squares the rows loses digits near the flat position: it drifts by 1e-4.
    assert watched.energy_drift < 1e-5
    assert watched.constraint_violation.max() < 1e-9


def test_designs_pass_by_penalties_of_their_own() -> None:
    L = ml.Parameter("L", 0.3)
    four_bar = built("four-bar").without_drives()
    bodies = [
        ml.rod("crank", length=L, mass=1.0) if body.name == "crank" else body for body in four_bar.bodies
    ]
    varied = four_bar.replace(bodies=bodies)
    asked = {"start": {"A": 1.0}, "until": 0.1, "samples": 3, "method": "augmented", "rtol": 1e-9}
    runs = ml.simulate(varied, parameters={"L": np.array([0.3, 0.25])}, **asked)
    assert runs.ok.all()
    for k, length in enumerate((0.3, 0.25)):
        alone = ml.simulate(varied.with_parameters(L=length), **asked)
        assert runs[k]["A"].position == pytest.approx(alone["A"].position, abs=1e-7)
