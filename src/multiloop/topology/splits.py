"""Splitting bodies: where all joints of a loop must stay in the tree, a body is split and rejoined by a Fixed joint."""

from __future__ import annotations

from dataclasses import dataclass, replace

from networkx.utils import UnionFind

from multiloop.topology.graph import Edge, Graph
from multiloop.topology.problem import TopologyProblem


@dataclass(frozen=True)
class Split:
    """A body that is split because all joints of a loop must stay in the tree.

    `joint` ends at `twin` (for example "rocker'"), a leaf of the tree. The twin is joined to `body` by a Fixed cut
    joint named `closure` (for example "rocker'=rocker"), whose first body is the twin and whose second is the body.
    """

    body: str
    twin: str
    joint: str
    closure: str


def split_bodies(graph: Graph) -> tuple[Split, ...]:
    """The splits required by loops of kept joints, in the order of the joints.

    Kept joints are processed one after another. A joint whose two bodies are already connected by earlier kept joints
    closes a loop of kept joints, and its second body is split. The ground is never split: if the second body is the
    ground, the first body is split.

    Source: ours; the published methods cut only joints without drives. Cost: about linear in the number of joints.
    """
    together = UnionFind((graph.ground, *graph.bodies))
    taken = {graph.ground, *graph.bodies, *(edge.name for edge in graph.edges)}
    splits = []
    for edge in graph.edges:
        if not edge.keep:
            continue
        if together[edge.first] != together[edge.second]:
            together.union(edge.first, edge.second)
            continue
        body = _split_at(graph, edge)
        twin = body + "'"
        while twin in taken or f"{twin}={body}" in taken:
            twin += "'"
        splits.append(Split(body=body, twin=twin, joint=edge.name, closure=f"{twin}={body}"))
        taken |= {twin, f"{twin}={body}"}
    return tuple(splits)


def _split_at(graph: Graph, edge: Edge) -> str:
    """The body to be split: the second one unless it is the ground or flexible, otherwise the first."""
    whole = {graph.ground, *dict(graph.elastic)}
    found = [body for body in (edge.second, edge.first) if body not in whole]
    if not found:
        raise TopologyProblem(
            "T20",
            f"joint '{edge.name}'",
            "all joints of its loop must stay in the tree, and its bodies bend: neither can be split.",
            "Leave a drive or an actuator of the loop out, or make one of its bodies rigid.",
        )
    return found[0]


def opened(graph: Graph, splits: tuple[Split, ...]) -> Graph:
    """The graph after the splits: a further leaf for every twin, and its closing joint after the split joint."""
    split_at = {split.joint: split for split in splits}
    edges: list[Edge] = []
    for edge in graph.edges:
        split = split_at.get(edge.name)
        if split is None:
            edges.append(edge)
            continue
        at_second = edge.second == split.body
        edges.append(replace(edge, second=split.twin) if at_second else replace(edge, first=split.twin))
        edges.append(Edge(split.closure, split.twin, split.body, freedom=0, rows=graph.dimension))
    twins = tuple(split.twin for split in splits)
    return replace(graph, bodies=graph.bodies + twins, edges=tuple(edges))
