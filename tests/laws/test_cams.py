"""Cams of all outlines and followers obey the laws of constraints, and all methods agree on them."""

from __future__ import annotations

import numpy as np
import pytest
from laws.cams import FOLLOWERS, OUTLINES, sliding, swinging
from laws.formulating import SINGULAR, Case, case_at, efforts_for, known_motion
from laws.judging import Tally, judge_forward, judge_inverse, judge_round_trips

import multiloop as ml
from multiloop.kinematics.equations import equations_of

KINDS = [(outline, follower) for outline in OUTLINES for follower in FOLLOWERS]


def a_case(mechanism: ml.Mechanism) -> Case:
    assert ml.from_text(ml.to_text(mechanism)) == mechanism  # it goes to text and back
    free = mechanism.without_drives()
    plan = ml.analyse(free, guess={**dict(mechanism.guess), "O": 0.9})
    equations = equations_of(plan.mechanism, plan.tree)
    return case_at(equations, plan.assembly.on(equations), 7, plan)


@pytest.mark.parametrize("made", [sliding, swinging])
@pytest.mark.parametrize(("outline", "follower"), KINDS)
def test_the_jacobian_is_that_of_the_rows_and_gamma_its_rate(made, outline, follower):
    """By central differences along a motion that keeps the rows, with a step of 1e-5: to 1e-8 of their size."""
    case, h = a_case(made(outline, follower)), 1e-5
    equations, q, v, p = case.equations, case.q, case.v, case.skeleton.values
    J = equations.geometric_jacobian(q, p)
    stepped = [[equations.closure(equations.chart.moved(q, s * h * e), np.zeros(0), p) for s in (1, -1)] for e in np.eye(len(v))]
    slopes = np.array([(up - down) / (2 * h) for up, down in stepped]).T
    assert pytest.approx(slopes, abs=1e-8) == J
    rates = [equations.geometric_jacobian(equations.chart.moved(q, s * h * v), p) @ v for s in (1, -1)]
    assert case.gamma == pytest.approx((rates[1] - rates[0]) / (2 * h), abs=1e-7)
