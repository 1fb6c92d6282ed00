"""Operation counts of forward dynamics, estimated by formulas before any function is traced.

Rigid part: multiplications of the subsystem method of [koul], eqs. (18)–(24): factor the inertia of each subsystem
along its branches, apply it to the rows of every loop that contains one of its joints, add the blocks of Ī, and
eliminate these blocks in the given order. J is the loop Jacobian, I the mass matrix of the tree, and Ī = J I⁻¹ Jᵀ the
generalized inertia constraint matrix. The number of multiplications is

    n (n + 1)/2 + 2 n               to factor and solve for a degree of freedom with n ancestors (itself included)
    r m                             to form the r rows of a loop, which has m moving degrees of freedom
    2 r Σ (depth of the joint)      to compute the rows of J I⁻¹ of this loop, summed over its degrees of freedom
    r (r + 1)/2 m                   for the diagonal block of Ī of this loop
    r₁ r₂                           for every degree of freedom that two loops, of r₁ and r₂ rows, share

Flexible bodies: the following is added for each body with e elastic coordinates and s mode shapes. Mode shapes of
second order are included in s, so that e bending modes have up to e + e (e + 1)/2 of them:

    8 s² + 120 e + 150 in the plane,      8 s² + 350 e + 300 in space

The coefficients are ours, fitted to operation lists of planar and spatial mechanisms with one to twelve elastic
coordinates per body, and are accurate to within a third (`python -m benchmarks flexible_kernels`).

Theory: docs/theory/02-kinematics.md, eq. (2.1).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from multiloop.kinematics.tree import Link, Skeleton
from multiloop.model import Fault, Mechanism, SolveError, count_text
from multiloop.topology import Tree


def tree_cost(tree: Tree, order: Sequence[int] | None = None) -> int:
    """Estimated number of multiplications of one evaluation of forward dynamics with this tree; `order` is the
    elimination order of the loops."""
    return _branches_cost(tree) + _loops_cost(tree) + _elimination_cost(tree, order)


def elimination_order(tree: Tree) -> tuple[int, ...]:
    """Indices of loops and couplings in an order that makes the elimination of the generalized inertia constraint
    matrix Ī cheap: in each step the loop or coupling that is coupled with the fewest remaining rows."""
    return tuple(chosen for chosen, _ in _elimination_sequence(tree))


def _branches_cost(tree: Tree) -> int:
    """Number of multiplications of the recursions and of the factorisation of the subsystems' inertia."""
    ancestors: dict[str, int] = {}
    total = 0
    # multiplications for the pose, twist, twist rate and wrench of one body
    body_work = 30 if tree.graph.dimension == 3 else 120
    for branch in tree.branches:
        above = ancestors.get(branch.parent, 0)
        for freedom in range(tree.edge(branch.joint).degrees_of_freedom):
            a = above + freedom + 1
            total += a * (a + 1) // 2 + 2 * a
        ancestors[branch.body] = above + tree.edge(branch.joint).degrees_of_freedom
        total += body_work
    return total


def _loops_cost(tree: Tree) -> int:
    """Number of multiplications for the rows of the loop Jacobian J, for I⁻¹ Jᵀ with the mass matrix I of the tree, and
    for the blocks of Ī = J I⁻¹ Jᵀ."""
    outward = {tree.graph.ground: 0}
    depth: dict[str, int] = {}  # number of joints from the ground to each joint, itself included
    for branch in tree.branches:
        depth[branch.joint] = outward[branch.body] = outward[branch.parent] + 1
    total = 0
    # for each joint, sums of r and r² over the loops that contain it; r is the number of rows of a loop
    rows: dict[str, tuple[int, int]] = {}
    for closure in tree.row_groups:
        r = closure.rows
        freedoms = reach = 0
        for joint in closure.joints:
            f = tree.edge(joint).degrees_of_freedom
            freedoms += f
            reach += f * depth[joint]
        for joint in dict.fromkeys(closure.joints):
            before, squares = rows.get(joint, (0, 0))
            rows[joint] = (before + r, squares + r * r)
        total += r * freedoms + 2 * r * reach + r * (r + 1) // 2 * freedoms
    for joint, (every, squares) in rows.items():  # sum of r₁ r₂ over all pairs of loops with the joint
        total += (every * every - squares) // 2 * tree.edge(joint).degrees_of_freedom
    return total


def _elimination_cost(tree: Tree, order: Sequence[int] | None) -> int:
    total = 0
    for chosen, f in _elimination_sequence(tree, order):
        r = tree.row_groups[chosen].rows
        total += r * (r + 1) * (r + 2) // 6 + r * r * f + r * f * (f + 1) // 2
    return total


def _elimination_sequence(tree: Tree, order: Sequence[int] | None = None) -> Iterator[tuple[int, int]]:
    """Loops and couplings in the given or cheapest order, each with the number of remaining rows that are coupled with
    it.

    Loops that share a subsystem are coupled. After the elimination of a loop, all loops that were coupled with it are
    coupled with each other. Groups of coupled loops are stored instead of pairs, so that no coupling is counted twice.
    """
    rows = [closure.rows for closure in tree.row_groups]
    members, groups_of = _subsystem_groups(tree)

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


def _subsystem_groups(tree: Tree) -> tuple[dict[str, set[int]], dict[int, set[str]]]:
    """The loops and couplings of every subsystem, and the subsystems of every loop or coupling."""
    of = {joint: subsystem.name for subsystem in tree.subsystems for joint in subsystem.joints}
    groups_of = {k: {of[joint] for joint in closure.joints} for k, closure in enumerate(tree.row_groups)}
    members: dict[str, set[int]] = {}
    for k, names in groups_of.items():
        for name in names:
            members.setdefault(name, set()).add(k)
    return members, groups_of


OPERATION_BUDGET = 100_000
"""Largest number of operations of one evaluation of forward dynamics for which a mechanism with flexible bodies is
traced and compiled."""

BUDGET_VARIABLE = "MULTILOOP_BUDGET"
"""Name of the environment variable whose value, if set, is used instead of OPERATION_BUDGET."""

SECONDS, MEGABYTES = 1e-3, (130.0, 4.5e-3)
"""Compile time of a simulation in seconds per operation of one evaluation, and memory of the compiler in megabytes (a
constant part, and a part per operation).

A simulation has three kernels of about the size of one evaluation; each is traced and compiled in 0.3 ms per operation.
"""


@dataclass(frozen=True)
class OperationEstimate:
    """Number of operations of one evaluation of forward dynamics, with the time and memory to compile a simulation.

    `coordinates` is the number of elastic coordinates of the mechanism.
    """

    coordinates: int
    operations: int

    @property
    def seconds(self) -> float:
        """Time in seconds to trace and compile a simulation on one processor, if no compiled kernels are cached."""
        return SECONDS * self.operations

    @property
    def megabytes(self) -> float:
        """Memory used to compile a simulation, in megabytes."""
        first, more = MEGABYTES
        return first + more * self.operations

    def __str__(self) -> str:
        took = f"{self.seconds:.0f} s" if self.seconds < 100 else f"{self.seconds / 60:.0f} min"
        memory = f"{self.megabytes:.0f} MB" if self.megabytes < 1000 else f"{self.megabytes / 1000:.1f} GB"
        return f"about {self.operations:,} operations per evaluation, about {took} and {memory} to compile"


def estimate_operations(skeleton: Skeleton, rigid: int) -> OperationEstimate:
    """Operation count of a mechanism with flexible bodies; `rigid` is the operation count of its tree of rigid
    bodies."""
    bending = [link for link in skeleton.links if link.reduced.elastic]
    own = sum(_operations(link, skeleton.planar) for link in bending)
    return OperationEstimate(sum(link.reduced.elastic for link in bending), rigid + own)


def _operations(link: Link, planar: bool) -> int:
    assert link.reduced.modes is not None
    e, s = link.reduced.elastic, len(link.reduced.modes.moments)
    return 8 * s * s + (120 * e + 150 if planar else 350 * e + 300)


def require_budget(mechanism: Mechanism, skeleton: Skeleton, rigid: int) -> None:
    """Raise `SolveError` if flexible bodies have so many modes that tracing and compiling would take minutes.
    `rigid` is the operation count of the tree of rigid bodies."""
    found, most = estimate_operations(skeleton, rigid), _operation_budget()
    if not found.coordinates or found.operations <= most:
        return
    worst = max(skeleton.links, key=lambda link: link.reduced.elastic)
    what = f"have {found.coordinates} elastic coordinates: {found}; the limit is {most:,.0f} operations."
    remedy = (
        f"Give fewer modes ('{worst.body}' has {worst.reduced.elastic}); high modes contribute little. "
        f"To allow this model, set the environment variable {BUDGET_VARIABLE}={found.operations}."
    )
    raise SolveError(f"mechanism '{mechanism.name}'", [Fault("S19", "flexible bodies", what, remedy)])


def _operation_budget() -> float:
    try:
        return float(os.environ.get(BUDGET_VARIABLE, ""))
    except ValueError:
        return float(OPERATION_BUDGET)


def flexible_cost_text(skeleton: Skeleton, rigid: int) -> str:
    """Text on the cost of flexible bodies for `explain`; empty if no body is flexible. `rigid` is the operation count
    of the tree of rigid bodies."""
    found = estimate_operations(skeleton, rigid)
    if not found.coordinates:
        return ""
    bending = sum(1 for link in skeleton.links if link.reduced.elastic)
    coordinates = count_text(found.coordinates, "elastic coordinate")
    return f"{count_text(bending, 'flexible body', 'flexible bodies')}, {coordinates}: {found}."
