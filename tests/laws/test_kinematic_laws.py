"""Do the kinematic equations agree with each other, for every mechanism and wherever it is cut?"""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, strategies as st
from laws.closed_positions import DRIVEN, NONE, duration, followed, idle_joints, places, trees
from laws.stencils import first, slope, spin_of, vee
from zoo import ZOO
from zoo.random_mechanisms import closed_mechanisms

from multiloop.kinematics import Equations, joint_coordinates, joint_motion
from multiloop.kinematics.assembly import close_loops
from multiloop.kinematics.conditioning import linearise_rows
from multiloop.kinematics.tree.skeleton import build_skeleton
from multiloop.topology import candidate_trees, graph_of

STEP = 2e-3
"""Of differences, where the sum of all rates is 1: h⁴ and round-off over h are both below 1e-11."""

NEAR = 1e-9
"""Agreement of differences with formulas, a hundred times what the step allows."""


def ways(equations, q, p, seed=0):
    """A rate that keeps all loops closed, the sum of its parts 1."""
    linear = linearise_rows(equations, q, np.zeros(equations.s.shape[0]), p)
    free = linear.Vt[linear.rank :]
    if not len(free):
        return None
    v = equations.chart.rate_units * (np.random.default_rng(seed).normal(size=len(free)) @ free)
    return v / np.abs(v / equations.chart.rate_units).sum()


def agree_jacobians(equations, q, p):
    """Φ_q E from exact derivatives and J = Ĵ N from propagation matrices, closed loops assumed."""
    exact = equations.jacobian(q, np.zeros(equations.s.shape[0]), p)[
        : len(equations.loop_constraints.position_rows)
    ]
    geometric = equations.geometric_jacobian(q, p)[equations.loop_constraints.position_rows]
    # Both are sums of a dozen products; the loops are closed to 1e-12 of the mechanism's size.
    assert exact == pytest.approx(geometric, abs=1e-11 * max(1.0, np.abs(geometric).max(initial=0.0)))


def agree_gamma(equations, q, p, v):
    """γ = −J̇ v while q moves with v."""
    s = np.zeros(equations.s.shape[0])
    size = max(1.0, equations.skeleton.characteristic_length)
    found = -slope(lambda h: equations.rate_jacobian(equations.chart.apply_step(q, h * v), s, p) @ v, STEP)
    assert equations.gamma(q, v, (s, s, s), p) == pytest.approx(found, abs=NEAR * size)


def agree_twists(equations, q, p, v):
    """t = N v, body by body, from the poses while q moves with v."""
    names = [link.body for link in equations.skeleton.links]

    def stacked(h):
        poses = equations.tree_functions.inboard_poses(equations.chart.apply_step(q, h * v), p)
        return np.array([np.column_stack([poses[body].R, poses[body].p]) for body in names])

    at, rate = stacked(0.0), slope(stacked, STEP)
    twist = (equations.tree_functions.natural_orthogonal_complement(q, p) @ v).reshape(-1, 6)
    size = max(1.0, np.abs(at).max())
    for k, name in enumerate(names):
        assert twist[k, :3] == pytest.approx(vee(rate[k, :, :3] @ at[k, :, :3].T), abs=NEAR), name
        assert twist[k, 3:] == pytest.approx(rate[k, :, 3], abs=NEAR * size), name


def agree_twist_rates(equations, q, p, v, a):
    """ṫ from the recursion and from the twists while q moves with v and v with a."""
    eq = equations
    rates = ca.vertcat(*[body.column for body in eq.twist_rates(eq.a)])
    traced = ca.Function("rates", [eq.q, eq.v, eq.a, eq.skeleton.parameter_symbols], [ca.densify(rates)])

    def twists(h):
        moved = eq.chart.apply_step(q, h * v + 0.5 * h * h * a)
        return eq.tree_functions.natural_orthogonal_complement(moved, p) @ (v + h * a)

    found = slope(twists, STEP)
    assert traced(q, v, a, p).full()[:, 0] == pytest.approx(found, abs=NEAR * max(1.0, np.abs(found).max()))


@pytest.fixture(params=ZOO)
def name(request):
    return request.param


def test_the_exact_jacobian_of_the_closure_rows_is_the_geometric_one(name):
    for tree in trees(name):
        equations, positions = places(name, tree)
        for q in positions:
            agree_jacobians(equations, q, equations.skeleton.parameter_values)


def test_gamma_is_minus_the_rate_of_the_jacobian_times_the_rates(name):
    for tree in trees(name):
        equations, positions = places(name, tree)
        q, p = positions[-1], equations.skeleton.parameter_values
        agree_gamma(equations, q, p, ways(equations, q, p))


def test_twists_are_the_rates_of_the_poses(name):
    for tree in trees(name):
        equations, positions = places(name, tree)
        q, p = positions[-1], equations.skeleton.parameter_values
        agree_twists(equations, q, p, ways(equations, q, p))


def test_twist_rates_are_the_rates_of_the_twists(name):
    for tree in trees(name, 2):
        equations, positions = places(name, tree)
        q, p, n = positions[-1], equations.skeleton.parameter_values, equations.skeleton.rates
        v, a = np.sin(1.0 + np.arange(n)) / n, np.cos(2.0 * np.arange(n)) / n
        agree_twist_rates(equations, q, p, v * equations.chart.rate_units, a * equations.chart.rate_units)


def rate_of(positions, h):
    """v of a joint from its q at five instants; a quaternion in q stands last."""
    positions, middle = np.array(positions), np.array(positions[2])
    rate = first(list(positions), h)
    if len(middle) in (4, 7):
        return np.concatenate([rate[:-4], spin_of(middle[-4:], rate[-4:])])
    return rate


@pytest.mark.parametrize("name", DRIVEN)
def test_rates_and_accelerations_of_all_joints_are_those_of_what_they_read(name):
    end = duration(name)
    still = idle_joints(name)
    for tree in trees(name, 2):
        equations, (begin,) = followed(name, tree, np.array([0.0]))
        p = equations.skeleton.parameter_values
        speed = np.abs(begin.v / equations.chart.rate_units).max()
        speed = max(speed, 1 / end)
        h = 1e-3 / speed  # h⁴ of the fastest part and round-off over h are both below 1e-11
        for part in (0.16, 0.59):
            times = np.concatenate([np.linspace(0, part * end, 12), part * end + h * np.arange(1, 5)])
            equations, path = followed(name, tree, times)
            near, read, motion = None, [], []
            for instant in path:
                near = joint_coordinates(equations, instant.q, p, near)
                read.append(near)
                motion.append(joint_motion(equations, instant.q, instant.v, instant.a, p))
            five, moving, L = read[-5:], motion[-5:], equations.skeleton.characteristic_length
            for joint in set(near) - still:
                v, a = moving[2][0][joint], moving[2][1][joint]
                fast = max(speed, np.abs(v).max(initial=0.0))
                size = fast * max(1.0, L)
                # A hundred times what the step allows; sharp turns of a joint count by their own speed.
                assert v == pytest.approx(rate_of([q[joint] for q in five], h), abs=1e-8 * size), joint
                found = first([rates[joint] for rates, _ in moving], h)
                assert a == pytest.approx(found, abs=1e-7 * size * fast), joint


def drawn_equations(drawn, number):
    """Equations of a random mechanism along one of its trees, with its closed position."""
    mechanism = drawn.mechanism
    for tree in candidate_trees(graph_of(mechanism), number + 1):
        chosen = tree
    equations = Equations(build_skeleton(mechanism, chosen))
    q, guess = np.array(equations.skeleton.neutral_position, float), dict(mechanism.guess)
    for link in equations.skeleton.links:
        if link.joint.name in guess:
            q[link.q] = guess[link.joint.name]
    return equations, close_loops(equations, q, NONE, NONE).q


@given(closed_mechanisms(), st.integers(0, 5))
def test_random_mechanisms_obey_the_same_laws(drawn, number):
    equations, q = drawn_equations(drawn, number)
    v = ways(equations, q, NONE)
    agree_jacobians(equations, q, NONE)
    agree_gamma(equations, q, NONE, v)
    agree_twists(equations, q, NONE, v)
    agree_twist_rates(equations, q, NONE, v, ways(equations, q, NONE, seed=1))
