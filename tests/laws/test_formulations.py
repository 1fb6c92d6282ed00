"""Do all formulations of forward and inverse dynamics say one and the same thing of every mechanism of the zoo?"""

import numpy as np
import pytest
from laws.formulating import (
    NUMERIC,
    SINGULAR,
    Case,
    Known,
    Tally,
    allowed,
    efforts_for,
    forward,
    inverse,
    judge_forward,
    judge_inverse,
    judge_round_trips,
    known_motion,
    known_part,
    zoo_cases,
)
from laws.newton_euler import scales
from laws.placing import DRIVEN, built, duration, trees
from zoo import ZOO
from zoo.constraints import constraint_matrix

import multiloop as ml
from multiloop.dynamics.forward import METHODS
from multiloop.dynamics.inverse import effort_columns
from multiloop.plan import efforts_of
from multiloop.questions.loads import METHODS as INVERSE


@pytest.fixture(params=NUMERIC)
def name(request):
    return request.param


def test_no_mechanism_of_the_zoo_is_numerically_singular(name):
    assert all(case.condition < SINGULAR for case in zoo_cases(name))


def test_all_forward_formulations_agree(name):
    for case in zoo_cases(name):
        judge_forward(case, Tally())


def test_all_inverse_formulations_agree(name):
    for case in zoo_cases(name):
        judge_inverse(known_motion(case, efforts_for(case)), Tally())


def test_forward_and_inverse_undo_each_other(name):
    for case in zoo_cases(name):
        judge_round_trips(case, efforts_for(case), Tally())


@pytest.mark.parametrize("name", [name for name in DRIVEN if name in NUMERIC])
def test_multipliers_of_prescribed_rates_are_the_efforts(name):
    """Forward dynamics with the drives' rows below those of the loops is inverse dynamics."""
    case = zoo_cases(name)[0]
    efforts = efforts_for(case)
    known = known_motion(case, efforts)
    B = effort_columns(case.equations, efforts)
    driven = tuple(int(k) for k in np.flatnonzero(B.sum(axis=1)))
    held = Case(case.equations, case.q, case.v, known.known, case.plan, driven, tuple(known.a[list(driven)]))
    tally = Tally()
    judge_forward(held, tally)
    loaded, rows = inverse(known, "system"), case.skeleton.rows
    limit = allowed(max(held.condition, known.condition))
    apart = case.forces(B @ loaded.tau)[list(driven)] - case.forces(B @ B.T[:, list(driven)] @ held.moved.lam[rows:])[list(driven)]
    tally.hold("efforts", float(np.abs(apart).max() / case.force), limit)
