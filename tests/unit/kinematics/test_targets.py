"""Rows of drives and starts: values, Jacobian and γ of joints and of markers, in the plane and in space."""

import casadi as ca
import numpy as np
import pytest
from laws.stencils import slope
from zoo import ZOO

import multiloop as ml
from multiloop.kinematics import equations_of
from multiloop.kinematics.assembly import close_loops
from multiloop.kinematics.constraints import Target, drive_targets
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
    q = equations.chart.apply_step(equations.skeleton.neutral_position, 0.4 * rng.normal(size=n))
    v = rng.normal(size=n)
    return equations, q, v / np.abs(v).sum()


@pytest.mark.parametrize(("name", "target"), CASES)
def test_rates_and_gamma_are_derivatives_of_the_rows(name, target):
    """Where the rows vanish: J v = d/dt Φ and γ = −d/dt (J v); orientations are asked for as they are."""
    equations, q, v = setting(name, target)
    s = asked_of(equations, q, target)
    loops = equations.loop_constraints.count
    assert equations.position_residual(q, s, NONE)[loops:] == pytest.approx(0.0, abs=1e-13)

    def rows(h):
        return equations.position_residual(equations.chart.apply_step(q, h * v), s, NONE)[loops:]

    J = equations.jacobian(q, s, NONE)[loops:]
    # Sum of rates 1, step 2e-3: h⁴ and round-off over h below 1e-11.
    assert J @ v == pytest.approx(slope(rows, 2e-3), abs=1e-10)

    def rates(h):
        moved = equations.chart.apply_step(q, h * v)
        return equations.jacobian(moved, asked_of(equations, moved, target), NONE)[loops:] @ v

    still = np.zeros_like(s)
    assert equations.gamma(q, v, (s, still, still), NONE)[loops:] == pytest.approx(
        -slope(rates, 2e-3), abs=1e-9
    )


def asked_of(equations, q, target):
    """The values of the target at q, orientations as quaternions."""
    body, _, marker = target.of.partition(".")
    skeleton = equations.skeleton
    if not target.on_marker:
        link = skeleton.link_of_joint[target.of]
        return np.array(q[link.q])
    if body == "ground":
        point = skeleton.ground.markers[marker].p
        R = np.eye(3)
    else:
        pose = equations.tree_functions.inboard_poses(q, NONE)[
            body
        ] @ equations.tree_functions.undeformed_marker_pose(skeleton.index[body], marker, NONE)
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
    loops = equations.loop_constraints.count
    for turns in (-3, 1, 5):
        assert equations.position_residual(q, s + 2 * np.pi * turns, NONE)[loops] == pytest.approx(
            0.0, abs=1e-13
        )
    assert equations.position_residual(q, s - 0.2, NONE)[loops] == pytest.approx(0.2, abs=1e-13)


def test_the_angle_of_a_joint_counts_its_turns():
    equations, q, _ = setting("four-bar", Target("A", ("angle",)))
    loops = equations.loop_constraints.count
    assert equations.position_residual(q, q[:1] + 2 * np.pi, NONE)[loops] == pytest.approx(-2 * np.pi)


def test_drives_are_targets_in_their_order():
    mechanism = ZOO["five-bar"].build()
    assert drive_targets(mechanism) == (Target("A", ("angle",)), Target("E", ("angle",)))
    led = mechanism.replace(
        drives=[ml.Motion("left rod.b", x=0.1, y=0.5)], actuators=[ml.Actuator("A"), ml.Actuator("E")]
    )
    assert drive_targets(led) == (Target("left rod.b", ("x", "y")),)


def test_an_orientation_takes_four_values_and_gives_three_rows():
    target = Target("platform.com", ("x", "turn"))
    assert (target.value_count(), target.row_count()) == (5, 4)
    assert target.on_marker


# distant orientations -------------------------------------------------------------------------------

AXES = [(1, 0, 0), (0, 1, 0), (0, 0, -1), (0.6, 0, 0.8), (1, -1, 1)]


def floating(angle, axis):
    """A floating body in its reference orientation, and a prescribed orientation."""
    mechanism = ZOO["floating-base"].build().without_drives()
    equations = equations_of(mechanism, tree_of(mechanism), (Target("floats", ("turn",)),))
    axis = np.array(axis) / np.linalg.norm(axis)
    return equations, np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)])


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.3, 2.0, 2.2, 3.1, np.pi - 1e-9, np.pi])
def test_rows_of_an_orientation_are_four_times_the_tangent_of_a_quarter_of_the_turn(angle, axis):
    """Beyond 120° the axis is computed from the symmetric part of the rotation, without loss of digits."""
    equations, s = floating(angle, axis)
    q, loops = equations.skeleton.neutral_position, equations.loop_constraints.count
    rows = equations.position_residual(q, s, NONE)[loops:]
    expected = -4 * np.tan(angle / 4) * np.array(axis) / np.linalg.norm(axis)
    either = [expected, -expected] if angle > 3.14 else [expected]  # both rotations have equal angles
    assert min(np.abs(rows - way).max() for way in either) < 1e-8
    assert np.linalg.matrix_rank(equations.jacobian(q, s, NONE)[loops:]) == 3


@pytest.mark.parametrize("axis", AXES)
def test_an_orientation_exactly_half_a_turn_away_is_reached(axis):
    equations, s = floating(np.pi, axis)
    closing = close_loops(equations, equations.skeleton.neutral_position, s, NONE)
    assert closing.closed
    link = equations.skeleton.link_of_joint["floats"]
    assert abs(closing.q[link.q.stop - 4 : link.q.stop] @ s) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("side", [1, -1])
def test_a_guess_of_an_orientation_selects_between_modes_half_a_turn_apart(side):
    """An arm whose end slides across its pivot, in either of two orientations: ±90° about z."""
    across = {"z": (0, 1, 0), "x": (1, 0, 0)}
    toggle = ml.Mechanism(
        "toggle",
        bodies=[
            ml.ground(O=(0, 0, 0), slide=ml.marker((0, 0, 0), **across)),
            ml.rod("arm", length=1.0, mass=1.0),
            ml.Body("slider", mass=1.0, markers={"pin": (0, 0, 0), "slide": ml.marker((0, 0, 0), **across)}),
        ],
        joints=[
            ml.Revolute("A", "ground.O", "arm.a"),
            ml.Revolute("B", "arm.b", "slider.pin"),
            ml.Prismatic("S", "ground.slide", "slider.slide"),
        ],
    )
    turned = (np.sqrt(0.5), 0.0, 0.0, side * np.sqrt(0.5))
    state = ml.assemble(toggle, guess={"arm": (None, None, None, *turned)})
    assert state["A"].position == pytest.approx(side * np.pi / 2, abs=1e-12)
