"""Do forces, torques, springs and dampers act alike in every formulation, and does the energy balance close?"""

import casadi as ca
import numpy as np
import pytest
from laws.agreement import Tally, judge_forward, judge_inverse, judge_round_trips
from laws.closed_positions import built, duration
from laws.formulation_cases import SINGULAR, efforts_for, known_motion, numbers
from laws.random_loads import LOADED, loaded, loaded_cases
from laws.stencils import first

import multiloop as ml
from multiloop.dynamics.actions import action_wrenches, actions_of, applied_wrenches
from multiloop.dynamics.forward import ForwardProblem
from multiloop.kernels.cuda.cuda_kernel import kernel_source
from multiloop.kinematics import Snapshot, equations_of, marker_motion
from multiloop.symbols import Traced


@pytest.fixture(params=LOADED)
def name(request):
    return request.param


def test_all_forward_formulations_agree(name):
    for case in loaded_cases(name):
        assert case.condition < SINGULAR
        judge_forward(case, Tally())


def test_all_inverse_formulations_agree(name):
    for case in loaded_cases(name):
        judge_inverse(known_motion(case, efforts_for(case)), Tally())


def test_forward_and_inverse_undo_each_other(name):
    for case in loaded_cases(name):
        judge_round_trips(case, efforts_for(case), Tally())


def test_power_of_every_action_is_what_its_potential_loses_and_what_it_supplies(name):
    """Σ wᵀ t = −V̇ + power, by differentiating V along the motion."""
    case = loaded_cases(name)[0]
    eq = case.equations
    outputs = {}
    for action in actions_of(eq.skeleton):
        given = sum(ca.dot(w, eq.body_twists[k].column) for k, w in action_wrenches(eq, action) if k >= 0)
        stored = ca.SX(action.potential(eq))
        outputs[action.name] = given + ca.jtimes(stored, eq.q, eq.q_rate) - action.power(eq)
        outputs[f"size of {action.name}"] = ca.fabs(given) + ca.fabs(action.power(eq))
    inputs = {"t": eq.t, "q": eq.q, "v": eq.v, "p": eq.skeleton.parameter_symbols}
    found = Traced("powers", inputs, outputs)(t=0.3, q=case.q, v=case.v, p=eq.skeleton.parameter_values)
    assert (
        sum(size[0] > 0 for size in found[1::2]) >= 4
    )  # one on a fixed circle about the origin does no work
    for missing, size in zip(found[::2], found[1::2], strict=True):
        assert abs(missing[0]) < 1e-12 * (1 + size[0])  # round-off of sums of a few terms


def test_a_force_at_a_marker_is_felt_by_its_virtual_power():
    """φ with the force less φ without is (∂p/∂q)ᵀ f, p the marker's place."""
    bare = built("four-bar-offsets")
    force = ml.Force("push", "coupler.com", (3.0, -7.0))
    case = loaded_cases("four-bar-offsets")[0]
    tree = case.skeleton.tree
    with_force, without = (equations_of(m, tree) for m in (bare.replace(loads=[force]), bare))
    phi = []
    for eq in (with_force, without):
        at = Snapshot(eq.skeleton, ca.DM(case.q), ca.DM(case.v))
        phi.append(numbers(ForwardProblem(at, ca.DM(case.tau)).phi))
    p = marker_motion(without, "coupler.com")[0].p
    J = Traced(
        "J", {"q": without.q, "p": without.skeleton.parameter_symbols}, {"J": ca.jacobian(p, without.q)}
    )
    felt = J(q=case.q, p=np.zeros(0))[0].T @ [3.0, -7.0, 0.0]
    assert phi[0] - phi[1] == pytest.approx(felt, abs=1e-13)


def external(result):
    """Force and moment about the inertial origin of all external loads without a reaction on the frame."""
    planar, n = result.mechanism.planar, len(result.time)
    force, moment = np.zeros((n, 3)), np.zeros((n, 3))
    for load in result.mechanism.loads:
        if isinstance(load, ml.Force):
            f, p = (_spatial(x) for x in (result[load.name].force, result.marker(load.at)))
            force += f
            moment += np.cross(p, f)
        elif isinstance(load, ml.Torque):
            torque = result[load.name].torque
            moment += np.column_stack([np.zeros((n, 2)), torque]) if planar else torque
    return force, moment


def _spatial(vectors):
    return np.column_stack([vectors, np.zeros(len(vectors))]) if vectors.shape[1] == 2 else vectors


@pytest.mark.parametrize("name", ["four-bar-offsets", "3-RRR", "RSUR", "6-UPS"])
def test_momentum_balances_with_what_the_frame_feels(name):
    """rate of momentum = weight + forces from outside − shaking force, and the same of moments."""
    mechanism = loaded(name)
    middle, h = 0.3 * duration(name), 1e-3 * duration(name)
    result = ml.inverse(mechanism, t=[0.0, *(middle + h * np.arange(-2, 3))])
    rate = first(result.momentum[1:], h)
    force, moment = (part[3] for part in external(result))
    at, g = 3, np.array([*mechanism.gravity, 0.0])[:3]
    for body in mechanism.moving:
        mass = float(body.mass)
        force = force + mass * g
        moment = moment + np.cross(_spatial(result.marker(f"{body.name}.com"))[at], mass * g)
    size = np.abs(force).max() + max(result[joint].load[at] for joint in result)
    # Differences of fourth order with steps of a thousandth of a period.
    shaking_force, shaking_moment = result.shaking_force[at], result.shaking_moment[at]
    if mechanism.planar:
        assert rate[1:] == pytest.approx(force[:2] - shaking_force, abs=1e-7 * size)
        assert rate[0] == pytest.approx(moment[2] - shaking_moment, abs=1e-7 * size)
    else:
        assert rate[3:] == pytest.approx(force - shaking_force, abs=1e-7 * size)
        assert rate[:3] == pytest.approx(moment - shaking_moment, abs=1e-7 * size)


@pytest.mark.parametrize("name", ["four-bar-offsets", "RSUR", "6-UPS"])
def test_inverse_methods_agree_in_inverse(name):
    mechanism, t = loaded(name), (0.0, 0.17 * duration(name))
    results = [
        ml.inverse(mechanism, t=t, method=m) for m in ("subsystem", "system", "virtual_work", "traditional")
    ]
    force = max(results[0][joint].load.max() for joint in results[0])
    for other in results[1:]:
        for joint in other:
            for part in ("force", "moment", "effort"):
                one, same = (getattr(result[joint], part) for result in (results[0], other))
                assert same == pytest.approx(one, abs=1e-10 * force), (joint, part)


@pytest.mark.parametrize("name", ["four-bar-offsets", "slider-crank", "RSUR"])
def test_energy_is_accounted_for_to_round_off(name):
    """Released under springs, dampers, forces and torques: kinetic and potential energy less the work are constant."""
    mechanism = loaded(name).without_drives()
    joint = built(name).drives[0].of
    start = ml.inverse(built(name), t=[0.0])[joint].position[0]
    for target in ("c", "interpreter"):
        run = ml.simulate(mechanism, start={joint: float(start)}, until=0.3, rtol=1e-12, target=target)
        assert run.energy_drift < 1e-10  # a hundred times the tolerance


def test_drives_and_loads_are_in_one_energy_balance():
    run = ml.simulate(loaded("four-bar-offsets"), until=0.4, rtol=1e-12)
    assert run.energy_drift < 1e-10
    energy = run.kinetic_energy + run.potential_energy
    h = run.time[1] - run.time[0]
    for k in (100, 250, 400):
        assert first(energy[k - 2 : k + 3], h) == pytest.approx(run.power[k], rel=1e-5)  # fourth order in h


@pytest.mark.parametrize("name", ["four-bar-offsets", "RSUR"])
def test_kernels_in_c_interpreted_and_in_cuda_agree(name):
    mechanism = loaded(name)
    c, plain = (ml.compile(mechanism, target=target) for target in ("c", "interpreter"))
    q, rng = c.q, np.random.default_rng(2)
    v, a, tau = (rng.normal(size=c.equations.skeleton.rates) for _ in range(3))
    time = {"t": 0.4} if name == "four-bar-offsets" else {}  # the only one with a load that depends on it
    for kernel, given in (
        ("forward", {"q": q, "v": v, "tau": tau, **time}),
        ("inverse", {"q": q, "v": v, "a": a, **time}),
        ("energy", {"q": q, "v": v, **time}),
    ):
        one, other = (getattr(kernels, kernel)(**given) for kernels in (c, plain))
        pairs = zip(one, other, strict=True) if isinstance(one, list | tuple) else [(one, other)]
        for x, y in pairs:
            assert x == pytest.approx(y, rel=1e-10, abs=1e-9)
        assert "__global__" in kernel_source(*getattr(c, kernel).recipe.lowered)


def test_an_action_touches_only_what_it_names():
    case = loaded_cases("3-RRR")[0]
    named = set().union(*(action.links(case.skeleton) for action in actions_of(case.skeleton)))
    assert set(applied_wrenches(case.at)) == named


def sprung():
    """A spring at every joint: no joint may be cut, so that a body is split."""
    joints = built("four-bar-offsets").binary_joints
    springs = [ml.JointSpring(f"at {joint.name}", joint.name, stiffness=3.0, damping=0.1) for joint in joints]
    return built("four-bar-offsets").replace(loads=springs)


def test_springs_at_all_joints_of_a_loop():
    mechanism = sprung()
    assert ml.analyse(mechanism).tree.splits
    free = mechanism.without_drives()
    start = {"A": float(ml.inverse(built("four-bar-offsets"), t=[0.0])["A"].position[0])}
    run = ml.simulate(free, start=start, until=0.5, rtol=1e-12)
    assert run.energy_drift < 1e-10
    answers = [
        ml.forward(free, run.at(0.25), method=method) for method in ("sslm", "slm", "system", "embedding")
    ]
    for other in answers[1:]:
        for joint in other:
            assert other[joint].acceleration == pytest.approx(answers[0][joint].acceleration, rel=1e-9)
            assert other[joint].force == pytest.approx(answers[0][joint].force, abs=1e-9)


def test_required_efforts_overcome_the_loads():
    """Driven open loop by the efforts of inverse dynamics, it follows the motion."""
    driven = loaded("four-bar-offsets")
    efforts = ml.RequiredEfforts(driven)
    motion = ml.inverse(driven, t=[0.0, 0.1])
    run = ml.simulate(
        driven.without_drives(),
        start={"A": float(motion["A"].position[0])},
        rates={"A": float(motion["A"].rate[0])},
        until=0.1,
        efforts={"A": efforts},
        rtol=1e-11,
    )
    assert run["A"].position[-1] == pytest.approx(motion["A"].position[-1], abs=1e-9)
