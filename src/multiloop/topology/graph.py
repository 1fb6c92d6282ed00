"""The graph of a mechanism (bodies, joints and couplings), its checks, and the errors of graphs and cut joints.

Theory: docs/theory/02-kinematics.md, eq. (2.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property

import networkx as nx
from networkx.utils import UnionFind

LONGEST_LIST = 8  # number of names written out before "and n more"


class TopologyProblem(Exception):  # noqa: N818 - an error to report; it is raised later as part of a `TopologyError`
    """An error because of which the graph has no spanning tree, or not the requested one.

    | code | error |
    |---|---|
    | T10 | a joint connects a body with itself |
    | T11 | a joint names a body that does not exist |
    | T12 | two bodies or two joints have the same name |
    | T13 | bodies are not connected to the ground |
    | T14 | no joint has the name of a requested cut joint |
    | T15 | a cut joint is named twice |
    | T16 | a joint that must stay in the tree is named as a cut joint |
    | T17 | too few cut joints: a loop is still closed |
    | T18 | too many cut joints: a body is no longer connected to the ground |
    | T19 | a body or a joint is requested that the tree does not contain |
    | T20 | a body must be split, but all candidates are flexible bodies or the ground |

    `where` names the body, joint or cut in question, `what` states the error and `remedy` the correction.
    """

    def __init__(self, code: str, where: str, what: str, remedy: str) -> None:
        super().__init__(code, where, what, remedy)  # `args` contains all four, so that pickling works
        self.code = code
        self.where = where
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return f"[{self.code}] {self.where}: {self.what}\n       {self.remedy}"


def quoted_list(names: Iterable[str], *, joining: str = "and") -> str:
    """Quoted names joined as in a sentence: 'A', 'B' and 'C'; a long list is shortened. `joining` is the word before
    the last name."""
    quoted = [f"'{name}'" for name in names]
    if len(quoted) > LONGEST_LIST:
        others = f"{'one of ' if joining == 'or' else ''}{len(quoted) - LONGEST_LIST} more"
        return ", ".join(quoted[:LONGEST_LIST]) + f" {joining} {others}"
    if len(quoted) < 2:
        return "".join(quoted)
    return ", ".join(quoted[:-1]) + f" {joining} {quoted[-1]}"


def loop_text(names: tuple[str, ...]) -> str:
    """The joints of a loop as text, A-B-C-D; for a long loop the middle is omitted."""
    if len(names) > LONGEST_LIST:
        half = LONGEST_LIST // 2
        return "-".join((*names[:half], "…", *names[-half:])) + f" ({len(names)} joints)"
    return "-".join(names)


def count_text(number: int, thing: str) -> str:
    """A number with its noun: 1 cut, 2 cuts."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def suggest_name(wrong: str, names: Iterable[str], *, among: str) -> str:
    """Remedy for a name that does not exist: the most similar name, or the list of valid names.

    `among` is the plural noun for the named objects, such as "bodies" or "joints".
    """
    known = list(names)
    close = get_close_matches(wrong, known, n=1)
    if close:
        return f"Did you mean '{close[0]}'?"
    if not known:
        return f"The mechanism has no {among}."
    return f"Name one of the {among} {quoted_list(known, joining='or')}."


@dataclass(frozen=True)
class Edge:
    """One joint as an edge of the graph; its coordinates describe the motion of body `second` relative to body `first`.

    degrees_of_freedom  f, the degrees of freedom of the joint
    rows                number of constraint rows if the joint is cut: 3 - f in the plane, 6 - f in space
    keep                whether the joint must stay in the tree: it has a drive, an actuator, a load or a coupling, is
                        helical, or is named in the argument `prefer` of `graph_of`
    carries             whether the joint may connect a body to its parent in the tree; higher pairs may not, and are
                        always cut
    """

    name: str
    first: str
    second: str
    degrees_of_freedom: int
    rows: int
    keep: bool = False
    carries: bool = True

    def other_body(self, body: str) -> str:
        """The body that the joint connects with `body`."""
        return self.first if body == self.second else self.second


@dataclass(frozen=True)
class RowGroup:
    """The constraint rows of a coupling or of a loop: its name (of a loop, that of its cut joint), the tree joints
    whose coordinates occur in the rows, and the number of rows."""

    name: str
    joints: tuple[str, ...]
    rows: int


@dataclass(frozen=True)
class Graph:
    """Bodies and joints of a mechanism, in the user's order.

    Two joints may connect the same two bodies (a shaft in two bearings). `bodies` are the moving bodies, without the
    ground; `dimension` is the number of rows of a Fixed joint, 3 or 6. `elastic` lists the flexible bodies with the
    number of their elastic coordinates; flexible bodies are never split.
    """

    ground: str
    bodies: tuple[str, ...]
    edges: tuple[Edge, ...]
    dimension: int = 6
    couplings: tuple[RowGroup, ...] = ()
    elastic: tuple[tuple[str, int], ...] = ()

    @cached_property
    def edges_by_name(self) -> dict[str, Edge]:
        """All joints by their names."""
        return {edge.name: edge for edge in self.edges}

    @cached_property
    def always_cut(self) -> tuple[str, ...]:
        """Names of the higher pairs, such as cams, which are always cut and never part of the tree."""
        return tuple(edge.name for edge in self.edges if not edge.carries)

    @cached_property
    def incident(self) -> dict[str, tuple[tuple[int, Edge], ...]]:
        """The joints at every body, each with its index in the user's order of joints."""
        around: dict[str, list[tuple[int, Edge]]] = {body: [] for body in (self.ground, *self.bodies)}
        for index, edge in enumerate(self.edges):
            around[edge.first].append((index, edge))
            around[edge.second].append((index, edge))
        return {body: tuple(edges) for body, edges in around.items()}


def networkx_graph(graph: Graph, *, without: Iterable[str] = ()) -> nx.MultiGraph:
    """The graph as a networkx multigraph: nodes are the names of bodies, keys of the edges the names of joints.

    Joints named in `without` are omitted, and so are joints of bodies that do not exist.
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


def connected_components(graph: Graph, *, without: Iterable[str] = ()) -> list[set[str]]:
    """Connected components of the graph without the joints in `without`, as sets of body names; the component with the
    ground is the first."""
    return list(nx.connected_components(networkx_graph(graph, without=without)))


def check_graph(graph: Graph) -> None:
    """Raise `TopologyProblem` unless all names are unique and all bodies are connected to the ground."""
    _check_names(graph)
    _check_ends(graph)
    loose = connected_components(graph, without=graph.always_cut)[1:]
    if loose:
        stray = [body for body in graph.bodies if body in loose[0]]
        lone = len(stray) == 1
        raise TopologyProblem(
            "T13",
            f"body '{stray[0]}'" if lone else f"bodies {quoted_list(stray)}",
            f"{'it is' if lone else 'they are'} not connected to the ground '{graph.ground}'.",
            f"Connect {'it' if lone else 'one of them'} by a joint to the ground or to a body "
            "connected to it; a Free joint allows all motion.",
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
                    f"Give every {kind} a unique name.",
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
                    suggest_name(body, (graph.ground, *graph.bodies), among="bodies"),
                )
        if edge.first == edge.second:
            raise TopologyProblem(
                "T10",
                f"joint '{edge.name}'",
                f"it connects body '{edge.first}' with itself.",
                "Name two different bodies, or remove the joint.",
            )


@dataclass(frozen=True)
class Split:
    """A body that is split into two parts because all joints of a loop must stay in the tree.

    One part keeps the name `body`; the other part, the `twin` (for example "rocker'"), is a leaf of the tree, and
    `joint` is attached to the twin instead of to `body`. The twin is joined to `body` by a Fixed cut joint named
    `closure` (for example "rocker'=rocker"), whose first body is the twin and whose second is the body.
    """

    body: str
    twin: str
    joint: str
    closure: str


def split_bodies(graph: Graph) -> tuple[Split, ...]:
    """The bodies to be split because all joints of a loop must stay in the tree (kept joints), in the order of the
    joints at which they are split.

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
        body = _body_to_split(graph, edge)
        twin = body + "'"
        while twin in taken or f"{twin}={body}" in taken:
            twin += "'"
        splits.append(Split(body=body, twin=twin, joint=edge.name, closure=f"{twin}={body}"))
        taken |= {twin, f"{twin}={body}"}
    return tuple(splits)


def _body_to_split(graph: Graph, edge: Edge) -> str:
    """The body of a joint to be split: the second body of the joint unless this is the ground or flexible, otherwise
    the first body; an error is raised if neither can be split."""
    whole = {graph.ground, *dict(graph.elastic)}
    found = [body for body in (edge.second, edge.first) if body not in whole]
    if not found:
        raise TopologyProblem(
            "T20",
            f"joint '{edge.name}'",
            "all joints of its loop must stay in the tree, and its flexible bodies cannot be split.",
            "Remove a drive or an actuator of the loop, or make one of its bodies rigid.",
        )
    return found[0]


def apply_splits(graph: Graph, splits: tuple[Split, ...]) -> Graph:
    """The graph after bodies are split: for each split the second part of the body (its twin) is added as a body with
    two joints only, the joint at which the body is split and the closing joint. In the list of joints, the closing
    joint directly follows the joint of the split."""
    split_at = {split.joint: split for split in splits}
    edges: list[Edge] = []
    for edge in graph.edges:
        split = split_at.get(edge.name)
        if split is None:
            edges.append(edge)
            continue
        at_second = edge.second == split.body
        edges.append(replace(edge, second=split.twin) if at_second else replace(edge, first=split.twin))
        edges.append(Edge(split.closure, split.twin, split.body, degrees_of_freedom=0, rows=graph.dimension))
    twins = tuple(split.twin for split in splits)
    return replace(graph, bodies=graph.bodies + twins, edges=tuple(edges))
