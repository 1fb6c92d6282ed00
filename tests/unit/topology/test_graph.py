"""Is a badly named or disconnected graph refused, with the user's names and a remedy?"""

import pickle

import pytest

from multiloop.topology import Edge, Graph, TopologyProblem, connected_components, spanning_tree


def revolute(name: str, first: str, second: str) -> Edge:
    return Edge(name, first, second, degrees_of_freedom=1, rows=5)


def problem(graph: Graph) -> TopologyProblem:
    with pytest.raises(TopologyProblem) as caught:
        spanning_tree(graph)
    return caught.value


def test_a_joint_that_connects_a_body_with_itself(texts):
    graph = Graph("ground", ("rod",), (revolute("A", "ground", "rod"), revolute("B", "rod", "rod")))
    texts(problem(graph), "[T10]", "'B'", "'rod'")


def test_a_joint_on_the_ground_alone():
    assert problem(Graph("ground", (), (revolute("A", "ground", "ground"),))).code == "T10"


def test_a_joint_that_names_an_unknown_body(texts):
    graph = Graph("ground", ("coupler",), (revolute("C", "ground", "couplr"),))
    texts(problem(graph), "[T11]", "'C'", "'couplr'", "'coupler'")


def test_an_unknown_body_that_resembles_nothing(texts):
    graph = Graph("ground", ("rod", "rocker"), (revolute("C", "zzz", "rod"),))
    found = problem(graph)
    texts(found.what, "'zzz'")
    texts(found.remedy, "'ground'", "'rod'", "'rocker'")


def test_two_bodies_with_one_name(texts):
    graph = Graph("ground", ("rod", "rod"), (revolute("A", "ground", "rod"),))
    texts(problem(graph), "[T12]", "'rod'", "2")


def test_two_joints_with_one_name(texts):
    graph = Graph("ground", ("rod",), (revolute("A", "ground", "rod"), revolute("A", "ground", "rod")))
    texts(problem(graph), "[T12]", "'A'", "2")


def test_the_ground_among_the_moving_bodies():
    assert problem(Graph("ground", ("ground",), ())).where == "body 'ground'"


def test_one_loose_body(texts):
    graph = Graph("ground", ("rod", "loose"), (revolute("A", "ground", "rod"),))
    texts(problem(graph), "[T13]", "'loose'", "'ground'")


def test_several_loose_bodies_and_many():
    names = tuple(f"b{k}" for k in range(10))
    edges = tuple(revolute(f"J{k}", f"b{k - 1}", f"b{k}") for k in range(1, 10))
    assert problem(Graph("ground", names[:2], edges[:1])).where == "bodies 'b0' and 'b1'"
    assert problem(Graph("ground", names, edges)).where == (
        "bodies 'b0', 'b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'b7' and 2 more"
    )


def test_components_name_the_groups_ground_first():
    graph = Graph(
        "ground",
        ("a", "b", "c", "d"),
        (revolute("J", "a", "c"), revolute("K", "d", "ground"), revolute("L", "b", "nobody")),
    )
    assert connected_components(graph) == [{"ground", "d"}, {"a", "c"}, {"b"}]


def test_a_problem_survives_pickling():
    found = problem(Graph("ground", ("loose",), ()))
    copy = pickle.loads(pickle.dumps(found))
    assert (copy.code, copy.where, copy.what, copy.remedy) == (
        found.code,
        found.where,
        found.what,
        found.remedy,
    )
    assert str(copy) == str(found)
