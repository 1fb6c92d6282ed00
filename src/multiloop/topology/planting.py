"""Building the tree for given cut joints: order of the bodies, joints and bodies of each loop, subsystems."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from multiloop.topology.graph import Edge, Graph
from multiloop.topology.splits import Split
from multiloop.topology.tree import Branch, Loop, Subsystem, Tree

ROMAN = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)


def plant(graph: Graph, splits: tuple[Split, ...], opened: Graph, cuts: Sequence[str]) -> Tree:
    """The tree that remains when `cuts` are removed from the graph `opened`, in which bodies are already split.

    The cuts must leave a spanning tree. Cost: O(bodies + joints + total length of the loops).
    """
    branches = outward_branches(opened, frozenset(cuts))
    return Tree(
        graph=graph,
        branches=branches,
        cuts=tuple(cuts),
        loops=closed_loops([opened.edge_named[cut] for cut in cuts], branches),
        subsystems=standing_subsystems(graph.ground, branches),
        splits=splits,
    )


def outward_branches(opened: Graph, cuts: Collection[str]) -> tuple[Branch, ...]:
    """The bodies from the ground outward, depth first, children in the order of their joints."""
    branches: list[Branch] = []
    waiting: list[Branch] = []

    def wait_around(body: str, carrier: str) -> None:
        # Last in, first out: the joint named first must be pushed last.
        for _, edge in reversed(opened.incident[body]):
            if edge.name != carrier and edge.name not in cuts:
                waiting.append(Branch(edge.other(body), body, edge.name, forward=edge.first == body))

    wait_around(opened.ground, "")
    while waiting:
        branch = waiting.pop()
        branches.append(branch)
        wait_around(branch.body, branch.joint)
    return tuple(branches)


def closed_loops(cuts: Sequence[Edge], branches: Sequence[Branch]) -> tuple[Loop, ...]:
    """The loop that each cut joint closes, found by following the tree inward from its two bodies until the paths meet.

    A joint inward of the meeting body moves both ends of the cut joint alike. The rows of J of the loop are zero for
    such joints and can be nonzero only for the joints found here.

    Source: [koul], §3, before eq. (13).
    """
    place = {branch.body: index for index, branch in enumerate(branches)}  # the ground has index -1
    loops = []
    for cut in cuts:
        from_second, from_first = [], []
        inner_second, inner_first = place.get(cut.second, -1), place.get(cut.first, -1)
        while inner_second != inner_first:
            # A parent precedes its child, so that the later of the two is not an ancestor of the other.
            if inner_second > inner_first:
                from_second.append(inner_second)
                inner_second = place.get(branches[inner_second].parent, -1)
            else:
                from_first.append(inner_first)
                inner_first = place.get(branches[inner_first].parent, -1)
        walked = [*from_second, *reversed(from_first)]
        # The meeting body is the parent of the last body on either side.
        meeting = branches[(from_second or from_first)[-1]].parent
        loops.append(
            Loop(
                cut=cut.name,
                joints=(cut.name, *(branches[index].joint for index in walked)),
                bodies=(
                    *(branches[index].body for index in from_second),
                    meeting,
                    *(branches[index].body for index in reversed(from_first)),
                ),
                tree_joints=tuple(branches[index].joint for index in sorted(walked)),
            )
        )
    return tuple(loops)


def standing_subsystems(ground: str, branches: Sequence[Branch]) -> tuple[Subsystem, ...]:
    """The distinct branches that originate from the ground, numbered I, II, III, …

    Source: [chaudhary], §2.
    Differs: bodies are numbered depth first, not main chain first.
    """
    starts = [index for index, branch in enumerate(branches) if branch.parent == ground]
    subsystems = []
    for number, (start, stop) in enumerate(pairwise([*starts, len(branches)]), start=1):
        group = branches[start:stop]
        subsystems.append(
            Subsystem(
                name=roman(number),
                bodies=tuple(branch.body for branch in group),
                joints=tuple(branch.joint for branch in group),
                parents=tuple(branch.parent for branch in group),
            )
        )
    return tuple(subsystems)


def roman(number: int) -> str:
    """A positive integer as a Roman numeral: 4 is IV, 19 is XIX."""
    letters = ""
    for value, sign in ROMAN:
        count, number = divmod(number, value)
        letters += sign * count
    return letters
