"""Check that the cut joints named by the user open every loop and leave a spanning tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import networkx as nx

from multiloop.topology.graph import Graph, components, multigraph
from multiloop.topology.growth import grow
from multiloop.topology.planting import closed_loops, outward_branches
from multiloop.topology.problem import TopologyProblem, closed_chain, counted, listed, nearest_name
from multiloop.topology.splits import Split


def checked_cuts(graph: Graph, splits: Sequence[Split], opened: Graph, cuts: Sequence[str]) -> list[str]:
    """The cut joints in the given order, followed by pairs and by closing joints of splits that were not named.

        cuts = joints - moving bodies + pairs,   and the remaining joints connect all bodies

    Raises `TopologyProblem` (T14 to T18) when the cuts do not leave a spanning tree.
    """
    closures = [split.closure for split in splits]
    _check_names(graph, closures, cuts)
    _check_kept(graph, cuts)
    complete = [*cuts, *(name for name in (*graph.always_cut, *closures) if name not in set(cuts))]
    _check_reach(opened, complete)
    _check_closed(opened, complete)
    return complete


def _check_names(graph: Graph, closures: Sequence[str], cuts: Sequence[str]) -> None:
    """Check that every cut is a joint and is named once."""
    for cut, times in Counter(cuts).items():
        if cut not in graph.edge_named and cut not in closures:
            raise TopologyProblem(
                "T14",
                f"cut '{cut}'",
                "no joint has this name.",
                nearest_name(cut, graph.edge_named, among="joints"),
            )
        if times > 1:
            raise TopologyProblem(
                "T15", f"cut '{cut}'", f"it is named {times} times.", "Name every cut once."
            )


def _check_kept(graph: Graph, cuts: Sequence[str]) -> None:
    """Check that no cut is a joint that must stay in the tree."""
    for cut in cuts:
        if cut in graph.edge_named and graph.edge_named[cut].keep:
            raise TopologyProblem(
                "T16",
                f"cut '{cut}'",
                f"joint '{cut}' carries a drive, an actuator or a load, or is a screw, and must stay in the tree.",
                _other_places(graph, cut),
            )


def _other_places(graph: Graph, kept: str) -> str:
    """Remedy for a cut at a kept joint: the other joints of the shortest loop through it."""
    edge = graph.edge_named[kept]
    picture = multigraph(graph, without=(kept, *graph.always_cut))
    if not nx.has_path(picture, edge.first, edge.second):
        return "Leave it out of the cuts: it lies in no loop."
    way = nx.shortest_path(picture, edge.first, edge.second)
    around = {joint for pair in pairwise(way) for joint in picture.get_edge_data(*pair)}
    places = [edge.name for edge in graph.edges if edge.name in around and not edge.keep]
    if not places:
        return "Leave it out of the cuts: where kept joints alone close a loop, a body is split."
    return f"Cut {listed(places, joining='or')} of the same loop instead."


def _check_reach(opened: Graph, cuts: Sequence[str]) -> None:
    """Check that every body is still connected to the ground."""
    loose = components(opened, without=cuts)[1:]
    if not loose:
        return
    stray = [body for body in opened.bodies if body in loose[0]]
    subject = f"body '{stray[0]}' no longer reaches"
    if len(stray) > 1:
        subject = f"bodies {listed(stray)} no longer reach"
    ends = {cut: {opened.edge_named[cut].first, opened.edge_named[cut].second} for cut in cuts}
    named = [cut for cut in cuts if opened.edge_named[cut].carries]
    severed = [cut for cut in named if len(ends[cut] & loose[0]) == 1]
    loops = len(opened.edges) - len(opened.always_cut) - len(opened.bodies)
    raise TopologyProblem(
        "T18",
        "the cuts",
        f"{subject} the ground '{opened.ground}' ({counted(len(named), 'cut')} for {counted(loops, 'loop')}).",
        f"Take {listed(severed, joining='or')} out of the cuts.",
    )


def _check_closed(opened: Graph, cuts: Sequence[str]) -> None:
    """Check that no loop remains closed."""
    named = frozenset(cuts)
    carrying = grow(opened, without=named).joints
    closing = [edge for edge in opened.edges if edge.name not in carrying and edge.name not in named]
    if not closing:
        return
    branches = outward_branches(opened, named.union(edge.name for edge in closing))
    around = closed_loops(closing[:1], branches)[0].joints
    places = [joint for joint in around if not opened.edge_named[joint].keep]
    more = "1 more cut is" if len(closing) == 1 else f"{len(closing)} more cuts are"
    raise TopologyProblem(
        "T17",
        "the cuts",
        f"the loop {closed_chain(around)} is still closed; {more} needed.",
        f"Cut {listed(places, joining='or')} as well.",
    )
