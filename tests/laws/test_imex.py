"""The integrator that treats the stiffness of links implicitly: its order, agreement, and numerical damping of high
modes."""

from __future__ import annotations

from functools import cache

import casadi as ca
import numpy as np
import pytest
from published.elastic.linkages import slider_crank
from zoo.flexible import BENDING
from zoo.plain import clamped_body

import multiloop as ml
from multiloop.analyses.analysis_cache import cached_assembly, cached_plan
from multiloop.analyses.run_models.local_choice import make_local_choice
from multiloop.analyses.run_models.run_model import cached_model, cached_run
from multiloop.kernels import compiler_available
from multiloop.symbols import Traced

pytestmark = pytest.mark.skipif(not compiler_available(), reason="no C compiler")

ROD = {"E": 2e11, "density": 7870.0, "section": ml.rectangle(0.008, 0.008)}


@cache
def clamped_rod(modes: int, damping: float = 0.0) -> ml.Mechanism:
    """A rod that is clamped at one end and otherwise free."""
    return clamped_body(
        ml.beam("rod", length=0.3, modes=modes, frame="a", damping=damping, **ROD),
        name="clamped rod",
        gravity=(0, 0),
    )


@cache
def bent(rtol: float, integrator: str) -> ml.Result:
    return ml.simulate(
        clamped_rod(1), start={"rod.eta": 1e-3}, until=0.02, samples=[0.02], rtol=rtol, integrator=integrator
    )


def test_it_is_of_order_four() -> None:
    """Error ~ tol and steps ~ tol^(−1/4), for a bar that vibrates in its first mode."""
    known = bent(1e-12, "dop853").link("rod").eta[-1, 0]
    errors = [abs(bent(rtol, "imex").link("rod").eta[-1, 0] - known) for rtol in (1e-7, 1e-11)]
    steps = [bent(rtol, "imex").counts["steps"] for rtol in (1e-7, 1e-11)]
    assert errors[1] < 1e-10
    assert np.log(errors[0] / errors[1]) / np.log(steps[1] / steps[0]) == pytest.approx(4, abs=0.4)


@pytest.mark.parametrize("name", ["bending four-bar", pytest.param("bending RSSR", marks=pytest.mark.slow)])
def test_it_agrees_with_the_explicit_one(name: str) -> None:
    """Springs, friction and cuts are treated explicitly: the order does not depend on terms missing in the matrix.

    To 1e-6 of the largest, and to the tolerance of a step, 1e-10 m, where deflections are smaller.
    """
    runs = [
        ml.simulate(BENDING[name].build(), until=0.02, samples=5, rtol=1e-10, integrator=integrator)
        for integrator in ("dop853", "imex")
    ]
    for link in runs[0].links:
        one, other = (run.link(link).eta for run in runs)
        assert np.abs(one - other).max() < 1e-6 * np.abs(one).max() + 1e-10
    assert runs[1].energy_drift < 1e-8


@pytest.mark.slow
def test_high_frequencies_that_die_out_cost_nothing() -> None:
    """Six bending and three axial modes with damping: a third of the evaluations, and torques within 1 %."""
    machine = slider_crank({"y": 6, "x": 3}, damping=0.02)
    fine, explicit, implicit = (
        ml.simulate(machine, until=0.05, samples=51, rtol=rtol, integrator=integrator, start="relaxed")
        for rtol, integrator in ((1e-8, "dop853"), (0.05, "dop853"), (0.05, "imex"))
    )
    assert implicit.counts["evaluations"] < explicit.counts["evaluations"] / 3
    known, found = (run.link("rod").deflection(0.15)[:, 1] for run in (fine, implicit))
    assert np.abs(found - known).max() < 1e-4 * np.abs(known).max()
    known, found = (run["A"].effort for run in (fine, implicit))
    assert np.abs(found - known).max() < 0.01 * np.abs(known).max()


def test_what_it_does_not_follow_dies_out() -> None:
    """The fourth mode, undamped, at a loose tolerance: its energy falls from step to step, and never rises."""
    start = {"rod.eta": (0.0, 0.0, 0.0, 1e-6)}
    run = ml.simulate(clamped_rod(4), start=start, until=0.05, samples=101, rtol=0.1, integrator="imex")
    energy = run.kinetic_energy + run.potential_energy
    steps = run.counts["steps"]
    assert steps < 100  # 124 periods
    assert energy[-1] < 1e-3 * energy[0]
    assert energy.max() <= energy[0] * (1 + 1e-9)


def test_it_goes_with_control_from_python_and_with_events() -> None:
    def control(t: float, q: dict, v: dict) -> dict[str, float]:
        return {"A": -0.1 * v["A"]}

    machine = slider_crank(2).without_drives()
    asked = {"start": {"A": 0.3}, "rates": {"A": 30.0}, "until": 0.05, "samples": 6, "rtol": 1e-9}
    asked |= {"control": control, "events": {"top": ml.position("A") - 1.0}}
    one, other = (ml.simulate(machine, integrator=name, **asked) for name in ("dop853", "imex"))
    assert other.events["top"] == pytest.approx(one.events["top"], rel=1e-7)
    assert other["A"].position == pytest.approx(one["A"].position, rel=1e-7)


def test_the_matrix_is_what_modal_forces_do() -> None:
    """∂v̇/∂η of the stiffness is the response of all rates to forces −K along the elastic coordinates, with loops and
    drive held."""
    machine = BENDING["bending four-bar"].build()
    assembly, _ = cached_assembly(machine, None, None, None, 0.0)
    run = cached_run(cached_model(cached_plan(assembly), "sslm", ()), None, {})
    model, skeleton = run.model, run.model.skeleton
    q = assembly.coordinates_on(model.equations)
    given = (
        run.signals.inputs_at(0.0, run.layout.pack(q=q))
        | make_local_choice(model, q).kernel_inputs
        | {"p": model.p}
    )
    by_shape, by_rate = Traced("stiffness", run.inputs, run.traces["stiffness"]())(**given)
    links = [link for link in skeleton.links if link.reduced.elastic]
    places = [k for link in links for k in range(link.eta_rate.start, link.eta_rate.stop)]
    K, D = (
        np.array(ca.DM(ca.diagcat(*[getattr(link.reduced.modes, name) for link in links])))
        for name in ("stiffness", "damping")
    )
    s = {"s": model.drive(0.0, 0), "s_rate": model.drive(0.0, 1), "s_second": model.drive(0.0, 2)}

    def accelerations(tau: np.ndarray) -> np.ndarray:
        functions = model.functions.accelerations
        return functions(**given, **s, tau=tau)[list(functions.outputs).index("a")]

    still = accelerations(np.zeros(skeleton.rates))
    for j, (found, force) in enumerate(((by_shape, K), (by_rate, D))):
        for column in range(len(places)):
            tau = np.zeros(skeleton.rates)
            tau[places] = -force[:, column]
            expected = accelerations(tau) - still
            assert found[:, column] == pytest.approx(expected, abs=1e-9 * np.abs(found).max()), j


@pytest.mark.parametrize(("integrator", "rtol"), [("dop853", 1e-4), ("imex", 1e-3), ("implicit", 1e-4)])
def test_forces_are_as_accurate_as_the_tolerance(integrator: str, rtol: float) -> None:
    """A coupler that stretches by some 1e-8 m: torque, reaction and axial force within 10 rtol of their largest."""
    steel = {"E": 200e9, "density": 7800.0, "section": ml.rectangle(0.02, 0.01), "damping": 0.02}
    coupler = ml.beam("coupler", length=0.9, modes={"y": 2, "x": 1}, **steel)
    machine = ml.examples.four_bar().with_body(coupler)
    runs = [
        ml.simulate(machine, until=0.1, samples=51, start="relaxed", integrator=one, rtol=tolerance)
        for one, tolerance in (("dop853", 1e-11), (integrator, rtol))
    ]
    for known, found in (
        [run["A"].effort for run in runs],
        [run["C"].force for run in runs],
        [run.link("coupler").axial(0.4) for run in runs],
    ):
        assert np.abs(found - known).max() < 10 * rtol * np.abs(known).max()
