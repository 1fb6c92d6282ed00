"""Is a badly named or disconnected graph refused, with the user's names and a remedy?"""

import pickle

import pytest

from multiloop.topology import Edge, Graph, TopologyProblem, components, spanning_tree


def revolute(name: str, first: str, second: str) -> Edge:
    return Edge(name, first, second, freedom=1, rows=5)


def problem(graph: Graph) -> TopologyProblem:
    with pytest.raises(TopologyProblem) as caught:
        spanning_tree(graph)
    return caught.value


def test_a_joint_that_connects_a_body_with_itself():
    graph = Graph("ground", ("rod",), (revolute("A", "ground", "rod"), revolute("B", "rod", "rod")))
    assert str(problem(graph)) == (
        "[T10] joint 'B': it connects body 'rod' with itself.\n"
        "       Name two different bodies, or leave the joint out."
    )


def test_a_joint_on_the_ground_alone():
    assert problem(Graph("ground", (), (revolute("A", "ground", "ground"),))).code == "T10"


def test_a_joint_that_names_an_unknown_body():
    graph = Graph("ground", ("coupler",), (revolute("C", "ground", "couplr"),))
    assert str(problem(graph)) == (
        "[T11] joint 'C': its second body 'couplr' does not exist.\n       Did you mean 'coupler'?"
    )


def test_an_unknown_body_that_resembles_nothing():
    graph = Graph("ground", ("rod", "rocker"), (revolute("C", "zzz", "rod"),))
    found = problem(graph)
    assert found.what == "its first body 'zzz' does not exist."
    assert found.remedy == "Name one of the bodies 'ground', 'rod' or 'rocker'."


def test_two_bodies_with_one_name():
    graph = Graph("ground", ("rod", "rod"), (revolute("A", "ground", "rod"),))
    assert str(problem(graph)) == (
        "[T12] body 'rod': 2 bodies have this name.\n       Give every body a name of its own."
    )


def test_two_joints_with_one_name():
    graph = Graph("ground", ("rod",), (revolute("A", "ground", "rod"), revolute("A", "ground", "rod")))
    assert str(problem(graph)) == (
        "[T12] joint 'A': 2 joints have this name.\n       Give every joint a name of its own."
    )


def test_the_ground_among_the_moving_bodies():
    assert problem(Graph("ground", ("ground",), ())).where == "body 'ground'"


def test_one_loose_body():
    graph = Graph("ground", ("rod", "loose"), (revolute("A", "ground", "rod"),))
    assert str(problem(graph)) == (
        "[T13] body 'loose': it is not connected to the ground 'ground'.\n"
        "       Connect it by a joint to the ground or to a body that reaches it; "
        "a Free joint leaves all motion free."
    )


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
    assert components(graph) == [{"ground", "d"}, {"a", "c"}, {"b"}]


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
