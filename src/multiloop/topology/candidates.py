"""Alternative spanning trees of a mechanism, those that differ least from the default tree first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from multiloop.topology.graph import Graph
from multiloop.topology.planting import plant
from multiloop.topology.spanning import spanning_tree
from multiloop.topology.tree import Tree


def candidate_trees(graph: Graph, limit: int = 64) -> Iterator[Tree]:
    """Trees with different cut joints, the default tree first, at most `limit` of them.

    In each tree found, every cut joint is exchanged for another joint of the loop that it closes:

        cuts' = cuts - {c} + {j},   j among the joints of the loop of c,   j not kept

    Joint j lies on the tree path between the two bodies of c. Removing j divides the tree into two parts that c
    reconnects, so that cuts' leaves a spanning tree again. All trees can be reached by such exchanges; these are tried
    breadth first, so that early candidates differ little from the default tree. Within one tree, exchanges that save
    constraint rows come first, then those that move the cut least.

    The sequence is the same for every call with the same graph. Cost: O(E log E) for the first tree, then one call of
    `plant` for each tree, plus sorting of its exchanges.

    Raises `TopologyProblem` when the first tree is requested and the graph has none.
    """
    if limit < 1:
        return
    first = spanning_tree(graph)
    opened = first.opened
    seen = {frozenset(first.cuts)}
    found = 1
    waiting = deque([first])
    yield first
    while waiting:
        tree = waiting.popleft()
        for cut, joint in exchanges(tree):
            if found >= limit:
                return
            cuts = frozenset(tree.cuts) - {cut} | {joint}
            if cuts in seen:
                continue
            seen.add(cuts)
            found += 1
            ordered = [edge.name for edge in opened.edges if edge.name in cuts]
            neighbour = plant(graph, first.splits, opened, ordered)
            waiting.append(neighbour)
            yield neighbour


def exchanges(tree: Tree) -> list[tuple[str, str]]:
    """Pairs (cut joint, joint to cut instead): fewest constraint rows first, then the shortest distance along the loop.

    The closing joint of a split is never exchanged, since its loop consists of kept joints only; neither is a pair.
    """
    ranked = []
    for number, loop in enumerate(tree.loops):
        rows = tree.edge(loop.cut).rows
        if not tree.edge(loop.cut).carries:
            continue
        for place, name in enumerate(loop.joints[1:], start=1):
            joint = tree.edge(name)
            if not joint.keep:
                move = min(place, len(loop.joints) - place)
                ranked.append((joint.rows - rows, move, number, place, loop.cut, name))
    return [(cut, name) for *_, cut, name in sorted(ranked)]
