"""[chaudhary], Tables 2 and 3: sizes of the matrices, and the ranking of the methods by operations.

The orders of the paper are n³/3 for every matrix; operations are counted by the benchmark with all reactions.
"""

from functools import cache

import pytest

import multiloop as ml
from benchmarks import chaudhary_tables
from benchmarks.chaudhary_tables import METHODS, TABLES

PRINTED = tuple(title for title in TABLES if title.startswith("Table"))


@cache
def rows():
    found = chaudhary_tables.measure(timed=False)
    return {(row["table"], row["method"]): row for row in found}


def test_matrices_have_the_sizes_of_the_tables():
    """But for 2×2 of Table 2, printed as 3×3; Table 3 omits the 1×1 of the driving torque."""
    found = [[rows()[title, method]["matrices"] for method in METHODS] for title in PRINTED]
    assert found == [["21×21", "7×7", "4×4, 2×2, 1×1"], ["18×18", "4×4", "3×3, 1×1"]]


@pytest.mark.parametrize("title", PRINTED)
def test_the_fewer_the_printed_order_the_fewer_operations(title):
    """In each way of counting: full matrices, without zeros, and everything from position to reactions."""
    for column in ("full", "zeros", "whole"):
        traditional, system, subsystem = (rows()[title, method][column] for method in METHODS)
        assert subsystem < system < traditional


def test_the_spatial_linkage_does_not_save_more_than_the_planar_one():
    """§6.1.2 and §6.2 expect more of the subsystem approach in space: it saves 84 and 75 % of the operations."""
    saved = [1 - rows()[t, "subsystem"]["whole"] / rows()[t, "traditional"]["whole"] for t in PRINTED]
    assert saved == pytest.approx([0.843, 0.747], abs=0.02)


@pytest.mark.parametrize("method", METHODS)
def test_seven_revolutes_cost_more_than_a_universal_joint(method):
    """Massless links have equations too, in multiloop; the paper leaves #4 and #5 out by hand."""
    revolutes = rows()["RSSR as seven revolutes", method]["whole"]
    assert revolutes > 1.5 * rows()[PRINTED[1], method]["whole"]


@pytest.mark.parametrize("title", TABLES)
def test_all_methods_give_the_same_torque(title):
    printed = TABLES[title]
    mechanism = chaudhary_tables.ZOO[printed.mechanism].build()
    torques = []
    for method in METHODS:
        result = ml.inverse(mechanism, cycle=25, cuts=printed.cuts, method=method)
        torques.append(result[mechanism.drives[0].of].effort)
    # Loads of 100 N through solves of matrices up to 36×36.
    assert torques[1] == pytest.approx(torques[0], abs=1e-9)
    assert torques[2] == pytest.approx(torques[0], abs=1e-9)
