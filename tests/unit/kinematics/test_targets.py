"""Rows that drives and starts add: values, Jacobian and γ of joints and of markers, in the plane and in space."""

import casadi as ca
import numpy as np
import pytest
from laws.stencils import slope
from zoo import ZOO

import multiloop as ml
from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.targets import Target, drive_targets
from multiloop.topology import tree_of

NONE = np.zeros(0)

CASES = [
    ("four-bar", Target("coupler.com", ("x", "y", "angle"))),
    ("five-bar", Target("left rod.b", ("y",))),
    ("RSSR", Target("coupler.b", ("x", "y", "z"))),
    ("RSSR", Target("coupler.com", ("z", "turn"))),
    ("RSUR", Target("rocker.b", ("x", "turn"))),
    ("floating-base", Target("floats", ("x", "y", "z", "turn"))),
    ("excavator", Target("4", ("slide",))),
    ("6-UPS", Target("platform.h1", ("x", "y", "z"))),
    ("four-bar", Target("ground.D", ("x", "y"))),
]


def setting(name, target, seed=4):
    """Equations with one target at a random place of the tree (loops need not be closed for its rows)."""
    mechanism = ZOO[name].build().without_drives()
    equations = equations_of(mechanism, tree_of(mechanism), (target,))
    rng = np.random.default_rng(seed)
    n = equations.skeleton.rates
    q = equations.chart.moved(equations.skeleton.neutral, 0.4 * rng.normal(size=n))
    v = rng.normal(size=n)
    return equations, q, v / np.abs(v).sum()


@pytest.mark.parametrize(("name", "target"), CASES)
def test_rates_and_gamma_are_derivatives_of_the_rows(name, target):
    """Where the rows vanish: J v = d/dt Φ and γ = −d/dt (J v); orientations are asked for as they are."""
    equations, q, v = setting(name, target)
    s = asked_of(equations, q, target)
    loops = equations.skeleton.rows
    assert equations.closure(q, s, NONE)[loops:] == pytest.approx(0.0, abs=1e-13)

    def rows(h):
        return equations.closure(equations.chart.moved(q, h * v), s, NONE)[loops:]

    J = equations.jacobian(q, s, NONE)[loops:]
    # Sum of rates 1, step 2e-3: h⁴ and round-off over h below 1e-11.
    assert J @ v == pytest.approx(slope(rows, 2e-3), abs=1e-10)

    def rates(h):
        moved = equations.chart.moved(q, h * v)
        return equations.jacobian(moved, asked_of(equations, moved, target), NONE)[loops:] @ v

    assert equations.gamma(q, v, NONE)[loops:] == pytest.approx(-slope(rates, 2e-3), abs=1e-9)


def asked_of(equations, q, target):
    """The values that the target has at q, orientations as quaternions."""
    body, _, marker = target.of.partition(".")
    skeleton = equations.skeleton
    if not target.on_marker:
        link = skeleton.carrier[target.of]
        return np.array(q[link.q])
    if body == "ground":
        point = skeleton.ground.markers[marker].p
        R = np.eye(3)
    else:
        pose = equations.poses(q, NONE)[body] @ equations.constant_pose(skeleton.index[body], marker, NONE)
        point, R = pose.p, np.array(ca.DM(pose.R))
    point = np.array(ca.DM(point)).ravel()
    found = []
    for component in target.components:
        if component == "turn":
            found += list(quaternion(R))
        elif component == "angle":
            found.append(np.arctan2(R[1, 0], R[0, 0]))
        else:
            found.append(point["xyz".index(component)])
    return np.array(found)


def quaternion(R):
    """Of a rotation by less than half a turn."""
    w = 0.5 * np.sqrt(1 + np.trace(R))
    return np.array([w, *(np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4 * w))])


def test_an_angle_of_a_marker_is_compared_on_the_circle():
    target = Target("coupler.com", ("angle",))
    equations, q, _ = setting("four-bar", target)
    s = asked_of(equations, q, target)
    loops = equations.skeleton.rows
    for turns in (-3, 1, 5):
        assert equations.closure(q, s + 2 * np.pi * turns, NONE)[loops] == pytest.approx(0.0, abs=1e-13)
    assert equations.closure(q, s - 0.2, NONE)[loops] == pytest.approx(0.2, abs=1e-13)


def test_the_angle_of_a_joint_counts_its_turns():
    equations, q, _ = setting("four-bar", Target("A", ("angle",)))
    loops = equations.skeleton.rows
    assert equations.closure(q, q[:1] + 2 * np.pi, NONE)[loops] == pytest.approx(-2 * np.pi)


def test_drives_are_targets_in_their_order():
    mechanism = ZOO["five-bar"].build()
    assert drive_targets(mechanism) == (Target("A", ("angle",)), Target("E", ("angle",)))
    led = mechanism.replace(
        drives=[ml.Motion("left rod.b", x=0.1, y=0.5)], actuators=[ml.Actuator("A"), ml.Actuator("E")]
    )
    assert drive_targets(led) == (Target("left rod.b", ("x", "y")),)


def test_an_orientation_takes_four_values_and_gives_three_rows():
    target = Target("platform.com", ("x", "turn"))
    assert (target.values(), target.rows()) == (5, 4)
    assert target.on_marker
