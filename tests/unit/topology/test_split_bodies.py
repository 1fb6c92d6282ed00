"""If kept joints alone close a loop, is a body split and closed rigidly onto itself?"""

from dataclasses import replace

import pytest

from multiloop.topology import Branch, Edge, Graph, Split, TopologyProblem, candidate_trees, spanning_tree


def kept_ring(last_first: str = "ground", last_second: str = "rocker") -> Graph:
    """A planar four-bar whose four joints all carry drives."""
    return Graph(
        "ground",
        ("crank", "coupler", "rocker"),
        (
            Edge("A", "ground", "crank", 1, 2, keep=True),
            Edge("B", "crank", "coupler", 1, 2, keep=True),
            Edge("C", "coupler", "rocker", 1, 2, keep=True),
            Edge("D", last_first, last_second, 1, 2, keep=True),
        ),
        dimension=3,
    )


def test_the_second_body_of_the_closing_joint_gets_a_twin():
    tree = spanning_tree(kept_ring())
    assert tree.splits == (Split(body="rocker", twin="rocker'", joint="D", closure="rocker'=rocker"),)
    assert tree.cuts == ("rocker'=rocker",)
    assert tree.branches[-1] == Branch("rocker'", "ground", "D", forward=True)
    assert tree.children("rocker'") == ()


def test_the_closing_cut_costs_all_rows():
    closing = spanning_tree(kept_ring()).edge("rocker'=rocker")
    assert closing == Edge("rocker'=rocker", "rocker'", "rocker", degrees_of_freedom=0, rows=3)
    in_space = spanning_tree(replace(kept_ring(), dimension=6))
    assert in_space.edge("rocker'=rocker").rows == 6


def test_the_loop_of_a_split_runs_from_the_body_to_its_twin():
    (loop,) = spanning_tree(kept_ring()).loops
    assert loop.joints == ("rocker'=rocker", "C", "B", "A", "D")
    assert loop.bodies == ("rocker", "coupler", "crank", "ground", "rocker'")


def test_the_ground_is_never_copied():
    tree = spanning_tree(kept_ring("rocker", "ground"))
    assert tree.splits[0].body == "rocker"
    assert tree.branches[-1] == Branch("rocker'", "ground", "D", forward=False)
    assert tree.edge("D") == Edge("D", "rocker'", "ground", 1, 2, keep=True)


def test_the_users_graph_is_left_as_it_was():
    graph = kept_ring()
    tree = spanning_tree(graph)
    assert tree.graph == graph
    assert tree.graph.edges[3].second == "rocker"
    assert tree.edge("D").second == "rocker'"


def test_one_free_joint_in_the_loop_is_cut_instead():
    graph = kept_ring()
    edges = tuple(replace(edge, keep=edge.name != "B") for edge in graph.edges)
    tree = spanning_tree(replace(graph, edges=edges))
    assert (tree.splits, tree.cuts) == ((), ("B",))


def test_a_shaft_driven_in_two_places_and_names_already_taken():
    graph = Graph(
        "ground",
        ("shaft", "shaft'"),
        (
            Edge("1", "ground", "shaft", 1, 5, keep=True),
            Edge("2", "ground", "shaft", 1, 5, keep=True),
            Edge("shaft'''=shaft", "ground", "shaft", 1, 5, keep=True),
            Edge("pin", "shaft", "shaft'", 1, 5),
        ),
    )
    tree = spanning_tree(graph)
    assert [split.twin for split in tree.splits] == ["shaft''", "shaft''''"]
    assert tree.cuts == ("shaft''=shaft", "shaft''''=shaft")
    assert [s.bodies for s in tree.subsystems] == [("shaft", "shaft'"), ("shaft''",), ("shaft''''",)]


@pytest.fixture
def two_rings() -> Graph:
    """The ring of kept joints with a strut beside it that can be cut."""
    graph = kept_ring()
    strut = (Edge("E", "ground", "strut", 1, 2), Edge("F", "strut", "coupler", 1, 2))
    return replace(graph, bodies=(*graph.bodies, "strut"), edges=strut + graph.edges)


def test_closing_cuts_follow_the_users_cuts_unless_placed_among_them(two_rings):
    assert spanning_tree(two_rings).cuts == ("F", "rocker'=rocker")
    assert spanning_tree(two_rings, cuts=["E"]).cuts == ("E", "rocker'=rocker")
    assert spanning_tree(two_rings, cuts=["rocker'=rocker", "E"]).cuts == ("rocker'=rocker", "E")


def test_a_split_joint_cannot_be_cut_as_well(two_rings, texts):
    with pytest.raises(TopologyProblem) as caught:
        spanning_tree(two_rings, cuts=["E", "D"])
    texts(caught.value, "[T16]", "'D'")


def test_candidates_never_exchange_a_closing_cut(two_rings):
    assert [tree.cuts for tree in candidate_trees(two_rings)] == [
        ("F", "rocker'=rocker"),
        ("E", "rocker'=rocker"),
    ]
