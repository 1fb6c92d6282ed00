"""Do the frame's forces account for the momentum, and the drives' power for the energy, of every test model?"""

import numpy as np
import pytest
from laws.closed_positions import DRIVEN
from laws.difference_samples import steadily
from laws.newton_euler import GROUND, actions, by_joints, ends, gravity_of, needs, scales, weight_of
from laws.stencils import first


@pytest.fixture(params=DRIVEN)
def name(request):
    return request.param


def from_ground(result, k):
    """The action of the ground on the mechanism at instant k: force, and moment about the inertial origin."""
    force, moment = np.zeros(3), np.zeros(3)
    for acting in actions(result, k):
        one, other = ends(acting.joint)
        sign = (one == GROUND) - (other == GROUND)
        force = force + sign * acting.force
        moment = moment + sign * (acting.moment + np.cross(acting.point, acting.force))
    return force, moment


def test_forces_of_the_ground_and_weight_make_up_the_rate_of_linear_momentum(name):
    """Σ f_ground + Σ m g = Σ m a."""
    result, _, middles = steadily(name)
    scale, _ = scales(result)
    for k in middles:
        needed = sum(force for _, force, _ in needs(result, by_joints(result, k)).values())
        force, _ = from_ground(result, k)
        # Round-off of the solves, as for single bodies.
        assert np.abs(force - needed).max() < 1e-10 * scale


def test_moments_of_the_ground_and_weight_make_up_the_rate_of_angular_momentum(name):
    """Σ n_ground + Σ c × m g = Σ (c × m a + I α + ω × I ω) about the inertial origin, drives on the ground included."""
    result, _, middles = steadily(name)
    scale = max(scales(result)[1], scales(result)[0] * np.abs([result.body(b) for b in result.poses]).max())
    for k in middles:
        needed = sum(
            moment + np.cross(centre, force)
            for centre, force, moment in needs(result, by_joints(result, k)).values()
        )
        _, moment = from_ground(result, k)
        assert np.abs(moment - needed).max() < 1e-10 * scale


def energies(result, k):
    """Kinetic and potential energy of all bodies, from their poses and the rates of the joints."""
    mechanism, kinetic, potential = result.mechanism, 0.0, 0.0
    motion = by_joints(result, k)
    for body in mechanism.moving:
        mass, com, inertia = weight_of(mechanism, body.name)
        m = motion[body.name]
        v, w = m.velocity(m.R @ com), m.R.T @ m.omega
        kinetic += 0.5 * mass * v @ v + 0.5 * w @ inertia @ w
        potential -= mass * gravity_of(mechanism) @ (m.p + m.R @ com)
    return kinetic, potential


def momentum(result, k):
    """Angular momentum about the inertial origin, then linear momentum."""
    mechanism, total = result.mechanism, np.zeros(6)
    motion = by_joints(result, k)
    for body in mechanism.moving:
        mass, com, inertia = weight_of(mechanism, body.name)
        m = motion[body.name]
        linear = mass * m.velocity(m.R @ com)
        total[:3] += np.cross(m.p + m.R @ com, linear) + m.R @ inertia @ m.R.T @ m.omega
        total[3:] += linear
    return total


def test_the_result_contains_energies_and_momentum(name):
    """T, V with its zero at the inertial origin, and [n; f]-ordered momentum; round-off of sums over bodies."""
    result, _, middles = steadily(name)
    for k in middles:
        kinetic, potential = energies(result, k)
        size = max(abs(kinetic), abs(potential))
        assert result.kinetic_energy[k] == pytest.approx(kinetic, abs=1e-12 * size)
        assert result.potential_energy[k] == pytest.approx(potential, abs=1e-12 * size)
        expected = momentum(result, k)[[2, 3, 4] if result.mechanism.planar else slice(None)]
        assert result.momentum[k] == pytest.approx(expected, abs=1e-11 * max(1.0, np.abs(expected).max()))


def test_shaking_force_and_moment_are_what_the_ground_gives_turned_round(name):
    result, _, middles = steadily(name)
    planar = result.mechanism.planar
    scale, turning = scales(result)
    for k in middles:
        force, moment = from_ground(result, k)
        assert result.shaking_force[k] == pytest.approx(-force[:2] if planar else -force, abs=1e-12 * scale)
        expected = -moment[2] if planar else -moment
        assert result.shaking_moment[k] == pytest.approx(expected, abs=1e-11 * max(turning, scale))


def test_the_power_of_the_drives_is_the_rate_of_energy(name):
    """Σ τ q̇ and the power of friction = d(T + V)/dt; idle spins do not contribute."""
    result, h, middles = steadily(name)
    driven = {motion.of for motion in result.mechanism.drives}
    for k in middles:
        power = sum(float(np.sum(result[joint].effort[k] * result[joint].rate[k])) for joint in driven)
        power += sum(float(load.power[k]) for load in result.loads.values())
        around = [sum(energies(result, j)) for j in range(k - 2, k + 3)]
        size = np.abs(around).max() / (h * 250)  # the step is 1/250 of the fastest joint's radian
        # First differences: h⁴ of the harmonics and round-off over h, 1e-10 each, of energies that nearly cancel.
        assert power == pytest.approx(first(around, h), abs=1e-7 * size)
        assert result.power[k] == pytest.approx(power, abs=1e-12 * max(size, abs(power)))
