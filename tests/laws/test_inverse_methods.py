"""Do all formulations of inverse dynamics agree?"""

import numpy as np
import pytest
from laws.closed_positions import built, duration
from laws.newton_euler import scales

import multiloop as ml

METHODS = ("subsystem", "system", "virtual_work", "traditional")
KINDS = (
    "scraper-C",
    "slider-crank",
    "excavator",
    "RSSR",
    "RSUR",
    "four-bar-space",
    "two-bearings",
    "screw-jack",
)
"""One test model of every type: many loops, slides, idle spins, universal joints, redundancy."""


@pytest.mark.parametrize("name", KINDS)
def test_all_methods_agree_on_efforts_and_reactions(name):
    """On determined components by the laws of mechanics, on the others by the minimum norm."""
    times = duration(name) * np.array([0.0, 0.29, 0.71])
    results = [ml.inverse(built(name), t=times, method=method) for method in METHODS]
    plan = results[0].plan
    whole = (
        plan.idle or plan.redundant
    )  # no subsystem is determinate by itself then, and the status states it
    assert [r.method for r in results] == ["system" if whole and m == "subsystem" else m for m in METHODS]
    force, moment = scales(results[0])
    for result in results[1:]:
        for joint in result:
            # Different solves of matrices with condition numbers up to 1e4.
            assert result[joint].effort == pytest.approx(results[0][joint].effort, abs=1e-9 * moment), joint
            assert result[joint].force == pytest.approx(results[0][joint].force, abs=1e-9 * force), joint
            assert result[joint].moment == pytest.approx(results[0][joint].moment, abs=1e-9 * moment), joint
