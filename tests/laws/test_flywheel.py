"""Does the flywheel for a coefficient of fluctuation limit the fluctuation of speed as requested?

The gas force of a four-stroke engine is a table over two turns. Under a constant load that takes the work of a cycle
the speed returns to its initial value after every cycle; its fluctuation is Cs up to a part of order Cs.
"""

from functools import cache
from math import tau

import numpy as np
import pytest

import multiloop as ml

SPEED = 100.0
STROKES = np.radians([0, 20, 60, 180, 360, 540, 660, 700, 720])
PRESSED = np.array([34.3, 25.0, 8.0, 1.0, 0.2, 0.2, 2.0, 20.0, 34.3]) * 1e3
GAS = ml.table(STROKES, -PRESSED, of=ml.position("O"), periodic=True, kind="monotone")


def engine(wheel=0.0, **changes):
    """With a flywheel of this inertia in kg m² on the crank's shaft."""
    described = {
        "planar": True,
        "bodies": [
            ml.ground(O=(0, 0)),
            ml.rod("crank", length=0.05, mass=1.2),
            ml.rod("rod", length=0.20, mass=0.4),
            ml.Body("piston", mass=0.5),
            ml.Body("wheel", mass=1.0, inertia=wheel),
        ],
        "joints": [
            ml.Revolute("O", "ground.O", "crank.a"),
            ml.Revolute("P", "crank.b", "rod.a"),
            ml.Revolute("wrist", "rod.b", "piston.origin"),
            ml.Prismatic("bore", "ground.O", "piston.origin"),
            ml.Fixed("key", "crank.a", "wheel.origin"),
        ],
        "loads": [ml.Force("gas", "piston.origin", (GAS, 0.0))],
        "guess": {"bore": 0.2},
    }
    return ml.Mechanism("engine", **(described | changes))


@cache
def steady():
    motion = ml.Motion("O", ml.motion_laws.constant_speed(SPEED))
    return ml.inverse(engine(drives=[motion]), cycle=1441)


@cache
def fluctuation(Cs):
    """Of the speed, simulated over one cycle with the flywheel and the constant load."""
    wheel = steady().flywheel(Cs)
    times = np.linspace(0.0, 2.2 * tau / SPEED, 1601)
    run = ml.simulate(
        engine(wheel.inertia),
        until=float(times[-1]),
        start={"O": 0.0},
        rates={"O": SPEED},
        efforts={"O": wheel.effort},
        samples=times,
        rtol=1e-10,
    )
    within = run["O"].position < 2 * tau
    assert run["O"].position[-1] > 2 * tau
    speeds, angles = run["O"].rate, run["O"].position
    back = np.interp(2 * tau, angles, speeds)
    assert back == pytest.approx(SPEED, rel=1e-6), "the load takes the work of the cycle"
    slow, fast = speeds[within].min(), speeds[within].max()
    return (fast - slow) / (0.5 * (fast + slow)), angles[speeds[within].argmax()]


def test_the_cycle_has_two_turns():
    assert steady()["O"].position[-1] == pytest.approx(2 * tau)
    assert steady().flywheel(0.02).effort < 0, "the engine drives"


def test_the_fluctuation_is_as_asked_to_first_order():
    parts = [abs(fluctuation(Cs)[0] / Cs - 1) for Cs in (0.04, 0.02, 0.01)]
    assert parts[0] < 0.2
    # The remaining part is c Cs + O(Cs²).
    assert parts[0] / parts[1] == pytest.approx(2.0, rel=0.15)
    assert parts[1] / parts[2] == pytest.approx(2.0, rel=0.08)


def test_the_speed_is_largest_at_the_stated_angle():
    wheel = steady().flywheel(0.01)
    assert fluctuation(0.01)[1] == pytest.approx(wheel.fastest, abs=0.01)  # samples are 0.009 rad apart


def test_the_energy_is_the_integral_of_what_is_over():
    """By trapezoids over the angle: τ̄ − τ, the torque above or below the mean."""
    result, wheel = steady(), steady().flywheel(0.02)
    angle, effort = result["O"].position, result["O"].effort
    mean = np.sum(np.diff(angle) * (effort[1:] + effort[:-1]) / 2) / (angle[-1] - angle[0])
    over = mean - effort
    energy = np.concatenate([[0.0], np.cumsum(np.diff(angle) * (over[1:] + over[:-1]) / 2)])
    assert wheel.energy == pytest.approx(np.ptp(energy), rel=1e-4)  # trapezoids between the instants
    assert wheel.effort == pytest.approx(mean, rel=1e-6)
    assert result.energy_fluctuation() == wheel.energy
    assert wheel.inertia == pytest.approx(wheel.energy / (0.02 * SPEED**2))


def test_half_the_fluctuation_takes_twice_the_wheel():
    assert steady().flywheel(0.01).inertia == pytest.approx(2 * steady().flywheel(Cs=0.02).inertia)
