"""Bearings of gears carry the separating forces of the teeth, on which their friction depends."""

import numpy as np
import pytest
from scipy.optimize import fsolve

import multiloop as ml
from multiloop.analyses.prescribed_motion.inverse_arguments import METHODS as INVERSE
from multiloop.dynamics.forward import METHODS

TEETH, MODULE, INERTIA, RUBBING = (20, 40), 0.005, (0.01, 0.05), 0.2 * 0.02
RADII = [MODULE * z / 2 for z in TEETH]


def train(motor=8.0, load=5.0, **parts):
    return ml.Mechanism(
        "train",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(A=(0, 0), B=(sum(RADII), 0)),
            *(ml.Body(name, mass=1.0, inertia=J) for name, J in zip(("one", "two"), INERTIA, strict=True)),
        ],
        joints=[ml.Revolute("A", "ground.A", "one.origin"), ml.Revolute("B", "ground.B", "two.origin")],
        pairs=[ml.Gear("mesh", "one.origin", "two.origin", teeth=TEETH, module=MODULE)],
        loads=[
            ml.Torque("load", "two", load),
            *(ml.Friction(f"wear {joint}", joint, coefficient=0.2, radius=0.02) for joint in "AB"),
        ],
        **({"actuators": [ml.Actuator("A", effort=motor)]} | parts),
    )


def by_hand(motor, load, speed):
    """Acceleration of the first wheel and the tangential force on it: N = |F| / cos α in both bearings."""
    way = np.sign(speed) * RUBBING / np.cos(ml.deg(20))

    def rest(x):
        a, F = x
        one = INERTIA[0] * a - (motor + F * RADII[0] - way * abs(F))
        two = -INERTIA[1] * a * RADII[0] / RADII[1] - (load + F * RADII[1] + way * abs(F))
        return [one, two]

    return fsolve(rest, [1.0, 1.0], xtol=1e-13)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("motor", "load", "speed"), [(8, 5, 10), (-8, 5, 10), (0, 20, -10)])
def test_forward(method, motor, load, speed):
    found = ml.forward(train(motor, load), {"A": 0.0}, rates={"A": speed}, method=method)
    a, F = by_hand(motor, load, speed)
    assert found["A"].acceleration[0] == pytest.approx(a, rel=1e-9)
    assert found["mesh"].tangential[0] == pytest.approx(F, rel=1e-9)
    assert found["wear A"].normal[0] == pytest.approx(abs(F) / np.cos(ml.deg(20)), rel=1e-9)


@pytest.mark.parametrize("method", INVERSE)
def test_inverse(method):
    a, _ = by_hand(8.0, 5.0, 10.0)
    driven = train(actuators=[], drives=[ml.Motion("A", 10.0 * ml.time + a * ml.time**2 / 2)])
    assert ml.inverse(driven, t=0.0, method=method)["A"].effort[0] == pytest.approx(8.0, rel=1e-9)


@pytest.mark.parametrize("start", [2.0, 3.3, -39.7])
def test_wheels_that_start_turns_away_from_zero_mesh(start):
    state = ml.assemble(train(), {"A": start})
    assert state.positions["B"] == pytest.approx((-start * TEETH[0] / TEETH[1],), rel=1e-12)
    run = ml.simulate(train(), start={"A": start}, until=0.01, samples=3)
    assert run["A"].position[0] == pytest.approx(start, rel=1e-14)


def test_a_drive_may_begin_turns_away_from_zero():
    driven = train(actuators=[], drives=[ml.Motion("B", 20.0 + 5.0 * ml.time)])
    found = ml.inverse(driven, t=[0.0, 0.1])
    assert found["A"].position == pytest.approx([-40.0, -41.0], rel=1e-12)


def test_a_rotor_behind_a_high_ratio_starts_anywhere():
    geared = ml.with_rotor(ml.examples.four_bar().without_drives(), "A", inertia=1e-4, ratio=160.0)
    found = ml.assemble(geared, {"A": 2.0})
    turned = [q for name, q in found.positions.items() if name not in "ABCD"]
    assert np.abs(turned).max() == pytest.approx(320.0, rel=1e-12)
