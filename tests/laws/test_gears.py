"""Laws of all gearings: their forces have the power of their row, workless forces have none, and all methods agree."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from laws.agreement import Tally, judge_forward, judge_inverse, judge_round_trips
from laws.formulation_cases import case_at, efforts_for, known_motion
from laws.gearings import KINDS, planetary

import multiloop as ml
from multiloop.analyses.prescribed_motion.inverse_arguments import METHODS as INVERSE
from multiloop.dynamics.forward import METHODS
from multiloop.kinematics import equations_of
from multiloop.kinematics.constraints import GearingRow, constraint_jacobian
from multiloop.symbols import Traced


@pytest.fixture(params=KINDS)
def mechanism(request):
    return KINDS[request.param]()


def rows_of(mechanism):
    equations = equations_of(mechanism, ml.analyse(mechanism).tree)
    return equations, [one for one in equations.loop_constraints.constraints if isinstance(one, GearingRow)]


def test_teeth_have_the_power_of_the_row(mechanism):
    """Wᵀ t = Φ̇ along every motion of the tree, and separating forces do no work along any."""
    equations, gearings = rows_of(mechanism)
    lam, rng = ca.SX.sym("lam"), np.random.default_rng(3)
    for one in gearings:
        rates = constraint_jacobian(equations, one.interactions(equations), 1)
        powers = constraint_jacobian(equations, one.exerted_interactions(equations), 1)
        none = constraint_jacobian(equations, one.workless_forces(equations, lam), 1)
        phi = one.position_residual(equations, ca.SX(0, 1))
        slopes = ca.jacobian(phi, equations.q) @ equations.chart.rate_map(equations.q)
        inputs = {"q": equations.q, "lam": lam, "p": equations.skeleton.parameter_symbols}
        outputs = {"rates": rates, "powers": powers, "none": none, "slopes": slopes}
        function = Traced("laws", inputs, {name: ca.densify(x) for name, x in outputs.items()})
        for q in rng.normal(size=(5, equations.skeleton.positions)):
            by_row, by_force, apart, slope = function(q, np.array([7.0]), np.zeros(0))
            assert np.abs(by_row).max() > 0.01
            assert by_force == pytest.approx(by_row, abs=1e-15)
            assert slope == pytest.approx(by_row, abs=1e-15)
            assert apart == pytest.approx(0.0, abs=1e-14)  # of 7 N, or of 40 N in a belt


def test_all_methods_agree(mechanism):
    plan = ml.analyse(mechanism)
    equations = equations_of(plan.mechanism, plan.tree)
    case = case_at(equations, plan.assembly.coordinates_on(equations), 5, plan)
    judge_forward(case, Tally())
    judge_inverse(known_motion(case, efforts_for(case)), Tally())
    judge_round_trips(case, efforts_for(case), Tally())


def test_it_goes_to_text_and_back(mechanism):
    assert ml.from_text(ml.to_text(mechanism)) == mechanism


def newton_euler(mechanism, result):
    """For every body at the first instant the sum of joint forces and weight, as [n; f] at the inertial origin."""
    left = {body.name: np.zeros(6) for body in mechanism.bodies}

    def add(reference, point, force, moment):
        w = np.concatenate([moment + np.cross(point, force), force])
        left[reference.partition(".")[0]] += w

    def three(x):
        return np.array([*x, 0.0, 0.0])[:3]

    for joint in result.joints.values():
        point = three(result.marker(joint.second)[0])
        moment = np.array([0, 0, joint.moment[0]]) if mechanism.planar else joint.moment[0]
        more = np.array([0, 0, joint.effort_moment[0]]) if mechanism.planar else joint.effort_moment[0]
        force = three(joint.force[0]) + three(joint.effort_force[0])
        add(joint.second, point, force, moment + more)
        add(joint.first, point, -force, -moment - more)
    for body in mechanism.moving:
        pose = result.body(body.name)[0]
        com = pose[:, :3] @ three(body.com) + pose[:, 3]
        add(body.name, com, body.mass * three(mechanism.gravity), np.zeros(3))
    return left


@pytest.mark.parametrize("method", INVERSE)
def test_planetary_train_body_by_body(method):
    """Newton and Euler for every body, with tooth forces by Willis: at rest accelerations, gravity and a load."""
    mechanism = planetary()
    found = ml.inverse(mechanism, t=[0.0, 0.013], method=method)
    left = newton_euler(mechanism, found)
    e, r_sun, r_planet, r_ring = np.array([1.0, 0, 0]), 0.020, 0.016, 0.052
    t = np.array([0, 1.0, 0])
    for name, first, second, point in (
        ("sun mesh 0", "sun", "planet 0", r_sun * e),
        ("ring mesh 0", "planet 0", "ground", r_ring * e),
    ):
        F = found[name].tangential[0]
        assert found[name].radial[0] == pytest.approx(abs(F) * np.tan(ml.deg(20)), rel=1e-14)
        on_second = -F * t + abs(F) * np.tan(ml.deg(20)) * e
        assert found[name].force[0] == pytest.approx(on_second[:2], rel=1e-12)
        for body, sign in ((first, -1), (second, 1)):
            left[body] += sign * np.concatenate([np.cross(point, on_second), on_second])
    carrier = 600.0 / (1 + r_ring / r_sun)  # the accelerations by Willis, about the inertial axes
    turning = {"sun": 600.0, "carrier": carrier, "planet 0": carrier * (1 - r_ring / r_planet)}
    rate = 100.0 / (1 + r_ring / r_sun)
    centre = (r_sun + r_planet) * (carrier * t - rate**2 * e)
    inertia = {"sun": 1e-4, "carrier": 1e-3, "planet 0": 4e-5}
    for body, alpha in turning.items():
        force = 0.2 * centre if body == "planet 0" else np.zeros(3)
        needed = np.concatenate([[0, 0, inertia[body] * alpha], force])
        needed[2] += np.cross((r_sun + r_planet) * e, force)[2]
        outside = np.array([0, 0, -10.0 if body == "carrier" else 0.0, 0, 0, 0])
        assert (left[body] + outside)[[2, 3, 4]] == pytest.approx(needed[[2, 3, 4]], abs=1e-10), body
    assert found.plan.unique["sun mesh 0"] == (("tooth force", True),)


@pytest.mark.parametrize("torque", [-10.0, 10.0])
def test_teeth_push_apart_under_either_torque(torque):
    mechanism = planetary(loads=[ml.Torque("load", "carrier", torque)], gravity=(0, 0), drives=[])
    found = ml.forward(mechanism, {"S": 0.0})
    assert np.sign(found["sun mesh 0"].tangential[0]) == np.sign(torque)
    assert found["sun mesh 0"].radial[0] > 0
    assert found["S"].force[0, 0] == pytest.approx(
        found["sun mesh 0"].radial[0]
    )  # the bearing exerts the reaction on the sun


@pytest.mark.parametrize("method", INVERSE)
def test_three_planets_share_by_minimum_norm_with_a_warning(method):
    mechanism = planetary(3)
    found = ml.inverse(mechanism, t=[0.0, 0.02], method=method)
    for k in range(3):
        for mesh in ("sun", "ring"):
            assert not found[f"{mesh} mesh {k}"].determined
        assert not found[f"P{k}"].determined
    alone = ml.inverse(planetary(1), t=[0.0, 0.02])
    assert found["S"].rate == pytest.approx(alone["S"].rate, rel=1e-14)
    total = sum(found[f"sun mesh {k}"].tangential for k in range(3))
    assert found["S"].effort == pytest.approx(-0.02 * total + 1e-4 * 600, rel=1e-12)


@pytest.mark.parametrize("method", INVERSE)
def test_planets_at_uneven_angles_keep_the_sun_in_balance(method):
    """By minimum norm tooth forces are equal; the bearing of the sun carries their resultant and the separating
    forces."""
    mechanism = planetary(at=(0.0, 1.1, 3.3))
    found = ml.inverse(mechanism, t=[0.0], method=method)
    other = ml.inverse(mechanism, t=[0.0])
    left = newton_euler(mechanism, found)
    forces = [found[f"sun mesh {k}"].force[0] for k in range(3)]
    assert found["sun mesh 0"].tangential == pytest.approx(found["sun mesh 1"].tangential, rel=1e-12)
    assert left["sun"][3:5] == pytest.approx(sum(forces), abs=1e-10)
    for name in ("S", "C", "P0", "P1", "P2"):
        assert found[name].force == pytest.approx(other[name].force, abs=1e-9)
        assert not found[name].determined


def in_two_bearings():
    """A motor shaft with a pinion in the middle between two bearings, and a wheel on one: the shaft is
    overconstrained."""
    end = {"z": (0, 0, 1)}
    left, right = ml.marker((0, 0, -0.1), **end), ml.marker((0, 0, 0.1), **end)
    return ml.Mechanism(
        "two bearings",
        gravity=(0, 0, 0),
        bodies=[
            ml.ground(L=left, R=right, B=(0.1, 0, 0)),
            ml.Body("shaft", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), markers={"l": left, "r": right}),
            ml.Body("wheel", mass=1.0, inertia=(2e-3, 2e-3, 3e-3)),
        ],
        joints=[
            ml.Revolute("L", "ground.L", "shaft.l"),
            ml.Revolute("R", "ground.R", "shaft.r"),
            ml.Revolute("B", "ground.B", "wheel.origin"),
        ],
        pairs=[ml.Gear("mesh", "shaft.origin", "wheel.origin", teeth=(20, 30), helix_angle=ml.deg(10))],
        drives=[ml.Motion("L", 2.0 * ml.time)],
        loads=[ml.Torque("load", "wheel", (0, 0, -3.0))],
    )


@pytest.mark.parametrize("method", INVERSE)
def test_two_bearings_share_what_pushes_the_teeth_apart(method):
    """By symmetry each takes half of the force in the middle; the moment of the axial force is shared too."""
    found = ml.inverse(in_two_bearings(), t=[0.0], method=method)
    mesh = found["mesh"]
    assert mesh.determined
    assert mesh.tangential[0] == pytest.approx(3.0 / 0.06, rel=1e-12)
    assert mesh.radial[0] == pytest.approx(50 * np.tan(ml.deg(20)) / np.cos(ml.deg(10)), rel=1e-12)
    both = found["L"].force[0] + found["R"].force[0]
    assert both == pytest.approx(mesh.force[0], abs=1e-11)
    least = ml.inverse(in_two_bearings(), t=[0.0])
    for name in ("L", "R"):
        assert found[name].force == pytest.approx(least[name].force, abs=1e-9)
        assert found[name].force[0, 1] == pytest.approx(
            mesh.force[0, 1] / 2, abs=1e-9
        )  # along the tangential force
        assert not found[name].determined


@pytest.mark.parametrize("method", METHODS)
def test_forward_methods_agree_with_inverse(method):
    mechanism = planetary(drives=[])
    found = ml.forward(mechanism, {"S": 0.4}, rates={"S": 30.0}, method=method)
    back = ml.inverse(
        mechanism.replace(
            drives=[ml.Motion("S", 0.4 + 30 * ml.time + found["S"].acceleration[0] / 2 * ml.time**2)]
        ),
        t=[0.0],
    )
    assert back["S"].effort[0] == pytest.approx(0.0, abs=1e-11)
    allowed = 1e-7 if method == "augmented" else 1e-9  # of 100 N; penalties cost it digits
    for name in ("S", "C", "P0"):
        assert back[name].force == pytest.approx(found[name].force, abs=allowed)
    for name in ("sun mesh 0", "ring mesh 0"):
        assert back[name].tangential == pytest.approx(found[name].tangential, abs=allowed)


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_a_run_keeps_energy_and_ratio(target):
    mechanism = planetary(drives=[], loads=[])
    run = ml.simulate(
        mechanism, until=0.5, samples=11, rtol=1e-10, start={"S": 0.0}, rates={"S": 40.0}, target=target
    )
    assert run.energy_drift < 1e-9
    assert run["C"].position == pytest.approx(run["S"].position * 20 / 72, abs=1e-12)
    assert run.constraint_violation.max() < 1e-12
