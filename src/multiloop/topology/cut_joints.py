"""Selection of the cut joints: the default spanning tree, cut joints named by the user, and alternative trees.

    independent loops = cut joints = joints − moving bodies + pairs

Pairs are higher pairs, such as cams and rolling contacts; they are always cut. `spanning_tree` opens every loop by one
cut joint, `validate_cuts` verifies cut joints that the user named, and `candidate_trees` lists further trees by
exchanging one cut joint for another joint of its loop.

Source: [chaudhary], §2; [koul], §2.
Theory: docs/theory/02-kinematics.md, eq. (2.1).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import networkx as nx
from networkx.utils import UnionFind

from multiloop.model import GROUND, Fault, Mechanism, TopologyError
from multiloop.topology.graph import (
    Edge,
    Graph,
    RowGroup,
    Split,
    TopologyProblem,
    apply_splits,
    check_graph,
    connected_components,
    count_text,
    loop_text,
    networkx_graph,
    quoted_list,
    split_bodies,
    suggest_name,
)
from multiloop.topology.tree import Tree, build_tree, find_loops, grow_tree, outward_branches


def validate_cuts(graph: Graph, splits: Sequence[Split], opened: Graph, cuts: Sequence[str]) -> list[str]:
    """The cut joints in the order of `cuts`, followed by the pairs and by the closing joints of the split bodies
    (`splits`) that `cuts` does not name.

        cuts = joints - moving bodies + pairs,   and the remaining joints connect all bodies

    `graph` is the graph before, `opened` the graph after bodies are split. Raises `TopologyProblem` (T14 to T18) if the
    joints that are not cut do not form a spanning tree.
    """
    closures = [split.closure for split in splits]
    _check_names(graph, closures, cuts)
    _check_kept_joints(graph, cuts)
    complete = [*cuts, *(name for name in (*graph.always_cut, *closures) if name not in set(cuts))]
    _check_connected(opened, complete)
    _check_loops_open(opened, complete)
    return complete


def _check_names(graph: Graph, closures: Sequence[str], cuts: Sequence[str]) -> None:
    """Check that every name in `cuts` is that of a joint of the graph or of a closing joint in `closures`, and occurs
    once."""
    for cut, times in Counter(cuts).items():
        if cut not in graph.edges_by_name and cut not in closures:
            raise TopologyProblem(
                "T14",
                f"cut '{cut}'",
                "no joint has this name.",
                suggest_name(cut, graph.edges_by_name, among="joints"),
            )
        if times > 1:
            raise TopologyProblem(
                "T15", f"cut '{cut}'", f"it is listed {times} times.", "List every cut joint once."
            )


def _check_kept_joints(graph: Graph, cuts: Sequence[str]) -> None:
    """Raise an error if a joint in `cuts` must stay in the tree."""
    for cut in cuts:
        if cut in graph.edges_by_name and graph.edges_by_name[cut].keep:
            raise TopologyProblem(
                "T16",
                f"cut '{cut}'",
                f"joint '{cut}' must stay in the tree: it has a drive, actuator, load or coupling, or is helical.",
                _alternative_cuts(graph, cut),
            )


def _alternative_cuts(graph: Graph, kept: str) -> str:
    """Remedy text for the error that the joint `kept`, which must stay in the tree, is named as a cut joint: the text
    proposes to cut another joint of the shortest loop through `kept`."""
    edge = graph.edges_by_name[kept]
    picture = networkx_graph(graph, without=(kept, *graph.always_cut))
    if not nx.has_path(picture, edge.first, edge.second):
        return "Remove it from the cuts: it is not part of a loop."
    way = nx.shortest_path(picture, edge.first, edge.second)
    around = {joint for pair in pairwise(way) for joint in picture.get_edge_data(*pair)}
    places = [edge.name for edge in graph.edges if edge.name in around and not edge.keep]
    if not places:
        return "Remove it from the cuts: all joints of this loop must stay in the tree, and one of its bodies is split."
    return f"Cut {quoted_list(places, joining='or')} of the same loop instead."


def _check_connected(opened: Graph, cuts: Sequence[str]) -> None:
    """Raise an error unless every body is connected to the ground by joints that are not in `cuts`; `opened` is the
    graph after bodies are split."""
    loose = connected_components(opened, without=cuts)[1:]
    if not loose:
        return
    stray = [body for body in opened.bodies if body in loose[0]]
    subject = f"body '{stray[0]}' is no longer connected to"
    if len(stray) > 1:
        subject = f"bodies {quoted_list(stray)} are no longer connected to"
    ends = {cut: {opened.edges_by_name[cut].first, opened.edges_by_name[cut].second} for cut in cuts}
    named = [cut for cut in cuts if opened.edges_by_name[cut].carries]
    severed = [cut for cut in named if len(ends[cut] & loose[0]) == 1]
    loops = len(opened.edges) - len(opened.always_cut) - len(opened.bodies)
    raise TopologyProblem(
        "T18",
        "the cuts",
        f"{subject} the ground '{opened.ground}' ({count_text(len(named), 'cut')} for {count_text(loops, 'loop')}).",
        f"Remove {quoted_list(severed, joining='or')} from the cuts.",
    )


def _check_loops_open(opened: Graph, cuts: Sequence[str]) -> None:
    """Raise an error if the joints that are not in `cuts` still form a loop; `opened` is the graph after bodies are
    split."""
    named = frozenset(cuts)
    carrying = grow_tree(opened, without=named).joints
    closing = [edge for edge in opened.edges if edge.name not in carrying and edge.name not in named]
    if not closing:
        return
    branches = outward_branches(opened, named.union(edge.name for edge in closing))
    around = find_loops(closing[:1], branches)[0].joints
    places = [joint for joint in around if not opened.edges_by_name[joint].keep]
    more = "1 more cut is" if len(closing) == 1 else f"{len(closing)} more cuts are"
    raise TopologyProblem(
        "T17",
        "the cuts",
        f"the loop {loop_text(around)} is still closed; {more} needed.",
        f"Cut {quoted_list(places, joining='or')} to open this loop.",
    )


def spanning_tree(graph: Graph, cuts: Sequence[str] | None = None) -> Tree:
    """Open every loop of the graph at one cut joint and order the bodies as a tree.

        independent loops = cut joints = joints - moving bodies + pairs

    With `cuts` the loops are opened at these joints and listed in their order. Otherwise the tree is grown from the
    ground (`grow_tree`): it contains the joints that must stay in the tree (kept joints), has short paths, and leaves
    joints with many degrees of freedom as cut joints. Where a loop consists of kept joints only, one of its bodies is
    split (`split_bodies`), with or without `cuts`; the joint that closes the split may be named in `cuts`, and is
    appended when it is not.

    Source: [chaudhary], §2; [koul], §2.
    Differs: the papers choose the cut joints by hand so that subsystems become determinate.

    Raises `TopologyProblem`. Cost: O(E log E + total length of the loops) for E joints.
    """
    check_graph(graph)
    splits = split_bodies(graph)
    tree_graph = apply_splits(graph, splits)
    if cuts is None:
        grown = grow_tree(tree_graph)
        chosen = [edge.name for edge in tree_graph.edges if edge.name not in grown.joints]
    else:
        named = [cuts] if isinstance(cuts, str) else list(cuts)  # a single name is one cut joint
        chosen = validate_cuts(graph, splits, tree_graph, named)
    return build_tree(graph, splits, tree_graph, chosen)


def candidate_trees(graph: Graph, limit: int = 64) -> Iterator[Tree]:
    """Trees with different cut joints, the default tree first, at most `limit` of them.

    New trees are obtained by exchanging, one at a time, each cut joint c of a known tree for another joint j of the
    loop closed by c:

        cuts' = cuts - {c} + {j},   j among the joints of the loop of c,   j need not stay in the tree

    Joint j lies on the tree path between the two bodies of c. Removing j divides the tree into two parts that c
    reconnects, so that cuts' leaves a spanning tree again. All trees can be reached by such exchanges; these are tried
    breadth first, so that early candidates differ little from the default tree. Within one tree, exchanges that save
    constraint rows come first, then those with the shortest distance between old and new cut joint.

    The sequence is the same for every call with the same graph. Cost: O(E log E) for the first tree, then one call of
    `build_tree` for each tree, plus sorting of its exchanges.

    Raises `TopologyProblem` when the first tree is requested if the graph has no spanning tree.
    """
    if limit < 1:
        return
    first = spanning_tree(graph)
    opened = first.split_graph
    seen = {frozenset(first.cuts)}
    found = 1
    waiting = deque([first])
    yield first
    while waiting:
        tree = waiting.popleft()
        for cut, joint in cut_exchanges(tree):
            if found >= limit:
                return
            cuts = frozenset(tree.cuts) - {cut} | {joint}
            if cuts in seen:
                continue
            seen.add(cuts)
            found += 1
            ordered = [edge.name for edge in opened.edges if edge.name in cuts]
            neighbour = build_tree(graph, first.splits, opened, ordered)
            waiting.append(neighbour)
            yield neighbour


def cut_exchanges(tree: Tree) -> list[tuple[str, str]]:
    """Tuples (cut joint, joint to cut instead), in increasing order of the resulting number of constraint rows; tuples
    with the same number are in increasing order of the distance along the loop between the two joints.

    The closing joint of a split is never exchanged, since all other joints of its loop must stay in the tree; nor is a
    higher pair, which is always cut.
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


def graph_of(mechanism: Mechanism, prefer: Iterable[str] = (), keep: Iterable[str] | None = None) -> Graph:
    """Graph of the bodies, joints and pairs of a mechanism.

    Joints with a drive or an actuator, joints of a coupling, joints on which a load acts or on whose coordinates a load
    depends, and helical joints must stay in the tree. Joints in `prefer` are kept in the tree too, in their order,
    unless they close a loop with joints that are already kept. If `keep` is given, its joints are kept instead of the
    driven, actuated and loaded joints; this suffices when only positions are computed.
    """
    dimension = 3 if mechanism.planar else 6
    needed = {joint for joints in mechanism.tied_joints.values() for joint in joints}
    needed |= {joint.name for joint in mechanism.connections if joint.must_stay}
    needed |= _actuated_or_loaded_joints(mechanism) if keep is None else set(keep)
    ends = {joint.name: (_body(joint.first), _body(joint.second)) for joint in mechanism.connections}
    carrying = {joint.name for joint in mechanism.binary_joints}
    joined = UnionFind()
    for name in needed:
        joined.union(*ends[name])
    kept = set(needed)
    for name in prefer:
        if name in carrying and name not in kept and joined[ends[name][0]] != joined[ends[name][1]]:
            joined.union(*ends[name])
            kept.add(name)
    edges = tuple(
        Edge(
            joint.name,
            *ends[joint.name],
            degrees_of_freedom=joint.degrees_of_freedom(mechanism.planar),
            rows=joint.rows(mechanism.planar),
            keep=joint.name in kept,
            carries=not joint.always_cut,
        )
        for joint in mechanism.connections
    )
    couplings = tuple(
        RowGroup(one.name, mechanism.tied_joints[one.name], one.rows) for one in mechanism.couplings
    )
    elastic = tuple((body.name, body.elastic) for body in mechanism.moving if body.elastic)
    moving = tuple(body.name for body in mechanism.moving)
    return Graph(GROUND, moving, edges, dimension, couplings, elastic)


def _actuated_or_loaded_joints(mechanism: Mechanism) -> set[str]:
    """Names of the joints with a drive or an actuator, and of the joints on which a load acts or on whose coordinates a
    load depends."""
    found = {motion.of for motion in mechanism.drives if not motion.on_marker}
    found |= {actuator.joint for actuator in mechanism.actuators}
    return found | {joint for load in mechanism.all_loads for joint in load.joints}


def tree_of(
    mechanism: Mechanism,
    cuts: Sequence[str] | None = None,
    prefer: Iterable[str] = (),
    keep: Iterable[str] | None = None,
) -> Tree:
    """Spanning tree of a mechanism with the given cut joints; without `cuts`, with the default cut joints of
    `spanning_tree`. `prefer` and `keep` are the arguments of `graph_of`: joints that should stay in the tree."""
    graph = graph_of(mechanism, prefer, keep)
    try:
        return spanning_tree(graph, cuts)
    except TopologyProblem as problem:
        fault = Fault(problem.code, problem.where, problem.what, problem.remedy)
        raise TopologyError(
            f"mechanism '{mechanism.name}'", [fault], mobility=count_mobility(graph)
        ) from None


def count_mobility(graph: Graph) -> int:
    """Mobility by the Grübler–Kutzbach criterion.

        m = d n − Σ (d − fᵢ)        n moving bodies, fᵢ degrees of freedom of joint i, d = 3 in the plane, 6 in space

    Source: Grübler and Kutzbach. The criterion does not consider the geometry.
    """
    rows = sum(edge.rows for edge in graph.edges) + sum(coupling.rows for coupling in graph.couplings)
    return graph.dimension * len(graph.bodies) - rows


def _body(reference: str) -> str:
    return reference.partition(".")[0]
