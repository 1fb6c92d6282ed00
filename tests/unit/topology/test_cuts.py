"""Are cuts that do not leave a spanning tree refused, with the user's names and a remedy?"""

from dataclasses import replace

import pytest

from multiloop.topology import Edge, Graph, spanning_tree
from multiloop.topology.problem import TopologyProblem


def double_four_bar(keep: str = "") -> Graph:
    """Two four-bars in a row, sharing the ground and the middle rocker; a lamp hangs on the coupler."""
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


def test_a_cut_that_is_no_joint():
    assert text(["C", "hok"]) == "[T14] cut 'hok': no joint has this name.\n       Did you mean 'hook'?"


def test_a_cut_that_resembles_no_joint():
    assert text(["C", "zzz"]) == (
        "[T14] cut 'zzz': no joint has this name.\n"
        "       Name one of the joints 'A', 'B', 'C', 'D', 'E', 'F', 'G' or 'hook'."
    )


def test_a_cut_where_there_is_no_joint_at_all():
    with pytest.raises(TopologyProblem, match="There are no joints to name"):
        spanning_tree(Graph("ground", (), ()), cuts=["A"])


def test_a_cut_named_twice():
    assert text(["C", "F", "C"]) == "[T15] cut 'C': it is named 2 times.\n       Name every cut once."


def test_a_cut_on_a_joint_that_must_stay():
    assert text(["A", "F"], keep="A C") == (
        "[T16] cut 'A': joint 'A' carries a drive, an actuator or a load, or is a screw, and must stay in the tree.\n"
        "       Cut 'B' or 'D' of the same loop instead."
    )


def test_a_cut_on_a_joint_that_must_stay_and_lies_in_no_loop():
    assert text(["C", "hook"], keep="hook").endswith("Leave it out of the cuts: it lies in no loop.")


def test_a_cut_in_a_loop_of_joints_that_must_all_stay():
    assert text(["A", "F"], keep="A B C D").endswith(
        "Leave it out of the cuts: where kept joints alone close a loop, a body is split."
    )


def test_too_few_cuts():
    assert text(["F"]) == (
        "[T17] the cuts: the loop C-D-A-B is still closed; 1 more cut is needed.\n"
        "       Cut 'C', 'D', 'A' or 'B' as well."
    )


def test_no_cuts_at_all_and_kept_joints_not_offered():
    assert text([], keep="A D G") == (
        "[T17] the cuts: the loop C-D-A-B is still closed; 2 more cuts are needed.\n"
        "       Cut 'C' or 'B' as well."
    )


def test_a_long_loop_left_closed_is_shortened():
    names = tuple(f"b{k}" for k in range(20))
    bodies = ("ground", *names, "ground")
    ring = tuple(Edge(f"J{k}", bodies[k], bodies[k + 1], 1, 5) for k in range(21))
    with pytest.raises(TopologyProblem) as caught:
        spanning_tree(Graph("ground", names, ring), cuts=[])
    assert caught.value.what == (
        "the loop J10-J11-J12-J13-…-J6-J7-J8-J9 (21 joints) is still closed; 1 more cut is needed."
    )


def test_too_many_cuts():
    assert text(["C", "B", "F", "hook"]) == (
        "[T18] the cuts: body 'coupler' no longer reaches the ground 'ground' "
        "(4 cuts for 2 loops).\n"
        "       Take 'C', 'B' or 'hook' out of the cuts."
    )


def test_too_many_cuts_leave_several_bodies_loose():
    assert text(["C", "B", "F"]) == (
        "[T18] the cuts: bodies 'coupler' and 'lamp' no longer reach the ground 'ground' "
        "(3 cuts for 2 loops).\n"
        "       Take 'C' or 'B' out of the cuts."
    )


def test_the_right_number_of_cuts_in_the_wrong_places():
    assert text(["C", "hook"]) == (
        "[T18] the cuts: body 'lamp' no longer reaches the ground 'ground' (2 cuts for 2 loops).\n"
        "       Take 'hook' out of the cuts."
    )


def test_a_cut_in_an_open_chain():
    graph = double_four_bar()
    chain = replace(graph, bodies=("crank",), edges=graph.edges[:1])
    with pytest.raises(TopologyProblem, match=r"\(1 cut for 0 loops\)"):
        spanning_tree(chain, cuts=["A"])
