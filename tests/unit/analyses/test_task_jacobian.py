"""Task Jacobians, manipulability and reflected inertias of a robot with closed loops, and where they are refused."""

from __future__ import annotations

import numpy as np
import pytest
from zoo.paths import five_bar

import multiloop as ml
from multiloop.view.film.film_curves import film_panels

MOTORS, TOOL = ("A", "E"), "left rod.b"


@pytest.fixture(scope="module")
def robot():
    along = five_bar({"x": 0.15})
    return along.replace(name="five-bar robot", gravity=(0, 0), drives=[])


@pytest.fixture(scope="module")
def moving(robot):
    """A run in which the robot swings from a pose without efforts."""
    pose = ml.assemble(robot, {TOOL: (0.15, 0.45)}, rates={"A": 0.3, "E": -0.2})
    return ml.simulate(robot, until=0.3, samples=7, start=pose)


def unit_motions(robot, pose):
    """Results of `forward` with the rate 1 of one motor and the others at rest."""
    return [
        ml.forward(robot, pose, rates={name: float(name == motor) for name in MOTORS}) for motor in MOTORS
    ]


def test_the_jacobian_is_that_of_unit_rates(robot, moving):
    found = moving.output(f"{TOOL}.jacobian").reshape(-1, 2, 2)
    for k, t in enumerate(moving.time):
        columns = [one.velocity(TOOL)[0] for one in unit_motions(robot, moving.at(float(t)))]
        assert found[k] == pytest.approx(np.column_stack(columns), rel=1e-9, abs=1e-11)
        assert moving.output(f"{TOOL}.manipulability")[k] == pytest.approx(
            np.sqrt(np.linalg.det(found[k] @ found[k].T)), rel=1e-9
        )
    assert moving.output(f"{TOOL}.jacobian.y_E") == pytest.approx(found[:, 1, 1], rel=1e-12)


def test_reflected_inertia_is_twice_the_energy_at_unit_rate(robot, moving):
    state = moving.at(0.1)
    for motor, one in zip(MOTORS, unit_motions(robot, state), strict=True):
        k = int(np.argmin(np.abs(moving.time - 0.1)))
        assert moving.output(f"{motor}.reflected_inertia")[k] == pytest.approx(
            2 * one.kinetic_energy[0], rel=1e-9
        )


def test_the_distance_of_the_tool_vanishes_with_a_crank_in_line_with_its_rod(robot):
    """Type I: with the left crank along its rod, the tool cannot move along both."""
    angle = np.pi / 3
    pose = ml.assemble(robot, {"A": angle, "B": 0.0}, guess={"E": 0.886})
    result = ml.forward(robot, pose)
    near = ml.forward(robot, ml.assemble(robot, {TOOL: (0.15, 0.45)}))
    name = f"{TOOL}.type_1_singularity_distance"
    assert result.output(name)[0] == pytest.approx(0.0, abs=1e-12)
    assert result.output(f"{TOOL}.manipulability")[0] == pytest.approx(0.0, abs=1e-12)
    assert near.output(name)[0] > 0.05


def test_linear_models_have_the_derivatives_of_manipulability(robot):
    """Central differences over the angle of each motor; their error is of the order of h² = 1e-8."""
    pose, name, h = ml.assemble(robot, {TOOL: (0.15, 0.45)}), f"{TOOL}.manipulability", 1e-4
    model = ml.linearise(robot, pose, inputs=MOTORS, outputs=[name])
    angles = np.array([pose[motor].position for motor in MOTORS])

    def manipulability(at):
        return ml.forward(robot, ml.assemble(robot, dict(zip(MOTORS, at, strict=True)), guess=pose)).output(
            name
        )[0]

    slopes = [(manipulability(angles + s) - manipulability(angles - s)) / (2 * h) for s in h * np.eye(2)]
    assert model.C[0, :2] == pytest.approx(slopes, rel=1e-6)


def test_kernels_and_events_know_the_outputs(robot, moving):
    names = [f"{TOOL}.manipulability", "A.reflected_inertia", "C.velocity_ratio"]
    for target in ("c", "interpreter"):
        kernel = ml.compile(robot, target=target).outputs(names)
        q = moving.recorded.arrays["q"][2]
        for name, value in zip(names, kernel(q=q), strict=True):
            assert np.ravel(value) == pytest.approx(np.ravel(moving.output(name)[2]), rel=1e-11), name
    w = moving.output(f"{TOOL}.manipulability")
    level = float(w[0] + w[-1]) / 2
    run = ml.simulate(
        robot,
        until=0.3,
        samples=7,
        start=moving.initial,
        events={"level": ml.output(f"{TOOL}.manipulability") - level},
    )
    assert len(run.events["level"]) == 1
    at = ml.forward(robot, run.at(float(run.events["level"][0])))
    assert np.interp(float(run.events["level"][0]), moving.time, w) == pytest.approx(level, rel=1e-2)
    assert at.output(f"{TOOL}.manipulability").shape == (1,)


def test_the_outputs_are_plotted_and_shown_in_films(moving, texts):
    names = [f"{TOOL}.manipulability", "mechanism.type_2_singularity_distance", "A.reflected_inertia"]
    panels = film_panels(moving, names)
    assert panels[0].curves[0].values == pytest.approx(moving.output(names[0]))
    figure = moving.plot(show=names)
    texts("\n".join(axis.get_ylabel() for axis in figure.axes))


@pytest.mark.parametrize(
    "name",
    [
        "B.transmission_angle",
        "A.velocity_ratio",
        "B.mechanical_advantage",
        "B.reflected_inertia",
        "left rod.b.deflection_rate",
        "B.mean_pressure",
    ],
)
def test_a_quantity_that_is_not_defined_is_refused_with_the_reason(moving, name, texts):
    with pytest.raises(ml.SolveError) as caught:
        moving.output(name)
    texts.fault(caught.value, "R09", name)
    assert name not in moving.mechanism.outputs()


def test_a_motion_without_inputs_has_no_jacobian(robot, moving, texts):
    free = ml.simulate(robot.replace(actuators=[]), until=0.1, samples=2, start=moving.initial)
    with pytest.raises(ml.SolveError) as caught:
        free.output(f"{TOOL}.jacobian")
    texts.fault(caught.value, "R09", "no drive or actuator")


def test_dependent_inputs_are_reported(robot, texts):
    """Three motors for two degrees of freedom: their rates are not independent."""
    over = robot.replace(actuators=[ml.Actuator(motor) for motor in ("A", "E", "B")])
    result = ml.forward(over, ml.assemble(over, {TOOL: (0.15, 0.45)}))
    with pytest.raises(ml.SolveError) as caught:
        result.output(f"{TOOL}.manipulability")
    texts.fault(caught.value, "R09", "inputs depend on each other")
    event = ml.output(f"{TOOL}.manipulability") - 0.01
    with pytest.raises(ml.SolveError, match="R09"):
        ml.simulate(over, until=0.05, samples=3, start=result.initial, events={"level": event})


def test_a_further_motor_does_not_change_the_distance_of_the_tool(robot):
    """Type I depends on loops and tool alone; with three motors the number of inputs exceeds the mobility."""
    over = robot.replace(actuators=[ml.Actuator(motor) for motor in ("A", "E", "B")])
    name, pose = f"{TOOL}.type_1_singularity_distance", {TOOL: (0.15, 0.45)}
    one, other = (ml.forward(m, ml.assemble(m, pose)).output(name) for m in (robot, over))
    assert one == pytest.approx(other, rel=1e-12)


def test_distances_cannot_be_events(robot, moving, texts):
    near = ml.output("mechanism.type_2_singularity_distance") - 0.1
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(robot, until=0.1, start=moving.initial, events={"near": near})
    texts.fault(caught.value, "R09", "no traced expression")
