"""Known efforts: numbers, expressions of time and state, results of other analyses, and actuators with known
efforts."""

import numpy as np
import pytest
from laws.closed_positions import built
from zoo.plain import lift

import multiloop as ml
from multiloop.analyses.signals.signals import Signals
from multiloop.kinematics import equations_of
from multiloop.topology import tree_of


def forces_of(mechanism, efforts=None):
    equations = equations_of(mechanism, tree_of(mechanism))
    signals = Signals(equations, efforts)

    def forces(t, q, v):
        return signals.forces_at(t, signals.layout.pack(q=q, v=v), equations.skeleton.parameter_values)

    return equations.skeleton, forces


def test_numbers_stand_at_their_rates():
    skeleton, forces = forces_of(lift(), {"C.slide": 7, "C.angle": np.float64(-2.0)})
    assert forces(0.3, np.zeros(2), np.zeros(2)) == pytest.approx([-2.0, 7.0], abs=0)
    assert skeleton.rates == 2


def test_no_efforts_are_zeros():
    _, forces = forces_of(built("3-RRR").without_drives())
    assert np.all(forces(0.0, np.zeros(7), np.zeros(7)) == 0.0)


def test_expressions_read_time_coordinates_and_rates():
    effort = 2 * ml.time + 10 * ml.position("C", 1) - ml.rate("C", 0) ** 2
    _, forces = forces_of(lift(), {"C.slide": effort})
    assert forces(0.5, np.array([0.1, 0.2]), np.array([3.0, 4.0])) == pytest.approx([0.0, 1.0 + 2.0 - 9.0])


def test_expressions_read_parameters():
    stiffness = ml.Parameter("k", 40.0)
    mechanism = lift().replace(actuators=[ml.Actuator("C", "slide", effort=-stiffness * ml.position("C", 1))])
    _, forces = forces_of(mechanism)
    assert forces(0.0, np.array([0.0, 0.1]), np.zeros(2)) == pytest.approx([0.0, -4.0])
    _, forces = forces_of(mechanism.with_parameters({"k": 10.0}))
    assert forces(0.0, np.array([0.0, 0.1]), np.zeros(2)) == pytest.approx([0.0, -1.0])


def test_known_actuators_act_and_what_is_given_takes_their_place():
    mechanism = lift().replace(
        actuators=[ml.Actuator("C", "slide", effort=5.0), ml.Actuator("C", "angle", effort=1.0)]
    )
    _, forces = forces_of(mechanism)
    assert forces(0.0, np.zeros(2), np.zeros(2)) == pytest.approx([1.0, 5.0])
    _, forces = forces_of(mechanism, {"C.slide": -3.0})
    assert forces(0.0, np.zeros(2), np.zeros(2)) == pytest.approx([1.0, -3.0])


def test_an_unknown_actuator_gives_nothing_by_itself():
    mechanism = lift().replace(actuators=[ml.Actuator("C", "slide"), ml.Actuator("C", "angle", effort=1.0)])
    _, forces = forces_of(mechanism)
    assert forces(0.0, np.zeros(2), np.zeros(2)) == pytest.approx([1.0, 0.0])


def test_a_limit_bounds_a_known_effort_either_way():
    mechanism = lift().replace(actuators=[ml.Actuator("C", "slide", effort=100 * ml.time, limit=20.0)])
    _, forces = forces_of(mechanism)
    found = [forces(t, np.zeros(2), np.zeros(2))[1] for t in (-1.0, 0.1, 1.0)]
    assert found == pytest.approx([-20.0, 10.0, 20.0])


def test_a_run_states_how_long_an_effort_was_at_its_limit(texts):
    """100 t N reaches 20 N at 0.2 s, and stays there for the other 0.8 s of the run."""
    mechanism = lift().replace(actuators=[ml.Actuator("C", "slide", effort=100 * ml.time, limit=20.0)])
    start = {"C": (0.0, 0.0)}
    run = ml.simulate(mechanism, until=1.0, start=start, samples=1001)
    assert run["C"].effort[:, 1].max() == pytest.approx(20.0)
    texts.warnings(run, ("W54", "C.slide", "20 N", "0.8 s"))
    assert ml.simulate(mechanism, until=0.1, start=start, samples=11).status == "ok"


def test_a_run_states_the_effort_of_a_drive_beyond_its_limit(texts):
    driven = lift().replace(
        drives=[ml.Motion("C", angle=0.5 * ml.time**2, slide=0.0)],
        actuators=[ml.Actuator("C", "angle", limit=0.01), ml.Actuator("C", "slide")],
    )
    needed = ml.inverse(driven, t=0.1).status
    assert ml.simulate(driven, until=0.1, samples=3).status == needed
    texts(needed, "0.01 N m")


def test_a_result_is_a_smooth_curve_through_its_efforts():
    result = ml.inverse(built("four-bar"), t=np.linspace(0.0, 0.4, 41))
    skeleton, forces = forces_of(built("four-bar").without_drives(), {"A": result})
    place = skeleton.link_of_joint["A"].v.start
    still = np.zeros(3)
    at = [forces(t, still, still)[place] for t in result.time]
    assert at == pytest.approx(result["A"].effort, abs=1e-12)
    between = ml.inverse(built("four-bar"), t=[0.0, 0.205])["A"].effort[-1]
    # The error of the spline through steps of 10 ms is of their fourth power.
    assert forces(0.205, still, still)[place] == pytest.approx(between, rel=1e-5)


def test_a_result_gives_the_effort_of_the_component_named():
    driven = lift().replace(drives=[ml.Motion("C", angle=2 * ml.time**2, slide=0.1 * ml.time**3)])
    result = ml.inverse(driven, t=np.linspace(0.0, 1.0, 11))
    _, forces = forces_of(lift(), {"C.slide": result, "C.angle": result})
    found = forces(0.5, np.zeros(2), np.zeros(2))
    assert found == pytest.approx([0.5 * 4.0, 3.0 * (0.6 * 0.5 + 9.81)], rel=1e-9)


def test_an_actuator_may_read_any_joint_of_its_loop():
    """Wherever the loop is cut by default."""
    for read in "BCD":
        effort = -1.5 * ml.position(read) - 0.1 * ml.rate(read)
        mechanism = built("four-bar").without_drives().replace(actuators=[ml.Actuator("A", effort=effort)])
        result = ml.forward(mechanism, {"A": 1.0}, rates={"A": 2.0})
        expected = -1.5 * result[read].position[0] - 0.1 * result[read].rate[0]
        assert result["A"].effort == pytest.approx([expected], abs=1e-12), read


# what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("efforts", "words"),
    [
        ({"D": 1.0}, ()),
        ({"C": 1.0}, ("2",)),
        ({"C.turn": 1.0}, ()),
        ({"C.slide": "much"}, ()),
        ({"C.slide": None}, ()),
        ({"C.slide": float("nan")}, ("nan",)),
        ({"C.slide": float("inf")}, ("inf",)),
    ],
)
def test_an_invalid_effort_is_refused_by_name(efforts, words, texts):
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(lift(), {"C": (0.0, 0.0)}, efforts=efforts)
    texts.fault(caught.value, "S03", *words)
    (fault,) = caught.value.faults
    assert next(iter(efforts)) in fault.where


def four_bar(**given):
    return built("four-bar").replace(**{"drives": (), **given})


@pytest.mark.parametrize(
    ("efforts", "words"),
    [
        ({"A": 1.0, "A.angle": 2.0}, ("'A'",)),
        ({"A": -5 * ml.rate("A", 1)}, ("1", "'A'")),
        ({"A": -5 * ml.rate("Z")}, ("'Z'",)),
        ({"A": ml.rate("B") + ml.rate("C") + ml.rate("D")}, ()),
    ],
)
def test_invalid_efforts_are_refused(efforts, words, texts):
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(four_bar(), {"A": 1.0}, efforts=efforts)
    texts.fault(caught.value, "S03", *words)


def test_an_effort_at_a_driven_joint_is_refused(texts):
    driven = four_bar(drives=[ml.Motion("A", ml.motion_laws.constant_speed(2.0))])
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(driven, until=0.1, efforts={"A": 1.0})
    texts.fault(caught.value, "S03")


def test_a_given_effort_stands_in_place_of_the_actuators_own_however_it_is_spelt():
    for name in ("A", "A.angle"):
        for component in ("", "angle"):
            one = four_bar(actuators=[ml.Actuator("A", component=component, effort=1.0)])
            found = ml.forward(one, {"A": 1.0}, efforts={name: 2.0})
            assert found["A"].effort[0] == 2.0


def test_a_result_of_one_instant_is_no_effort(texts):
    loads = ml.inverse(four_bar(drives=[ml.Motion("A", ml.motion_laws.constant_speed(2.0))]), t=0.0)
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(four_bar(), {"A": 1.0}, efforts={"A": loads})
    texts.fault(caught.value, "S03", "1")


def test_an_effort_without_a_value_is_named_with_its_joint_and_the_time(texts):
    free, root = built("four-bar").without_drives(), ml.expr.sqrt(ml.time - 1.0)
    asked = [
        lambda: ml.forward(free, {"A": 1.0}, efforts={"A": root}),
        lambda: ml.simulate(free, until=0.1, start={"A": 1.0}, efforts={"A": root}, target="interpreter"),
    ]
    for question in asked:
        with pytest.raises(ml.SolveError, match="S03") as caught:
            question()
        assert caught.value.time == 0.0
        texts.fault(caught.value, "S03", "effort at 'A'", "t = 0 s", "`sqrt(time - 1)`")


def test_a_table_that_ends_is_named_with_its_joint_and_the_time(texts):
    driven, free = built("four-bar"), built("four-bar").without_drives()
    for of, at in ((ml.time, " 0.5"), (ml.position("A"), " 1.5")):
        short = ml.table([0.0, 0.1, 0.2], [0.0, 1.0, 0.0], of=of)
        acted = driven.replace(actuators=[ml.Actuator("A"), ml.Actuator("D", effort=short)])
        acted = acted.replace(drives=[ml.Motion("A", 3.0 * ml.time)])
        asked = [
            ("D", lambda acted=acted: ml.inverse(acted, t=[0.5])),
            ("A", lambda short=short: ml.forward(free, {"A": 1.5}, t=0.5, efforts={"A": short})),
        ]
        for joint, question in asked:
            with pytest.raises(ml.SolveError) as caught:
                question()
            texts.fault(caught.value, "S03", f"effort at '{joint}'", "t = 0.5 s", at)
            assert caught.value.time == 0.5
