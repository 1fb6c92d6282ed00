"""Where is a mechanism with loops opened, and what tree of bodies is left?"""

from __future__ import annotations

from collections.abc import Sequence

from multiloop.topology.cuts import checked_cuts
from multiloop.topology.graph import Graph, check
from multiloop.topology.growth import grow
from multiloop.topology.planting import plant
from multiloop.topology.splits import opened, split_bodies
from multiloop.topology.tree import Tree


def spanning_tree(graph: Graph, cuts: Sequence[str] | None = None) -> Tree:
    """Open every loop of the graph by one cut and order the bodies that are left as a tree.

        independent loops = cuts = joints - moving bodies + pairs

    With `cuts` the loops are opened there, and the loops stand in that order. Without, the tree is
    grown from the ground (`grow`): kept joints first, then short paths, then cuts that leave much
    freedom. Where kept joints alone close a loop, a body is split (`split_bodies`), with or without
    `cuts`; its closing cut may be named among them, and stands at their end when it is not.

    Source: [chaudhary], §2; [koul], §2.
    Differs: the papers choose the cuts by hand, with determinate subsystems in mind.

    Raises `TopologyProblem`. Cost: O(E log E + total length of the loops) for E joints.
    """
    check(graph)
    splits = split_bodies(graph)
    tree_graph = opened(graph, splits)
    if cuts is None:
        grown = grow(tree_graph)
        chosen = [edge.name for edge in tree_graph.edges if edge.name not in grown.joints]
    else:
        named = [cuts] if isinstance(cuts, str) else list(cuts)  # a lone name is one cut
        chosen = checked_cuts(graph, splits, tree_graph, named)
    return plant(graph, splits, tree_graph, chosen)
