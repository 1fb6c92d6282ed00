"""The numerical choices at a position are values: they depend on the position and on the previous Choice only."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from laws.closed_positions import built

import multiloop as ml
from multiloop.analyses.run_models.forward_model import ForwardModel
from multiloop.analyses.run_models.local_choice import make_local_choice


def model_of(name: str, method: str) -> tuple[ForwardModel, np.ndarray]:
    plan = ml.analyse(built(name).without_drives())
    model = ForwardModel(plan, plan.assembly, method)
    return model, plan.assembly.coordinates_on(model.equations)


@pytest.mark.parametrize("method", ["sslm", "embedding", "augmented"])
def test_asking_elsewhere_changes_nothing(method: str) -> None:
    model, q = model_of("four-bar-space", method)
    first = make_local_choice(model, q)
    kept = {name: value.copy() for name, value in first.kernel_inputs.items()}
    make_local_choice(model, q + 0.1, before=first)
    again = make_local_choice(model, q)
    assert set(kept) == {"sslm": {"basis"}, "embedding": {"basis", "choice"}, "augmented": {"c"}}[method]
    for name, value in kept.items():
        np.testing.assert_array_equal(first.kernel_inputs[name], value)
        np.testing.assert_array_equal(again.kernel_inputs[name], value)
    with pytest.raises(FrozenInstanceError):
        first.size = 2.0


def test_rows_are_compared_with_the_largest_so_far() -> None:
    model, q = model_of("four-bar", "augmented")
    first = make_local_choice(model, q)
    larger = make_local_choice(model, q, p=model.p, before=make_local_choice(model, q))
    assert larger.singularity_distance == first.singularity_distance
    elsewhere = make_local_choice(model, q + 0.5, before=first)
    assert (elsewhere.sizes >= first.sizes).all()
    assert (elsewhere.largest_compliances >= first.largest_compliances).all()
