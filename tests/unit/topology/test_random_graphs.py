"""Does every connected graph have a correct tree, correct loops and correct candidates?"""

from itertools import pairwise

import networkx as nx
from hypothesis import given, settings, strategies as st

from multiloop.topology import (
    Edge,
    Graph,
    Tree,
    candidate_trees,
    gicm_pattern,
    jacobian_pattern,
    spanning_tree,
)


@st.composite
def graphs(draw: st.DrawFn, *, plain: bool = False) -> Graph:
    """A connected multigraph: a random tree, further joints between any two bodies, shuffled.

    A plain one has neither kept, rigid nor free joints, so that only the lengths of paths count.
    """
    count = draw(st.integers(0, 9))
    bodies = tuple(f"b{k}" for k in range(count))
    names = ("ground", *bodies)
    pairs = [(draw(st.sampled_from(names[: k + 1])), body) for k, body in enumerate(bodies)]
    if bodies:
        further = st.tuples(st.sampled_from(names), st.sampled_from(names)).filter(lambda p: p[0] != p[1])
        pairs += draw(st.lists(further, max_size=8))
    edges = []
    for k, pair in enumerate(draw(st.permutations(pairs))):
        first, second = draw(st.permutations(pair))
        freedom = draw(st.integers(1, 5) if plain else st.integers(0, 6))
        edges.append(Edge(f"J{k}", first, second, freedom, 6 - freedom, not plain and draw(st.booleans())))
    return Graph("ground", draw(st.permutations(bodies).map(tuple)), tuple(edges))


def assert_proper(tree: Tree) -> None:
    """All properties of a tree."""
    graph, opened = tree.graph, tree.split_graph
    # It is spanning: every body and every twin once, parents first, over the joints that are not cut.
    twins = [split.twin for split in tree.splits]
    assert sorted(branch.body for branch in tree.branches) == sorted([*graph.bodies, *twins])
    before = {graph.ground}
    for branch in tree.branches:
        assert branch.parent in before
        before.add(branch.body)
        ends = (branch.parent, branch.body) if branch.forward else (branch.body, branch.parent)
        assert (tree.edge(branch.joint).first, tree.edge(branch.joint).second) == ends
    carrying = [branch.joint for branch in tree.branches]
    assert sorted([*carrying, *tree.cuts]) == sorted(edge.name for edge in opened.edges)
    assert len(tree.cuts) == len(graph.edges) - len(graph.bodies)
    # Kept joints are in the tree, and a twin is a leaf.
    assert all(edge.name in carrying for edge in graph.edges if edge.keep)
    assert all(tree.children(twin) == () for twin in twins)
    # Subsystems follow one another and contain all bodies.
    assert tuple(b for s in tree.subsystems for b in s.bodies) == tuple(b.body for b in tree.branches)
    for subsystem in tree.subsystems:
        serial = all(len(tree.children(body)) <= 1 for body in subsystem.bodies)
        assert subsystem.kind == ("serial" if serial else "tree-type")


def assert_closed_walks(tree: Tree) -> None:
    """Every loop starts with its cut, continues over tree joints and returns."""
    assert tuple(loop.cut for loop in tree.loops) == tree.cuts
    for loop in tree.loops:
        cut = tree.edge(loop.cut)
        assert loop.joints[0] == cut.name
        assert (loop.bodies[0], loop.bodies[-1]) == (cut.second, cut.first)
        assert len(loop.joints) == len(loop.bodies) == len(set(loop.bodies))
        for name, (here, there) in zip(loop.joints[1:], pairwise(loop.bodies), strict=True):
            assert {tree.edge(name).first, tree.edge(name).second} == {here, there}
        paths = set(tree.path(cut.first)) ^ set(tree.path(cut.second))
        assert set(loop.tree_joints) == paths == set(loop.joints[1:])
        order = [branch.joint for branch in tree.branches if branch.joint in paths]
        assert list(loop.tree_joints) == order


@given(graphs())
def test_the_default_tree_is_proper(graph):
    tree = spanning_tree(graph)
    assert_proper(tree)
    assert_closed_walks(tree)


@given(graphs())
def test_the_default_cuts_given_back_give_the_same_tree(graph):
    tree = spanning_tree(graph)
    assert spanning_tree(graph, tree.cuts) == tree
    assert spanning_tree(graph, tuple(reversed(tree.cuts))).branches == tree.branches


@given(graphs(plain=True))
def test_without_kept_joints_every_body_is_as_near_to_the_ground_as_can_be(graph):
    picture = nx.Graph((edge.first, edge.second) for edge in graph.edges)
    tree = spanning_tree(graph)
    for body in graph.bodies:
        assert len(tree.path(body)) == nx.shortest_path_length(picture, "ground", body)


@given(graphs())
def test_splits_occur_just_where_kept_joints_close_loops(graph):
    kept = nx.MultiGraph([(edge.first, edge.second) for edge in graph.edges if edge.keep])
    loops = kept.number_of_edges() - kept.number_of_nodes() + nx.number_connected_components(kept)
    assert len(spanning_tree(graph).splits) == loops


@settings(deadline=None)  # up to 20 trees an example
@given(graphs())
def test_candidates_are_distinct_and_proper(graph):
    trees = list(candidate_trees(graph, limit=20))
    assert trees[0] == spanning_tree(graph)
    assert len({frozenset(tree.cuts) for tree in trees}) == len(trees) <= 20
    for tree in trees:
        assert_proper(tree)
        assert_closed_walks(tree)
    assert trees == list(candidate_trees(graph, limit=20))


@given(graphs())
def test_patterns_agree_with_one_another(graph):
    """Ī = J I⁻¹ Jᵀ with block-diagonal I: its pattern is that of J Jᵀ."""
    tree = spanning_tree(graph)
    J = jacobian_pattern(tree)
    assert all(len(row) == len(tree.subsystems) for row in J)
    product = tuple(tuple(any(a and b for a, b in zip(r, s, strict=True)) for s in J) for r in J)
    assert gicm_pattern(tree) == product
