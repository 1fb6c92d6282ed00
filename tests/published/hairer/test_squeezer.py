"""Andrews' squeezing mechanism: seven bodies, three loops, a spring and a constant torque at the crank.

Data: [hairer], §VII.7, in the form of the test set for IVP solvers, whose reference solution at t = 0.03 s the angles
are. The spring is nothing but a `Spring` and the motor nothing but a `Torque`; positions are the seven angles of the
source, with its signs.
"""

import pytest
from how_does_andrews_squeezer_run import ANGLES, PUBLISHED, START, mechanism, solve
from published.hairer.source_equations import angles_at

import multiloop as ml


@pytest.fixture(scope="module")
def run():
    return solve()


def test_the_start_is_closed_as_it_is_printed():
    state = ml.assemble(mechanism, start=START)
    for joint, angle in ANGLES.items():
        # The printed start closes the loops to 1e-16 m; angles follow to 1e-14.
        assert state[joint].position == pytest.approx(angle, abs=1e-12), joint


def test_the_angles_have_their_published_digits(run):
    """Ten of the sixteen: the later digits of the crank angle are wrong, as the next test shows."""
    for joint, angle in zip(ANGLES, PUBLISHED, strict=True):
        assert run[joint].position[-1] == pytest.approx(angle, rel=1e-9), joint


def test_the_equations_of_the_source_written_by_hand_agree(run):
    """By another integrator, to 2e-12; the published crank angle is 1.1e-9 rad from both."""
    for joint, angle in zip(ANGLES, angles_at(0.03, ANGLES.values(), rtol=1e-13), strict=True):
        assert run[joint].position[-1] == pytest.approx(angle, abs=1e-11), joint


def test_another_integrator_and_interpreted_functions_agree(run):
    other = ml.simulate(mechanism, start=START, until=0.03, rtol=1e-12, target="interpreter", samples=2)
    for joint in ANGLES:
        # Round-off of two and a half turns in a thousand steps each.
        assert other[joint].position[-1] == pytest.approx(run[joint].position[-1], abs=1e-11), joint


def test_the_motor_pays_for_all_the_energy(run):
    """The work of a constant torque is torque times angle; the other terms of the energy balance are kinetic energy and
    the spring."""
    gained = run.kinetic_energy + run.potential_energy
    assert run.energy_drift < 1e-9
    turned = run["beta"].position - run["beta"].position[0]
    assert gained - gained[0] == pytest.approx(0.033 * turned, abs=1e-9 * run.kinetic_energy.max())
    assert run.potential_energy == pytest.approx(4530 / 2 * (run["spring"].length - 0.07785) ** 2, abs=1e-15)
