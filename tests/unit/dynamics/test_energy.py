"""Energy and momentum of mechanisms with closed forms."""

import casadi as ca
import numpy as np
import pytest
from laws.formulation_cases import NUMERIC, numbers, zoo_cases
from zoo.plain import free_body

import multiloop as ml
from multiloop.dynamics.outputs.energy import kinetic_energy, momentum, potential_energy
from multiloop.kinematics import Snapshot
from multiloop.kinematics.tree.skeleton import build_skeleton
from multiloop.topology import tree_of


def snapshot(mechanism, q, v):
    return Snapshot(build_skeleton(mechanism, tree_of(mechanism)), ca.DM(q), ca.DM(v))


def pendulum(gravity=(0, -9.81)):
    return ml.Mechanism(
        "pendulum",
        planar=True,
        gravity=gravity,
        bodies=[ml.ground(A=(1.0, 2.0)), ml.rod("rod", length=0.7, mass=2.0)],
        joints=[ml.Revolute("A", "ground.A", "rod.a")],
    )


def test_a_pendulum_by_hand():
    """T = m l² ω²/6; V = m g y of its middle; about the origin L = I ω + m (r × v), p = m v."""
    q, w, l, m = 0.4, 3.0, 0.7, 2.0
    at = snapshot(pendulum(), [q], [w])
    middle = np.array([1.0 + l / 2 * np.cos(q), 2.0 + l / 2 * np.sin(q)])
    v = w * l / 2 * np.array([-np.sin(q), np.cos(q)])
    assert float(kinetic_energy(at)) == pytest.approx(m * l**2 * w**2 / 6, rel=1e-14)
    assert float(potential_energy(at)) == pytest.approx(m * 9.81 * middle[1], rel=1e-14)
    spin = m * l**2 / 12 * w + m * (middle[0] * v[1] - middle[1] * v[0])
    assert numbers(momentum(at)) == pytest.approx([0, 0, spin, *(m * v), 0], abs=1e-14 * 20)


def test_gravity_in_any_direction():
    """V decreases along g and depends on no other direction."""
    lifted = float(potential_energy(snapshot(pendulum((3.0, 0.0)), [0.0], [0.0])))
    assert lifted == pytest.approx(-2.0 * 3.0 * 1.35, rel=1e-14)
    assert float(potential_energy(snapshot(pendulum((0.0, 0.0)), [0.3], [0.0]))) == 0.0


def test_a_free_body_by_hand():
    """A spinning, flying body in space: T = ½ m v² + ½ ωᵀ I ω with I turned into inertial axes."""
    mass, I, com = 2.5, np.diag([0.2, 0.3, 0.4]), np.array([0.3, -0.1, 0.2])
    mechanism = free_body(ml.Body("body", mass, com, tuple(np.diag(I))), "thrown", joint="flies")
    e = np.array([0.8, 0.2, -0.5, 0.1])
    w0, x = e[0] / np.linalg.norm(e), e[1:] / np.linalg.norm(e)
    X = np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])
    R = np.eye(3) + 2 * w0 * X + 2 * X @ X
    p, v, w = np.array([0.4, 0.5, -0.6]), np.array([1.0, -2.0, 0.5]), np.array([0.7, 0.1, -1.1])
    at = snapshot(mechanism, [*p, w0, *x], [*v, *w])
    arm = R @ com
    v_com, I_world = v + np.cross(w, arm), R @ I @ R.T
    kinetic = 0.5 * mass * v_com @ v_com + 0.5 * w @ I_world @ w
    assert float(kinetic_energy(at)) == pytest.approx(kinetic, rel=1e-13)
    assert float(potential_energy(at)) == pytest.approx(mass * 9.81 * (p + arm)[2], rel=1e-13)
    spin = I_world @ w + mass * np.cross(p + arm, v_com)
    assert numbers(momentum(at)) == pytest.approx(np.concatenate([spin, mass * v_com]), abs=1e-13)


@pytest.mark.parametrize("name", NUMERIC)
def test_kinetic_energy_is_half_the_inertia_times_the_squared_rates(name):
    for case in zoo_cases(name):
        expected = 0.5 * case.v @ case.inertia @ case.v
        assert float(kinetic_energy(case.at)) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("name", NUMERIC)
def test_the_potential_energy_does_not_depend_on_the_tree(name):
    first, *others = [float(potential_energy(case.at)) for case in zoo_cases(name)]
    # Positions are converted from one tree to another with loops closed to 1e-12.
    assert others == pytest.approx([first] * len(others), rel=1e-10, abs=1e-10)
