"""Positions, rates and accelerations to the last digit, where loops that are closed to round-off do not determine
them."""

import numpy as np
import pytest
from laws.closed_positions import built

import multiloop as ml
from multiloop.kinematics import equations_of
from multiloop.kinematics.constraints import drive_targets
from multiloop.kinematics.continuation import exact_rows


@pytest.fixture(scope="module")
def flat():
    """The parallelogram along its own tree, A driven, with its parameters."""
    mechanism = built("parallelogram").replace(drives=[ml.Motion("A", ml.time)])
    plan = ml.analyse(mechanism)
    return equations_of(mechanism, plan.tree, drive_targets(mechanism)), plan.assembly.p


def signs(equations):
    """The rates of the joints at the flat position: the coupler keeps its direction."""
    way = {"A": 1.0, "B": -1.0, "C": 1.0, "D": 1.0}
    return np.array([way[link.joint.name] for link in equations.skeleton.links])


def test_a_position_is_found_from_one_that_closes_to_round_off(flat):
    """1e-6 rad from flat the loop is closed to round-off 1e-10 rad away from its exact position."""
    equations, p = flat
    angle, n = 1e-6, equations.skeleton.rates
    off = angle * signs(equations) + 1e-10 * np.arange(n)
    off[list(equations.driven_rates)] = angle
    assert np.abs(equations.position_residual(off, np.array([angle]), p)).max() < 1e-9
    found = exact_rows(equations).position(off, np.array([angle]), p, n)
    assert found.astype(float) == pytest.approx(angle * signs(equations), rel=1e-15)


def test_rates_and_accelerations_follow(flat):
    equations, p = flat
    n = equations.skeleton.rates
    given = [np.array([1e-6]), np.array([1.0]), np.array([0.0])]
    rows = exact_rows(equations)
    q = rows.position(1e-6 * signs(equations), given[0], p, n)
    v = rows.rates(q, np.zeros(n), given, p, n)
    assert v.astype(float) == pytest.approx(signs(equations), rel=1e-15)
    a = rows.accelerations(q, v, given, p, n)
    assert np.abs(a.astype(float)).max() < 1e-15


def test_at_the_singular_position_itself_there_is_none(flat):
    equations, p = flat
    n = equations.skeleton.rates
    assert exact_rows(equations).position(np.zeros(n), np.array([0.0]), p, n) is None
