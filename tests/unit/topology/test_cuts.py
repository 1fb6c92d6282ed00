"""Are cuts that do not leave a spanning tree refused, with the user's names and a remedy?"""

from dataclasses import replace

import pytest

from multiloop.topology import Edge, Graph, TopologyProblem, spanning_tree


def double_four_bar(keep: str = "") -> Graph:
    """Two four-bars in a row, sharing the ground and the middle rocker; a lamp is attached to the coupler."""
    ends = {
        "A": ("ground", "crank"),
        "B": ("crank", "coupler"),
        "C": ("coupler", "rocker"),
        "D": ("ground", "rocker"),
        "E": ("rocker", "link"),
        "F": ("link", "lever"),
        "G": ("ground", "lever"),
        "hook": ("coupler", "lamp"),
    }
    edges = tuple(Edge(name, *pair, 1, 2, keep=name in keep.split()) for name, pair in ends.items())
    return Graph("ground", ("crank", "coupler", "rocker", "link", "lever", "lamp"), edges, dimension=3)


def text(cuts: list[str], *, keep: str = "") -> str:
    with pytest.raises(TopologyProblem) as caught:
        spanning_tree(double_four_bar(keep), cuts)
    return str(caught.value)


def test_cuts_stand_in_the_users_order():
    tree = spanning_tree(double_four_bar(), cuts=["F", "B"])
    assert tree.cuts == ("F", "B")
    assert [loop.cut for loop in tree.loops] == ["F", "B"]


def test_a_cut_that_is_no_joint(texts):
    texts(text(["C", "hok"]), "[T14]", "'hok'", "'hook'")


def test_a_cut_that_resembles_no_joint(texts):
    texts(text(["C", "zzz"]), "[T14]", "'zzz'", "'A'", "'B'", "'C'", "'D'", "'E'", "'F'", "'G'", "'hook'")


def test_a_cut_where_there_is_no_joint_at_all(texts):
    with pytest.raises(TopologyProblem) as caught:
        spanning_tree(Graph("ground", (), ()), cuts=["A"])
    texts(caught.value, "[T14]")


def test_a_cut_named_twice(texts):
    texts(text(["C", "F", "C"]), "[T15]", "'C'", "2")


def test_a_cut_on_a_joint_that_must_stay(texts):
    texts(text(["A", "F"], keep="A C"), "[T16]", "'A'", "'B'", "'D'")


def test_a_cut_on_a_joint_that_must_stay_and_lies_in_no_loop(texts):
    texts(text(["C", "hook"], keep="hook"))


def test_a_cut_in_a_loop_of_joints_that_must_all_stay(texts):
    texts(text(["A", "F"], keep="A B C D"))


def test_too_few_cuts(texts):
    texts(text(["F"]), "[T17]", "1", "'C'", "'D'", "'A'", "'B'")


def test_no_cuts_at_all_and_kept_joints_not_offered(texts):
    texts(text([], keep="A D G"), "[T17]", "2", "'C'", "'B'")


def test_a_long_loop_left_closed_is_shortened(texts):
    names = tuple(f"b{k}" for k in range(20))
    bodies = ("ground", *names, "ground")
    ring = tuple(Edge(f"J{k}", bodies[k], bodies[k + 1], 1, 5) for k in range(21))
    with pytest.raises(TopologyProblem) as caught:
        spanning_tree(Graph("ground", names, ring), cuts=[])
    texts(caught.value, "[T17]", "21")


def test_too_many_cuts(texts):
    texts(text(["C", "B", "F", "hook"]), "[T18]", "'coupler'", "'ground'", "4", "2", "'C'", "'B'", "'hook'")


def test_too_many_cuts_leave_several_bodies_loose(texts):
    texts(text(["C", "B", "F"]), "[T18]", "'coupler'", "'lamp'", "'ground'", "3", "2", "'C'", "'B'")


def test_the_right_number_of_cuts_in_the_wrong_places(texts):
    texts(text(["C", "hook"]), "[T18]", "'lamp'", "'ground'", "2", "'hook'")


def test_a_cut_in_an_open_chain(texts):
    graph = double_four_bar()
    chain = replace(graph, bodies=("crank",), edges=graph.edges[:1])
    with pytest.raises(TopologyProblem) as caught:
        spanning_tree(chain, cuts=["A"])
    texts(caught.value, "[T18]", "1", "0")
