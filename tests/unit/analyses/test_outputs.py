"""Outputs by name: their list, their values over time, kernels, and outputs of user-defined functions."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from zoo import ZOO
from zoo.four_bars import four_bar

import multiloop as ml
from multiloop.dynamics.outputs import SOURCES
from multiloop.extension import Output
from multiloop.view.film.film_curves import film_panels


@pytest.fixture
def driven():
    return ml.inverse(four_bar(), t=[0.0, 0.1, 0.2])


def test_the_list_has_names_units_and_meanings():
    listed = four_bar().outputs()
    assert listed["C.load"].unit == "N"
    assert listed["C.force"].entries == ("x", "y")
    assert listed["A.rate"].unit == "rad/s"
    assert listed["mechanism.kinetic_energy"].unit == "J"
    assert "C.force.{x,y}" in repr(listed)
    assert "<td>C.load</td>" in listed._repr_html_()
    assert listed.to_table().loc["A.effort", "unit"] == "N m"
    assert len(listed) == len(set(listed))


def test_values_over_time_by_name(driven):
    assert driven.output("C.load") == pytest.approx(driven["C"].load, rel=1e-12)
    assert driven.output("C.force.y") == pytest.approx(driven["C"].force[:, 1], rel=1e-12)
    assert driven.output("coupler.b.velocity") == pytest.approx(driven.velocity("coupler.b"), rel=1e-12)
    assert driven.output("mechanism.energy") == pytest.approx(
        driven.kinetic_energy + driven.potential_energy, rel=1e-12
    )


@pytest.mark.parametrize("name", ["C.lod", "C.force.z", "coupler.q.velocity", "ground.A.velocity", "C"])
def test_unknown_names_are_reported(driven, name, texts):
    with pytest.raises(ml.MultiloopError) as caught:
        driven.output(name)
    texts(caught.value, name)


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_kernels_of_outputs_are_the_values_of_results(driven, target):
    kernels = ml.compile(four_bar(), target=target)
    names = ["C.load", "coupler.velocity", "A.power"]
    kernel = kernels.outputs(names)
    motion = driven.recorded
    inputs = {
        array.name: motion.columns.get(array.name, motion.lam.T if array.name == "lam" else None)
        for array in kernel.inputs
        if array.name != "p"
    }
    for k in range(3):
        found = kernel(**{name: columns[:, k] for name, columns in inputs.items()})
        for name, values in zip(names, found, strict=True):
            assert np.ravel(values) == pytest.approx(np.ravel(driven.output(name)[k]), rel=1e-12), name


def test_derivatives_of_outputs_are_those_of_differences(driven):
    """∂(load at C)/∂λ by the kernel of the derivative and by central differences."""
    kernel = ml.compile(four_bar()).outputs(["C.load"])
    motion = driven.recorded
    at = {name: column[:, 1] for name, column in motion.columns.items() if name in ("q", "v", "a", "tau")}
    lam = motion.lam[1]

    def load(change):
        given = at | {"lam": lam + change}
        found = kernel(**{array.name: given[array.name] for array in kernel.inputs if array.name != "p"})
        return float(np.ravel(found)[0])

    slope = kernel.recipe.traced.derivative("y0", "lam")
    exact = slope(**at, lam=lam, p=motion.p)[0]
    differences = [(load(step) - load(-step)) / 2e-3 for step in 1e-3 * np.eye(len(lam))]
    assert np.ravel(exact) == pytest.approx(differences, rel=1e-7, abs=1e-9)


def slip(at):
    """Sliding speed in the pin C, of 10 mm radius, of mechanisms with a joint C."""
    if "C" in at.mechanism.joints_by_name:
        yield Output("C", "slip", "m/s", "sliding speed in the pin", lambda one: 0.01 * ca.fabs(rate_at(one)))


def rate_at(at):
    """Rate of the joint C, which may be a joint of the tree or a cut joint."""
    link = at.equations.skeleton.link_of_joint.get("C")
    return at.equations.tree_functions.cut_motion_symbols[0][0] if link is None else at.equations.v[link.v]


@pytest.fixture
def with_slip():
    ml.register(slip)
    yield
    SOURCES.remove(slip)


@pytest.mark.usefixtures("with_slip")
def test_an_output_defined_here_is_listed_evaluated_and_compiled():
    result = ml.inverse(four_bar(), t=[0.0, 0.1])
    assert four_bar().outputs()["C.slip"].unit == "m/s"
    assert result.output("C.slip") == pytest.approx(0.01 * np.abs(result["C"].rate), rel=1e-12)
    kernel = ml.compile(four_bar()).outputs(["C.slip"])
    columns = {
        array.name: result.recorded.columns[array.name][:, 1] for array in kernel.inputs if array.name != "p"
    }
    assert kernel(**columns) == pytest.approx(result.output("C.slip")[1], rel=1e-12)


@pytest.mark.usefixtures("with_slip")
def test_an_output_defined_here_is_in_dataset_table_plot_and_film(tmp_path):
    result = ml.inverse(four_bar(), t=[0.0, 0.1, 0.2])
    expected = 0.01 * np.abs(result["C"].rate)
    assert result.dataset["slip C"].to_numpy() == pytest.approx(expected, rel=1e-12)
    assert result.dataset["slip C"].attrs["units"] == "m/s"
    assert result.to_table()["C.slip [m/s]"].to_numpy() == pytest.approx(expected, rel=1e-12)
    (axes,) = result.plot(show="C.slip").axes
    assert axes.get_ylabel() == "C.slip (m/s)"
    assert axes.lines[0].get_ydata() == pytest.approx(expected, rel=1e-12)
    (panel,) = film_panels(result, ["C.slip"])
    assert panel.unit == "m/s"
    assert panel.curves[0].values == pytest.approx(expected, rel=1e-12)


@pytest.mark.usefixtures("with_slip")
def test_an_output_defined_here_triggers_an_event_and_is_linearised():
    free = four_bar().without_drives()
    limit = 0.02
    run = ml.simulate(
        free, until=1.0, start={"A": 1.0}, events={"fast": ml.output("C.slip") - limit}, stop="fast"
    )
    assert run.output("C.slip")[-1] == pytest.approx(limit, rel=1e-9)
    spring = ml.JointSpring("spring", "A", stiffness=100.0)
    model = ml.linearise(free.replace(loads=[spring]), guess={"A": 1.0}, outputs=["C.slip", "C.rate"])
    assert model.outputs == ("C.slip", "C.rate")
    assert np.abs(model.C[0]) == pytest.approx(np.zeros(2)) or np.abs(model.C[0]) == pytest.approx(
        0.01 * np.abs(model.C[1])
    )


@pytest.mark.parametrize("name", ["C.load", "C.force.y", "A.effort", "mechanism.shaking_force.x"])
def test_an_event_finds_the_zero_of_an_output(name):
    """The output is zero at the times of the event, and changes sign there."""
    free = four_bar().without_drives()
    level = 1.0 if name == "A.effort" else 15.0
    efforts = {"A": ml.time}
    event = {"level": ml.output(name) - level}
    run = ml.simulate(free, until=1.5, start={"A": 1.0}, efforts=efforts, events=event, stop="level")
    assert run.events["level"]
    assert run.output(name)[-1] == pytest.approx(level, rel=1e-8)


def test_outputs_of_the_solution_are_refused_where_it_is_not_known(texts):
    free = four_bar().without_drives()
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(free, until=0.1, start={"A": 1.0}, efforts={"A": ml.output("C.load")})
    texts.fault(caught.value, "R09", "C.load")
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(free, until=0.1, start={"A": 1.0}, events={"load": ml.output("C.force")})
    texts.fault(caught.value, "R09", "C.force")
    with pytest.raises(ml.ModelError) as caught:
        ml.analyse(free.replace(loads=[ml.Torque("brake", "crank", torque=ml.output("A.rate"))]))
    texts.fault(caught.value, "D07", "brake")


def test_an_event_on_an_undetermined_reaction_is_refused(texts):
    """Four parallel revolutes in space: forces along their axes are redundant, and results report the minimum norm."""
    free = ZOO["four-bar-space"].build().without_drives()
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(free, until=0.1, start={"A": 1.0}, events={"push": ml.output("C.force.z") - 5.0})
    texts.fault(caught.value, "R09", "C.force.z")
    run = ml.simulate(
        free, until=0.1, start={"A": 1.0}, events={"power": ml.output("mechanism.shaking_force.x")}
    )
    assert run.status == "ok"


def test_an_effort_reads_a_velocity():
    """A damper on the velocity of a point takes exactly the power effort × rate of the joint."""
    free = four_bar().without_drives()
    damping = -0.2 * ml.output("rocker.angular_velocity")
    run = ml.simulate(free, until=0.5, start={"A": 1.0}, efforts={"A": damping}, samples=21)
    assert run["A"].effort == pytest.approx(-0.2 * run.angular_velocity("rocker"), rel=1e-9, abs=1e-12)


def test_outputs_of_the_whole_motion_are_refused_in_kernels(texts):
    mechanism = four_bar()
    (cut,) = ml.analyse(mechanism).cuts
    with pytest.raises(ml.SolveError) as caught:
        ml.compile(mechanism).outputs([f"{cut}.position"])
    texts.fault(caught.value, "R09", f"{cut}.position")
    result = ml.inverse(mechanism, t=[0.0, 0.1])
    assert result.output(f"{cut}.position") == pytest.approx(result[cut].position, rel=1e-12)


@pytest.mark.parametrize(
    "yielded",
    [
        3,
        Output("A", "effort", "N m", "a name that exists", lambda at: at.tau[0]),
        Output("A", "pair", "N", "two entries without names", lambda at: at.tau[:2]),
    ],
    ids=["a number", "a name that exists", "a column of two"],
)
def test_invalid_outputs_are_reported(yielded, texts):
    def invalid(at):
        yield yielded

    ml.register(invalid)
    try:
        with pytest.raises(ml.ModelError) as caught:
            four_bar().outputs()
    finally:
        SOURCES.remove(invalid)
    texts.fault(caught.value, "M18", "invalid")
