"""A user-defined action with a state variable works in every formulation without a change in the package."""

from dataclasses import dataclass, replace

import casadi as ca
import numpy as np
import pytest
from laws.agreement import Tally, judge_forward, judge_inverse
from laws.bristle import Bristle, BristleAction
from laws.formulation_cases import case_at, efforts_for, known_motion
from zoo.four_bars import four_bar as plain_four_bar

import multiloop as ml
from multiloop.analyses.signals.signals import identifying_keys
from multiloop.dynamics.actions import (
    ACTIONS,
    MarkerWrench,
    actions_of,
    applied_wrenches,
    needs_time,
    state_rates,
)
from multiloop.dynamics.outputs import ReactionFunctions, recorded_outputs_of
from multiloop.dynamics.outputs.energy import potential_energy
from multiloop.kinematics import Snapshot, equations_of
from multiloop.kinematics.assembly import find_assembly_modes
from multiloop.model import LOADS
from multiloop.plan import plan_at
from multiloop.symbols import Traced
from multiloop.topology import graph_of, tree_of


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setitem(LOADS, "Bristle", Bristle)
    monkeypatch.setitem(ACTIONS, Bristle, BristleAction)


def four_bar():
    """The four-bar of the first page with a bristle and a spring."""
    return replace(
        plain_four_bar(),
        drives=(ml.Motion("A", ml.motion_laws.constant_speed(4.0, start=0.4)),),
        loads=(
            Bristle("rub", "coupler.com", "rocker.a", stiffness=300.0, yields=0.02, damping=1.5),
            ml.Spring("return", "crank.b", "rocker.com", stiffness=50.0, length=0.4),
        ),
        guess={"rocker.b": (0.9, 0.75)},
    )


def bent(z=0.013):
    """A case with a deflected bristle."""
    mechanism = four_bar()
    assembly = find_assembly_modes(mechanism)[0]
    tree = tree_of(mechanism)
    equations = equations_of(mechanism, tree)
    case = case_at(equations, assembly.coordinates_on(equations), 7, plan_at(assembly, tree.cuts))
    at = Snapshot(equations.skeleton, ca.DM(case.q), ca.DM(case.v), 0.0, ca.DM([z]))
    case.__dict__["at"] = at
    return case


def test_its_state_is_one_of_the_mechanism():
    skeleton = bent().skeleton
    assert skeleton.states == ("rub.bend",)
    assert skeleton.initial_states(np.zeros(0)) == pytest.approx([0.0])
    assert not needs_time(skeleton)
    assert graph_of(four_bar())


def test_it_goes_through_files_by_its_name():
    mechanism = four_bar()
    assert ml.from_text(ml.to_text(mechanism)) == mechanism
    assert '"kind":"Bristle"' in ml.to_text(mechanism)


def test_all_formulations_agree_on_it():
    case = bent()
    judge_forward(case, Tally())
    judge_inverse(known_motion(case, efforts_for(case)), Tally())


def test_its_power_is_what_its_potential_loses_and_what_it_dissipates():
    """Σ wᵀ t = −V̇ + power, where V depends on its state too."""
    case = bent()
    alone = four_bar().replace(loads=four_bar().loads[:1])
    at = equations_of(alone, case.skeleton.tree)
    (action,) = actions_of(at.skeleton)
    given = sum(ca.dot(w, at.body_twists[k].column) for k, w in applied_wrenches(at).items() if k >= 0)
    V = ca.SX(action.potential(at))
    V_rate = ca.jtimes(V, at.q, at.q_rate) + ca.jtimes(V, at.x, state_rates(at))
    inputs = {"q": at.q, "v": at.v, "x": at.x, "p": at.skeleton.parameter_symbols}
    outputs = {"missing": given + V_rate - action.power(at), "given": given}
    missing, size = Traced("power", inputs, outputs)(q=case.q, v=30 * case.v, x=[0.013], p=np.zeros(0))
    assert abs(size[0]) > 1e-3
    assert abs(missing[0]) < 1e-12


def test_traced_functions_have_its_state_and_its_outputs_are_reported():
    case = bent()
    eq = case.equations
    recorded = recorded_outputs_of(eq)
    assert "x" in recorded.traced.inputs
    lam = np.zeros((eq.loop_constraints.count, 1))
    motion = {"q": case.q[:, None], "v": case.v[:, None], "a": case.v[:, None], "tau": case.tau[:, None]}
    columns = motion | {"lam": lam, "x": np.array([[0.013]]), "p": np.zeros(0)}
    values = recorded.by_owner(recorded.evaluate(columns, 1)["values"])
    assert values["rub"]["bend"] == pytest.approx(0.013)
    assert ReactionFunctions(eq).load_output_sizes["rub"] == {"bend": 1, "force": 1, "energy": 1, "power": 1}
    still = Snapshot(eq.skeleton, ca.DM(case.q), ca.DM(case.v), 0.0, ca.DM([0.0]))
    more = float(potential_energy(case.at)) - float(potential_energy(still))
    assert more == pytest.approx(300 * 0.013**2 / 2)


def test_inverse_dynamics_takes_its_state_at_the_start():
    result = ml.inverse(four_bar(), t=[0.0, 0.1])
    assert result["rub"].bend == pytest.approx([0.0, 0.0])
    # one-sided
    assert result["rub"].force == pytest.approx(1.5 * _rate(result, "coupler.com", "rocker.a"), rel=1e-4)


def _rate(result, first, second):
    """The rate of the distance of two markers, by differences of a neighbouring result."""
    h = 1e-5
    near = [
        ml.inverse(result.mechanism, t=[t + s * h for s in (-1, 1)] if t else [0.0, h]) for t in result.time
    ]
    spans = [np.linalg.norm(r.marker(second) - r.marker(first), axis=1) for r in near]
    return np.array([(s[1] - s[0]) / (n.time[1] - n.time[0]) for s, n in zip(spans, near, strict=True)])


def test_an_action_on_undeclared_markers_is_refused(texts):
    @dataclass(frozen=True)
    class Stray(BristleAction):
        def wrenches(self, at):
            return (MarkerWrench("crank.com", ca.DM(6, 1)),)

    case = bent()
    ACTIONS[Bristle] = Stray
    case.at.cache.pop("applied_wrenches", None)
    with pytest.raises(ml.ModelError) as caught:
        applied_wrenches(case.at)
    texts.fault(caught.value, "M18", "load 'rub'", "'crank'")


def test_kernels_of_kinds_from_outside_are_never_taken_from_notes():
    """Their source may change without any change of the description."""
    foreign, own = bent().skeleton, equations_of(four_bar().replace(loads=()), tree_of(four_bar())).skeleton
    assert identifying_keys(foreign, "rate", "…") == ()
    assert identifying_keys(own, "rate", "…") == ("rate", "…")
