"""Messages if a mechanism cannot be assembled or moved as requested: the whole text, and the data of the error.

Every one of these errors shall be raised within about a second: the search for assembly modes is limited by time. Here
the clock is stopped instead, so that the numbers in the texts do not depend on the machine.
"""

import pickle

import numpy as np
import pytest
from texts import Texts
from zoo import NEARLY, ZOO

import multiloop as ml


@pytest.fixture
def four_bar():
    """Crank 0.3, coupler 0.9, rocker 0.8 on a base of 1 m, undriven, with a guess of the open assembly mode."""
    return ZOO["four-bar"].build().without_drives()


def refused(ask, *words, **named):
    with pytest.raises(ml.MultiloopError) as caught:
        ask(*words, **named)
    return caught.value


def short_links(four_bar):
    return four_bar.replace(
        bodies=[
            ml.ground(A=(0, 0), D=(1.0, 0)),
            ml.rod("crank", length=0.3, mass=1.0),
            ml.rod("coupler", length=0.2, mass=1.0),
            ml.rod("rocker", length=0.3, mass=1.0),
        ]
    )


# positions that do not exist --------------------------------------------------------------------------


def test_a_joint_value_out_of_reach(four_bar, texts):
    """With the rocker almost horizontal its end is 1.798 m from the crank's pivot; crank and coupler reach 1.2 m."""
    error = refused(ml.assemble, four_bar, {"D": 0.1})
    assert isinstance(error, ml.AssemblyError)
    texts.fault(error, "K01", "joint 'C'", "0.1", "0.594 m", "0.66")
    assert error.gap == pytest.approx(0.66, abs=0.005)  # printed digits
    assert set(error.best) == set("ABCD")


def test_a_loop_that_is_closed_by_a_split_body(four_bar, texts):
    """With friction in every joint no joint is cut: the message names the split body, not the internal joint."""
    rubbing = four_bar.replace(
        loads=[ml.Friction(f"friction {joint.name}", joint.name, viscous=0.1) for joint in four_bar.joints]
    )
    error = refused(ml.assemble, rubbing, {"D": 0.1})
    texts.fault(error, "K01", "loop through body 'rocker' and joint 'D'", "0.165 rad")


def test_a_marker_out_of_reach(four_bar, texts):
    error = refused(ml.assemble, four_bar, {"coupler.b": (3.0, 0.7)})
    texts.fault(error, "K01", "coupler.b", "(x 3 m, y 0.7 m)")
    assert error.gap > 1.0


def test_links_that_are_too_short_to_close_the_loop(four_bar, texts):
    """0.3 + 0.2 + 0.3 m on a base of 1 m: a gap of 0.2 m remains, and the best approximation is the stretched
    position."""
    error = refused(ml.assemble, short_links(four_bar), {"A": 0.0})
    texts.fault(error, "K01", "joint 'C'", "0", "0.2 m", "0.67")
    # near a minimum the gap is of second order in the angles, whose error is therefore about 1e-3
    assert error.gap == pytest.approx(2 / 3, rel=1e-5)
    assert error.best["A"][0] == pytest.approx(0.0, abs=5e-3)
    assert abs(error.best["D"][0]) == pytest.approx(np.pi, abs=5e-3)


def test_dimensions_typed_with_four_digits():
    """Inverse dynamics requires closed loops; the size of the gap shows that the numbers are inexact."""
    error = refused(ml.inverse, NEARLY["bennett-typed"].build(), t=[0.0])
    assert error.faults[0].code == "K01"
    assert 1e-9 < error.gap < 1e-4  # four digits leave errors of 5e-5


def test_errors_survive_a_pickle(four_bar):
    error = refused(ml.assemble, four_bar, {"D": 0.1})
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert (again.gap, again.best, again.faults) == (error.gap, error.best, error.faults)


# several positions, too many values, too few ------------------------------------------------------------


def test_two_closures_and_nothing_that_chooses(four_bar, texts):
    error = refused(ml.assemble, four_bar.replace(guess={}), {"A": 1.0})
    listed = (
        "B = -2.22728 rad, C = -1.07569 rad, D = -2.30297 rad",
        "B = -0.357971 rad, C = 1.07569 rad, D = 1.71772 rad",
    )
    fault = texts.fault(error, "K02", "2", *listed)
    assert 'guess={"B": ' in fault.remedy
    assert len(error.choices) == 2
    for choice in error.choices:  # each of them, given as a guess, selects itself
        state = ml.assemble(four_bar, {"A": 1.0}, guess=choice)
        assert [state[joint].position for joint in "ABCD"] == pytest.approx(
            [choice[joint][0] for joint in "ABCD"], abs=1e-9
        )


def test_many_closures_are_listed_and_kept_in_the_error(texts):
    """A 3-RRR with three locked motors: up to six assembly modes, all of which exist for these angles."""
    mechanism = ZOO["3-RRR"].build().replace(guess={}, drives=[])
    error = refused(ml.assemble, mechanism, {"A1": 1.28, "A2": 1.65, "A3": 4.71})
    texts.fault(error, "K02", "6", "(1) B1 = ")
    assert len(error.choices) == 6


def test_a_start_that_leaves_a_freedom_open(four_bar, texts):
    error = refused(ml.assemble, four_bar)
    fault = texts.fault(error, "K03", "start", "1")
    assert "A, B, " in fault.remedy
    assert set(error.best) == set("ABCD")


def test_a_start_that_leaves_several_freedoms_open(texts):
    error = refused(ml.assemble, ZOO["3-RRR"].build().without_drives(), {"A1": 1.04})
    fault = texts.fault(error, "K03", "2")
    assert " 2 " in fault.remedy
    assert "A1" not in fault.remedy


def test_a_start_that_holds_too_much(four_bar, texts):
    error = refused(ml.assemble, four_bar, {"A": 1.0, "B": 0.5})
    texts.fault(error, "K04", "joint 'C'", "1", "0.5", "0.219 m", "0.24")


def test_a_start_that_holds_no_more_than_the_freedoms_but_cannot_be_reached(texts):
    five_bar = ml.Mechanism(
        "five-bar",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), E=(1.0, 0)),
            *(ml.rod(name, length=0.6, mass=1.0) for name in ("left", "near", "far", "right")),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "left.a"),
            ml.Revolute("B", "left.b", "near.a"),
            ml.Revolute("C", "near.b", "far.b"),
            ml.Revolute("D", "right.b", "far.a"),
            ml.Revolute("E", "ground.E", "right.a"),
        ],
    )
    fault = texts.fault(refused(ml.assemble, five_bar, {"A": 3.0, "E": 0.1}), "K04", "A = 3 rad, E = 0.1 rad")
    assert "'E'" in fault.remedy


def test_a_start_that_holds_far_too_much(four_bar, texts):
    error = refused(ml.assemble, four_bar, {"A": 1.0, "B": 0.5, "C": 0.5})
    texts.fault(error, "K04", "A = 1 rad, B = 0.5 rad, C = 0.5 rad")


def test_a_start_that_holds_every_joint_and_one_of_them_wrongly(four_bar, texts):
    """All four joints of a loop: one of them is cut, and its value is checked all the same."""
    right = ml.assemble(four_bar, {"A": 1.0}).positions
    for joint in "ABCD":
        error = refused(ml.assemble, four_bar, dict(right) | {joint: 0.3})
        texts.fault(error, "K04", joint, "0.3")


def test_a_start_against_the_drives(texts):
    error = refused(ml.assemble, ZOO["four-bar"].build(), {"D": 1.0})
    fault = texts.fault(error, "K04")
    assert "'D'" in fault.remedy
    assert "1.86055" in fault.remedy


# rates ------------------------------------------------------------------------------------------------


def test_rates_that_contradict_the_loops(four_bar, texts):
    error = refused(ml.assemble, four_bar, {"A": 1.0}, rates={"A": 1.0, "D": 5.0})
    texts.fault(error, "K05", "rates", "0.405")
    assert error.gap == pytest.approx(0.405, abs=5e-4)  # printed digits


def test_rates_that_contradict_the_drives():
    error = refused(ml.assemble, ZOO["four-bar"].build(), rates={"A": 1.0})
    assert error.faults[0].code == "K05"


def test_several_rates_that_agree_are_welcome(four_bar):
    state = ml.assemble(four_bar, {"A": 1.0}, rates={"A": 2.0})
    again = ml.assemble(four_bar, {"A": 1.0}, rates=state.rates)
    assert [again[joint].rate for joint in "ABCD"] == pytest.approx(
        [state[joint].rate for joint in "ABCD"], abs=1e-12
    )


# names and sizes --------------------------------------------------------------------------------------


def test_unknown_names_in_start_guess_and_rates(four_bar, texts):
    error = refused(ml.assemble, four_bar, {"copler": 1.0})
    texts.fault(error, "K07", "start 'copler'")
    error = refused(ml.assemble, four_bar, {"A": 1.0}, guess={"crnk.b": (1, 2)})
    fault = texts.fault(error, "K07", "guess 'crnk.b'")
    assert "'crank.b'" in fault.remedy
    error = refused(ml.assemble, four_bar, {"A": 1.0}, rates={"Z": 1.0})
    fault = texts.fault(error, "K07", "rates 'Z'")
    assert "A, B, C, D, coupler" in fault.remedy


@pytest.mark.parametrize(
    ("named", "fault"),
    [
        ({"start": {"A": (1.0, 2.0)}}, ("K08", "start 'A'", "2", "1")),
        ({"start": {"A": 1.0}, "guess": {"coupler.b": (1,)}}, ("K08", "guess 'coupler.b'", "1", "2", "3")),
        ({"start": {"A": 1.0}, "rates": {"crank": (1, 2, 3, 4)}}, ("K08", "'crank'", "4", "2", "3")),
        ({"start": {"A": float("nan")}}, ("K08", "start 'A'", "nan")),
        ({"start": {"A": "level"}}, ("K08", "start 'A'", "'level'")),
    ],
)
def test_wrong_sizes_and_numbers(four_bar, named, fault, texts):
    texts.fault(refused(ml.assemble, four_bar, **named), *fault)


def test_sizes_of_joints_in_space(texts):
    mechanism = ZOO["RSSR"].build().without_drives()
    error = refused(ml.assemble, mechanism, {"B": (0.1, 0.2, 0.3)})
    texts.fault(error, "K08", "start 'B'", "3", "4")
    error = refused(ml.assemble, mechanism, {"coupler.b": (0.1, 0.2)})
    texts.fault(error, "K08", "start 'coupler.b'", "2", "3", "7")
    error = refused(ml.assemble, mechanism, {"A": 0.0}, rates={"B": (1, 2, 3, 4)})
    texts.fault(error, "K08", "rates 'B'", "4", "3")


@pytest.mark.parametrize("value", [{}, 1j, {1.0}, "0.3"])
def test_values_that_are_not_numbers_are_refused_by_name(four_bar, value):
    error = refused(ml.assemble, four_bar, {"A": value})
    assert error.faults[0].code == "K08"
    assert error.faults[0].where == "start 'A'"


@pytest.mark.parametrize("quaternion", [(0, 0, 0, 0), (None, 0.5, 0.5, 0.5)])
def test_a_quaternion_is_given_whole_and_not_zero(quaternion):
    error = refused(ml.assemble, ZOO["RSSR"].build().without_drives(), {"A": 0.3, "B": quaternion})
    assert error.faults[0].code == "K08"
    assert error.faults[0].where == "start 'B'"


# drives that cannot go on -----------------------------------------------------------------------------


def test_a_drive_through_a_dead_point(four_bar, texts):
    """Driven at the rocker the four-bar stops when crank and coupler are in line: cos θ = −0.125.

    (1.2² − 1² − 0.8²) / (2 · 1 · 0.8) = −0.2 / 1.6 with the rocker's angle from the base's continuation.
    """
    start = ml.assemble(four_bar, {"A": 0.0})["D"].position
    driven = four_bar.replace(drives=[ml.Motion("D", ml.motion_laws.constant_speed(-1.0, start=start))])
    error = refused(ml.inverse, driven, t=np.linspace(0.0, 1.5, 40))
    assert isinstance(error, ml.AssemblyError)
    texts.fault(error, "K06", "drive of 'D'", "D = 1.69612416", "t = 0.164424 s", hide=[r"(?<=joint ')\w"])
    assert np.cos(error.best["D"][0]) == pytest.approx(-0.125, abs=1e-8)
    assert error.best["B"][0] == pytest.approx(0.0, abs=1e-3)  # in line


def test_a_drive_to_the_other_dead_point(four_bar):
    """In the other direction it stops when the crank overlaps the coupler: cos θ = (0.6² − 1.64) / 1.6 = −0.8."""
    start = ml.assemble(four_bar, {"A": 0.0})["D"].position
    driven = four_bar.replace(drives=[ml.Motion("D", ml.motion_laws.constant_speed(1.0, start=start))])
    error = refused(ml.inverse, driven, t=np.linspace(0.0, 1.5, 40))
    assert np.cos(error.best["D"][0]) == pytest.approx(-0.8, abs=1e-8)


def test_a_dead_point_just_passed_is_not_reported(four_bar):
    """The same drive up to its limit: it comes within 1e-4 rad of the dead point and has a result."""
    start = ml.assemble(four_bar, {"A": 0.0})["D"].position
    driven = four_bar.replace(drives=[ml.Motion("D", ml.motion_laws.constant_speed(-1.0, start=start))])
    stop = start - np.arccos(-0.125) - 1e-4
    result = ml.inverse(driven, t=np.linspace(0.0, stop, 20))
    assert result.constraint_violation.max() <= 1e-12
    assert result.singularities  # and the status states the closest distance


def test_a_crank_that_has_turned_too_long(texts):
    """At 4.7e14 rad a floating-point number has a resolution of 0.06 rad."""
    error = refused(ml.inverse, ZOO["four-bar"].build(), t=1e14)
    texts.fault(error, "K10", "drive of 'A'", "4.71e+14", "1e+14 s", "0.06")


# invalid requests -----------------------------------------------------------------------


def test_inverse_dynamics_of_an_undetermined_leg(texts):
    mechanism = ZOO["3-RRR"].build()
    error = refused(ml.inverse, mechanism.replace(drives=mechanism.drives[:2]), t=[0.0])
    texts.fault(error, "S01", "3", "2", "A3")


def test_a_guess_that_leads_to_a_folded_linkage(texts):
    """The rhombus folds onto itself, and the two outer rods can rotate freely."""
    error = refused(ml.inverse, ZOO["peaucellier"].build(), t=[0.0], guess={"Q": 1.0})
    texts.fault(error, "S01", "2", "1", "'Q' by 1 rad")


def test_a_cycle_of_a_drive_that_is_not_periodic(texts):
    error = refused(ml.inverse, ZOO["excavator"].build(), cycle=10)
    texts.fault(error, "S02", "cycle", "'4'")


def test_a_cycle_without_drives(four_bar, texts):
    error = refused(ml.inverse, four_bar, cycle=10)
    texts.fault(error, "S02", "cycle")


def test_the_error_of_a_floating_body_describes_how_to_hold_it(texts: Texts) -> None:
    """Three coordinates, then the four numbers of an orientation, in this order."""
    bob = ml.Body("bob", mass=1.0, inertia=(1.0, 1.0, 1.0))
    floating = ml.Free("floats", "ground.origin", "bob.origin")
    machine = ml.Mechanism("m", bodies=[ml.ground(), bob], joints=[floating])
    with pytest.raises(ml.AssemblyError) as refused:
        ml.assemble(machine, {"floats": (0.0, 0.0, 0.0, None, None, None, None)})
    texts.fault(refused.value, "K03", "start", "3")
    with pytest.raises(ml.MultiloopError) as refused:
        ml.assemble(machine, {"floats": (0.0, 0.0, 0.0, 1.0, None, None, None)})
    texts.fault(refused.value, "K08", "start 'floats'")
