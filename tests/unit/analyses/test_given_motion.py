"""Inverse dynamics of a state with its accelerations: accepted arguments, and contradictions."""

from dataclasses import replace

import numpy as np
import pytest
from laws.closed_positions import built
from zoo.plain import pinned_body

import multiloop as ml

FREE = built("four-bar").without_drives()
STATE = ml.assemble(FREE, {"A": 1.0}, rates={"A": 2.0})


def refusal(mechanism=FREE, **asked):
    with pytest.raises(ml.MultiloopError) as caught:
        ml.inverse(mechanism, **({"state": STATE} | asked))
    (fault,) = caught.value.faults
    return str(fault)


def test_a_pendulum():
    """τ = m L²/3 α + m g L/2 cos q."""
    pendulum = pinned_body(ml.rod("rod", length=0.6, mass=2.0), name="pendulum")
    found = ml.inverse(pendulum, state={"A": 0.4}, rates={"A": 3.0}, accelerations={"A": 5.0})
    expected = 2.0 * 0.36 / 3 * 5.0 + 2.0 * 9.81 * 0.3 * np.cos(0.4)
    assert found["A"].effort == pytest.approx([expected])
    assert found.acceleration("rod.b")[0] @ found.velocity("rod.b")[0] == pytest.approx(0.36 * 5.0 * 3.0)


def test_accelerations_of_another_joint_or_of_a_marker_are_as_good():
    """Loops and rates determine all others from one; the effort stays at the motor."""
    driven = built("four-bar")
    at = ml.inverse(driven, state=STATE, accelerations={"A": 5.0})
    by_rocker = ml.inverse(driven, state=STATE, accelerations={"D": at["D"].acceleration[0]})
    by_cut = ml.inverse(driven, state=STATE, accelerations={"B": at["B"].acceleration[0]}, cuts=["B"])
    x = at.acceleration("coupler.b")[0, 0]
    by_marker = ml.inverse(driven, state=STATE, accelerations={"coupler.b": (x, None)})
    for other in (by_rocker, by_cut, by_marker):
        assert other["A"].acceleration == pytest.approx([5.0])
        assert other["A"].effort == pytest.approx(at["A"].effort)
        assert other["D"].effort[0] == 0.0


def test_without_motors_the_efforts_act_where_accelerations_are_given():
    found = ml.inverse(FREE, state=STATE, accelerations={"D": 3.0})
    assert found["D"].effort[0] != 0.0
    assert found["A"].effort[0] == 0.0


def test_all_accelerations_may_be_given_if_they_agree():
    at = ml.inverse(built("four-bar"), state=STATE, accelerations={"A": 5.0})
    every = {name: at[name].acceleration[0] for name in at}
    again = ml.inverse(built("four-bar"), state=STATE, accelerations=every)
    assert again["A"].effort == pytest.approx(at["A"].effort)


def test_integrals_have_the_values_of_the_state():
    held = FREE.replace(
        integrals=[ml.Integral("error", ml.position("A"), start=0.5)],
        actuators=[ml.Actuator("A"), ml.Actuator("D", effort=10.0 * ml.integral("error"))],
    )
    found = ml.inverse(held, state=ml.assemble(held, {"A": 1.0}), accelerations={"A": 0.0})
    assert found["D"].effort == pytest.approx([5.0])
    later = ml.simulate(
        held.replace(actuators=held.actuators[1:]), until=0.2, start={"A": 1.0}, samples=3
    ).final
    found = ml.inverse(held, state=later, accelerations={"A": 0.0})
    assert found["D"].effort == pytest.approx([10.0 * later.integrals["error"]])


def test_what_contradicts_is_named(texts):
    texts(refusal(accelerations={"A": 5.0, "D": 50.0}), "[S15]", "'D'", "50")


def test_too_few_are_named(texts):
    texts(refusal(accelerations={}), "[S01]", "1", "0")
    text = refusal(built("four-bar"), accelerations=None)
    texts(text, "[S15]", "1")


def test_rates_that_contradict_the_loops():
    assert "[K05]" in refusal(state={"A": 1.0}, rates={"A": 2.0, "D": 50.0}, accelerations={"A": 5.0})
    crooked = replace(STATE, rates=dict(STATE.rates) | {"D": (50.0,)})
    assert "[K05]" in refusal(state=crooked, accelerations={"A": 5.0})


def test_names_and_counts_of_accelerations(texts):
    texts(refusal(accelerations={"X": 1.0}), "[K07]", "'X'")
    texts(refusal(accelerations={"A": (1.0, 2.0)}), "[K08]", "'A'", "2", "1")


@pytest.mark.parametrize("given", [{"cycle": 5}, {"turns": 2}, {"start": {"A": 0.0}}, {"exact": True}])
def test_one_state_is_one_instant(given, texts):
    (name,) = given
    texts(refusal(accelerations={"A": 1.0}, **given), f"[S02] {name}:")


def test_what_belongs_together(texts):
    texts(refusal(state=None, accelerations={"A": 1.0}), "[S02]")
    texts(refusal(accelerations={"A": 1.0}, t=[0.0, 1.0]), "[S02] t:", "[0.0, 1.0]")
    texts(
        refusal(
            built("four-bar-parameters"), parameters={"base": np.array([1.0, 1.1])}, accelerations={"A": 1.0}
        ),
        "[S10]",
        "`state`",
    )


def test_flexible_links_are_refused():
    beam = ml.uniform_beam("beam", length=0.5, mass=1.0, EI=20.0, modes=1, frame="a")
    arm = pinned_body(beam)
    assert "[S14]" in refusal(arm, state={"A": 0.0}, accelerations={"A": 1.0})


@pytest.mark.parametrize("angle", [1.0, 1e-2, 1e-3, 1e-4])
def test_a_nearly_singular_position_is_reported(angle):
    """A four-bar near its change point: the stated error is within a factor of 100 of the true one."""
    links = [
        ml.rod("crank", length=0.3, mass=1.0),
        ml.rod("coupler", length=0.9, mass=2.0),
        ml.rod("rocker", length=0.8, mass=1.0),
    ]
    free = ml.examples.four_bar().replace(
        bodies=[ml.ground(A=(0, 0), D=(0.4, 0)), *links], drives=[], guess={}
    )
    guess = ml.branches(free, {"A": angle})[0].positions
    given = ml.inverse(free, state={"A": angle}, rates={"A": 1.0}, accelerations={"A": 0.0}, guess=guess)
    driven = ml.inverse(free.replace(drives=[ml.Motion("A", angle + ml.time)]), t=[0.0], guess=guess)
    off = abs(given["A"].effort[0] / driven["A"].effort[0] - 1)
    assert [warning.code for warning in given.warnings] == ([] if angle == 1.0 else ["W42"])
    assert off <= (given.warnings[0].value if given.warnings else 1e-12)
