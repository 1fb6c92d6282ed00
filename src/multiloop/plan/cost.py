"""Number of multiplications of one forward-dynamics evaluation, estimated by formula before the tree is traced.

The count follows the subsystem method of [koul], eqs. (18)–(24): factor the inertia of each subsystem along its
branches, apply it to the rows of every loop that it takes part in, add up the blocks of Ī, and eliminate them in the
given order. A degree of freedom with a ancestors (itself included) costs a(a+1)/2 to factor and 2a to solve; a loop of
r rows over m moving degrees of freedom costs r m to form, 2 r times the depth of its joints to solve for, and
r(r+1)/2 m for its block of Ī; two loops cost r s for every degree of freedom that they share.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush

from multiloop.topology import Tree


def tree_cost(tree: Tree, order: Sequence[int] | None = None) -> int:
    """Estimated multiplications of one evaluation with this tree; `order` is the elimination order of the loops."""
    return _branches_cost(tree) + _loops_cost(tree) + _elimination_cost(tree, order)


def elimination_order(tree: Tree) -> tuple[int, ...]:
    """Loops and couplings in the order that keeps the elimination of Ī cheap: fewest coupled rows first."""
    return tuple(chosen for chosen, _ in _eliminated(tree))


def _branches_cost(tree: Tree) -> int:
    """Multiplications of the recursions and of factoring the subsystems' inertia."""
    ancestors: dict[str, int] = {}
    total = 0
    body_work = 30 if tree.graph.dimension == 3 else 120  # pose, twist, twist rate and wrench of one body
    for branch in tree.branches:
        above = ancestors.get(branch.parent, 0)
        for freedom in range(tree.edge(branch.joint).freedom):
            a = above + freedom + 1
            total += a * (a + 1) // 2 + 2 * a
        ancestors[branch.body] = above + tree.edge(branch.joint).freedom
        total += body_work
    return total


def _loops_cost(tree: Tree) -> int:
    """Multiplications for the rows of J, for I⁻¹ Jᵀ, and for the blocks of Ī."""
    outward = {tree.graph.ground: 0}
    depth: dict[str, int] = {}  # joints from the ground to each, itself included
    for branch in tree.branches:
        depth[branch.joint] = outward[branch.body] = outward[branch.parent] + 1
    total = 0
    rows: dict[str, tuple[int, int]] = {}  # by joint: Σ r and Σ r² over the loops that contain it
    for closure in tree.closures:
        r = closure.rows
        freedoms = reach = 0
        for joint in closure.joints:
            f = tree.edge(joint).freedom
            freedoms += f
            reach += f * depth[joint]
        for joint in dict.fromkeys(closure.joints):
            before, squares = rows.get(joint, (0, 0))
            rows[joint] = (before + r, squares + r * r)
        total += r * freedoms + 2 * r * reach + r * (r + 1) // 2 * freedoms
    for joint, (every, squares) in rows.items():  # Σ r s over pairs of loops
        total += (every * every - squares) // 2 * tree.edge(joint).freedom
    return total


def _elimination_cost(tree: Tree, order: Sequence[int] | None) -> int:
    total = 0
    for chosen, f in _eliminated(tree, order):
        r = tree.closures[chosen].rows
        total += r * (r + 1) * (r + 2) // 6 + r * r * f + r * f * (f + 1) // 2
    return total


def _eliminated(tree: Tree, order: Sequence[int] | None = None) -> Iterator[tuple[int, int]]:
    """Loops and couplings in the given or cheapest order, each with the number of remaining rows coupled with it.

    Loops that share a subsystem are coupled. After the elimination of one, all loops that were coupled with it are
    coupled with each other. Groups are stored instead of pairs, so that nothing is counted twice.
    """
    rows = [closure.rows for closure in tree.closures]
    members, groups_of = _groups(tree)

    def coupled(k: int) -> int:
        near = groups_of[k]
        if len(near) == 1:
            return size[next(iter(near))] - rows[k]
        return sum(rows[j] for j in set().union(*(members[g] for g in near)) - {k})

    size = {g: sum(rows[k] for k in group) for g, group in members.items()}
    cost = {k: coupled(k) for k in range(len(rows))}
    waiting = [(f, k) for k, f in cost.items()]
    heapify(waiting)
    given = iter(order or ())
    while cost:
        if order is not None:
            chosen = next(given)
        else:
            while True:
                f, chosen = heappop(waiting)
                if cost.get(chosen) == f:
                    break
        yield chosen, cost.pop(chosen)
        near = groups_of.pop(chosen)
        if not near:
            continue
        merged = max(near, key=lambda g: (len(members[g]), g))
        for g in near - {merged}:
            for k in members.pop(g):
                groups_of.get(k, set()).discard(g)
                members[merged].add(k)
        members[merged].discard(chosen)
        size[merged] = sum(rows[k] for k in members[merged])
        for k in members[merged]:
            groups_of[k].add(merged)
            cost[k] = coupled(k)
            if order is None:
                heappush(waiting, (cost[k], k))


def _groups(tree: Tree) -> tuple[dict[str, set[int]], dict[int, set[str]]]:
    """The loops and couplings of every subsystem, and the subsystems of every loop or coupling."""
    of = {joint: subsystem.name for subsystem in tree.subsystems for joint in subsystem.joints}
    groups_of = {k: {of[joint] for joint in closure.joints} for k, closure in enumerate(tree.closures)}
    members: dict[str, set[int]] = {}
    for k, names in groups_of.items():
        for name in names:
            members.setdefault(name, set()).add(k)
    return members, groups_of
