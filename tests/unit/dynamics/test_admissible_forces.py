"""Admissible forces: minimum norm and ranges against closed forms, enumeration and other solvers."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog

from multiloop.dynamics import AdmissibleForces, FrictionCone

FREE = np.inf
WEIGHT = 98.1


def one_sided(A, b, **more):
    """Forces that only push."""
    n = np.shape(A)[1]
    return AdmissibleForces(np.asarray(A, float), np.asarray(b, float), np.zeros(n), np.full(n, FREE), **more)


def plate(x, y, a=2.0, b=1.0, weight=WEIGHT):
    """Vertical forces at the corners (0, 0), (a, 0), (a, b), (0, b) of a plate with its mass centre at (x, y)."""
    corners = np.array([(0, 0), (a, 0), (a, b), (0, b)]).T
    return np.vstack([np.ones(4), corners]), weight * np.array([1.0, x, y])


def enumerated_vertices(A, b):
    """All vertices of {x ≥ 0, A x = b}, by solving for every choice of columns."""
    rank, found = np.linalg.matrix_rank(A), []
    for chosen in combinations(range(A.shape[1]), rank):
        part = A[:, chosen]
        if np.linalg.matrix_rank(part) == rank:
            x = np.zeros(A.shape[1])
            x[list(chosen)] = np.linalg.lstsq(part, b, rcond=None)[0]
            if x.min() > -1e-10 and np.allclose(A @ x, b):
                found.append(x)
    return np.array(found)


def enumerated_minimum(A, b):
    """The x ≥ 0 of smallest norm with A x = b, by trying every set of components that vanish."""
    best = None
    for size in range(A.shape[1] + 1):
        for kept in combinations(range(A.shape[1]), size):
            x = np.zeros(A.shape[1])
            x[list(kept)] = np.linalg.lstsq(A[:, kept], b, rcond=None)[0]
            if x.min() > -1e-10 and np.allclose(A @ x, b) and (best is None or x @ x < best @ best):
                best = x
    return best


@pytest.mark.parametrize(("x", "y"), [(1.0, 0.5), (0.6, 0.3), (0.1, 0.05), (1.8, 0.9), (0.3, 0.95)])
def test_ranges_of_a_plate_on_four_ropes_are_those_of_its_triangles(x, y):
    """T = T₀ + z (1, −1, 1, −1): each tension is smallest and largest where another rope is slack."""
    A, b = plate(x, y)
    found = one_sided(A, b)
    u, v = x / 2.0, y / 1.0
    least = WEIGHT * np.array([max(0, 1 - u - v), max(0, u - v), max(0, u + v - 1), max(0, v - u)])
    most = WEIGHT * np.array([min(1 - u, 1 - v), min(u, 1 - v), min(u, v), min(1 - u, v)])
    assert found.feasible
    np.testing.assert_allclose(found.ranges(), np.column_stack([least, most]), atol=1e-13 * WEIGHT)
    np.testing.assert_allclose(found.minimum_norm(), enumerated_minimum(A, b), atol=1e-12 * WEIGHT)


def test_plain_minimum_norm_would_have_a_rope_push():
    A, b = plate(1.9, 0.95)
    assert np.linalg.lstsq(A, b, rcond=None)[0].min() < -0.1 * WEIGHT
    found = one_sided(A, b).minimum_norm()
    assert found.min() >= 0.0
    np.testing.assert_allclose(A @ found, b, rtol=1e-13)


def test_a_mass_centre_at_a_corner_determines_all_tensions():
    found = one_sided(*plate(2.0, 1.0))
    assert found.directions.shape == (4, 1)
    np.testing.assert_allclose(
        found.ranges(), [[0, 0], [0, 0], [WEIGHT, WEIGHT], [0, 0]], atol=1e-13 * WEIGHT
    )


def test_a_mass_centre_beside_the_plate_is_not_supported(texts):
    found = one_sided(*plate(2.1, 0.5))
    assert not found.feasible
    assert found.margin == pytest.approx(-0.05 / 1.05)  # the ratio of the forces of the pairs of ropes
    with pytest.raises(ValueError) as caught:
        found.ranges()
    texts(caught.value)


def test_what_no_force_balances_is_not_feasible():
    assert one_sided([[1.0, 1.0], [1.0, 1.0]], [1.0, 2.0]).margin == -np.inf


@pytest.mark.parametrize("seed", range(6))
def test_several_unknowns_against_vertices_and_sets_of_vanishing_components(seed):
    rng = np.random.default_rng(seed)
    m, n = ((2, 5), (3, 6), (3, 7), (2, 6), (4, 7), (3, 8))[seed]
    A = np.vstack([rng.uniform(0.5, 1.5, n), rng.normal(size=(m - 1, n))])
    b = A @ rng.uniform(0, 1, n)
    found, vertices = one_sided(A, b), enumerated_vertices(A, b)
    expected = np.column_stack([vertices.min(axis=0), vertices.max(axis=0)])
    np.testing.assert_allclose(found.ranges(), expected, atol=1e-9)
    np.testing.assert_allclose(found.minimum_norm(), enumerated_minimum(A, b), atol=1e-9)
    rows = rng.normal(size=(2, n))
    along = vertices @ rows.T
    np.testing.assert_allclose(
        found.ranges(rows), np.column_stack([along.min(axis=0), along.max(axis=0)]), atol=1e-9
    )


def test_weights_and_bounds_of_both_sides():
    """Two clutches transmit 3 N m together; one slips at 1 N m, and weights distribute as stiffnesses would."""
    found = AdmissibleForces(
        np.ones((1, 2)),
        np.array([3.0]),
        np.array([-1.0, -5.0]),
        np.array([1.0, 5.0]),
        weights=np.array([1.0, 4.0]),
    )
    np.testing.assert_allclose(found.ranges(), [[-1, 1], [2, 4]])
    np.testing.assert_allclose(found.minimum_norm(), [1.0, 2.0])
    wide = AdmissibleForces(
        np.ones((1, 2)), np.array([3.0]), np.full(2, -9.0), np.full(2, 9.0), weights=np.array([1.0, 4.0])
    )
    np.testing.assert_allclose(wide.minimum_norm(), [2.4, 0.6])


@pytest.mark.parametrize("load", [0.0, 1e-18, 1e-9, 1e-3, 0.01])
@pytest.mark.parametrize("limit", [0.05, 50.0, 5e5])
def test_a_limit_bounds_however_small_the_load_is_beside_it(load, limit):
    """A brake with a limit beside a one-sided clutch, and two bearings that share the undetermined part."""
    found = AdmissibleForces(
        np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]),
        np.array([load, 0.0]),
        np.array([-limit, 0.0, -FREE, -FREE]),
        np.array([limit, FREE, FREE, FREE]),
    )
    expected = [
        [-limit, min(limit, load)],
        [max(0.0, load - limit), load + limit],
        [-FREE, FREE],
        [-FREE, FREE],
    ]
    np.testing.assert_allclose(found.ranges(), expected, rtol=1e-12, atol=1e-15 * limit)


# friction -----------------------------------------------------------------------------------------------------------


def wedged(mu):
    """A block held between two walls by friction alone: N₁ = N₂, T₁ + T₂ = weight, N₁ a − … = 0 by symmetry."""
    A = np.array([[1.0, 0, -1, 0], [0, 1, 0, 1], [0, 1, 0, -1]])
    cones = [FrictionCone(0, (1,), mu), FrictionCone(2, (3,), mu)]
    return AdmissibleForces(A, np.array([0, WEIGHT, 0]), np.full(4, -FREE), np.full(4, FREE), cones)


def test_a_block_wedged_between_walls_needs_a_least_normal_force_and_has_no_largest():
    mu = 0.4
    least = WEIGHT / 2 / mu
    np.testing.assert_allclose(
        wedged(mu).ranges(), [[least, FREE], [WEIGHT / 2] * 2, [least, FREE], [WEIGHT / 2] * 2], rtol=1e-12
    )
    np.testing.assert_allclose(wedged(mu).minimum_norm(), [least, WEIGHT / 2, least, WEIGHT / 2], rtol=1e-12)
    assert not wedged(0.0).feasible


@pytest.mark.parametrize("spatial", [False, True])
def test_a_block_on_an_incline_is_held_up_to_the_angle_of_friction(spatial):
    mu = 0.5

    def at(angle):
        normal, along = WEIGHT * np.cos(angle), WEIGHT * np.sin(angle)
        if not spatial:
            A, b, ways = np.eye(2), [normal, along], (1,)
        else:
            A, b, ways = np.eye(3), [normal, 0.6 * along, -0.8 * along], (1, 2)
        n = len(b)
        return AdmissibleForces(
            A, np.array(b), np.full(n, -FREE), np.full(n, FREE), [FrictionCone(0, ways, mu)]
        )

    limit = np.arctan(mu)
    assert at(limit - 1e-8).feasible
    assert not at(limit + 1e-8).feasible
    assert at(limit - 0.1).margin > 0.05
    assert at(limit + 0.1).margin < -0.05


def bar_on_two_feet(mu, pull, turn, weight=WEIGHT):
    """Feet at x = ±1: normal forces weight/2 each; T_y = ±turn/2, and T_x share the tangential force."""
    A = np.zeros((5, 6))  # N, Tx, Ty of either foot
    A[0, [0, 3]], A[1, [0, 3]] = 1.0, (1.0, -1.0)
    A[2, [1, 4]] = 1.0
    A[3, [2, 5]], A[4, [2, 5]] = 1.0, (1.0, -1.0)
    cones = [FrictionCone(0, (1, 2), mu), FrictionCone(3, (4, 5), mu)]
    b = np.array([weight, 0, pull, 0, turn])
    return AdmissibleForces(A, b, np.full(6, -FREE), np.full(6, FREE), cones)


def test_spatial_cones_bound_what_two_feet_share():
    mu, pull, turn = 0.5, 20.0, 30.0
    most = np.sqrt((mu * WEIGHT / 2) ** 2 - (turn / 2) ** 2)
    found = bar_on_two_feet(mu, pull, turn).ranges()
    np.testing.assert_allclose(found[[1, 4]], [[pull - most, most]] * 2, rtol=1e-9)
    assert (found[[0, 2, 3, 5], 0] == found[[0, 2, 3, 5], 1]).all()
    np.testing.assert_allclose(bar_on_two_feet(mu, pull, turn).minimum_norm()[[1, 4]], pull / 2, rtol=1e-12)


def test_spatial_cones_count_both_tangential_components():
    mu = 0.5
    assert bar_on_two_feet(mu, 2 * mu * WEIGHT / 2 - 1e-6, 0.0).feasible
    assert not bar_on_two_feet(mu, 2 * mu * WEIGHT / 2 - 1e-6, 5.0).feasible


def test_a_ball_wedged_in_space_has_no_largest_normal_force():
    mu = 0.4
    A = np.array([[1.0, 0, 0, -1, 0, 0], [0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 0, 1]])
    cones = [FrictionCone(0, (1, 2), mu), FrictionCone(3, (4, 5), mu)]
    found = AdmissibleForces(A, np.array([0, 0, WEIGHT]), np.full(6, -FREE), np.full(6, FREE), cones)
    np.testing.assert_allclose(found.ranges()[[0, 3]], [[WEIGHT / 2 / mu, FREE]] * 2, rtol=1e-9)
    np.testing.assert_array_equal(found.ranges()[[1, 5]], [[-FREE, FREE]] * 2)
    half = [WEIGHT / 2 / mu, 0, WEIGHT / 2]
    np.testing.assert_allclose(found.minimum_norm(), 2 * half, atol=1e-9 * WEIGHT)


MU = 0.6


def table(feet, part, seed):
    """Feet on a rough floor that hold a load by tangential forces of a `part` of their limits, and these forces."""
    rng = np.random.default_rng(seed)
    angles = 2 * np.pi * np.arange(feet) / feet
    A = np.zeros((6, 3 * feet))
    for k, (x, y) in enumerate(zip(np.cos(angles), np.sin(angles), strict=True)):
        A[:, 3 * k : 3 * k + 3] = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [y, 0, 0], [-x, 0, 0], [0, -y, x]]
    normal, way = rng.uniform(1, 2, feet), rng.uniform(-0.8, 0.8, feet)
    held = np.ravel([normal, part * MU * normal * np.cos(way), part * MU * normal * np.sin(way)], order="F")
    cones = [FrictionCone(3 * k, (3 * k + 1, 3 * k + 2), MU) for k in range(feet)]
    return AdmissibleForces(A, A @ held, np.full(3 * feet, -FREE), np.full(3 * feet, FREE), cones)


def with_facets(forces, cost, facets, outside):
    """The smallest cost · x with every cone replaced by a pyramid outside or inside of it."""
    turns = 2 * np.pi * np.arange(facets) / facets
    limit = MU * (1.0 if outside else np.cos(np.pi / facets))
    rows = np.zeros((len(forces.cones) * facets, forces.count))
    for k, cone in enumerate(forces.cones):
        place = slice(k * facets, (k + 1) * facets)
        rows[place, cone.normal] = -limit
        rows[place, cone.tangential] = np.column_stack([np.cos(turns), np.sin(turns)])
    found = linprog(
        cost, A_ub=rows, b_ub=np.zeros(len(rows)), A_eq=forces.A, b_eq=forces.b, bounds=(None, None)
    )
    assert found.status == 0
    return found.fun


@pytest.mark.parametrize(
    ("feet", "part", "seed"), [pytest.param(3, 0.6, 0, marks=pytest.mark.slow), (3, 0.97, 1), (4, 0.9, 2)]
)
def test_tables_on_rough_feet_lie_between_pyramids_inside_and_outside_of_the_cones(feet, part, seed):
    forces = table(feet, part, seed)
    found, least = forces.ranges(), forces.minimum_norm()
    assert (found[:, 1] - found[:, 0]).max() > 0.1
    for k in range(0, forces.count, 2):
        for end, sign in ((0, 1.0), (1, -1.0)):
            cost = sign * np.eye(forces.count)[k]
            inside, outside = (with_facets(forces, cost, 256, kind) for kind in (False, True))
            assert outside - 1e-8 <= sign * found[k, end] <= inside + 1e-8
            assert inside - outside < 1e-3  # 256 facets differ from a cone by 1 − cos(π/256) = 8e-5
    for cone in forces.cones:
        assert np.linalg.norm(least[list(cone.tangential)]) <= MU * least[cone.normal] + 1e-9
    np.testing.assert_allclose(forces.A @ least, forces.b, atol=1e-12)
    assert least @ least - 1e-3 <= with_facets(forces, least, 256, True) <= least @ least + 1e-8


# scales ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("force", "length"), [(16.0**5, 1.0), (16.0**-5, 16.0**3), (1.0, 16.0**-5)])
def test_no_result_depends_on_units(force, length):
    A, b = plate(1.9, 0.95)
    scale = np.array([1.0, length, length])
    found, other = one_sided(A, b), one_sided(A * scale[:, None], b * scale * force)
    assert (other.minimum_norm() == force * found.minimum_norm()).all()
    assert (other.ranges() == force * found.ranges()).all()
    assert other.margin == found.margin
    here, there = (
        bar_on_two_feet(0.5, 20.0, 30.0),
        bar_on_two_feet(0.5, 20 * force, 30 * force, WEIGHT * force),
    )
    np.testing.assert_allclose(there.ranges(), force * here.ranges(), rtol=1e-12)


def test_the_same_linear_program_written_in_the_forces():
    rng = np.random.default_rng(8)
    A, b = plate(0.7, 0.4)
    A = np.hstack([A, np.vstack([np.ones(2), rng.uniform(0, 1, (2, 2))])])
    found = one_sided(A, b).ranges()
    for k in range(6):
        for end, sign in ((0, 1.0), (1, -1.0)):
            cost = np.zeros(6)
            cost[k] = sign
            assert found[k, end] == pytest.approx(linprog(cost, A_eq=A, b_eq=b).x[k], abs=1e-9 * WEIGHT)
