"""Which joint should carry each body, so that the tree is short and the cuts are cheap?"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from heapq import heappop, heappush

from multiloop.topology.graph import Edge, Graph


@dataclass(frozen=True)
class Growth:
    """The joints of a tree grown from the ground, and the bodies it could not reach."""

    joints: frozenset[str]
    unreached: tuple[str, ...]


def grow(graph: Graph, *, without: Collection[str] = ()) -> Growth:
    """Grow a tree from the ground, always by the joint that is cheapest to leave uncut.

    Wanted, in this order:

    1. kept joints are in the tree: a body arrives with all bodies held to it by kept joints;
    2. joints that constrain nothing (no rows) carry a body only where no other joint can;
    3. every body is few moving joints away from the ground, so that legs become subsystems of
       their own and the blocks of I and J stay small (a rigid joint adds no length);
    4. at equal length the joint with the smaller freedom carries, so that the one with the larger
       freedom, which costs fewer closure rows, is left for the cut;
    5. then the user's order decides, so that the same graph always gives the same tree.

    Kept joints must not close a loop by themselves (`split_bodies` sees to that). Where rules 1 and 2
    have nothing to say, this is Dijkstra's shortest-path tree from the ground; a group held together
    by kept joints is entered at the body that is reached first.

    Our own rule; [chaudhary], §2, leaves the choice of cuts to graph theory.

    Cost: O(E log E) for E joints, no recursion. Joints named in `without` are not used.
    """
    arrived: set[str] = set()
    joints: set[str] = set()
    # Candidates: (constrains nothing, length, freedom, place in user's order, body, joint).
    waiting: list[tuple[bool, int, int, int, str, str]] = [(False, 0, 0, -1, graph.ground, "")]
    while waiting:
        _, length, _, _, body, joint = heappop(waiting)
        group = [] if body in arrived else [(body, joint, length)]
        while group:
            body, joint, length = group.pop()
            arrived.add(body)
            joints.add(joint)
            for index, edge in graph.incident[body]:
                far = edge.other(body)
                if far in arrived or edge.name in without or not edge.carries:
                    continue
                reach = length + _step(edge)
                if edge.keep:
                    group.append((far, edge.name, reach))
                else:
                    heappush(waiting, (edge.rows == 0, reach, edge.freedom, index, far, edge.name))
    unreached = tuple(body for body in graph.bodies if body not in arrived)
    return Growth(frozenset(joints - {""}), unreached)


def _step(edge: Edge) -> int:
    """Length a joint adds to the path: a rigid joint adds none, its body moves with the carrier."""
    return 1 if edge.freedom else 0
