"""[koul]: which blocks of J and of the GICM vanish, for the excavator, the carpet scraper and the 3-RRR."""

import numpy as np
import pytest
from zoo import excavator, planar_parallel, scraper

import multiloop as ml
from multiloop.kinematics import equations_of
from multiloop.plan import tree_inertia


def pattern(*lines):
    """Drawn with x for a full block and . for a zero one."""
    return tuple(tuple(sign == "x" for sign in line) for line in lines)


THREE_RRR_CUTS = ("B2", "B3")
"""The paper's joints 6 and 7, between the distal and the proximal links of the second and third leg."""

CASES = {
    # mechanism, cuts, J, GICM
    "excavator, eq. (13)": (
        excavator.excavator,
        excavator.PAPER_CUTS,
        pattern("xx.", ".x.", "xx.", "x.x"),
        pattern("xxxx", "xxx.", "xxxx", "x.xx"),  # not printed; loops 2 and 4 share no subsystem
    ),
    "scraper, eqs. (25) and (30)": (
        lambda: scraper.scraper("K"),
        scraper.PAPER_CUTS,
        # Our subsystems are in the order of their ground joints: I rocker and coupler, II crank, III pantograph.
        pattern("xx.", "x.x", "..x"),
        pattern("xx.", "xxx", ".xx"),
    ),
    "3-RRR, eqs. (36) and (41)": (
        planar_parallel.three_rrr,
        THREE_RRR_CUTS,
        pattern("xx.", "x.x"),
        pattern("xx", "xx"),
    ),
}


@pytest.fixture(params=CASES)
def case(request):
    build, cuts, J, gicm = CASES[request.param]
    return ml.analyse(build(), cuts=cuts), J, gicm


def test_blocks_of_the_plan_are_those_of_the_paper(case):
    plan, J, gicm = case
    assert plan.jacobian_pattern == J
    assert plan.gicm_pattern == gicm


def blocks(matrix, rows, columns, tolerance):
    """Which blocks of a matrix hold an entry above the tolerance."""
    return tuple(tuple(bool(np.abs(matrix[np.ix_(r, c)]).max() > tolerance) for c in columns) for r in rows)


def test_blocks_of_the_numbers_are_those_of_the_plan(case):
    """J at the assembled position, and Ī = J I⁻¹ Jᵀ with the inertia of the spanning tree."""
    plan, J, gicm = case
    equations = equations_of(plan.mechanism, plan.tree)
    q, p = plan.assembly.coordinates_on(equations), plan.assembly.p
    jacobian = equations.geometric_jacobian(q, p)
    inertia = tree_inertia(equations, q, p)
    rows = [range(place.start, place.stop) for place in equations.loop_constraints.slices]
    columns = [
        [k for joint in subsystem.joints for k in _places(equations.skeleton.link_of_joint[joint])]
        for subsystem in plan.tree.subsystems
    ]
    assert blocks(jacobian, rows, columns, 0.0) == J  # zero blocks are exact zeros, never formed
    bar = jacobian @ np.linalg.solve(inertia, jacobian.T)
    assert blocks(bar, rows, rows, 1e-12 * np.abs(bar).max()) == gicm


@pytest.mark.parametrize("name", CASES)
def test_blocks_of_the_matrices_by_loop_and_subsystem(name):
    """J_(i,j) and Ī_(r,s) by their names, and Ī_(r,s) = Σ_j J_(r,j) I_j⁻¹ J_(s,j)ᵀ: eqs. (13), (24), (31)."""
    build, cuts, J, gicm = CASES[name]
    mechanism = build()
    tree = ml.analyse(mechanism, cuts=cuts).tree
    found = ml.assemble(mechanism).matrices(cuts=cuts)
    names = [subsystem.name for subsystem in tree.subsystems]
    assert tuple(names) == ("I", "II", "III")
    block = {
        (loop, name): found.block(found.J, loop=loop, subsystem=name).values
        for loop in tree.cuts
        for name in names
    }
    inertia = {name: found.block(found.I, subsystem_row=name, subsystem=name).values for name in names}
    full = tuple(tuple(bool(block[loop, name].any()) for name in names) for loop in tree.cuts)
    assert full == J
    for row, pattern in zip(tree.cuts, gicm, strict=True):
        for column, coupled in zip(tree.cuts, pattern, strict=True):
            own = found.block(found.GICM, loop_row=row, loop=column).values
            parts = [block[row, s] @ np.linalg.solve(inertia[s], block[column, s].T) for s in names]
            # One factorization of the whole inertia against those of its three blocks.
            assert own == pytest.approx(sum(parts), abs=1e-12 * np.abs(found.GICM.values).max())
            assert coupled or not own.any()


def _places(link):
    return range(link.v.start, link.v.stop)


def test_the_default_cuts_of_scraper_and_excavator_are_the_papers():
    assert set(ml.analyse(scraper.scraper("K")).cuts) == set(scraper.PAPER_CUTS)
    assert set(ml.analyse(excavator.excavator()).cuts) == set(excavator.PAPER_CUTS)


def test_the_excavator_has_eleven_bodies_four_loops_and_three_freedoms():
    plan = ml.analyse(excavator.excavator())
    assert len(plan.mechanism.moving) == 11
    assert len(plan.tree.loops) == 4
    assert (plan.count, plan.mobility, plan.redundant) == (3, 3, 0)


def test_the_3rrr_has_two_loops_and_three_freedoms():
    plan = ml.analyse(planar_parallel.three_rrr(), cuts=THREE_RRR_CUTS)
    assert len(plan.tree.loops) == 2
    assert (plan.count, plan.mobility, plan.redundant) == (3, 3, 0)
    assert [len(subsystem.bodies) for subsystem in plan.tree.subsystems] == [5, 1, 1]
