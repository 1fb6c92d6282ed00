"""The numerical choices at a position are values: they depend on the position and on the previous Choice only."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from laws.closed_positions import built

import multiloop as ml
from multiloop.analyses.run_models.forward_model import ForwardModel
from multiloop.analyses.run_models.local_choice import first_choice, light_link_warnings, make_local_choice


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


@pytest.mark.parametrize("method", ["sslm", "embedding", "augmented"])
def test_the_first_choice_is_that_of_its_position(method: str) -> None:
    model, q = model_of("four-bar-space", method)
    for at in (q, q + 0.1, q):
        cached, made = first_choice(model, at, 0.0), make_local_choice(model, at)
        assert cached is first_choice(model, at.copy(), 0.0)
        assert cached.singularity_distance == made.singularity_distance
        assert cached.kernel_inputs.keys() == made.kernel_inputs.keys()
        for name, value in made.kernel_inputs.items():
            np.testing.assert_array_equal(cached.kernel_inputs[name], value)


def test_a_caller_may_extend_the_warnings_of_light_links() -> None:
    plan = ml.analyse(built("four-bar").without_drives().replace(bodies=light_coupler()))
    model = ForwardModel(plan, plan.assembly, "sslm")
    found = light_link_warnings(model, 0.0)
    assert found == light_link_warnings(model, 0.0, plan.assembly.coordinates_on(model.equations), model.p)
    assert len(found) == 1
    found += ["another warning"]
    assert light_link_warnings(model, 0.0) == found[:1]


def light_coupler() -> list[ml.Body]:
    """The bodies of the four-bar with a coupler of a nanogram."""
    bodies = [body for body in built("four-bar").bodies if body.name != "coupler"]
    return [*bodies, ml.rod("coupler", length=0.9, mass=1e-12)]
