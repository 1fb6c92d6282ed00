"""Is the cost of the tree of a large mechanism proportional to its size?"""

import pytest
from unit.line_counts import lines_run

from multiloop.topology import Edge, Graph, candidate_trees, gicm_pattern, jacobian_pattern, spanning_tree


def chain(count: int) -> Graph:
    names = ("ground", *(f"b{k}" for k in range(count)))
    edges = tuple(Edge(f"J{k}", names[k], names[k + 1], 1, 5) for k in range(count))
    return Graph("ground", names[1:], edges)


def ladder(windows: int) -> Graph:
    """Four-bars in a row: verticals on the ground, each connected to the next by a bar."""
    edges = [Edge(f"G{k}", "ground", f"upright{k}", 1, 2) for k in range(windows + 1)]
    for k in range(windows):
        edges.append(Edge(f"L{k}", f"upright{k}", f"bar{k}", 1, 2))
        edges.append(Edge(f"R{k}", f"bar{k}", f"upright{k + 1}", 1, 2))
    uprights = [f"upright{k}" for k in range(windows + 1)]
    bars = [f"bar{k}" for k in range(windows)]
    return Graph("ground", (*uprights, *bars), tuple(edges), dimension=3)


def test_a_ladder_is_cut_window_by_window():
    tree = spanning_tree(ladder(320))
    assert tree.cuts == tuple(f"R{k}" for k in range(320))
    assert all(len(loop.joints) == 4 for loop in tree.loops)
    assert tree.subsystems[-1].name == "CCCXXI"
    J, gicm = jacobian_pattern(tree), gicm_pattern(tree)
    assert all(sum(row) == 2 for row in J)
    assert sum(map(sum, gicm)) == 3 * 320 - 2


def test_a_chain_longer_than_the_recursion_limit():
    tree = spanning_tree(chain(2000))
    assert len(tree.path("b1999")) == 2000
    assert tree.subsystems[0].kind == "serial"


def test_a_ring_longer_than_the_recursion_limit():
    graph = chain(2000)
    ring = Graph("ground", graph.bodies, (*graph.edges, Edge("last", "b1999", "ground", 1, 5)))
    tree = spanning_tree(ring)
    assert tree.cuts == ("J1000",)
    assert len(tree.loops[0].joints) == 2001
    assert sum(1 for _ in candidate_trees(ring, limit=5)) == 5


@pytest.mark.parametrize("shape", [chain, ladder])
def test_cost_is_about_linear(shape):
    """Eight times the bodies: a quadratic cost would be 64 times."""
    assert lines_run(spanning_tree, shape(800)) < 8 * lines_run(spanning_tree, shape(100)) * 1.3
