"""Gear's method and Radau's method give the same motion as the compiled loop."""

from __future__ import annotations

import numpy as np
import pytest
from texts import Texts
from zoo import ZOO
from zoo.plain import pinned_body, sliding_body

import multiloop as ml


@pytest.mark.parametrize(
    "name", ["four-bar", "3-RRR", "bennett", "RSSR", pytest.param("6-UPS", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(
    "carried",
    [
        {"integrator": "gear", "rtol": 1e-11},
        {"integrator": "implicit", "rtol": 1e-8, "target": "interpreter"},
    ],
    ids=["gear", "Radau"],
)
def test_other_kinds_of_integrators_make_the_same_motion(name: str, carried: dict) -> None:
    driven = ZOO[name].build()
    start, mechanism = ml.assemble(driven), driven.without_drives()
    ours = ml.simulate(mechanism, start=start, until=0.3, samples=4)
    other = ml.simulate(mechanism, start=start, until=0.3, samples=4, **carried)
    for joint in ours:
        size = max(1.0, np.abs(ours[joint].position).max())
        np.testing.assert_allclose(
            other[joint].position, ours[joint].position, atol=1e-7 * size, err_msg=joint
        )
    assert other.constraint_violation.max() < 1e-12


def test_gear_follows_a_drive_beside_a_free_freedom() -> None:
    driven = ZOO["3-RRR"].build()
    start, mechanism = ml.assemble(driven), driven.replace(drives=driven.drives[:1])
    ours, other = (
        ml.simulate(mechanism, start=start, until=0.3, samples=31, integrator=name)
        for name in ("dop853", "gear")
    )
    np.testing.assert_allclose(other["A1"].effort, ours["A1"].effort, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(other["A2"].position, ours["A2"].position, atol=1e-7)


@pytest.mark.parametrize(
    "carried", [{"integrator": "gear"}, {"integrator": "implicit", "target": "interpreter"}]
)
def test_a_spring_of_1e8_is_held(carried: dict) -> None:
    mechanism = sliding_body(ml.Body("block", mass=1.0, inertia=1.0), "oscillator", joint="x")
    efforts = {"x": -1e8 * ml.position("x") - 2e4 * ml.rate("x")}
    run = ml.simulate(
        mechanism, start={"x": 1e-3}, efforts=efforts, until=1.0, samples=11, rtol=1e-6, **carried
    )
    assert np.abs(run["x"].position[1:]).max() < 1e-9
    assert run.counts["steps"] < 400


def pendulum():
    return pinned_body(ml.rod("p", length=1.0, mass=1.0), name="pendulum")


def test_gear_knows_times_that_lie_close_together() -> None:
    push = {"A": 1e9}  # I = 1/3: the rate grows by 3e9 a second
    run = ml.simulate(pendulum(), start={"A": 0.0}, until=1e-6, efforts=push, integrator="gear", samples=2001)
    assert run["A"].rate[-1] == pytest.approx(3000.0, rel=1e-6)
    pair = ml.simulate(
        pendulum(), start={"A": 1.0}, until=1.0, integrator="gear", samples=[0.5, 0.5 + 5e-10, 1.0]
    )
    step = pair["A"].position[1] - pair["A"].position[0]
    # a difference of 5e-10 of positions with a relative error of the run's tolerance
    assert step == pytest.approx(5e-10 * pair["A"].rate[0], rel=1e-4)
    first = ml.simulate(pendulum(), start={"A": 0.0}, until=1.0, integrator="gear", samples=[0.0, 1e-13, 1.0])
    assert abs(first["A"].position[1]) < 1e-20


@pytest.mark.parametrize(
    "carried", [{}, {"target": "interpreter"}, {"integrator": "gear"}], ids=["compiled", "SciPy", "gear"]
)
def test_at_a_jump_of_a_drive_all_show_what_comes_after_it(carried: dict) -> None:
    jumps = ml.table([0.0, 0.3, 0.7, 1.0], [0.0, 0.5, 0.2, 0.4], kind="linear")
    driven = pendulum().replace(drives=[ml.Motion("A", jumps)])
    run = ml.simulate(driven, until=1.0, samples=[0.0, 0.3, 0.7, 1.0], **carried)
    assert run["A"].rate == pytest.approx([5 / 3, -0.75, 2 / 3, 2 / 3], rel=1e-12)
    gained = (
        run.kinetic_energy[-1] - run.kinetic_energy[0] + run.potential_energy[-1] - run.potential_energy[0]
    )
    assert run.work[-1] - run.work[0] == pytest.approx(gained, rel=1e-6)


def test_gear_leaves_singular_positions_to_others(texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(pendulum(), start={"A": 1.0}, until=1.0, integrator="gear", method="augmented")
    texts.fault(caught.value, "S08")


@pytest.mark.parametrize("integrator", ["gear", "imex", "implicit"])
def test_a_very_stiff_link_that_is_damped_carries_what_a_rigid_one_does(integrator: str) -> None:
    """Its loops are projected by joint coordinates: a millionth of a length, projected by deflection, would cause a
    hundred newton metres."""
    link = {"length": 0.9, "E": 7e16, "density": 2700.0, "section": ml.rectangle(0.02, 0.006)}
    machine = ml.examples.four_bar().with_body(ml.beam("coupler", **link, damping=0.3))
    run = ml.simulate(machine, until=0.1, rtol=1e-6, integrator=integrator)
    exact = ml.simulate(machine, until=0.1, rtol=1e-9)
    found, known = (one.link("coupler").largest("moment").max() for one in (run, exact))
    assert found == pytest.approx(known, rel=2e-3)  # tolerance 1e-6 of the run, for stresses of a stiff link
