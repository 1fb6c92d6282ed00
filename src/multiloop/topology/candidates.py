"""Where else could the loops be opened? Other trees of the same mechanism, nearest first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from multiloop.topology.graph import Graph
from multiloop.topology.planting import plant
from multiloop.topology.spanning import spanning_tree
from multiloop.topology.tree import Tree


def candidate_trees(graph: Graph, limit: int = 64) -> Iterator[Tree]:
    """Trees with different cuts, the default tree first, at most `limit` of them.

    From each tree found, every cut is exchanged for another joint of the loop it closes:

        cuts' = cuts - {c} + {j},   j among the joints of the loop of c,   j not kept

    Joint j lies on the tree path between the two bodies of c, so c reconnects what the loss of j
    parts, and cuts' leaves a spanning tree again. All trees can be reached by such exchanges; they are
    tried breadth first, so that early candidates differ little from the default. Within one tree the
    exchanges that save closure rows come first, then those that move the cut least.

    The sequence is always the same for the same graph. Cost: O(E log E) for the first tree, then one
    planting a tree, plus the sorting of its exchanges.

    Raises `TopologyProblem` when the first tree is asked for and the graph has none.
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
    """Pairs (cut, joint to cut instead): fewer closure rows first, then the shorter move.

    A closing cut of a split is never exchanged: its loop consists of kept joints only. Nor is a pair.
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
