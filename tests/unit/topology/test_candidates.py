"""Do the candidates offer other cuts, cheap and near ones first, and stop at the limit?"""

from itertools import islice

import pytest

from multiloop.topology import Edge, Graph, TopologyProblem, candidate_trees, spanning_tree


def ring(freedoms: str, *, keep: str = "") -> Graph:
    """One loop through the ground; joint k has the number of degrees of freedom at its place in the list."""
    bodies = tuple(f"b{k}" for k in range(len(freedoms) - 1))
    around = ("ground", *bodies, "ground")
    edges = tuple(
        Edge(f"J{k}", around[k], around[k + 1], int(f), 6 - int(f), keep=str(k) in keep)
        for k, f in enumerate(freedoms)
    )
    return Graph("ground", bodies, edges)


def cut_sets(graph: Graph, limit: int = 64) -> list[tuple[str, ...]]:
    return [tree.cuts for tree in candidate_trees(graph, limit)]


def test_a_ring_can_be_cut_at_every_joint_nearest_first():
    assert cut_sets(ring("11111")) == [("J2",), ("J3",), ("J1",), ("J4",), ("J0",)]


def test_candidates_with_fewer_rows_come_first():
    assert cut_sets(ring("31111")) == [("J2",), ("J0",), ("J3",), ("J1",), ("J4",)]


def test_kept_joints_are_never_cut():
    assert cut_sets(ring("1111", keep="03")) == [("J2",), ("J1",)]


def test_the_default_tree_comes_first_and_the_limit_holds():
    graph = ring("111111")
    assert next(candidate_trees(graph)) == spanning_tree(graph)
    assert len(cut_sets(graph, limit=4)) == 4
    assert cut_sets(graph, limit=1) == [spanning_tree(graph).cuts]
    assert cut_sets(graph, limit=0) == []


def test_a_tree_has_no_other_candidates():
    chain = Graph("ground", ("a",), (Edge("A", "ground", "a", 1, 5),))
    assert cut_sets(chain) == [()]


def test_all_spanning_trees_are_found_when_there_are_few():
    """Four bodies all joined to one another: Cayley's n^(n-2) = 16 trees."""
    names = ("ground", "a", "b", "c")
    edges = tuple(
        Edge(f"{first}-{second}", first, second, 1, 5)
        for k, first in enumerate(names)
        for second in names[k + 1 :]
    )
    assert len(set(cut_sets(Graph("ground", names[1:], edges)))) == 16


def test_a_candidate_can_be_asked_for_by_its_cuts():
    graph = ring("11213")
    for tree in islice(candidate_trees(graph), 5):
        assert spanning_tree(graph, tree.cuts) == tree


def test_a_graph_without_a_tree_is_refused_at_the_first_candidate():
    with pytest.raises(TopologyProblem, match="T13"):
        next(candidate_trees(Graph("ground", ("loose",), ())))
