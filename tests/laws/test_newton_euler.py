"""Does every body of every test model obey Newton's and Euler's equations under the reported forces?"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from laws.closed_positions import DRIVEN, built
from laws.difference_samples import steadily
from laws.newton_euler import by_differences, by_joints, imbalance, scales
from zoo import ZOO
from zoo.random_mechanisms import closed_mechanisms

import multiloop as ml


@pytest.fixture(params=DRIVEN)
def name(request):
    return request.param


def along_spin(name, body, R):
    """The line about which an idle body may spin, from one of its joints to the other; None for others."""
    if body not in ZOO[name].idle:
        return None
    mechanism = built(name)
    markers = [
        reference
        for joint in mechanism.connections
        for reference in (joint.first, joint.second)
        if reference.partition(".")[0] == body
    ]
    start, end = (np.array([*map(float, mechanism.marker(m).point), 0.0, 0.0][:3]) for m in markers)
    return R @ (end - start) / np.linalg.norm(end - start)


def test_every_body_is_in_balance_with_the_motion_of_its_poses(name):
    """Accelerations from differences of poses: nothing but poses and forces of the result is used."""
    result, h, middles = steadily(name)
    force, moment = scales(result)
    for k in middles:
        motion = by_differences(result, k, h)
        for body, (f, n) in imbalance(result, k, motion).items():
            axis = along_spin(name, body, motion[body].R)
            if axis is not None:  # an idle spin is arbitrary; no moment acts about its line, see below
                n = n - axis * (axis @ n)
            # Second differences of poses known to 1e-15 over (speed · h)² = 1e-5, and h⁴ of the harmonics.
            assert np.abs(f).max() < 1e-6 * force, (body, k)
            assert np.abs(n).max() < 1e-6 * moment, (body, k)


def test_every_body_is_in_balance_with_the_accelerations_of_its_joints(name):
    """To round-off: accelerations are evaluated outward over the joints, by separate formulas."""
    result, _, middles = steadily(name)
    force, moment = scales(result)
    for k in middles:
        for body, (f, n) in imbalance(result, k, by_joints(result, k)).items():
            # Sums of a hundred products, and solves with condition numbers up to 1e3.
            assert np.abs(f).max() < 1e-10 * force, (body, k)
            assert np.abs(n).max() < 1e-10 * moment, (body, k)


def test_what_the_joints_report_is_what_the_poses_do(name):
    """The two motions agree, so that the two balances are one."""
    result, h, middles = steadily(name)
    for k in middles:
        seen, told = by_differences(result, k, h), by_joints(result, k)
        for body in result.mechanism.moving:
            if body.name in ZOO[name].idle:
                continue
            one, other = seen[body.name], told[body.name]
            fast = max(1.0, np.abs(other.omega).max(), np.abs(other.v).max())
            assert one.omega == pytest.approx(other.omega, abs=1e-8 * fast), body.name
            assert one.v == pytest.approx(other.v, abs=1e-8 * fast), body.name
            assert one.alpha == pytest.approx(other.alpha, abs=1e-6 * fast**2), body.name
            assert one.a == pytest.approx(other.a, abs=1e-6 * fast**2), body.name


def test_an_idle_body_that_is_not_symmetric_follows_its_own_inertia():
    """RSSR whose coupler has its mass centre off the line of its balls: weight and motion cause a spin."""
    mechanism = built("RSSR")
    lopsided = mechanism.replace(
        bodies=[
            replace(body, com=(0.15, 0.012, -0.007), inertia=(2e-4, 0.011, 0.0108))
            if body.name == "coupler"
            else body
            for body in mechanism.bodies
        ]
    )
    result = ml.inverse(lopsided, t=np.linspace(0.0, 0.5, 6))
    force, moment = scales(result)
    for k in range(len(result.time)):
        motion = by_joints(result, k)
        for body, (f, n) in imbalance(result, k, motion).items():
            assert np.abs(f).max() < 1e-10 * force, (body, k)
            assert np.abs(n).max() < 1e-10 * moment, (body, k)
        line = result.marker("coupler.b")[k] - result.marker("coupler.a")[k]
        assert abs(motion["coupler"].omega @ line) < 1e-9  # the spin itself is zero …
        assert abs(motion["coupler"].alpha @ line) > 0.1  # … and accelerates from there


def test_an_undriven_leg_moves_by_its_inertia():
    """3-RRR with two motors, the third leg released at its initial position: no effort there, and every body in
    balance."""
    mechanism = built("3-RRR")
    slack = mechanism.replace(drives=mechanism.drives[:2])
    result = ml.inverse(slack, t=[0.0], start={"A3": 5.7637})
    assert np.abs(result["A3"].effort).max() == 0.0
    assert abs(result["A3"].acceleration[0]) > 0.1
    force, moment = scales(result)
    for body, (f, n) in imbalance(result, 0, by_joints(result, 0)).items():
        assert np.abs(f).max() < 1e-10 * force, body
        assert np.abs(n).max() < 1e-10 * moment, body


@settings(max_examples=20)
@given(closed_mechanisms(driven=True, most_loops=2))
def test_random_mechanisms_are_in_balance_too(drawn):
    """All kinds of joints, either way round, cut or not; at the start of their swing."""
    assume(len(drawn.mechanism.drives) == drawn.mobility)
    result = ml.inverse(drawn.mechanism, t=[0.0])
    force, moment = scales(result)
    for body, (f, n) in imbalance(result, 0, by_joints(result, 0)).items():
        # Rows are independent to 2e-3 of their size, so that solves may lose five digits.
        assert np.abs(f).max() < 1e-9 * force, body
        assert np.abs(n).max() < 1e-9 * moment, body
