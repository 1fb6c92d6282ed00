"""The graph of a mechanism: bodies as nodes, joints as edges, couplings; and checks of names and connections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import networkx as nx

from multiloop.topology.problem import TopologyProblem, listed, nearest_name


@dataclass(frozen=True)
class Edge:
    """One joint as an edge of the graph; its coordinate is that of `second` relative to `first`.

    freedom  f, the degrees of freedom of the joint
    rows     constraint rows that it adds when cut: 3 - f in the plane, 6 - f in space
    keep     whether it must stay in the tree: it has a drive, an actuator or a load, or is a helical joint
    carries  whether it may connect a body to its parent in the tree; a pair may not and is always cut
    """

    name: str
    first: str
    second: str
    freedom: int
    rows: int
    keep: bool = False
    carries: bool = True

    def other(self, body: str) -> str:
        """The body at the other end of the joint."""
        return self.first if body == self.second else self.second


@dataclass(frozen=True)
class Coupling:
    """Constraint rows that couple the coordinates of several joints; these joints stay in the tree."""

    name: str
    joints: tuple[str, ...]
    rows: int


@dataclass(frozen=True)
class Graph:
    """Bodies and joints of a mechanism, in the user's order.

    Two joints may connect the same two bodies (a shaft in two bearings). `bodies` are the moving bodies, without the
    ground; `dimension` is the number of rows of a Fixed joint, 3 or 6. `elastic` lists the flexible bodies with the
    number of their elastic coordinates; these are never split.
    """

    ground: str
    bodies: tuple[str, ...]
    edges: tuple[Edge, ...]
    dimension: int = 6
    couplings: tuple[Coupling, ...] = ()
    elastic: tuple[tuple[str, int], ...] = ()

    @cached_property
    def edge_named(self) -> dict[str, Edge]:
        """The joints by name."""
        return {edge.name: edge for edge in self.edges}

    @cached_property
    def always_cut(self) -> tuple[str, ...]:
        """The pairs, which are never part of the tree."""
        return tuple(edge.name for edge in self.edges if not edge.carries)

    @cached_property
    def incident(self) -> dict[str, tuple[tuple[int, Edge], ...]]:
        """The joints of every body, each with its index in the user's order."""
        around: dict[str, list[tuple[int, Edge]]] = {body: [] for body in (self.ground, *self.bodies)}
        for index, edge in enumerate(self.edges):
            around[edge.first].append((index, edge))
            around[edge.second].append((index, edge))
        return {body: tuple(edges) for body, edges in around.items()}


def multigraph(graph: Graph, *, without: Iterable[str] = ()) -> nx.MultiGraph:
    """The same bodies and joints as a networkx multigraph, keyed by joint name.

    Joints named in `without` are omitted, and so are joints of unknown bodies.
    """
    left_out = set(without)
    picture = nx.MultiGraph()
    picture.add_nodes_from((graph.ground, *graph.bodies))
    picture.add_edges_from(
        (edge.first, edge.second, edge.name)
        for edge in graph.edges
        if edge.name not in left_out and edge.first in picture and edge.second in picture
    )
    return picture


def components(graph: Graph, *, without: Iterable[str] = ()) -> list[set[str]]:
    """Connected components of the graph; the one that contains the ground comes first."""
    return list(nx.connected_components(multigraph(graph, without=without)))


def check(graph: Graph) -> None:
    """Raise `TopologyProblem` unless all names are unique and all bodies are connected to the ground."""
    _check_names(graph)
    _check_ends(graph)
    loose = components(graph, without=graph.always_cut)[1:]
    if loose:
        stray = [body for body in graph.bodies if body in loose[0]]
        lone = len(stray) == 1
        raise TopologyProblem(
            "T13",
            f"body '{stray[0]}'" if lone else f"bodies {listed(stray)}",
            f"{'it is' if lone else 'they are'} not connected to the ground '{graph.ground}'.",
            f"Connect {'it' if lone else 'one of them'} by a joint to the ground or to a body that "
            "reaches it; a Free joint leaves all motion free.",
        )


def _check_names(graph: Graph) -> None:
    """Check that the names of bodies and of joints are unique."""
    bodies = Counter((graph.ground, *graph.bodies))
    joints = Counter(edge.name for edge in graph.edges)
    for kind, plural, names in (("body", "bodies", bodies), ("joint", "joints", joints)):
        for name, times in names.items():
            if times > 1:
                raise TopologyProblem(
                    "T12",
                    f"{kind} '{name}'",
                    f"{times} {plural} have this name.",
                    f"Give every {kind} a name of its own.",
                )


def _check_ends(graph: Graph) -> None:
    """Check that every joint connects two different bodies that exist."""
    known = {graph.ground, *graph.bodies}
    for edge in graph.edges:
        for which, body in (("first", edge.first), ("second", edge.second)):
            if body not in known:
                raise TopologyProblem(
                    "T11",
                    f"joint '{edge.name}'",
                    f"its {which} body '{body}' does not exist.",
                    nearest_name(body, (graph.ground, *graph.bodies), among="bodies"),
                )
        if edge.first == edge.second:
            raise TopologyProblem(
                "T10",
                f"joint '{edge.name}'",
                f"it connects body '{edge.first}' with itself.",
                "Name two different bodies, or leave the joint out.",
            )
