"""Efforts of a controller together with given efforts, actuators, drives and limits."""

import numpy as np
import pytest
from laws.closed_positions import built
from zoo.plain import pinned_body

import multiloop as ml


def wheel(*actuators, drives=()):
    """A wheel of 0.5 kg m² without weight; its angle after 1 s is the steady moment."""
    return pinned_body(
        ml.Body("rim", mass=2.0, inertia=0.5),
        name="wheel",
        gravity=(0, 0),
        actuators=actuators,
        drives=drives,
    )


def turned(mechanism, **asked):
    """The constant moment at A, from the angle after 1 s."""
    run = ml.simulate(mechanism, start={"A": 0.0}, until=1.0, samples=2, **asked)
    return float(run["A"].position[-1])


def two(t, q, v):
    return {"A": 2.0}


def test_a_controller_stands_in_place_of_an_actuators_own_effort():
    assert turned(wheel(ml.Actuator("A", effort=5.0)), control=two) == pytest.approx(2.0, rel=1e-9)


def test_a_controller_is_held_to_the_limit_of_its_actuator():
    assert turned(wheel(ml.Actuator("A", limit=1.5)), control=two) == pytest.approx(1.5, rel=1e-9)


def test_control_and_efforts_at_one_joint_are_refused(texts):
    with pytest.raises(ml.SolveError) as caught:
        turned(wheel(), control=two, efforts={"A": 5.0})
    texts.fault(caught.value, "S03", "'A'", "`efforts`")


def test_control_of_a_driven_joint_is_refused(texts):
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(wheel(drives=[ml.Motion("A", ml.time)]), until=1.0, control=two)
    texts.fault(caught.value, "S03", "'A'")


def test_a_controller_that_returns_two_efforts_for_one_joint_is_refused(texts):
    with pytest.raises(ml.SolveError) as caught:
        turned(wheel(), control=lambda t, q, v: {"A": 1.0, "A.angle": 2.0})
    texts.fault(caught.value, "S03", "'A.angle'", "'A'")


def test_a_limit_that_is_a_parameter_is_every_designs_own():
    mechanism = wheel(ml.Actuator("A", effort=3.0, limit=ml.Parameter("most", 1.0)))
    runs = ml.simulate(
        mechanism, start={"A": 0.0}, until=1.0, samples=2, parameters={"most": np.array([0.5, 1.0, 5.0])}
    )
    assert runs.position("A")[:, -1] == pytest.approx([0.5, 1.0, 3.0], rel=1e-9)


def test_samples_before_time_zero_are_taken():
    mechanism = wheel()
    begun = ml.assemble(mechanism, {"A": 0.0}, t=-1.0)
    run = ml.simulate(mechanism, start=begun, until=0.5, control=two, sample=0.1, samples=3)
    assert run.time[[0, -1]] == pytest.approx([-1.0, 0.5])
    assert float(run["A"].position[-1]) == pytest.approx(2.0 * 1.5**2, rel=1e-9)


def test_the_efforts_of_two_results_are_not_taken_for_one_another():
    """The implicit method has them in its kernels, which are cached by their keys."""
    mechanism = wheel()
    found = []
    for size in (1.0, 3.0):
        driven = mechanism.replace(drives=[ml.Motion("A", size * ml.time**2)])
        needed = ml.inverse(driven, t=np.linspace(0, 1, 11))
        found.append(turned(mechanism, efforts={"A": needed}, integrator="implicit", rtol=1e-6))
    assert found == pytest.approx([1.0, 3.0], rel=1e-9)


@pytest.mark.parametrize("integrator", ["dop853", "implicit"])
def test_a_table_of_a_coordinate_has_no_value_beyond_its_points(integrator):
    effort = ml.table([0.0, 0.5], [1.0, 1.0], of=ml.position("A"), kind="linear")
    for target in ("c", "interpreter") if integrator == "dop853" else ("c",):
        with pytest.raises(ml.SolveError, match=r"\[S0[37]\]"):
            turned(wheel(), efforts={"A": effort}, integrator=integrator, rtol=1e-6, target=target)


def test_a_table_of_time_must_cover_a_stiff_run_too(texts):
    effort = ml.table([0.0, 0.5], [1.0, 1.0], kind="linear")
    with pytest.raises(ml.SolveError) as caught:
        turned(wheel(), efforts={"A": effort}, integrator="implicit", rtol=1e-6)
    texts.fault(caught.value, "S03", "0", "0.5")


@pytest.mark.parametrize("answer", ["x", None, float("nan"), [1.0], True])
def test_a_controller_that_returns_no_number_is_named(answer, texts):
    with pytest.raises(ml.SolveError) as caught:
        turned(wheel(), control=lambda t, q, v: {"A": answer})
    texts.fault(caught.value, "S03", "'A'")


def test_invalid_sample_times_are_refused(texts):
    run = ml.simulate(wheel(), start={"A": 0.0}, until=1.0, samples=2)
    with pytest.raises(ml.SolveError) as caught:
        run.at("x")
    texts.fault(caught.value, "R02", "'x'")
    for until in (True, "1"):
        with pytest.raises(ml.SolveError) as caught:
            ml.simulate(wheel(), start={"A": 0.0}, until=until)
        texts.fault(caught.value, "S09")
    for t in ("0.1", True, [True]):
        with pytest.raises(ml.SolveError) as caught:
            ml.inverse(wheel(drives=[ml.Motion("A", ml.time)]), t=t)
        texts.fault(caught.value, "S02")


def test_a_controller_sees_joints_that_are_cut():
    """A moment that depends on a cut joint equals that of an expression with the loop cut elsewhere."""
    free = built("four-bar").without_drives()
    asked = {"start": {"A": 1.0}, "until": 0.5, "samples": 2, "rtol": 1e-9, "cuts": ["D"]}
    seen = ml.simulate(free, control=lambda t, q, v: {"A": -0.3 * v["D"] + 0.1 * q["D"]}, **asked)
    effort = -0.3 * ml.rate("D") + 0.1 * ml.position("D")
    exact = ml.simulate(free, efforts={"A": effort}, **(asked | {"cuts": ["C"]}))
    assert seen["A"].position[-1] == pytest.approx(exact["A"].position[-1], abs=1e-7)


def test_a_controller_that_reads_an_unknown_joint_is_an_error(texts):
    with pytest.raises(ml.UnknownNameError) as caught:
        turned(wheel(), control=lambda t, q, v: {"A": q["B"]})
    texts.fault(caught.value, "R01", "'B'")
