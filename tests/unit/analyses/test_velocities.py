"""Velocities of results with changed origin: of another design, from another process, of selected instants."""

import pickle

import numpy as np
import pytest
from laws.closed_positions import built
from zoo.plain import clamped_body, pinned_body

import multiloop as ml


def arm():
    length = ml.Parameter("length", 0.5)
    return pinned_body(ml.rod("arm", length=length, mass=1.0))


def test_each_design_has_its_own():
    """v = ω L with the marker position of the design."""
    lengths = np.array([0.4, 0.8])
    runs = ml.simulate(arm(), until=0.1, start={"A": 0.0}, samples=3, parameters={"length": lengths})
    for run, length in zip(runs, lengths, strict=True):
        speed = np.linalg.norm(run.velocity("arm.b"), axis=1)
        assert speed == pytest.approx(np.abs(run["A"].rate) * length)
        assert speed[-1] > 0.1


def test_a_design_of_inverse_dynamics_too():
    driven = arm().replace(drives=[ml.Motion("A", ml.motion_laws.constant_speed(3.0))])
    result = ml.inverse(driven, t=[0.0, 0.1], parameters={"length": 0.9})
    assert np.linalg.norm(result.velocity("arm.b"), axis=1) == pytest.approx([2.7, 2.7])
    assert np.linalg.norm(result.acceleration("arm.b"), axis=1) == pytest.approx([8.1, 8.1])


def test_they_survive_a_pickle():
    result = ml.inverse(built("RSSR"), t=[0.0, 0.1])
    back = pickle.loads(pickle.dumps(result))
    assert np.array_equal(back.acceleration("coupler.b"), result.acceleration("coupler.b"))


def test_split_bodies_have_one_velocity():
    """If every joint of a loop must stay in the tree, a body is split; both of its parts have the same motion."""
    four_bar = built("four-bar")
    held = four_bar.replace(actuators=[ml.Actuator(name) for name in "ABCD"])
    split, plain = (ml.inverse(m, t=[0.1, 0.2]) for m in (held, four_bar))
    assert split.plan.tree.splits
    for body in ("crank", "coupler", "rocker"):
        assert split.angular_acceleration(body) == pytest.approx(plain.angular_acceleration(body), abs=1e-9)
        assert split.velocity(f"{body}.b") == pytest.approx(plain.velocity(f"{body}.b"), abs=1e-12)


def test_a_structure_has_zero_velocities():
    shelf = clamped_body(ml.Body("board", mass=1.0, markers={"end": (1.0, 0.0)}), "shelf", joint="bolt")
    result = ml.inverse(shelf, t=[0.0, 1.0])
    assert not result.velocity("board.end").any()
    assert result.angular_velocity("board").shape == (2,)
    assert "bolt.force_y [N]" in result.to_table()
