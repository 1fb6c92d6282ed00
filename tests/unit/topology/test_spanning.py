"""Which tree does a graph get by default, and does it have the described properties?"""

import pickle

import pytest

from multiloop.topology import Branch, Edge, Graph, TopologyProblem, Tree, jacobian_pattern, spanning_tree

FOUR_BAR = Graph(
    "ground",
    ("crank", "coupler", "rocker"),
    (
        Edge("A", "ground", "crank", 1, 2),
        Edge("B", "crank", "coupler", 1, 2),
        Edge("C", "coupler", "rocker", 1, 2),
        Edge("D", "rocker", "ground", 1, 2),
    ),
    dimension=3,
)


def joint(name: str, first: str, second: str, *, freedom: int = 1, keep: bool = False) -> Edge:
    return Edge(name, first, second, freedom, 6 - freedom, keep)


def tree_of(bodies: str, *edges: Edge, cuts: list[str] | None = None) -> Tree:
    return spanning_tree(Graph("ground", tuple(bodies.split()), edges), cuts)


def test_the_four_bar_is_cut_between_coupler_and_rocker():
    tree = spanning_tree(FOUR_BAR)
    assert tree.cuts == ("C",)
    assert tree.branches == (
        Branch("crank", "ground", "A", forward=True),
        Branch("coupler", "crank", "B", forward=True),
        Branch("rocker", "ground", "D", forward=False),
    )
    (loop,) = tree.loops
    assert loop.joints == ("C", "D", "A", "B")
    assert loop.bodies == ("rocker", "ground", "crank", "coupler")
    assert loop.tree_joints == ("A", "B", "D")


def test_a_cut_at_the_ground_leaves_one_chain():
    tree = spanning_tree(FOUR_BAR, cuts=["D"])
    assert [branch.body for branch in tree.branches] == ["crank", "coupler", "rocker"]
    assert tree.loops[0].joints == ("D", "A", "B", "C")
    assert tree.loops[0].bodies == ("ground", "crank", "coupler", "rocker")


def test_a_lone_name_is_one_cut():
    assert spanning_tree(FOUR_BAR, "B") == spanning_tree(FOUR_BAR, ["B"])


def test_a_tree_is_addressed_by_name():
    tree = spanning_tree(FOUR_BAR)
    assert tree.branch("coupler").parent == "crank"
    assert tree.branch("rocker").joint == "D"
    assert tree.path("coupler") == ("A", "B")
    assert tree.path("ground") == ()
    assert tree.children("ground") == ("crank", "rocker")
    assert tree.children("coupler") == ()
    assert tree.subsystem_of("rocker").name == "II"
    assert tree.edge("C") == FOUR_BAR.edges[2]


def test_unknown_names_are_reported_by_a_tree(texts):
    tree = spanning_tree(FOUR_BAR)
    with pytest.raises(TopologyProblem) as caught:
        tree.path("couplr")
    texts(caught.value, "[T19]", "'couplr'", "'coupler'")
    with pytest.raises(TopologyProblem) as caught:
        tree.branch("ground")
    texts(caught.value, "[T19]")
    with pytest.raises(TopologyProblem) as caught:
        tree.edge("Q")
    texts(caught.value, "[T19]", "'Q'")


def test_a_tree_survives_pickling_and_can_be_a_key():
    tree = spanning_tree(FOUR_BAR)
    tree.path("coupler")  # look-up tables are made on the way
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert {tree: 1}[spanning_tree(FOUR_BAR)] == 1


def test_a_shaft_in_two_bearings_is_a_loop_of_two_joints():
    tree = tree_of("shaft", joint("left", "ground", "shaft"), joint("right", "ground", "shaft"))
    assert tree.cuts == ("right",)
    assert tree.loops[0].joints == ("right", "left")
    assert tree.loops[0].bodies == ("shaft", "ground")


def test_of_two_equally_short_ways_the_freer_joint_is_cut():
    """RSRR reversed: the sphere is named first, and is cut all the same."""
    tree = tree_of(
        "crank coupler rocker",
        joint("A", "ground", "crank"),
        joint("ball", "crank", "coupler", freedom=3),
        joint("pin", "coupler", "rocker"),
        joint("D", "ground", "rocker"),
    )
    assert tree.cuts == ("ball",)


def test_a_short_tree_matters_more_than_a_free_cut():
    """The ring of five is cut opposite the ground, though a sphere lies nearer."""
    tree = tree_of(
        "a b c d",
        joint("1", "ground", "a"),
        joint("2", "a", "b", freedom=3),
        joint("3", "b", "c"),
        joint("4", "c", "d"),
        joint("5", "d", "ground"),
    )
    assert tree.cuts == ("3",)


def test_a_kept_joint_stays_where_it_would_have_been_cut():
    tree = tree_of(
        "a b c",
        joint("1", "ground", "a"),
        joint("2", "a", "b"),
        joint("3", "b", "c", keep=True),
        joint("4", "c", "ground"),
    )
    assert tree.cuts == ("2",)
    assert tree.splits == ()


def test_the_legs_of_a_platform_with_driven_slides_become_subsystems():
    bodies, edges = ["platform"], []
    for leg in "123456":
        bodies += [f"tube{leg}", f"rod{leg}"]
        edges += [
            joint(f"U{leg}", "ground", f"tube{leg}", freedom=2),
            joint(f"P{leg}", f"tube{leg}", f"rod{leg}", keep=True),
            joint(f"S{leg}", f"rod{leg}", "platform", freedom=3),
        ]
    tree = tree_of(" ".join(bodies), *edges)
    assert tree.cuts == ("S2", "S3", "S4", "S5", "S6")
    assert [len(s.bodies) for s in tree.subsystems] == [3, 2, 2, 2, 2, 2]
    assert [s.name for s in tree.subsystems] == ["I", "II", "III", "IV", "V", "VI"]


def test_a_rigid_joint_carries_rather_than_being_cut():
    """Two bodies welded together, each in a bearing: the weld costs six rows, a bearing five."""
    tree = tree_of(
        "a b",
        joint("1", "ground", "a"),
        joint("2", "ground", "b"),
        joint("weld", "a", "b", freedom=0),
    )
    assert tree.cuts == ("2",)


def test_a_free_joint_carries_only_what_nothing_else_reaches():
    bearing, free = joint("A", "base", "arm"), joint("air", "ground", "arm", freedom=6)
    held = tree_of("base arm", free, joint("turntable", "ground", "base"), bearing)
    assert held.cuts == ("air",)
    flying = tree_of("base arm", bearing, free)
    assert flying.cuts == ()
    assert flying.branches[0] == Branch("arm", "ground", "air", forward=True)
    assert flying.branches[1] == Branch("base", "arm", "A", forward=False)


def test_a_rigid_joint_in_a_loop_gives_no_block():
    tree = tree_of(
        "bracket a",
        joint("bolt", "ground", "bracket", freedom=0),
        joint("1", "ground", "a"),
        joint("2", "bracket", "a"),
        cuts=["2"],
    )
    assert tree.loops[0].tree_joints == ("bolt", "1")
    assert jacobian_pattern(tree) == ((False, True),)


def test_subsystems_follow_the_order_of_the_ground_joints():
    tree = tree_of("a b c", joint("1", "b", "ground"), joint("2", "a", "ground"), joint("3", "c", "b"))
    assert [(s.name, s.bodies) for s in tree.subsystems] == [("I", ("b", "c")), ("II", ("a",))]


def test_a_ground_without_bodies_is_an_empty_tree():
    tree = spanning_tree(Graph("ground", (), ()))
    assert (tree.branches, tree.cuts, tree.loops, tree.subsystems) == ((), (), (), ())
