"""An expression without a finite value never acts as a force: an error reports it, inside any function of the
expression."""

from __future__ import annotations

import numpy as np
import pytest

import multiloop as ml
from multiloop.model.expressions.evaluation import may_be_undefined

UNDEFINED = ml.expr.sqrt(0.5 - ml.time)
"""It has no value after 0.5 s."""

HIDDEN = {
    "clip": ml.expr.clip(UNDEFINED, -1, 1),
    "maximum": ml.expr.maximum(UNDEFINED, 0.1),
    "minimum": ml.expr.minimum(0.1, UNDEFINED),
    "step": ml.expr.step(UNDEFINED - 0.1),
    "within a sum": 2 * ml.expr.maximum(0.3, ml.expr.clip(1 - UNDEFINED, 0, 1)) + 1,
}


def _arm(**parts):
    return ml.Mechanism(
        "arm",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(), ml.rod("arm", length=0.6, mass=2.0)],
        joints=[ml.Revolute("A", "ground.origin", "arm.a")],
        **parts,
    )


@pytest.mark.parametrize("expression", HIDDEN.values(), ids=list(HIDDEN))
@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_an_undefined_torque_is_an_error(expression, target):
    pushed = _arm(loads=[ml.Torque("T", "arm", expression)])
    assert ml.simulate(pushed, start={"A": 0.0}, until=0.4, target=target).status == "ok"
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(pushed, start={"A": 0.0}, until=1.0, target=target)
    assert caught.value.faults[0].code == "S07"
    with pytest.raises(ml.SolveError):
        ml.forward(pushed, {"A": 0.0}, t=0.7)
    driven = pushed.replace(drives=[ml.Motion("A", ml.time)])
    with pytest.raises(ml.SolveError):
        ml.inverse(driven, t=[0.0, 0.7])


@pytest.mark.parametrize(
    "actuator",
    [
        ml.Actuator("A", effort=UNDEFINED, limit=3.0),
        ml.Actuator("A", effort=5.0, limit=UNDEFINED),
        ml.Actuator("A", effort=5.0, limit=(-1.0, UNDEFINED)),
    ],
    ids=["effort", "limit", "one limit"],
)
def test_an_undefined_effort_or_limit_is_an_error(actuator):
    moved = _arm(actuators=[actuator])
    assert ml.forward(moved, {"A": 0.0}, t=0.1)["A"].effort[0] > 0
    with pytest.raises(ml.SolveError):
        ml.forward(moved, {"A": 0.0}, t=0.7)
    with pytest.raises(ml.SolveError):
        ml.simulate(moved, start={"A": 0.0}, until=1.0)


def test_an_undefined_limit_beside_a_drive_is_an_error_that_names_it():
    limited = _arm(actuators=[ml.Actuator("A", limit=UNDEFINED)], drives=[ml.Motion("A", ml.time)])
    with pytest.raises(ml.SolveError) as caught:
        ml.inverse(limited, t=[0.0, 0.7])
    assert (caught.value.faults[0].code, caught.value.faults[0].where) == ("S03", "limit of 'A'")


def test_a_design_with_an_undefined_torque_fails_alone():
    torque = ml.Torque("T", "arm", ml.expr.clip(ml.expr.sqrt(ml.Parameter("p", 0.5) - ml.time), -1, 1))
    designs = ml.batch(
        _arm(loads=[torque], drives=[ml.Motion("A", ml.time)]), {"p": np.array([0.5, 2.0])}, t=[0.0, 0.7]
    )
    assert designs.ok.tolist() == [False, True]


@pytest.mark.parametrize("torque", [ml.expr.sqrt(ml.position("A")), ml.expr.sqrt(abs(ml.position("A")))])
def test_infinite_derivatives_are_an_error_of_equilibrium_and_linearisation(torque):
    sprung = _arm(loads=[ml.Torque("T", "arm", torque), ml.JointSpring("s", "A", stiffness=30.0)])
    for function in (ml.linearise, ml.eigenmodes):
        with pytest.raises(ml.SolveError) as caught:
            function(sprung, ml.assemble(sprung, {"A": 0.0}))
        assert caught.value.faults[0].code == "E01"
    with pytest.raises(ml.SolveError) as caught:
        ml.equilibrium(sprung, start={"A": 0.0})
    assert caught.value.faults[0].code == "E01"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (ml.expr.sqrt(ml.time), True),
        (1 / ml.time, True),
        (ml.time / 2, False),
        (ml.time**2, False),
        (ml.time**0.5, True),
        (ml.expr.sin(ml.time) * ml.position("A"), False),
        (3.0, False),
    ],
)
def test_which_expressions_may_be_undefined(expression, expected):
    assert may_be_undefined(expression) is expected


@pytest.mark.parametrize("stiction", ["smooth", "exact"])
def test_friction_with_a_negative_limit_is_reported(stiction):
    """From t = 0.5 s on a limit of 0.5 − t would accelerate the motion."""
    braked = _arm(loads=[ml.Friction("f", "A", effort=0.5 - ml.time, stiction=stiction)])
    run = ml.simulate(braked, start={"A": 0.0}, rates={"A": 2.0}, until=1.0)
    (warning,) = run.warnings
    assert (warning.code, warning.place, warning.unit) == ("W53", "f", "N m")
    assert (warning.value, warning.time) == (pytest.approx(-0.5), pytest.approx(0.5, abs=0.02))
    assert ml.simulate(braked, start={"A": 0.0}, rates={"A": 2.0}, until=0.4).status == "ok"


@pytest.mark.parametrize("limit", [0.5 - ml.time, (ml.time - 0.5, 0.5 - ml.time)], ids=["one", "two"])
def test_limits_of_an_actuator_that_exclude_each_other_are_reported(limit):
    moved = _arm(actuators=[ml.Actuator("A", effort=5.0, limit=limit)])
    late, at = ml.simulate(moved, start={"A": 0.0}, until=1.0), ml.forward(moved, {"A": 0.0}, t=0.7)
    assert all(("W52", "A") in [(one.code, one.place) for one in run.warnings] for run in (late, at))
    early = ml.simulate(moved, start={"A": 0.0}, until=0.4)
    assert "W52" not in [one.code for one in early.warnings]
