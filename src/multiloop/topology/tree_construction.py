"""Construction of the spanning tree: choice of its joints, order of its bodies, loops and subsystems.

`grow_tree` chooses the joints of the tree. Once the cut joints are known, `build_tree` orders the bodies outward,
finds the joints around each independent loop and numbers the subsystems.

Source: [chaudhary], §2; [koul], §3. The rule by which `grow_tree` chooses the joints is ours.
Theory: docs/theory/02-kinematics.md, eq. (2.1).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

from multiloop.topology.graph import Edge, Graph, Split
from multiloop.topology.tree import Branch, Loop, Subsystem, Tree


@dataclass(frozen=True)
class GrownTree:
    """The joints of a tree grown from the ground, and the bodies that cannot be reached from the ground."""

    joints: frozenset[str]
    unreached: tuple[str, ...]


def grow_tree(graph: Graph, *, without: Collection[str] = ()) -> GrownTree:
    """Grow a spanning tree from the ground by adding in each step the joint that the following criteria prefer.

    Criteria, in this order:

    1. kept joints are in the tree: a body is added together with all bodies connected to it by kept joints;
    2. joints without constraint rows (Free joints) are used only where no other joint reaches the body;
    3. the path from the ground to a body has few moving joints, so that legs become separate subsystems and the blocks
       of I and J stay small (a rigid joint adds no length);
    4. at equal length the joint with fewer degrees of freedom enters the tree, so that the joint with more degrees of
       freedom, which adds fewer constraint rows, is cut;
    5. then the user's order decides, so that the same graph always gives the same tree.

    Kept joints must not form a loop by themselves (`split_bodies` ensures that). Where criteria 1 and 2 do not apply,
    the result is Dijkstra's shortest-path tree from the ground; a group of bodies connected by kept joints is entered
    at the body that is reached first.

    Source: ours; [chaudhary], §2, leaves the choice of cut joints to graph theory.

    Cost: O(E log E) for E joints, without recursion. Joints named in `without` are not used.
    """
    arrived: set[str] = set()
    joints: set[str] = set()
    # Candidates: (no constraint rows, length, degrees of freedom, index in user's order, body, joint).
    waiting: list[tuple[bool, int, int, int, str, str]] = [(False, 0, 0, -1, graph.ground, "")]
    while waiting:
        _, length, _, _, body, joint = heappop(waiting)
        group = [] if body in arrived else [(body, joint, length)]
        while group:
            body, joint, length = group.pop()
            arrived.add(body)
            joints.add(joint)
            for index, edge in graph.incident[body]:
                far = edge.other_body(body)
                if far in arrived or edge.name in without or not edge.carries:
                    continue
                reach = length + _path_length(edge)
                if edge.keep:
                    group.append((far, edge.name, reach))
                else:
                    heappush(waiting, (edge.rows == 0, reach, edge.degrees_of_freedom, index, far, edge.name))
    unreached = tuple(body for body in graph.bodies if body not in arrived)
    return GrownTree(frozenset(joints - {""}), unreached)


def _path_length(edge: Edge) -> int:
    """Length that a joint adds to the path: 0 for a rigid joint, whose body moves with its parent, else 1."""
    return 1 if edge.degrees_of_freedom else 0


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


def build_tree(graph: Graph, splits: tuple[Split, ...], opened: Graph, cuts: Sequence[str]) -> Tree:
    """The tree that remains when `cuts` are removed from the graph `opened`, in which bodies are already split.

    The cuts must leave a spanning tree. Cost: O(bodies + joints + total length of the loops).
    """
    branches = outward_branches(opened, frozenset(cuts))
    return Tree(
        graph=graph,
        branches=branches,
        cuts=tuple(cuts),
        loops=find_loops([opened.edges_by_name[cut] for cut in cuts], branches),
        subsystems=ground_subsystems(graph.ground, branches),
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
                waiting.append(Branch(edge.other_body(body), body, edge.name, forward=edge.first == body))

    wait_around(opened.ground, "")
    while waiting:
        branch = waiting.pop()
        branches.append(branch)
        wait_around(branch.body, branch.joint)
    return tuple(branches)


def find_loops(cuts: Sequence[Edge], branches: Sequence[Branch]) -> tuple[Loop, ...]:
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


def ground_subsystems(ground: str, branches: Sequence[Branch]) -> tuple[Subsystem, ...]:
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
                name=roman_numeral(number),
                bodies=tuple(branch.body for branch in group),
                joints=tuple(branch.joint for branch in group),
                parents=tuple(branch.parent for branch in group),
            )
        )
    return tuple(subsystems)


def roman_numeral(number: int) -> str:
    """A positive integer as a Roman numeral: 4 is IV, 19 is XIX."""
    letters = ""
    for value, sign in ROMAN:
        count, number = divmod(number, value)
        letters += sign * count
    return letters
