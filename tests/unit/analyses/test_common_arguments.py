"""Do `start`, `state`, `parameters` and `samples` have the same meaning in all functions?"""

import inspect

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml
from multiloop.model.deprecation import MultiloopDeprecationWarning

L = ml.Parameter("L", 0.9)


def four_bar(**changes):
    """The four-bar of the test models with a coupler of variable length and a spring that supports it."""
    described = ZOO["four-bar"].build()
    bodies = [
        ml.rod("coupler", length=L, mass=2.0) if one.name == "coupler" else one for one in described.bodies
    ]
    return described.replace(
        **{
            "bodies": bodies,
            "drives": (),
            "loads": [ml.JointSpring("spring", "A", stiffness=40.0, rest=1.0)],
            "guess": {"A": 1.0, "rocker.b": (0.8, 0.7)},
        }
        | changes
    )


FREE = four_bar()
DRIVEN = four_bar(drives=[ml.Motion("A", ml.motion_laws.constant_speed(2.0, start=0.8))])
REST = ml.equilibrium(FREE)
TIMES = [0.0, 0.05, 0.1]

STATE = {
    "forward": lambda m, at, **more: ml.forward(m, at, **more)["A"].acceleration,
    "linearise": lambda m, at, **more: ml.linearise(m, at, **more).A,
    "eigenmodes": lambda m, at, **more: ml.eigenmodes(m, at, **more).frequencies,
    "constraint_map": lambda m, at, **more: ml.constraint_map(m, at, independent=["A"], **more).C,
    "inverse": lambda m, at, **more: ml.inverse(m, state=at, accelerations={"A": 1.0}, **more)["A"].effort,
}
"""Functions with a `state`, each with a number that depends on it."""

START = {
    "assemble": lambda m, at, **more: ml.assemble(m, at, **more).positions["D"],
    "branches": lambda m, at, **more: [one.positions["D"] for one in ml.branches(m, at, **more)],
    "analyse": lambda m, at, **more: ml.analyse(m, start=at, **more).assembly.coordinates()["D"],
    "compile": lambda m, at, **more: ml.compile(m, start=at, **more).q,
    "simulate": lambda m, at, **more: ml.simulate(m, start=at, until=0.1, samples=3, **more)["D"].position,
    "equilibrium": lambda m, at, **more: ml.equilibrium(m, start=at, **more).state.positions["D"],
}
"""Functions with a `start` for a mechanism without drives."""

DRIVES = {
    "inverse": lambda m, at, **more: ml.inverse(m, start=at, t=TIMES, **more)["A"].effort,
    "batch": lambda m, at: ml.batch(m, {"L": np.array([0.9, 0.91])}, start=at, t=TIMES).peak_effort["A"],
}
"""Functions with a `start` along drives."""

SEARCHING = ("analyse", "assemble", "branches", "compile", "equilibrium", "periodic")
FUNCTIONS = (*SEARCHING, *STATE, "batch", "simulate")

ONE_DESIGN = ("assemble", "branches", "analyse", "compile", "forward", "constraint_map")


@pytest.mark.parametrize("kind", ["State", "Equilibrium"])
@pytest.mark.parametrize("name", [*STATE, *START])
def test_a_mapping_a_state_and_an_equilibrium_are_the_same(name, kind):
    """The rates of an equilibrium are zero, so that they may be left out."""
    ask = {**STATE, **START}[name]
    given = {"State": REST.state, "Equilibrium": REST}[kind]
    assert ask(FREE, given) == pytest.approx(np.array(ask(FREE, dict(REST.state.positions))), abs=1e-9)


@pytest.mark.parametrize("name", DRIVES)
def test_a_state_begins_a_prescribed_motion(name):
    begun = ml.assemble(DRIVEN)
    assert DRIVES[name](DRIVEN, begun) == pytest.approx(DRIVES[name](DRIVEN, dict(begun.positions)), abs=1e-9)


def test_a_state_selects_the_assembly_mode_of_a_prescribed_motion():
    one, other = ml.branches(DRIVEN)
    assert ml.inverse(DRIVEN, start=one, t=TIMES)["D"].position[0] == pytest.approx(one["D"].position)
    assert ml.inverse(DRIVEN, start=other, t=TIMES)["D"].position[0] == pytest.approx(other["D"].position)
    assert abs(one["D"].position - other["D"].position) > 0.1


def test_the_time_and_the_rates_of_a_state_are_used():
    later = ml.assemble(DRIVEN, t=0.3)
    for again in (ml.assemble(DRIVEN, later), ml.branches(DRIVEN, later)[0]):
        assert again.time == 0.3
        assert again["D"].position == pytest.approx(later["D"].position)
    assert ml.analyse(DRIVEN, start=later).assembly.coordinates()["A"] == pytest.approx(later["A"].position)
    moving = ml.simulate(FREE, start={"A": 1.0}, rates={"A": 2.0}, until=0.1, samples=3).final
    assert ml.assemble(FREE, moving)["D"].rate == pytest.approx(moving["D"].rate)
    assert ml.assemble(FREE, moving, rates={"A": 0.0})["D"].rate == pytest.approx(0.0)


def test_the_instant_of_a_state_is_that_of_an_equilibrium_search():
    pushed = four_bar(loads=[*FREE.loads, ml.Torque("push", "crank", 3.0 * ml.time)])
    later = ml.assemble(pushed, dict(REST.state.positions), t=1.0)
    found = ml.equilibrium(pushed, start=later)
    assert found.state.time == 1.0
    assert found.state["A"].position == pytest.approx(
        ml.equilibrium(pushed, start=dict(later.positions), t=1.0).state["A"].position
    )
    assert abs(found.state["A"].position - REST.state["A"].position) > 1e-2


@pytest.mark.parametrize("name", ONE_DESIGN)
def test_parameters_are_those_of_another_design(name):
    ask, longer = {**START, **STATE}[name], {"L": 0.95}
    given = ask(FREE, {"A": 1.0}, parameters=longer)
    assert given == pytest.approx(np.array(ask(FREE.with_parameters(longer), {"A": 1.0})), abs=1e-12)
    assert np.abs(np.array(given) - np.array(ask(FREE, {"A": 1.0}))).max() > 1e-4


@pytest.mark.parametrize("name", ONE_DESIGN)
@pytest.mark.parametrize("given", [{"LL": 0.9}, {"L": np.array([0.9, 1.0])}, {"L": "long"}])
def test_invalid_parameters_are_reported(name, given):
    with pytest.raises(ml.SolveError) as caught:
        {**START, **STATE}[name](FREE, {"A": 1.0}, parameters=given)
    (fault,) = caught.value.faults
    where = "parameters" if isinstance(given.get("L"), np.ndarray) else f"parameter '{next(iter(given))}'"
    assert (fault.code, fault.where) == ("S10", where)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_the_common_arguments(name):
    arguments = inspect.signature(getattr(ml, name)).parameters
    assert "parameters" in arguments
    common = [arguments[role] for role in ("start", "state") if role in arguments]
    assert common
    for one in common:
        assert one.annotation in ("StateValues | None", "StateValues | str | None")
        sentence = {
            "start": f"where the {'search' if name in SEARCHING else 'motion'} begins",
            "state": "at which the function is evaluated",
        }[one.name]
        words = " ".join(getattr(ml, name).__doc__.split())
        prescribing = name in ("assemble", "branches")  # their start prescribes the position
        assert ("`start` is a mapping" if prescribing else f"`{one.name}`, {sentence},") in words
        assert "a mapping from joints to coordinates, a State" in words


def test_the_number_of_samples_by_its_earlier_name():
    for earlier in (4, [0.0, 0.02, 0.1]):
        with pytest.warns(MultiloopDeprecationWarning, match="'samples'"):
            old = ml.simulate(FREE, start=REST, until=0.1, outputs=earlier)
        assert np.array_equal(old.time, ml.simulate(FREE, start=REST, until=0.1, samples=earlier).time)
    shaken = four_bar(loads=[*FREE.loads, ml.JointSpring("damper", "A", stiffness=0.0, damping=2.0)])
    push = {"A": 0.2 * ml.expr.sin(9.0 * ml.time)}
    with pytest.warns(MultiloopDeprecationWarning, match="'samples'"):
        cycle = ml.periodic(shaken, start=REST, efforts=push, outputs=7)
    assert len(cycle.result.time) == 7


def test_samples_by_both_names_are_refused():
    with pytest.raises(TypeError, match="'outputs'"):
        ml.simulate(FREE, start=REST, until=0.1, outputs=3, samples=3)


def test_a_state_of_another_mechanism_is_refused():
    other = ml.assemble(ZOO["RSSR"].build())
    with pytest.raises(ml.MultiloopError):
        ml.assemble(FREE, other)
