"""Growing a spanning tree from the ground so that paths are short and cut joints add few constraint rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from heapq import heappop, heappush

from multiloop.topology.graph import Edge, Graph


@dataclass(frozen=True)
class Growth:
    """The joints of a tree grown from the ground, and the bodies that it does not reach."""

    joints: frozenset[str]
    unreached: tuple[str, ...]


def grow(graph: Graph, *, without: Collection[str] = ()) -> Growth:
    """Grow a tree from the ground, adding in each step the joint that is best kept in the tree.

    Criteria, in this order:

    1. kept joints are in the tree: a body is added together with all bodies connected to it by kept joints;
    2. joints without constraint rows (Free joints) are used only where no other joint reaches the body;
    3. every body is few moving joints away from the ground, so that legs become separate subsystems and the blocks
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
    """Length that a joint adds to the path: 0 for a rigid joint, whose body moves with its parent, else 1."""
    return 1 if edge.freedom else 0
