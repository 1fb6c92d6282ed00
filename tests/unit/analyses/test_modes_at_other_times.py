"""Is a position at another time than t = 0 in the assembly mode that the drives reach from the guess?"""

import numpy as np
import pytest
from zoo.plain import crank_slider

import multiloop as ml


@pytest.mark.parametrize("t", [-0.4, 0.5, 1.0, 1.7])
@pytest.mark.parametrize("mode", [0, 1])
def test_assemble_and_equilibrium_follow_the_drives_from_the_guess(t, mode):
    """Guesses of one coordinate at t = 0, for both modes of a four-bar and a slider-crank.

    The angle B of the rod to the crank in one mode becomes that of the other mode within half a turn.
    """
    sliding = crank_slider(
        ml.rod("crank", length=0.1, mass=1.0),
        ml.rod("rod", length=0.3, mass=1.0),
        ml.Body("slider", mass=1.0),
    )
    for plain, joint, end in ((ml.examples.four_bar(), "D", "D"), (sliding, "B", "guide")):
        driven = plain.replace(drives=[ml.Motion("A", 0.5 + 3.0 * ml.time)], guess={})
        begin = sorted(ml.branches(driven), key=lambda state: state[joint].position)[mode]
        mechanism = driven.replace(guess={joint: begin[joint].position})
        due = ml.inverse(mechanism, t=t)[end].position[-1]
        assert ml.assemble(mechanism, t=t)[end].position == pytest.approx(due, abs=1e-9)
        assert ml.equilibrium(mechanism, t=t, held=True).state[
            "D" if joint == "D" else "guide"
        ].position == pytest.approx(due, abs=1e-9)


def test_a_time_that_is_too_far_to_follow_the_drives_has_the_mode_nearest_to_the_guess():
    """A drive without a period makes 80,000 turns until then, which are not followed step by step."""
    driven = ml.examples.four_bar().replace(drives=[ml.Motion("A", 0.5 + 0.5 * ml.time**2)])
    state = ml.assemble(driven, t=1000.0)
    assert np.cos(state["A"].position - 500_000.5) == pytest.approx(1.0, abs=1e-9)
