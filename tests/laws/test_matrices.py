"""The identities of the papers for the matrices that `State.matrices` returns, on the test models.

Rates satisfy the loops but are otherwise random, drives are released, and the position is not that of the guess.
"""

from dataclasses import replace
from functools import cache

import casadi as ca
import numpy as np
import pytest
from laws.closed_positions import assembled, built
from laws.formulation_cases import NUMERIC, numbers, zoo_cases
from laws.printed_formulas import diagonal_factor, gicm_blocks, lower_factor
from scipy.linalg import null_space, qr
from zoo import ZOO, flexible

import multiloop as ml
from multiloop.analyses.assemble import state_of
from multiloop.dynamics import convective_matrix, generalized_inertia
from multiloop.dynamics.forward import ForwardProblem
from multiloop.dynamics.newton_euler import carried_wrenches, generalized_forces, required_wrenches
from multiloop.dynamics.outputs.energy import kinetic_energy
from multiloop.kinematics import Snapshot, equations_of
from multiloop.plan.rank import first_order_motions
from multiloop.topology import gicm_pattern, jacobian_pattern

ROUND_OFF = 1e-12
"""Sums of a few hundred products along branches of a dozen bodies, several thousand times the unit round-off."""

CLOSED = 1e-9
"""Loops are closed again to 1e-12 of the size of the mechanism, a position later to which rates belong."""

RESISTED = ("cart-resisting",)
"""Test models with forces that remain without loads and gravity: rolling resistance is part of a pair."""

FLEXIBLE = {
    make.__name__: make
    for make in (
        flexible.bending_four_bar,
        flexible.bending_rssr,
        flexible.bending_bell_crank,
        flexible.bending_four_bar_in_space,
    )
}


@cache
def moving(name):
    """A mechanism without drives, loads and gravity, and a State with random rates."""
    assembly = assembled(name)
    assembly = replace(assembly, q=list(first_order_motions(assembly).positions())[-1])
    equations = assembly.equations
    J = equations.geometric_jacobian(assembly.q, assembly.p)
    unit = equations.chart.rate_units
    ways = unit[:, None] * null_space(equations.rate_row_scale[: len(J), None] * J * unit, rcond=1e-9)
    v = ways @ np.random.default_rng(3).normal(size=ways.shape[1])
    free = built(name).without_drives()
    free = free.replace(loads=[], actuators=[], gravity=(0,) * (2 if free.planar else 3))
    return replace(state_of(assembly, v, 0.0), mechanism=free)


@cache
def matrices_of(name):
    return moving(name).matrices()


@pytest.fixture(params=NUMERIC)
def name(request):
    return request.param


def largest(*arrays):
    return max(1e-300, *(float(np.abs(np.asarray(array)).max(initial=0.0)) for array in arrays))


# the tree ---------------------------------------------------------------------------------------------


def test_factors_of_the_complement(name):
    """N = N_l N_d with the block triangular N_l of [chaudhary], eq. (25), and N_d of unit joint twists."""
    found = matrices_of(name)
    bodies = list(dict.fromkeys(found.N["body"].values))
    product = (found.N_l @ found.N_d).rename({"twist_row": "twist", "body_row": "body"})
    assert np.abs(product.values - found.N.values).max() <= ROUND_OFF * largest(found.N)
    lower = found.N_l
    for i, row in enumerate(bodies):
        for j, column in enumerate(bodies):
            block = found.block(lower, body_row=row, body=column).values
            if i == j:
                assert (block == np.eye(len(block))).all()
            if i < j:
                assert not block.any(), (row, column)
    inboard = found.N_d.values != 0
    assert (inboard.reshape(len(bodies), -1, inboard.shape[1]).any(axis=1).sum(axis=0) == 1).all()


def test_factors_are_the_printed_ones(name):
    for case in zoo_cases(name)[:2]:
        lower, diagonal = case.equations.tree_functions.decoupled_complement(
            case.q, case.skeleton.parameter_values
        )
        assert lower == pytest.approx(ca.DM(lower_factor(case.at)).full(), abs=ROUND_OFF * largest(lower))
        assert diagonal == pytest.approx(ca.DM(diagonal_factor(case.at)).full(), abs=ROUND_OFF)


def test_constraint_matrix_of_the_tree_and_of_the_loops(name):
    """A N has zero rows for joints of the tree, and the rows of J for cut joints; A t = 0; [saha], eqs. (6)–(8)."""
    state = moving(name)
    found = matrices_of(name)
    rows = found.A.values @ found.N.values
    t = found.N.values @ found.v.values
    size = largest(found.A) * largest(found.N)
    assert np.abs(found.A.values @ t).max(initial=0.0) <= CLOSED * size * largest(found.v)
    plan = ml.analyse(state.mechanism)
    if plan.tree.splits:
        return  # the second part of a split body has rows in N and no column in A
    for joint in dict.fromkeys(found.A["joint"].values):
        own = rows[found.A["joint"].values == joint]
        if joint in plan.tree.cuts:
            loop = found.J.values[found.J["loop"].values == joint]
            same, *_ = np.linalg.lstsq(loop.T, own.T, rcond=1e-9)
            assert np.abs(loop.T @ same - own.T).max(initial=0.0) <= CLOSED * size, joint
        elif joint not in found.J["loop"].values:
            assert np.abs(own).max(initial=0.0) <= ROUND_OFF * size, joint


def test_inertia_and_kinetic_energy(name):
    """I = Nᵀ M N from composite bodies and from twists, and ½ vᵀ I v = ½ tᵀ M t."""
    found = matrices_of(name)
    N, M, I, v = (part.values for part in (found.N, found.M, found.I, found.v))
    assert np.abs(N.T @ M @ N - I).max() <= ROUND_OFF * largest(I)
    t = N @ v
    assert v @ I @ v == pytest.approx(t @ M @ t, rel=1e-10, abs=1e-300)
    assert np.linalg.eigvalsh(M).min() >= -1e-12 * largest(M)


def test_blocks_of_the_loops(name):
    """Ī = J I⁻¹ Jᵀ, with exact zeros where the patterns of [koul], eqs. (13), (24) and (30), have them."""
    state = moving(name)
    found = matrices_of(name)
    plan = ml.analyse(state.mechanism)
    tree = plan.tree
    for cut, pattern in zip(tree.cuts, jacobian_pattern(tree), strict=True):
        for subsystem, full in zip(tree.subsystems, pattern, strict=True):
            if cut not in found.J["loop"].values or subsystem.name not in found.J["subsystem"].values:
                continue  # a joint without constraint rows, or a subsystem without degrees of freedom
            assert full or not found.block(found.J, loop=cut, subsystem=subsystem.name).values.any()
    if found.massless:
        with pytest.raises(ml.SolveError) as raised:
            found.GICM  # noqa: B018
        assert raised.value.faults[0].code == "S06"
        return
    gicm = found.GICM
    dense = found.J.values @ np.linalg.solve(found.I.values, found.J.values.T)
    assert np.abs(gicm.values - dense).max(initial=0.0) <= CLOSED * largest(dense)
    for row, pattern in zip(tree.cuts, gicm_pattern(tree), strict=True):
        for column, full in zip(tree.cuts, pattern, strict=True):
            if {row, column} <= set(found.J["loop"].values) and not full:
                block = found.block(gicm, loop_row=row, loop=column).values
                assert np.abs(block).max() <= ROUND_OFF * largest(gicm), (row, column)


@pytest.mark.parametrize("name", ["scraper-K", "excavator", "3-RRR", "RSSR", "6-UPS"])
def test_inertia_constraint_matrix_by_subsystems(name):
    """Ī_(r,s) = Σ_j J_(r,j) I_j⁻¹ J_(s,j)ᵀ of [koul], eq. (24), block by block."""
    state = moving(name)
    found = matrices_of(name)
    equations = equations_of(state.mechanism, ml.analyse(state.mechanism).tree)
    q = np.concatenate(
        [np.zeros(0)] + [np.atleast_1d(state.positions[n]) for n in equations.skeleton.coordinates]
    )
    at = Snapshot(equations.skeleton, ca.DM(q), ca.DM(found.v.values))
    blocks, _ = gicm_blocks(ForwardProblem(at, ca.DM(np.zeros(equations.skeleton.rates))))
    loops = [one.name for one in equations.loop_constraints.constraints]
    for (r, s), block in blocks.items():
        own = found.block(found.GICM, loop_row=loops[r], loop=loops[s]).values
        assert np.abs(own - ca.DM(block).full()).max() <= CLOSED * largest(found.GICM), (r, s)


# the convective matrix --------------------------------------------------------------------------------


def convective_identities(equations, q, v, p):
    """İ − 2 C is skew-symmetric, and C v are the inertia forces of the recursion at zero accelerations."""
    I = ca.SX(generalized_inertia(equations))
    traced = equations.function(
        "identities",
        "qv",
        C=convective_matrix(equations),
        I=I,
        I_rate=ca.jtimes(I, equations.q, equations.q_rate),
    )
    n = equations.skeleton.rates
    C, I, I_rate = (part.reshape(n, n) for part in traced(q, v, p))
    size = largest(C, I_rate) + largest(I) * largest(v)  # C may vanish as the sum of terms of the size of I v
    skew = I_rate - 2 * C
    assert np.abs(skew + skew.T).max() <= ROUND_OFF * size
    assert abs(v @ (I_rate / 2 - C) @ v) <= ROUND_OFF * size * largest(v) ** 2 * n

    def forces(k):
        at = Snapshot(equations.skeleton, ca.DM(q), ca.DM(k * v))
        return numbers(generalized_forces(at, carried_wrenches(at, required_wrenches(at))))

    expected = (forces(1) + forces(-1)) / 2 - forces(0)  # without stiffness and damping of flexible bodies
    assert np.abs(C @ v - expected).max() <= ROUND_OFF * (size * largest(v) * n + largest(forces(0)))


def test_convective_matrix(name):
    mechanism = moving(name).mechanism
    for case in zoo_cases(name)[:2]:
        equations = equations_of(mechanism, case.skeleton.tree)
        convective_identities(equations, case.q, case.v, case.skeleton.parameter_values)


@pytest.mark.parametrize("make", FLEXIBLE.values(), ids=FLEXIBLE)
def test_convective_matrix_of_flexible_bodies(make):
    mechanism = make()
    mechanism = mechanism.replace(loads=[], gravity=(0,) * (2 if mechanism.planar else 3))
    plan = ml.analyse(mechanism)
    equations = equations_of(mechanism, plan.tree)
    q, rng = plan.assembly.coordinates_on(equations), np.random.default_rng(1)
    for link in equations.skeleton.links:
        q[link.eta] = 0.01 * rng.normal(size=link.reduced.elastic)
    v = rng.normal(size=equations.skeleton.rates)
    convective_identities(equations, q, v, equations.skeleton.parameter_values)


# independent coordinates ------------------------------------------------------------------------------


def independent_coordinates(found, count):
    """Labels of as many rates as there are degrees of freedom, which determine all others."""
    ways = null_space(found.J.values, rcond=1e-9) if len(found.J) else np.eye(found.J.shape[1])
    assert ways.shape[1] == count
    _, _, order = qr(ways.T, pivoting=True)
    return [str(found.I["rate"].values[k]) for k in order[:count]]


@pytest.mark.parametrize("name", [name for name in NUMERIC if name not in RESISTED])
def test_matrices_in_independent_coordinates(name):
    """A T = 0, I = Tᵀ M T, and I θ̈ + C θ̇ = 0 for the accelerations of `forward` without any forces."""
    state = moving(name)
    names = independent_coordinates(matrices_of(name), ZOO[name].mobility)
    found = state.matrices(independent=names)
    reduced = found.reduced
    A, M, T = found.A.values, found.M.values, reduced.T.values
    assert np.abs(A @ T).max(initial=0.0) <= CLOSED * largest(A) * largest(T)
    assert np.abs(T.T @ M @ T - reduced.I.values).max() <= 1e-10 * largest(reduced.I)
    theta_rate = reduced.R.values[[list(found.I["rate"].values).index(n) for n in names]]
    assert theta_rate == pytest.approx(np.eye(len(names)), abs=1e-9)
    rates = np.array([found.v.sel(rate=n).item() for n in names])
    answer = ml.forward(state.mechanism, state)
    accelerations = np.array([coordinate(answer, state.mechanism, n) for n in names])
    left = reduced.I.values @ accelerations + reduced.C.values @ rates
    size = largest(reduced.I) * (largest(accelerations) + largest(rates) ** 2)
    # Solutions with different matrices, of condition numbers up to 1e4.
    assert np.abs(left).max() <= ROUND_OFF * size


def coordinate(answer, mechanism, label):
    """The acceleration of a coordinate by its label."""
    joint, _, component = label.partition(".")
    values = np.atleast_1d(answer[joint].acceleration[0])
    parts = mechanism.joint(joint).components(mechanism.planar)
    return values[parts.index(component) if component else 0]


@pytest.mark.parametrize("make", FLEXIBLE.values(), ids=FLEXIBLE)
def test_matrices_of_flexible_mechanisms(make):
    """Elastic coordinates are labelled columns: A N = J, N = N_l N_d, I = Nᵀ M N, and the kinetic energy."""
    state = ml.assemble(make())
    found = state.matrices()
    links = [body.name for body in state.mechanism.moving if body.elastic]
    for link in links:
        assert f"{link}.eta1" in found.N["twist"].values
        assert f"{link}.eta1" in found.N["rate"].values
    N, M, I, v, A = (part.values for part in (found.N, found.M, found.I, found.v, found.A))
    assert np.abs(found.N_l.values @ found.N_d.values - N).max() <= ROUND_OFF * largest(N)
    assert np.abs(N.T @ M @ N - I).max() <= ROUND_OFF * largest(I)
    assert np.abs(A @ N @ v).max() <= CLOSED * largest(A) * largest(N) * largest(v)
    plan = ml.analyse(state.mechanism)
    equations = equations_of(state.mechanism, plan.tree)
    at = Snapshot(equations.skeleton, ca.DM(plan.assembly.coordinates_on(equations)), ca.DM(v))
    assert v @ I @ v / 2 == pytest.approx(float(kinetic_energy(at)), rel=1e-9, abs=1e-15)
    uncut = ~np.isin(found.A["joint"].values, plan.tree.cuts)
    assert np.abs((A @ N)[uncut]).max() <= ROUND_OFF * largest(A) * largest(N)
