"""What if every joint of a loop must stay in the tree? Then a body is split and closed rigidly."""

from __future__ import annotations

from dataclasses import dataclass, replace

from networkx.utils import UnionFind

from multiloop.topology.graph import Edge, Graph


@dataclass(frozen=True)
class Split:
    """A body split because every joint of a loop had to be kept.

    `joint` now ends on `twin` (say "rocker'"), a leaf of the tree, and the twin is closed onto
    `body` by a Fixed cut named `closure` (say "rocker'=rocker": first body the twin, second the body).
    """

    body: str
    twin: str
    joint: str
    closure: str


def split_bodies(graph: Graph) -> tuple[Split, ...]:
    """The splits that kept joints alone make necessary, in the order of their joints.

    Kept joints are taken one after another; one whose two bodies already hang together through
    earlier kept joints closes a loop of kept joints, and its second body gets a twin. The ground is
    never copied: when the second body is the ground, the first body gets the twin.

    Our own rule: the seeds cut only joints without drives. Cost: about linear in the joints.
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
        body = edge.first if edge.second == graph.ground else edge.second
        twin = body + "'"
        while twin in taken or f"{twin}={body}" in taken:
            twin += "'"
        splits.append(Split(body=body, twin=twin, joint=edge.name, closure=f"{twin}={body}"))
        taken |= {twin, f"{twin}={body}"}
    return tuple(splits)


def opened(graph: Graph, splits: tuple[Split, ...]) -> Graph:
    """The graph after the splits: a new leaf for every twin, and its closing cut beside its joint."""
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
    return Graph(graph.ground, graph.bodies + twins, tuple(edges), graph.dimension, graph.couplings)
