"""When are forces that depend on reactions reported as not converged?"""

import numpy as np
import pytest
from zoo.plain import sliding_body

import multiloop as ml
from multiloop.analyses.results.result_warnings import reaction_force_warnings

SLIDE = sliding_body(
    ml.Body("block", mass=1.0),
    "slide",
    joint="P",
    loads=[ml.Friction("brake", "P", coefficient=0.3, stiction="smooth")],
)


def over_two_instants(first, left):
    """Strengths [x, residual, K] that are 5 N at the second instant, with zero residual."""
    return reaction_force_warnings(
        SLIDE, np.array([0.0, 1.0]), np.array([[[first, left, 0.0]], [[5.0, 0.0, 0.0]]])
    )


def test_round_off_at_an_instant_without_forces_is_not_reported():
    assert over_two_instants(1e-17, 1e-17) == []


@pytest.mark.parametrize("first", [1e-3, 5.0])
def test_forces_that_are_not_found_are_reported(first, texts):
    (said,) = over_two_instants(first, first / 10)
    assert (said.code, said.place, said.time) == ("W74", "brake", 0.0)
    texts(said, "t = 0 s", "'brake'")
