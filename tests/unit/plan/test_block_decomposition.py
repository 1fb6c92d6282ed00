"""The order in which unknown forces can be found: stages by counting, irreducible blocks by matching."""

import numpy as np
import pytest
from laws.closed_positions import DRIVEN
from zoo import ZOO, scraper

import multiloop as ml
from multiloop.dynamics.inverse import effort_columns
from multiloop.kinematics import equations_of
from multiloop.plan import unknown_efforts

DETERMINATE = [name for name in DRIVEN if not ZOO[name].redundant and not ZOO[name].idle]


@pytest.mark.parametrize("name", DETERMINATE)
def test_blocks_make_the_equations_block_triangular(name):
    """[Jᵀ B] in numbers: an equation of a block has no unknown of a later one, and every block is regular."""
    plan = ml.analyse(ZOO[name].build())
    equations = equations_of(plan.mechanism, plan.tree)
    J = equations.geometric_jacobian(plan.assembly.coordinates_on(equations), plan.assembly.p)
    B = effort_columns(equations, unknown_efforts(plan.mechanism))
    matrix, loops = np.column_stack([J.T, B]), J.shape[0]
    found: list[int] = []
    used: list[int] = []
    for block in plan.determinacy.blocks:
        unknowns = [*block.multipliers, *(loops + k for k in block.efforts)]
        found += unknowns
        used += block.equations
        later = [u for u in range(matrix.shape[1]) if u not in found]
        assert np.abs(matrix[np.ix_(block.equations, later)]).max(initial=0.0) == 0.0
        assert len(unknowns) == len(block.equations) == len(block.unknowns)
        assert np.linalg.matrix_rank(matrix[np.ix_(block.equations, unknowns)]) == len(unknowns)
    assert sorted(found) == list(range(matrix.shape[1]))
    assert sorted(used) == list(range(matrix.shape[0]))


@pytest.mark.parametrize("name", DETERMINATE)
def test_stages_find_every_unknown_once(name):
    plan = ml.analyse(ZOO[name].build())
    stages = plan.determinacy.stages
    unknowns = [unknown for stage in stages for unknown in stage.unknowns]
    ties = [coupling.name for coupling in plan.mechanism.couplings]
    assert sorted(unknowns) == sorted(
        [*plan.cuts, *ties, *(joint for joint, _ in unknown_efforts(plan.mechanism))]
    )
    assert sum(stage.count for stage in stages) == sum(stage.equations for stage in stages)
    assert plan.determinacy.complete


def test_the_last_block_of_the_scraper_is_its_torque():
    plan = ml.analyse(scraper.scraper("C"), cuts=scraper.PAPER_CUTS)
    blocks = [block.unknowns for block in plan.determinacy.blocks]
    assert blocks[-1] == ("crank pivot",)
    assert blocks[-2] == ("crank-coupler", "crank-coupler")


def test_too_few_efforts_leave_a_stage_that_is_not_determinate():
    """3-RRR with one motor removed: six equations for five unknowns in some stage."""
    mechanism = ZOO["3-RRR"].build()
    slack = mechanism.replace(drives=mechanism.drives[:2])
    determinacy = ml.analyse(slack).determinacy
    assert not determinacy.complete
    assert any(stage.count < stage.equations for stage in determinacy.stages)


def test_a_chain_without_loops_has_its_drives_alone():
    mechanism = ZOO["floating-base"].build()
    determinacy = ml.analyse(mechanism).determinacy
    assert {unknown for stage in determinacy.stages for unknown in stage.unknowns} == {
        "left shoulder",
        "right elbow",
    }
