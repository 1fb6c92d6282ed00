"""What a tree costs before it is traced: multiplications of one forward-dynamics evaluation, counted by formula.

The count follows the subsystem method of [koul], eqs. (18)–(24): factor the inertia of each subsystem along
its branches, apply it to the rows of every loop that it takes part in, add up the blocks of Ī, and eliminate
them in the given order. A freedom with a ancestors (itself included) costs a(a+1)/2 to factor and 2a to
solve; a loop of r rows over m moving freedoms costs r m to form, 2 r times the depth of its joints to solve
for, and r(r+1)/2 m to weigh, and two loops r s for every freedom that they share.
"""

from __future__ import annotations

from collections.abc import Sequence

from multiloop.topology import Tree


def tree_cost(tree: Tree, order: Sequence[int] | None = None) -> int:
    """Estimated multiplications of one evaluation with this tree; `order` eliminates the loops."""
    order = elimination_order(tree) if order is None else order
    return _branches_cost(tree) + _loops_cost(tree) + _elimination_cost(tree, order)


def elimination_order(tree: Tree) -> tuple[int, ...]:
    """Loops and couplings in the order that keeps the elimination of Ī small: fewest coupled rows first."""
    near, rows = _couplings(tree)
    left = set(near)
    order = []
    while left:
        chosen = min(left, key=lambda k: (sum(rows[j] for j in near[k] & left), k))
        neighbours = (near[chosen] & left) - {chosen}
        for j in neighbours:
            near[j] |= neighbours - {j}
        left.remove(chosen)
        order.append(chosen)
    return tuple(order)


def _branches_cost(tree: Tree) -> int:
    """Recursions and factors of the subsystems' inertia."""
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
    """Rows of J, their images under I⁻¹, and the blocks of Ī."""
    total = 0
    depth = (
        {branch.joint: len(tree.path(branch.body)) for branch in tree.branches}
        if len(tree.branches) < 400
        else {}
    )
    movers = [set(closure.joints) for closure in tree.closures]
    for k, closure in enumerate(tree.closures):
        r = closure.rows
        freedoms = sum(tree.edge(joint).freedom for joint in closure.joints)
        reach = sum(depth.get(joint, 2) * tree.edge(joint).freedom for joint in closure.joints)
        total += r * freedoms + 2 * r * reach + r * (r + 1) // 2 * freedoms
        for j in range(k):
            shared = sum(tree.edge(joint).freedom for joint in movers[k] & movers[j])
            total += r * tree.closures[j].rows * shared
    return total


def _elimination_cost(tree: Tree, order: Sequence[int]) -> int:
    near, rows = _couplings(tree)
    left, total = set(near), 0
    for chosen in order:
        neighbours = (near[chosen] & left) - {chosen}
        r, f = rows[chosen], sum(rows[j] for j in neighbours)
        total += r * (r + 1) * (r + 2) // 6 + r * r * f + r * f * (f + 1) // 2
        for j in neighbours:
            near[j] |= neighbours - {j}
        left.remove(chosen)
    return total


def _couplings(tree: Tree) -> tuple[dict[int, set[int]], dict[int, int]]:
    """Which loops and couplings share a subsystem, and how many rows each has."""
    of = {joint: subsystem.name for subsystem in tree.subsystems for joint in subsystem.joints}
    touched = [{of[joint] for joint in closure.joints} for closure in tree.closures]
    by_subsystem: dict[str, list[int]] = {}
    for k, names in enumerate(touched):
        for name in names:
            by_subsystem.setdefault(name, []).append(k)
    near: dict[int, set[int]] = {k: set() for k in range(len(tree.closures))}
    for members in by_subsystem.values():
        for k in members:
            near[k] |= set(members) - {k}
    return near, {k: closure.rows for k, closure in enumerate(tree.closures)}
