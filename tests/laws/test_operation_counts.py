"""How do operations grow? By the same number for every window of a ladder and for every link of a chain."""

from zoo.chains import chain, ladder

import multiloop as ml
from multiloop.dynamics.forward import ForwardFunctions
from multiloop.kinematics import equations_of


def forward(mechanism):
    plan = ml.analyse(mechanism)
    functions = ForwardFunctions(equations_of(mechanism, plan.tree), "sslm", order=plan.order)
    return functions.accelerations.tape().total


def test_a_window_more_costs_the_same_wherever_the_ladder_ends():
    eight, ten, twelve = (forward(ladder(n)) for n in (8, 10, 12))
    assert twelve - ten == ten - eight
    assert (twelve - ten) / 2 <= 148.5


def test_a_link_more_costs_the_same_however_long_the_chain_is():
    eight, ten, twelve = (forward(chain(n)) for n in (8, 10, 12))
    assert twelve - ten == ten - eight
    assert (twelve - ten) / 2 <= 68
