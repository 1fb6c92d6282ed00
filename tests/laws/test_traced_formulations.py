"""Do the formulations agree on symbols and on numbers, with redundant rows, massless links and drives?"""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from laws.agreement import allowed, allowed_to, loads_apart, moves_apart
from laws.closed_positions import built, trees
from laws.formulation_cases import (
    INVERSE,
    Case,
    Loaded,
    Moved,
    case_at,
    drawn_case,
    efforts_for,
    forward,
    inverse,
    known_motion,
    zoo_cases,
)
from zoo.random_mechanisms import closed_mechanisms

import multiloop as ml
from multiloop.analyses.run_models.local_choice import PENALTY
from multiloop.dynamics.forward import METHODS, ForwardFunctions
from multiloop.dynamics.inverse import InverseFunctions
from multiloop.dynamics.outputs import ReactionFunctions
from multiloop.kinematics import Equations, equations_of
from multiloop.plan.operation_count import elimination_order

SAMPLE = [
    "scraper-K",
    "slider-crank",
    "3-RRR",
    "five-bar",
    "RSSR",  # an idle spin and balls
    "RSSR-revolutes",  # massless links
    "RCCC",
    "cardan-shaft",
    "four-bar-space",  # redundant rows, and below
    "double-parallelogram",
    "screw-jack",
    "floating-base",  # no loops
]
NOTHING = np.zeros((0, 0))


def traced_forward(case, method, equations=None):
    """The same by the traced function, optionally of other equations along the same tree."""
    equations = equations or case.equations
    equations = Equations(equations.skeleton, case.targets, like=equations)
    augmented, choosing = method == "augmented", method in ("embedding", "virtual_work")
    basis = None if augmented else case.basis
    independent = None if basis is None else case.rank
    order = elimination_order(case.skeleton.tree)
    functions = ForwardFunctions(equations, method, independent, order, not case.regular)
    penalties = np.full((len(case.J), 1), PENALTY * case.weight)
    _, a, lam, _ = functions.accelerations(
        q=case.q,
        v=case.v,
        tau=case.tau,
        s=np.zeros(len(case.driven)),
        s_rate=np.zeros(len(case.driven)),
        s_second=np.array(case.prescribed),
        basis=NOTHING if basis is None else basis,
        choice=case.choice if choosing else NOTHING,
        c=penalties if augmented else NOTHING if case.regular else np.array([[case.weight]]),
        p=equations.skeleton.parameter_values,
    )
    return Moved(a, lam)


def traced_inverse(known, method):
    """The same by the traced functions."""
    case = known.case
    motion = {"q": case.q, "v": case.v, "a": known.a, "p": case.skeleton.parameter_values}
    functions, joints = (
        InverseFunctions(case.equations),
        [j.name for j in case.skeleton.mechanism.connections],
    )
    independent = None if case.basis is None else case.rank
    if method == "traditional":
        spread = known.spread
        solve = functions.traced_traditional(known.B, None if spread is None else spread.shape[1])
        wrenches, tau = solve(**motion, known=known.known, spread=NOTHING if spread is None else spread)
    else:
        solve = functions.traced_solution(method, known.B, independent, known.blocks)
        basis = NOTHING if case.basis is None else case.basis
        choice = case.choice if method == "virtual_work" else NOTHING
        lam, tau = solve(**motion, known=known.known, basis=basis, choice=choice)
        forces = known.known + known.B @ tau
        (wrenches,) = ReactionFunctions(case.equations).reactions(**motion, lam=lam, tau=forces)
    return Loaded(tau, dict(zip(joints, wrenches.reshape(6, -1).T, strict=True)))


def judge_traced_forward(case):
    for method in METHODS:
        for what, apart in moves_apart(case, forward(case, method), traced_forward(case, method)):
            assert apart <= allowed_to(method, case), (method, what)


def judge_traced_inverse(known):
    for method in INVERSE:
        if method == "subsystem" and len(known.efforts) < known.case.motions.shape[1]:
            continue  # idle degrees of freedom: no subsystem is determinate
        limit = allowed(max(known.case.condition, known.condition))
        found, on_numbers = traced_inverse(known, method), inverse(known, method)
        reported = {
            joint: on_numbers.wrenches[joint] for joint in found.wrenches
        }  # not the closure of a split
        for what, apart in loads_apart(known, Loaded(on_numbers.tau, reported), found):
            assert apart <= limit, (method, what)


def driven(case):
    """The same case with the rates of its efforts prescribed."""
    known = known_motion(case, efforts_for(case))
    places = tuple(int(np.argmax(column)) for column in known.B.T)
    given = (known.known, case.plan, places, tuple(known.a[list(places)]))
    return Case(case.equations, case.q, case.v, *given)


@pytest.mark.parametrize("name", SAMPLE)
def test_forward_formulations_traced_are_those_on_numbers(name):
    case = zoo_cases(name)[0]
    assert case.regular == (name != "RSSR-revolutes")
    judge_traced_forward(case)


@pytest.mark.parametrize("name", ["scraper-K", "five-bar", "RSSR", "four-bar-space", "RSSR-revolutes"])
def test_forward_formulations_traced_with_prescribed_rates_are_those_on_numbers(name):
    judge_traced_forward(driven(zoo_cases(name)[0]))


@pytest.mark.parametrize("name", SAMPLE)
def test_inverse_formulations_traced_are_those_on_numbers(name):
    case = zoo_cases(name)[0]
    judge_traced_inverse(known_motion(case, efforts_for(case)))


@pytest.mark.slow
@settings(max_examples=6)
@given(closed_mechanisms(most_loops=2), st.integers(0, 8))
def test_random_formulations_traced_are_those_on_numbers(drawn, number):
    case = drawn_case(drawn, number, number)
    judge_traced_forward(case)
    judge_traced_inverse(known_motion(case, efforts_for(case)))


@pytest.mark.parametrize("mass", [2.0, 3.7])
def test_parameters_are_inputs_of_the_traced_functions(mass):
    """The four-bar with its coupler's mass left open, asked at a value, is the one built with that value."""
    bodies = [
        ml.rod("coupler", length=0.9, mass=mass) if body.name == "coupler" else body
        for body in built("four-bar").bodies
    ]
    tree, first = trees("four-bar", 1)[0], zoo_cases("four-bar")[0]
    plain = case_at(equations_of(built("four-bar").replace(bodies=bodies), tree), first.q, 7)
    left_open = built("four-bar-parameters").with_parameters({"coupler mass": mass})
    equations = equations_of(left_open, tree)
    assert equations.skeleton.parameter_names
    for method in METHODS:
        for what, apart in moves_apart(plain, plain.moved, traced_forward(plain, method, equations)):
            assert apart <= allowed_to(method, plain), (method, what)
