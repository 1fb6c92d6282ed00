"""Spanning tree of a graph with loops: each independent loop is opened at one cut joint."""

from __future__ import annotations

from collections.abc import Sequence

from multiloop.topology.cuts import checked_cuts
from multiloop.topology.graph import Graph, check
from multiloop.topology.growth import grow
from multiloop.topology.planting import plant
from multiloop.topology.splits import opened, split_bodies
from multiloop.topology.tree import Tree


def spanning_tree(graph: Graph, cuts: Sequence[str] | None = None) -> Tree:
    """Open every loop of the graph at one cut joint and order the bodies as a tree.

        independent loops = cut joints = joints - moving bodies + pairs

    With `cuts` the loops are opened at these joints and listed in their order. Otherwise the tree is grown from the
    ground (`grow`): kept joints first, then short paths, then cut joints with many degrees of freedom. Where a loop
    consists of kept joints only, one of its bodies is split (`split_bodies`), with or without `cuts`; the joint that
    closes the split may be named in `cuts`, and is appended when it is not.

    Source: [chaudhary], §2; [koul], §2.
    Differs: the papers choose the cut joints by hand so that subsystems become determinate.

    Raises `TopologyProblem`. Cost: O(E log E + total length of the loops) for E joints.
    """
    check(graph)
    splits = split_bodies(graph)
    tree_graph = opened(graph, splits)
    if cuts is None:
        grown = grow(tree_graph)
        chosen = [edge.name for edge in tree_graph.edges if edge.name not in grown.joints]
    else:
        named = [cuts] if isinstance(cuts, str) else list(cuts)  # a single name is one cut joint
        chosen = checked_cuts(graph, splits, tree_graph, named)
    return plant(graph, splits, tree_graph, chosen)
