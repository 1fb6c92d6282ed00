"""Runs with known final states, or with known energy and momentum."""

from functools import cache

import numpy as np
import pytest
from laws.closed_positions import built
from zoo import chains, scraper
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.dynamics.forward import METHODS
from multiloop.model.expressions.functions import sin

DRIFT = 1e-9
"""Of the energy at rtol = 1e-11: a hundred times the tolerance, since steps add up."""

TIGHT = {"rtol": 1e-11, "samples": 11}
AT_REST = {"A1": 1.04, "A2": 4.1883, "A3": 5.7637}
OTHERS = [method for method in METHODS if method != "augmented"]


def free(name):
    return built(name).without_drives()


def flywheel():
    """One wheel of 0.5 kg m² on a bearing, without gravity."""
    return pinned_body(ml.Body("wheel", mass=2.0, inertia=0.5), name="flywheel", gravity=(0, 0))


# energy and momentum ----------------------------------------------------------------------------------


def test_a_released_four_bar_keeps_its_energy():
    run = ml.simulate(free("four-bar"), start={"A": 1.0}, until=1.0, **TIGHT)
    assert run.energy_drift < DRIFT
    assert run.kinetic_energy[0] == 0.0
    assert run.kinetic_energy.max() > 1.0
    assert np.all(run.work == 0.0)
    assert run.constraint_violation.max() < 1e-12  # loops are projected after every step


def test_the_3rrr_released_at_rest_reaches_the_known_position():
    """θ₁(1 s) of a reference integration, to nine digits."""
    run = ml.simulate(free("3-RRR"), start=AT_REST, until=1.0, **TIGHT)
    assert run.energy_drift < DRIFT
    assert run["A1"].position[-1] == pytest.approx(-0.877378237, abs=1e-9)


def test_the_scraper_never_turns_over():
    """Set K at θ₁ = 0 and 45 rpm has 23.0899 J, which is not enough to lift the pantograph over the top."""
    mechanism = scraper.scraper("K").without_drives()
    start, rates = {"crank pivot": 0.0}, {"crank pivot": 4.7124}
    run = ml.simulate(mechanism, start=start, rates=rates, until=1.6, rtol=1e-11, samples=33)
    assert run.kinetic_energy[0] + run.potential_energy[0] == pytest.approx(23.0899, abs=5e-5)  # digits
    assert run.energy_drift < DRIFT
    crank = run["crank pivot"].position
    assert np.abs(crank).max() < np.pi
    assert crank.max() > 2.8
    assert run["crank pivot"].rate.min() < -3.0, "it swings back"


def test_a_coupler_on_two_balls_and_one_of_seven_revolutes_keep_their_energy():
    given = {"start": {"A": 0.3}, "rates": {"A": 3.0}, "until": 0.4, **TIGHT}
    balls, hinges, cross = (ml.simulate(free(name), **given) for name in ("RSSR", "RSSR-revolutes", "RSUR"))
    for run in (balls, hinges, cross):
        assert run.energy_drift < DRIFT
    # A cross and a ball are five revolutes with massless links between: stiffened, but the same motion.
    assert hinges.plan.massless.rule == "stiffened"
    assert hinges["A"].position == pytest.approx(cross["A"].position, abs=1e-9)
    # The axial inertia of the coupler is a thousandth of the crank's.
    assert balls["A"].position == pytest.approx(cross["A"].position, abs=0.05)


def floating_start():
    rates = {
        "floats": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
        "left shoulder": 1.0,
        "left elbow": 2.0,
        "right shoulder": -1.0,
        "right elbow": 0.5,
    }
    return {"start": dict(built("floating-base").guess), "rates": rates}


def test_a_floating_base_keeps_momentum_and_energy():
    run = ml.simulate(free("floating-base"), **floating_start(), until=1.0, **TIGHT)
    assert run.energy_drift < DRIFT
    drift = np.abs(run.momentum - run.momentum[0]).max(axis=0)
    assert np.all(drift < DRIFT * np.abs(run.momentum[0]).max())
    assert np.abs(run["left shoulder"].rate - 1.0).max() > 0.1, "its arms do move"


def test_efforts_inside_a_floating_base_leave_its_momentum_alone():
    efforts = {"left elbow": 0.3, "right shoulder": 0.5 * sin(5 * ml.time)}
    run = ml.simulate(free("floating-base"), **floating_start(), efforts=efforts, until=0.5, **TIGHT)
    assert np.abs(run.momentum - run.momentum[0]).max() < DRIFT * np.abs(run.momentum[0]).max()
    assert abs(run.work[-1]) > 1e-4 * run.kinetic_energy.max()
    assert run.energy_drift < DRIFT


# drives -----------------------------------------------------------------------------------------------


def test_the_work_of_a_drive_is_the_change_of_energy():
    """And the efforts and reactions along the way are those of inverse dynamics."""
    run = ml.simulate(built("four-bar"), until=0.5, **TIGHT)
    energy = run.kinetic_energy + run.potential_energy
    assert abs(run.work[-1]) > 0.1
    assert energy[-1] - energy[0] == pytest.approx(run.work[-1], abs=DRIFT * run.kinetic_energy.max())
    assert run["A"].position == pytest.approx(4.712 * run.time, abs=1e-12)
    known = ml.inverse(built("four-bar"), t=run.time)
    assert run["A"].effort == pytest.approx(known["A"].effort, abs=1e-9 * np.abs(known["A"].effort).max())
    for joint in "ABCD":
        size = np.abs(known[joint].force).max()
        assert run[joint].force == pytest.approx(known[joint].force, abs=1e-9 * size)


def test_driven_and_free_freedoms_together():
    """The left crank of a five-bar follows its drive, the right one is free."""
    mechanism = built("five-bar").replace(drives=built("five-bar").drives[:1])
    run = ml.simulate(mechanism, start={"E": 1.0}, until=0.5, **TIGHT)
    assert run["A"].position == pytest.approx(2.0 + 0.4 * np.sin(6 * run.time), abs=1e-12)
    assert run["A"].rate == pytest.approx(2.4 * np.cos(6 * run.time), abs=1e-10)
    assert np.all(run["E"].effort == 0.0)
    assert np.abs(run["E"].position - 1.0).max() > 0.3
    assert run.energy_drift < DRIFT


def test_a_pendulum_on_a_driven_crank():
    """Two joints in a row, the first prescribed: q̈₂ from Lagrange's equation of the second alone."""
    mechanism = ml.Mechanism(
        "whirled pendulum",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(), ml.rod("arm", length=0.5, mass=1.0), ml.rod("bob", length=0.3, mass=0.2)],
        joints=[ml.Revolute("A", "ground.origin", "arm.a"), ml.Revolute("B", "arm.b", "bob.a")],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(8.0))],
    )
    result = ml.forward(mechanism, {"B": 0.4}, rates={"B": 0.7})
    # (l²/3) (φ̈) = −(L l / 2) Ω² sin q₂ with φ̈ = q̈₂ at constant Ω
    expected = -1.5 * 0.5 / 0.3 * 64.0 * np.sin(0.4)
    assert result["B"].acceleration[0] == pytest.approx(expected, rel=1e-12)
    run = ml.simulate(mechanism, start={"B": 0.4}, rates={"B": 0.7}, until=1.0, **TIGHT)
    jacobi = run["B"].rate ** 2 / 2 - 1.5 * 0.5 / 0.3 * 64.0 * np.cos(run["B"].position)
    assert jacobi == pytest.approx(jacobi[0], abs=1e-8)
    assert run.energy_drift < DRIFT


# efforts ----------------------------------------------------------------------------------------------


def test_a_constant_effort_does_work_as_far_as_it_turns():
    run = ml.simulate(free("four-bar"), start={"A": 1.0}, efforts={"A": -3.0}, until=0.5, **TIGHT)
    turned = run["A"].position - run["A"].position[0]
    assert run.work == pytest.approx(-3.0 * turned, abs=1e-9)
    assert run["A"].effort == pytest.approx(np.full(11, -3.0), abs=0)
    assert run.energy_drift < DRIFT


def test_an_effort_that_is_an_expression_of_time():
    """I q̈ = M sin ωt from rest: q = M/(I ω) (t − sin(ωt)/ω)."""
    run = ml.simulate(flywheel(), start={"A": 0.0}, efforts={"A": 2.0 * sin(3 * ml.time)}, until=2.0, **TIGHT)
    t = run.time
    assert run["A"].position == pytest.approx(2.0 / (0.5 * 3) * (t - np.sin(3 * t) / 3), abs=1e-9)


def test_an_effort_that_is_an_expression_of_the_state():
    """A spring and a damper at the bearing: I q̈ + d q̇ + k q = 0, and their dissipation is the work."""
    spring = -2.0 * ml.position("A") - 0.1 * ml.rate("A")
    run = ml.simulate(flywheel(), start={"A": 0.4}, efforts={"A": spring}, until=3.0, **TIGHT)
    decay, omega = 0.1, np.sqrt(4.0 - 0.01)
    expected = (
        0.4
        * np.exp(-decay * run.time)
        * (np.cos(omega * run.time) + decay / omega * np.sin(omega * run.time))
    )
    assert run["A"].position == pytest.approx(expected, abs=1e-9)
    assert run.energy_drift < DRIFT


def test_a_spring_inside_a_loop_stores_what_the_mechanism_loses():
    """At a joint that would otherwise be cut: T + V + ½ k q² is constant."""
    spring = -20.0 * (ml.position("C") - 0.5)
    run = ml.simulate(free("four-bar"), start={"A": 1.0}, efforts={"C": spring}, until=0.4, **TIGHT)
    stored = 10.0 * (run["C"].position - 0.5) ** 2
    total = run.kinetic_energy + run.potential_energy + stored
    assert total == pytest.approx(total[0], abs=DRIFT * run.kinetic_energy.max())


def test_the_efforts_of_a_result_make_its_motion():
    """Efforts of the drives of the 3-RRR, applied to it as a smooth curve through 81 instants."""
    mechanism = built("3-RRR")
    known = ml.inverse(mechanism, t=np.linspace(0.0, 0.2, 81))
    joints = ("A1", "A2", "A3")
    rates = {joint: float(known[joint].rate[0]) for joint in joints}
    efforts = dict.fromkeys(joints, known)
    run = ml.simulate(
        mechanism.without_drives(), start=AT_REST, rates=rates, efforts=efforts, until=0.2, **TIGHT
    )
    for joint, start in AT_REST.items():
        # The error of the spline is O(step⁴), about 1e-7 of the efforts.
        assert run[joint].position == pytest.approx(start + 0.1 * np.sin(6 * run.time), abs=1e-8)


# methods, integrators, samples ------------------------------------------------------------------------


@cache
def released_run(method):
    return ml.simulate(free("3-RRR"), start=AT_REST, until=0.3, method=method, **TIGHT)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_makes_the_same_motion(method):
    run, first = released_run(method), released_run("sslm")
    # The augmented method satisfies the rows to about 1e-10 of the accelerations.
    limit = 1e-8 if method == "augmented" else 1e-10
    for joint in run:
        assert run[joint].position == pytest.approx(first[joint].position, abs=limit), joint
    assert run.energy_drift < (1e-7 if method == "augmented" else DRIFT)


def test_redundant_rows_do_not_disturb_a_run():
    flat = ml.simulate(free("four-bar"), start={"A": 1.0}, until=0.4, **TIGHT)
    space = ml.simulate(free("four-bar-space"), start={"A": 1.0}, until=0.4, **TIGHT)
    assert space["A"].position == pytest.approx(flat["A"].position, abs=1e-9)
    assert space.energy_drift < DRIFT


def test_a_looser_tolerance_and_another_integrator_cost_accuracy_and_nothing_else():
    runs = [
        ml.simulate(
            free("four-bar"), start={"A": 1.0}, until=0.4, samples=5, rtol=rtol, integrator=integrator
        )
        for rtol, integrator in ((1e-11, "dop853"), (1e-6, "dop853"), (1e-6, "rk45"))
    ]
    fine, *coarse = (run["A"].position for run in runs)
    for rough in coarse:
        assert rough == pytest.approx(fine, abs=1e-5)  # rtol=1e-6 of every step
    assert runs[0].energy_drift < min(run.energy_drift for run in runs[1:])


def test_outputs_are_given_where_they_are_asked_for():
    times = [0.0, 0.013, 0.21, 0.3]
    run = ml.simulate(free("four-bar"), start={"A": 1.0}, until=0.3, samples=times, rtol=1e-11)
    dense = ml.simulate(free("four-bar"), start={"A": 1.0}, until=0.3, samples=301, rtol=1e-11)
    assert run.time == pytest.approx(times, abs=0)
    # Interpolated between steps and projected: the seventh order of the dense output.
    assert run["A"].position == pytest.approx(dense["A"].position[[0, 13, 210, 300]], abs=1e-9)
    assert dense.constraint_violation.max() < 1e-12


def test_a_run_resumes_where_another_ended():
    whole = ml.simulate(free("four-bar"), start={"A": 1.0}, until=0.6, **TIGHT)
    half = ml.simulate(free("four-bar"), start={"A": 1.0}, until=0.3, **TIGHT).final
    again = ml.simulate(
        free("four-bar"), start=dict(half.positions), rates=dict(half.rates), until=0.3, **TIGHT
    )
    assert again["A"].position[-1] == pytest.approx(whole["A"].position[-1], abs=1e-9)


# singular positions -----------------------------------------------------------------------------------


def flat_parallelogram(angle, **given):
    """A parallelogram at or near its flat position, with initial rates; there it might change its assembly mode."""
    guess = {"A": angle, "B": -angle, "C": -angle, "D": angle}
    start, rates = {"A": angle, "B": -angle}, {"A": 2.0, "B": -2.0}
    return ml.simulate(
        free("parallelogram"), start=start, guess=guess, rates=rates, until=0.2, samples=5, rtol=1e-9, **given
    )


def levelling(windows=3):
    """A ladder whose first vertical is driven until all of it is flat at t = 1 s."""
    ladder = chains.ladder(windows)
    return ladder.replace(drives=[ml.Motion("P0", -np.pi / 6 * (1 - ml.time))])


@pytest.mark.filterwarnings(
    "ignore::RuntimeWarning"
)  # the integrator tries a step onto exactly that position
@pytest.mark.parametrize("method", OTHERS)
def test_other_methods_stop_at_a_singular_position_with_its_time(method):
    with pytest.raises(ml.SolveError, match="augmented") as caught:
        ml.simulate(levelling(), until=1.0, samples=5, rtol=1e-9, method=method)
    assert caught.value.time == pytest.approx(
        1.0, abs=1e-5
    )  # the run ends where the rows are nearly dependent
    assert f"t = {caught.value.time:.6g} s" in str(caught.value)


@pytest.mark.parametrize("method", OTHERS)
def test_other_methods_refuse_to_begin_near_a_singular_position(method, texts):
    with pytest.raises(ml.SolveError) as caught:
        flat_parallelogram(-3e-8, method=method)
    texts.fault(caught.value, "S04", "0 s")


@pytest.mark.parametrize("method", ["sslm", "embedding"])
def test_other_methods_refuse_to_begin_at_a_singular_position(method, texts):
    """Its lost direction is no redundancy: with one row less, the motion would gain energy."""
    with pytest.raises(ml.SolveError) as caught:
        flat_parallelogram(0.0, method=method)
    texts.fault(caught.value, "S04", "0 s")


def test_the_augmented_method_begins_at_a_singular_position():
    run = flat_parallelogram(0.0, method="augmented")
    assert run.energy_drift < 1e-7
    assert run["D"].position == pytest.approx(run["A"].position, abs=1e-9)


def test_the_augmented_method_passes_the_flat_position_of_a_ladder():
    """With initial rates through it; the other methods step over it, and all results agree."""
    given = {"start": {"P0": -0.3}, "rates": {"P0": 4.0}, "until": 0.3, "samples": 7, "rtol": 1e-10}
    mechanism = chains.ladder(3).without_drives()
    run, other = (ml.simulate(mechanism, method=method, **given) for method in ("augmented", "sslm"))
    assert run["P0"].position[0] < 0 < run["P0"].position[-1]
    # Within a few milliradians of it the multipliers converge slowly, and so do the errors of the rows.
    assert run.energy_drift < 1e-4
    assert run["P3"].position == pytest.approx(run["P0"].position, abs=1e-9), "it did not turn over"
    assert run["P0"].position == pytest.approx(other["P0"].position, abs=1e-4)


def test_the_augmented_method_goes_to_the_flat_position_and_beyond():
    run = ml.simulate(levelling(), until=1.5, samples=[0.0, 1.0, 1.5], rtol=1e-9, method="augmented")
    assert run["P0"].position == pytest.approx([-np.pi / 6, 0.0, np.pi / 12], abs=1e-12)
    assert run["P3"].position == pytest.approx(run["P0"].position, abs=1e-6)


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_the_drift_does_not_depend_on_the_outputs(target):
    """Both instants of a fall may be slow ones; the peak between them is included."""
    free = built("four-bar").without_drives()
    fall = {"until": 1.0, "start": {"A": 1.0}, "rtol": 1e-7, "target": target}
    drifts = [ml.simulate(free, samples=n, **fall).energy_drift for n in (2, 11, 64, 301)]
    assert max(drifts) < 3 * min(drifts)  # the maximum of a change is more accurate with more instants


def test_few_outputs_are_those_of_many():
    free = built("four-bar").without_drives()
    few, many = (ml.simulate(free, until=0.8, start={"A": 1.0}, samples=n) for n in (5, 65))
    assert few.time == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8])
    for joint in "ABCD":
        assert few[joint].position == pytest.approx(many[joint].position[::16], abs=1e-12)
        assert few[joint].force == pytest.approx(many[joint].force[::16], abs=1e-9)
    assert few.body("coupler").shape == (5, 3, 4)
    assert (len(few.work), len(few.momentum), len(few.kinetic_energy)) == (5, 5, 5)


def test_an_energy_balance_that_does_not_close_is_reported(texts):
    """RK4 with five steps per period loses 5 % of its energy; with a hundred 1e-7."""
    falling = ml.examples.four_bar().without_drives()
    asked = {"until": 1.0, "start": {"A": 1.0}, "integrator": "rk4", "samples": 11}
    texts.warnings(ml.simulate(falling, step=0.1, **asked), ("W44", "four-bar"))
    assert ml.simulate(falling, step=0.005, **asked).status == "ok"
