"""Friction limits that depend on the forces themselves: against closed forms, dense sampling and another solver."""

import casadi as ca
import numpy as np
import pytest
from scipy.optimize import minimize

import multiloop as ml
from multiloop.dynamics import AdmissibleForces, ReactionLimit, StictionForces, admissible_set_near
from multiloop.dynamics.actions import actions_of
from multiloop.dynamics.reaction_limits import may_turn
from multiloop.kinematics import equations_of

FREE = np.inf


def limits_of(c, P, Q):
    """|x_k| ≤ c_k |P_k + Q_k x|."""
    n = len(c)
    return [
        ReactionLimit(np.eye(n)[k], 0.0, ((c[k] * Q[k], c[k] * P[k]),)) for k in range(n)
    ]  # each limit is that of one vector in the plane


def unbounded(A, b):
    n = np.shape(A)[1]
    return AdmissibleForces(
        np.asarray(A, float), np.asarray(b, float), np.full(n, -FREE), np.full(n, FREE), size=1.0
    )


def random_pins(some, n, size):
    """Balance of one degree of freedom, limits of n pins, and forces of order one."""
    A, b = some.normal(size=(1, n)), some.normal(size=1)
    P, Q = 10 * some.normal(size=(n, 2)), some.normal(size=(n, 2, n))
    return A, b, limits_of(size * some.uniform(0.5, 1, n), P, Q)


def slack(limits, x):
    return min(limit.slack(x) for limit in limits)


@pytest.mark.parametrize("seed", range(20))
def test_two_pins_have_the_range_between_roots_of_quadratic_equations(seed):
    """x = x₀ + z n: each limit ends at c² |P + Q x|² = x², and the range at the first of these ends."""
    some = np.random.default_rng(seed)
    A, b, limits = random_pins(some, 2, 0.2)
    x0, n = A[0] * b / (A[0] @ A[0]), np.array([-A[0, 1], A[0, 0]])
    roots = []
    for limit in limits:
        ((V, v),) = limit.vectors
        p, q = V @ n, V @ x0 + v
        along, off = limit.force @ n, limit.force @ x0
        roots += np.roots([p @ p - along**2, 2 * (p @ q - along * off), q @ q - off**2]).tolist()
    ends = np.sort([z.real for z in roots if abs(z.imag) < 1e-12])
    middles = np.concatenate([[ends[0] - 1], (ends[1:] + ends[:-1]) / 2, [ends[-1] + 1]])
    inside = [k for k, z in enumerate(middles) if slack(limits, x0 + z * n) > 0]
    found = admissible_set_near(unbounded(A, b), limits, x0)
    assert (found is not None) == bool(inside)
    if found is None:
        return
    start = found.minimum_norm()
    z = n @ (start - x0) / (n @ n)
    k = next(k for k in inside if np.searchsorted(ends, z) == k)
    low, high = (np.append(np.append(-np.inf, ends), np.inf))[k : k + 2]
    forces = StictionForces(unbounded(A, b), limits, start)
    assert forces.ranges(n / (n @ n) @ np.eye(2))[0] - n @ x0 / (n @ n) == pytest.approx(
        [low, high], rel=1e-7
    )
    least = forces.minimum_norm()
    assert least == pytest.approx(x0 + np.clip(0.0, low, high) * n, abs=1e-8)
    assert forces.undetermined().all()


def ends_of_four_pins(seed):
    """Ends of all ranges and the smallest norm, and the same by sequential quadratic programming on the limits
    themselves, from several starts: largest values, pairs for each."""
    some = np.random.default_rng(seed)
    A, b, limits = random_pins(some, 4, 0.1)
    found = admissible_set_near(unbounded(A, b), limits, np.zeros(4))
    if found is None:
        assert slack(limits, A[0] * b / (A[0] @ A[0])) < 0
        return np.zeros((0, 2))
    forces = StictionForces(unbounded(A, b), limits, found.minimum_norm())
    least = forces.minimum_norm()
    assert A @ least == pytest.approx(b, abs=1e-12)
    assert slack(limits, least) > -1e-9
    rules = (
        {"type": "eq", "fun": lambda x: A @ x - b},
        {"type": "ineq", "fun": lambda x: np.array([limit.slack(x) for limit in limits])},
    )

    def best(cost, slope):
        starts = least + some.normal(size=(10, 4))
        ends = [minimize(cost, x, jac=slope, constraints=rules, options={"maxiter": 400}) for x in starts]
        return -min(end.fun for end in ends if end.success and slack(limits, end.x) > -1e-6)

    pairs = [(-least @ least, best(lambda x: x @ x, lambda x: 2 * x))]
    for e, (low, high) in zip(np.eye(4), forces.ranges(), strict=True):
        pairs += [(-low, best(lambda x, e=e: x @ e, lambda x, e=e: e))]
        pairs += [(high, best(lambda x, e=e: -x @ e, lambda x, e=e: -e))]
    return np.array(pairs)


@pytest.mark.parametrize("seed", range(3))
def test_ranges_and_minimum_norm_of_four_pins_as_another_solver_has_them(seed):
    """The set is not convex; both solvers find the same ends."""
    ours, other = ends_of_four_pins(seed).T
    assert ours == pytest.approx(other, rel=1e-5, abs=1e-6)  # tolerance of the other solver


@pytest.mark.slow
def test_ranges_of_four_pins_are_seldom_too_narrow_and_never_too_wide():
    """Ends are local optima: every one is attained, and 99 of 100 are the best that another solver finds."""
    pairs = np.concatenate([ends_of_four_pins(seed) for seed in range(60)])
    assert len(pairs) > 300
    ours, other = pairs.T
    # tolerance of the other solver
    assert (ours <= other + 1e-5 * np.abs(other)).all()
    assert np.mean(ours < other - 1e-5 * np.abs(other)) <= 0.01


@pytest.mark.parametrize("seed", range(10))
def test_every_set_of_tangents_is_admissible(seed):
    """Points of the convex set, random ones among them, are within the limits themselves."""
    some = np.random.default_rng(seed)
    A, b, limits = random_pins(some, 3, 0.3)
    near = admissible_set_near(unbounded(A, b), limits, some.normal(size=3))
    if near is None:
        return
    corners = [near.maximise(some.normal(size=3)) for _ in range(6)]
    points = [x for most, x in corners if np.isfinite(most)] + [near.minimum_norm()]
    for _ in range(20):
        x = some.dirichlet(np.ones(len(points))) @ points
        assert slack(limits, x) > -1e-8
        assert A @ x == pytest.approx(b, abs=1e-9)


def test_a_part_far_from_the_start_is_found():
    """x₁ + x₂ = 3 with −½ ≤ x₁ ≤ 1½ and |x₂| ≤ |3 x₁ − 1|: admissible for 1 ≤ x₁ ≤ 1½ alone.

    At x₁ = 0 the tangent of the limit is 1 − 3 x₁, which is never enough.
    """
    forces = AdmissibleForces(
        np.ones((1, 2)), np.array([3.0]), np.array([-0.5, -FREE]), np.array([1.5, FREE])
    )
    limit = ReactionLimit(np.array([0.0, 1.0]), 0.0, ((np.array([[3.0, 0.0]]), np.array([-1.0])),))
    found = admissible_set_near(forces, [limit], np.array([0.0, 3.0]))
    assert found is not None
    assert StictionForces(forces, [limit], found.minimum_norm()).ranges() == pytest.approx(
        np.array([[1.0, 1.5], [1.5, 2.0]]), abs=1e-9
    )


@pytest.mark.parametrize(("slope", "turns"), [(0.49, False), (0.51, True), (1.5, True)])
def test_a_vector_turns_by_what_its_own_friction_does(slope, turns):
    """A force that depends on its own friction: |x| ≤ |1 − s x|, hence |x| ≤ 1/(1 − s) while s < 1; 1 − s x changes its
    sign for s > ½."""
    forces = unbounded(np.zeros((0, 1)), np.zeros(0))
    limit = ReactionLimit(np.ones(1), 0.0, ((np.array([[-slope]]), np.ones(1)),))
    assert may_turn(forces, [limit]) is turns


PINS = {
    "pin": (lambda: ml.Revolute("j", "ground.origin", "b.origin"), {"radius": 0.2}),
    "long pin": (lambda: ml.Revolute("j", "ground.origin", "b.origin"), {"radius": 0.2, "length": 0.3}),
    "guide": (lambda: ml.Prismatic("j", "ground.origin", "b.origin"), {}),
    "screw": (lambda: ml.Helical("j", "ground.origin", "b.origin", 0.01), {"radius": 0.05}),
    "left-hand screw": (lambda: ml.Helical("j", "ground.origin", "b.origin", -0.01), {"radius": 0.05}),
}


@pytest.mark.parametrize("name", PINS)
def test_parts_of_limits_make_up_the_limits(name):
    """−L(forward) ≤ x ≤ L(backward) is |x + f| ≤ Σ |Fᵢ|, for any wrench of the joint."""
    joint, more = PINS[name]
    machine = ml.Mechanism(
        "one",
        bodies=[ml.ground(), ml.Body("b", mass=1.0, inertia=(0.1, 0.1, 0.1))],
        joints=[joint()],
        loads=[ml.Friction("rub", "j", coefficient=0.3, stiction="exact", **more)],
    )
    eq = equations_of(machine, ml.analyse(machine).tree)
    (action,) = actions_of(eq.skeleton)
    wrench = ca.SX.sym("w", 6)
    felt = {"j": wrench}
    parts = action.limit_parts(eq, felt)
    assert parts is not None
    ways = [action.limit(eq, felt, ca.SX(way)) for way in (1.0, -1.0)]
    outputs = [*ways, parts.shift, *parts.vectors]
    numbers = ca.Function("parts", [eq.q, eq.v, eq.x, eq.t, eq.skeleton.parameter_symbols, wrench], outputs)
    p, q = eq.skeleton.parameter_values, eq.skeleton.neutral_position + 0.1
    some = np.random.default_rng(0)
    for w in some.normal(size=(20, 6)):
        forward, backward, shift, *vectors = (x.full().ravel() for x in numbers(q, 0, 0, 0, p, w))
        most = sum(np.linalg.norm(vector) for vector in vectors)
        assert (most + shift, most - shift) == (
            pytest.approx(forward, rel=1e-12),
            pytest.approx(backward, rel=1e-12),
        )
        assert (abs(shift) > 0).all() == ("screw" in name)
