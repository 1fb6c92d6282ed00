"""Statements of `inverse` on the motors' limits and on singular positions, and its errors."""

import numpy as np
import pytest
from laws.closed_positions import built
from zoo.plain import crank_slider, lift

import multiloop as ml
from multiloop.kinematics.continuation import drive_continuation


def refused(ask, **options):
    with pytest.raises(ml.SolveError) as caught:
        ask(**options)
    (fault,) = caught.value.faults
    return fault


# limits -----------------------------------------------------------------------------------------------


def limited_lift(angle, slide):
    """A table that rotates about and slides along one vertical axis, and needs 2 N m and 30.33 N at 0.5 s."""
    return lift(
        drives=[ml.Motion("C", angle=2 * ml.time**2, slide=0.1 * ml.time**3)],
        actuators=[ml.Actuator("C", "angle", limit=angle), ml.Actuator("C", "slide", limit=slide)],
    )


def test_limits_are_compared_coordinate_by_coordinate(texts):
    assert ml.inverse(limited_lift(3.0, 100.0), t=0.5).status == "ok"
    texts.warnings(ml.inverse(limited_lift(1.0, 100.0), t=0.5), ("W50", "C.angle", "2 N m", "1 N m"))
    both = ml.inverse(limited_lift(1.0, 20.0), t=0.5)
    texts.warnings(both, ("W50", "C.angle", "2 N m", "1 N m"), ("W50", "C.slide", "30.33 N", "20 N"))
    assert both.status in repr(both)
    assert str(both.extremes()).endswith(f"\nStatus: {both.status}.")


def test_an_effort_is_read_by_joint_and_component(texts):
    result = ml.inverse(limited_lift(3.0, 100.0), t=[0.0, 0.5])
    assert result.effort_along("C.slide") == pytest.approx(result["C"].effort[:, 1], abs=0)
    assert result.effort_along("C.angle") == pytest.approx([2.0, 2.0])
    four_bar = ml.inverse(built("four-bar"), t=0.1)
    assert four_bar.effort_along("A") == pytest.approx(four_bar.effort_along("A.angle"), abs=0)
    for name, others in (("C", "C.angle, C.slide"), ("C.slid", "'C.slide'")):
        with pytest.raises(ml.UnknownNameError) as caught:
            result.effort_along(name)
        texts.fault(caught.value, "R01", f"'{name}'", others)


# undriven degrees of freedom -------------------------------------------------------------------------


def half_driven(**options):
    """A five-bar whose second crank moves freely."""
    mechanism = built("five-bar")
    asked = {"t": [0.0, 0.01], "start": {"E": 1.0}} | options
    return ml.inverse(mechanism.replace(drives=mechanism.drives[:1]), **asked)


def test_they_move_as_in_a_simulation():
    mechanism = built("five-bar")
    result = half_driven(rates={"E": 0.5})
    free = mechanism.replace(drives=mechanism.drives[:1])
    run = ml.simulate(free, until=0.01, start={"E": 1.0}, rates={"E": 0.5}, samples=[0.0, 0.01])
    assert result["E"].position == pytest.approx(run["E"].position, abs=1e-12)
    assert result["A"].effort == pytest.approx(run["A"].effort, abs=1e-9)


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"method": "traditional"}, "method 'traditional'"),
        ({"weights": {"A": 2.0}}, "weights"),
        ({"t": [0.02, 0.01]}, "t"),
        ({"t": [-0.01, 0.01]}, "t"),
        ({"t": [0.0, 0.01, 0.01]}, "t"),
    ],
)
def test_unsupported_options_for_free_coordinates_are_refused(options, where):
    fault = refused(half_driven, **options)
    assert (fault.code, fault.where) == ("S02", where)


def test_the_remedy_fits_what_was_asked(texts):
    texts(refused(half_driven, start=None).remedy, "start")
    texts(refused(half_driven, exact=True).remedy, "`exact`")


def test_rates_of_a_motion_that_is_driven_throughout_are_refused():
    fault = refused(ml.inverse, mechanism=built("five-bar"), t=0.0, rates={"E": 0.5})
    assert (fault.code, fault.where) == ("S02", "rates")


# weights and times ------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", [0.0, -1.0, float("nan"), float("inf"), "much", None])
def test_weights_are_positive(weight):
    mechanism = built("four-bar").replace(actuators=[ml.Actuator("A"), ml.Actuator("D")])
    fault = refused(ml.inverse, mechanism=mechanism, t=0.0, weights={"D": weight})
    assert (fault.code, fault.where) == ("S09", "weight of 'D'")


def test_a_weight_may_name_a_coordinate():
    mechanism = built("four-bar").replace(actuators=[ml.Actuator("A"), ml.Actuator("D")])
    one, other = (ml.inverse(mechanism, t=0.3, weights={name: 3.0}) for name in ("D", "D.angle"))
    assert other["D"].effort == pytest.approx(one["D"].effort, abs=0)


@pytest.mark.parametrize(
    ("t", "what"),
    [
        ([[0.0, 0.1], [0.2, 0.3]], "(2, 2)"),
        ("soon", "'soon'"),
        ([], "[]"),
        (float("nan"), "nan"),
        ([[0.0], [0.1, 0.2]], "[[0.0], [0.1, 0.2]]"),
    ],
)
def test_invalid_times_are_refused(t, what, texts):
    fault = refused(ml.inverse, mechanism=built("four-bar"), t=t)
    texts(fault, "[S02] t:", what)


def test_a_number_for_a_speed_is_reported_with_the_correct_form(texts):
    still = built("four-bar").replace(drives=[ml.Motion("A", 4.7)])
    fault = refused(ml.inverse, mechanism=still, cycle=5)
    texts(fault, "[S02]", "t=", "constant_speed(4.7)")


# singular positions -----------------------------------------------------------------------------------


def slider_crank(gravity):
    """Crank and rod of equal length: with a vertical crank the piston is at the pivot and may stay there."""
    return crank_slider(
        ml.rod("crank", length=0.3, mass=1.0),
        ml.rod("rod", length=0.3, mass=1.0),
        ml.Body("piston", mass=2.0),
        "slider-crank",
        pins=("O", "P", "W", "guide"),
        gravity=gravity,
        drives=[ml.Motion("O", ml.motion_laws.constant_speed(2.2, start=0.001))],
        guess={"guide": 0.6},
    )


def test_unbounded_loads_are_reported_in_one_line(texts):
    """Gravity along the guide acts on the piston in a direction in which the rod cannot support it."""
    result = ml.inverse(slider_crank((3.0, -9.81)), t=np.linspace(0.0, 1.4, 43))
    line = result.status
    texts(line, "t = 0.7135 s")
    assert repr(result).endswith(f"; {line}.")
    assert "\n" not in repr(result)
    assert str(result.extremes()).splitlines()[-1] == f"Status: {line}."
    whole = ml.inverse(slider_crank((3.0, -9.81)), cycle=62)
    texts.warnings(whole, ("W43", "slider-crank", "0.7135", "2.142 s"))


def test_a_singular_position_that_is_passed_smoothly_is_not_called_unbounded(texts):
    """No load acts along the guide there: the loads are the same however close the instants are."""
    few, many = (ml.inverse(slider_crank((0.0, -9.81)), cycle=n) for n in (40, 200))
    assert few.singularities
    for one in (few, many):
        texts.warnings(one, ("W42", "slider-crank"), hide=[r"(?<=t = )[\d.]+"])
    assert few["guide"].load.max() == pytest.approx(many["guide"].load.max(), rel=1e-3)


def test_a_near_singular_position_has_bounded_loads():
    """A parallelogram driven to within 0.02 rad of lying flat."""
    mechanism = built("parallelogram").replace(drives=[ml.Motion("A", 1.2 - 1.18 * ml.expr.sin(ml.time))])
    result = ml.inverse(mechanism, t=np.linspace(0.0, np.pi, 61))
    assert result.singularities
    assert result.status == "ok"


# where efforts act ------------------------------------------------------------------------------------


def acted_on(*actuators):
    """A five-bar with one crank driven and the other free."""
    five_bar = built("five-bar")
    return five_bar.replace(drives=five_bar.drives[:1], actuators=actuators)


FREE_CRANK = {"t": [0.0, 0.1], "start": {"E": 1.0}}


def test_freedoms_move_freely_beside_an_actuator_on_the_driven_joint(texts):
    plain, acted = (
        ml.inverse(mechanism, **FREE_CRANK) for mechanism in (acted_on(), acted_on(ml.Actuator("A")))
    )
    assert acted["A"].effort == pytest.approx(plain["A"].effort, rel=1e-9)
    limited = ml.inverse(acted_on(ml.Actuator("A", limit=1e-3)), **FREE_CRANK)
    texts(limited.status, "0.001 N m")


def test_the_start_of_free_coordinates_refers_to_time_zero():
    start = {joint: q for joint, q in ml.assemble(acted_on(), {"E": 1.0}).positions.items() if joint != "A"}
    later, from_zero = (ml.inverse(acted_on(), t=t, start=start) for t in ([0.05, 0.1], [0.0, 0.05, 0.1]))
    assert later["A"].effort == pytest.approx(from_zero["A"].effort[1:], rel=1e-7)


def test_freedoms_beside_an_actuator_elsewhere_move_freely_too():
    """The crank follows its motion by the rocker's actuator; the other coordinate is free."""
    result = ml.inverse(acted_on(ml.Actuator("E")), **FREE_CRANK)
    assert result["E"].effort.any()
    assert not result["A"].effort.any()


@pytest.mark.parametrize("verb", [ml.forward, lambda m, **more: ml.simulate(m, until=0.1, samples=2, **more)])
def test_forward_dynamics_finds_the_effort_where_the_actuator_is(verb):
    """The effort is that of the rocker's actuator, the motion is prescribed at the crank."""
    mechanism = built("four-bar").replace(actuators=[ml.Actuator("D")])
    known = ml.inverse(mechanism, t=0)["D"].effort[0]
    assert verb(mechanism)["D"].effort[0] == pytest.approx(known, rel=1e-9)
    assert verb(mechanism, efforts={"D": 2.0})["D"].effort == pytest.approx(2.0)
    at_the_drive = built("four-bar").replace(actuators=[ml.Actuator("A")])
    assert verb(at_the_drive)["A"].effort[0] == pytest.approx(
        ml.inverse(built("four-bar"), t=0)["A"].effort[0]
    )


# times far ahead --------------------------------------------------------------------------------------


def turned_crank(angle):
    """A four-bar whose crank begins at an angle and continues at the same speed."""
    return built("four-bar").replace(
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(4.712, start=angle))]
    )


@pytest.mark.parametrize("t", [1e9, -1e9, 3e11])
def test_a_crank_that_has_turned_for_ages_is_where_its_angle_is(t):
    """The same position as by its angle within a turn, of which sine and cosine are exact."""
    angle = 4.712 * t
    far = ml.inverse(turned_crank(0.0), t=[0.0, t])
    near = ml.inverse(turned_crank(np.arctan2(np.sin(angle), np.cos(angle))), t=0.0)
    assert far["A"].position[1] == angle
    assert far["A"].effort[1] == pytest.approx(near["A"].effort[0], rel=1e-9)
    assert far["C"].force[1] == pytest.approx(near["C"].force[0], rel=1e-9)
    assert far.constraint_violation.max() < 1e-13


def test_the_way_there_is_not_followed(monkeypatch):
    """A billion seconds take as many steps as a thousand: one turn, to verify that it is periodic, and part of
    another."""
    step, steps = drive_continuation._predict_and_close, []
    monkeypatch.setattr(
        drive_continuation, "_predict_and_close", lambda *given: (steps.append(1), step(*given))[1]
    )
    for t in (1e3, 1e9):
        steps.clear()
        ml.inverse(turned_crank(0.0), t=t)
        assert len(steps) < 150
