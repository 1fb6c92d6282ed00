"""How many scalar operations does each question take of each mechanism? Never more than was once reached.

Every bound is the measured figure: operations of `Traced.tape()`. A change that lowers one lowers its bound too; one
that raises a figure says why.
"""

from functools import cache

import pytest
from zoo import ZOO
from zoo.chains import chain, ladder

import multiloop as ml
from multiloop.dynamics.forward import ForwardFunctions
from multiloop.dynamics.inverse import InverseFunctions, effort_columns
from multiloop.dynamics.inverse.whole import whole_inverse
from multiloop.dynamics.measured import Measured
from multiloop.kinematics.equations import equations_of
from multiloop.plan import efforts_of

FORWARD = {
    "four-bar": 121,
    "slider-crank": 81,
    "scraper-C": 476,
    "3-RRR": 458,
    "RSUR": 263,
    "excavator": 1160,
    "6-UPS": 2699,
    "ladder-5": 713,
    "spatial-chain-6": 1753,
    "floating-base": 1094,
}
"""Accelerations and multipliers by `sslm`, with q̇."""

INVERSE = {
    "four-bar": (70, 81, 93),
    "slider-crank": (32, 58, 58),
    "scraper-C": (228, 233, 270),
    "3-RRR": (280, 238, 309),
    "RSUR": (145, 181, 214),
    "excavator": (509, 477, 605),
    "6-UPS": (2076, 1458, 2617),
    "ladder-5": (305, 308, 371),
}
"""Multipliers and efforts by `subsystem`; reactions of known multipliers; efforts and reactions in one function."""


@cache
def planned(name):
    mechanism = ZOO[name].build()
    plan = ml.analyse(mechanism)
    return plan, equations_of(mechanism, plan.tree)


def forward(mechanism):
    plan = ml.analyse(mechanism)
    functions = ForwardFunctions(equations_of(mechanism, plan.tree), "sslm", order=plan.order)
    return functions.accelerations.tape().total


@pytest.mark.parametrize("name", FORWARD)
def test_forward_dynamics(name):
    plan, equations = planned(name)
    found = ForwardFunctions(equations, "sslm", order=plan.order).accelerations.tape().total
    assert found <= FORWARD[name]


@pytest.mark.parametrize("name", INVERSE)
def test_inverse_dynamics(name):
    plan, equations = planned(name)
    given = (effort_columns(equations, efforts_of(plan.mechanism)), None, plan.determinacy.blocks)
    traced = (
        InverseFunctions(equations).solved("subsystem", *given),
        Measured(equations).reactions,
        whole_inverse(equations, "subsystem", *given),
    )
    found = tuple(function.tape().total for function in traced)
    assert all(one <= bound for one, bound in zip(found, INVERSE[name], strict=True)), found


def test_a_window_more_costs_the_same_wherever_the_ladder_ends():
    eight, ten, twelve = (forward(ladder(n)) for n in (8, 10, 12))
    assert twelve - ten == ten - eight
    assert (twelve - ten) / 2 <= 148.5


def test_a_link_more_costs_the_same_however_long_the_chain_is():
    eight, ten, twelve = (forward(chain(n)) for n in (8, 10, 12))
    assert twelve - ten == ten - eight
    assert (twelve - ten) / 2 <= 68
