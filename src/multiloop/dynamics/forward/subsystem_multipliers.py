"""Forward dynamics with subsystem-level Lagrange multipliers (SSLM): subsystems are eliminated first, then the loops.

Eliminating the unknown accelerations u_j of the subsystems j from the equations of motion and the constraint equations
leaves a system for the multipliers λ with the generalized inertia constraint matrix Ī (GICM), which has a block for
every pair of loops that share a subsystem:

    [I_u J_uᵀ; J_u 0] [u; −λ] = [φ_u; γ]      →      Ī λ = Ψ̄,   Ī_(r,s) = Σ_j J_(r,j) I_j⁻¹ J_(s,j)ᵀ

I_u, J_u and φ_u are inertia, constraint Jacobian and known forces in the unknowns u, γ the right-hand sides of the
constraints, Ψ̄ is the right-hand side that remains after elimination, and I_j, J_(r,j) are the blocks of subsystem j
and loop r. The whole system is solved by one sparse elimination in the order that requires the fewest operations; only
half of the symmetric matrix Ī is formed, and u follows from the same factors by back-substitution.

Theory: docs/theory/06-forward-dynamics.md, eqs. (6.5)–(6.11).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.forward.articulated_body import articulated_accelerations
from multiloop.dynamics.forward.forward_problem import ForwardDynamicsSolution, ForwardProblem, stack_vectors
from multiloop.dynamics.forward.tree_unknowns import TreeUnknowns, constraint_rows
from multiloop.dynamics.forward.whole_system import slm
from multiloop.dynamics.symbolic_solvers import Entries, cheapest_order, entries, solve_symmetric
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.spatial import Matrix

Key = tuple[str, int, int]
"""Name of an unknown: ("u", link, component) for an acceleration, ("lam", loop, row) for a multiplier."""

EARLY_WORK_FRACTION = 0.6
"""Loops are eliminated early only if the number of operations is below this fraction of that of the usual order,
because early elimination is singular at more positions."""

RANK_RATIO = 1e-3
"""Ratio of smallest to largest singular value above which the rows of a loop count as linearly independent in the
unknowns of one leg alone, at a random position."""

SAMPLED_POSITIONS = 32
"""Number of positions with random joint angles at which the rows of a loop must be linearly independent if no joint of
its leg slides."""

MAX_EARLY_KEYS = 200
"""Total number of unknowns and constraint rows above which early elimination is not considered."""


def solve_in_cheapest_order(
    K: Entries[Key], right: dict[Key, Any], keys: Sequence[Key], telescopic: Collection[int]
) -> dict[Key, Any]:
    """Solution x of the symmetric system K x = right, by elimination in the order with the fewest operations.

    `keys` name the unknowns; `telescopic` are the links whose inboard joints slide.

    It is always possible to eliminate the multipliers of the loops last, since the inertia I_u in the unknowns and the
    matrix Ī of the loops (GICM) are positive definite. For a platform on many legs Ī is a full matrix; it is then
    cheaper to eliminate each loop directly after the unknowns of its leg, which yields the inertia of the leg at its
    tip, and to eliminate the platform P last:

        I_P + Σ_legs J_Pᵀ (J_l I_l⁻¹ J_lᵀ)⁻¹ J_P

    The indices P and l denote the blocks of the platform and of leg l. This early elimination requires that every such
    leg can move its tip in all directions; `slm` does not require it. A leg with revolute joints only is singular when
    it is stretched, which may happen in a motion, and the result is inaccurate near that configuration. Early
    elimination is therefore used only for legs with a sliding joint, and for other legs if their rows are linearly
    independent at all sampled positions. If several orders have the same smallest operation count, the system is solved
    in each of them, and the solution whose expressions contain the fewest operations is returned.
    """
    unknowns, loops = ([key for key in keys if (key[0] == "u") is is_u] for is_u in (True, False))
    tries = ([*unknowns, *loops], [*reversed(unknowns), *loops])
    numbers = [pair for pair, value in K.items() if isinstance(value, float) or value.is_constant()]
    orders = [cheapest_order(K, keys, loops_last(K), numbers) for keys in tries]
    sample = _sample_rows(K) if len(keys) <= MAX_EARLY_KEYS else None
    if sample is not None:
        early = [cheapest_order(K, keys, _EarlyLoops(sample, keys, telescopic), numbers) for keys in tries]
        orders += [
            (order, work)
            for order, work in early
            if len(order) == len(keys) and work < EARLY_WORK_FRACTION * orders[0][1]
        ]
    least = min(work for _, work in orders)
    answers = [solve_symmetric(K, right, order) for order, work in orders if work == least]
    return min(answers, key=_operations) if sample is not None else answers[0]


def _operations(x: dict[Key, Any]) -> int:
    """Number of arithmetic operations of the expressions in a solution."""
    whole = ca.cse(ca.vertcat(*[ca.SX(value) for value in x.values()]))
    return int(ca.Function("x", ca.symvar(whole), [whole]).n_instructions())


def loops_last(pairs: Iterable[tuple[Key, Key]]) -> Callable[[Key, set[Key]], bool]:
    """Rule that permits the elimination of a constraint row only after all unknowns in this row.

    `pairs` are the keys (row, column) of the nonzero entries. The returned function states whether a key may be
    eliminated while the keys `left` remain.
    """
    moved: dict[Key, set[Key]] = {}
    for row, column in pairs:
        if row[0] == "lam":
            moved.setdefault(row, set()).add(column)
    return lambda key, left: key[0] == "u" or moved.get(key, set()).isdisjoint(left)


class _EarlyLoops:
    """Rule that permits the elimination of a loop as soon as the eliminated unknowns suffice to satisfy its rows and
    the rows of all loops eliminated before.

    This is tested by the rank of the rows: at one sampled position if the leg of the loop has a sliding joint,
    otherwise at all sampled positions.
    """

    def __init__(
        self, sample: dict[tuple[Key, Key], np.ndarray], keys: Sequence[Key], telescopic: Collection[int]
    ) -> None:
        self.sample = sample
        self.keys = keys
        self.telescopic = telescopic
        self.columns: dict[int, set[Key]] = {}  # for each loop, the unknowns in its rows
        for row, column in sample:
            self.columns.setdefault(row[1], set()).add(column)
        self.known: dict[tuple[int, int], bool] = {}

    def __call__(self, key: Key, left: set[Key]) -> bool:
        if key[0] == "u":
            return True
        gone = [k for k in self.keys if k[0] == "u" and k not in left]
        own = [k for k in self.keys if k[0] == "lam" and (k not in left or k[1] == key[1])]
        seen = (key[1], len(self.keys) - len(left))
        if seen not in self.known:
            slides = any(link in self.telescopic for _, link, _ in self.columns[key[1]] - left)
            self.known[seen] = len(gone) >= len(own) and _is_regular(
                self._rows(own, gone, 1 if slides else None)
            )
        return self.known[seen]

    def _rows(self, own: list[Key], gone: list[Key], count: int | None) -> np.ndarray:
        """The rows `own` restricted to the columns `gone`, at the first `count` sampled positions (None: at all),
        (positions, rows, columns)."""
        zero = np.zeros(1 + SAMPLED_POSITIONS)
        J = np.array([[self.sample.get((row, column), zero) for column in gone] for row in own])
        stacked: np.ndarray = np.moveaxis(J, -1, 0)[:count]
        return stacked


def _is_regular(J: np.ndarray) -> bool:
    """Whether the rows of J, (positions, rows, columns), are linearly independent at all positions, and square matrices
    J have the same sign of the determinant at all of them."""
    sigma = np.linalg.svd(J, compute_uv=False)
    if not (sigma[:, -1] > RANK_RATIO * sigma[:, 0]).all():
        return False
    return J.shape[1] != J.shape[2] or bool(np.ptp(np.linalg.slogdet(J)[0]) == 0)


def _sample_rows(K: Entries[Key]) -> dict[tuple[Key, Key], np.ndarray] | None:
    """Numeric values of the entries of the constraint rows at random positions; None if the rows are constant.

    At the first position all coordinates are moderate; at the others revolute joints may have any angle. If large
    random elastic coordinates give values that are not finite, smaller coordinates are tried.
    """
    places = [pair for pair in K if pair[0][0] == "lam"]
    if not places:
        return None
    J = ca.vertcat(*[ca.SX(K[pair]) for pair in places])
    symbols = ca.symvar(J)
    if not symbols:
        return None
    random = np.random.default_rng(5)
    values = random.uniform(0.4, 1.2, (len(symbols), 1))
    values = np.hstack([values, random.uniform(-np.pi, np.pi, (len(symbols), SAMPLED_POSITIONS))])
    rows = ca.Function("rows", [ca.vertcat(*symbols)], [J]).map(1 + SAMPLED_POSITIONS)
    for size in (1.0, 0.1, 0.01):
        numbers = rows(size * values).full()
        if np.isfinite(numbers).all():
            return dict(zip(places, numbers, strict=True))
    return None


MIN_RECURSIVE_LINKS = 5
"""Smallest number of links of a subsystem without loops that is solved by the articulated-body recursion; for fewer
links direct elimination requires fewer operations."""


def sslm(problem: ForwardProblem, order: Sequence[int] | None = None) -> ForwardDynamicsSolution:
    """Accelerations and multipliers, by eliminating the subsystems first and then the loops, in the order with the
    fewest operations.

    Among orders with the same number of operations the elimination order `order` of the plan is used.

    Source: [koul], eqs. (18)–(24), (33)–(35).
    Differs: the unknowns are u of v̇ = T u, see `tree_members`; accelerations follow from the same factors instead of a
    second recursion; subsystems without loops are solved by recursion. A loop may be eliminated before the subsystems
    that it shares with other loops (`solve_in_cheapest_order`). Redundant constraint rows and massless links couple the
    subsystems; the mechanism is then treated as one subsystem, by the method `slm`.
    """
    if problem.basis is not None or not problem.is_regular:
        return slm(problem)
    tree = TreeUnknowns(problem.at)
    rows = loop_rows(tree, problem)
    recursive = _open_branches(problem, tree, rows)
    keys: list[Key] = [
        ("u", k, i)
        for k in reversed(range(len(tree.links)))
        if k not in recursive
        for i in range(tree.members[k].S.shape[1])
    ]
    K, right = _inertia_entries(tree, problem.tau, recursive)
    own = len(problem.at.loop_constraints.constraints)
    for r in [*(order or range(own)), *range(own, len(rows))]:
        columns, gamma = rows[r]
        keys += [("lam", r, i) for i in range(gamma.shape[0])]
        right |= {("lam", r, i): value for i, (value,) in enumerate(entries(gamma))}
        for k, block in columns.items():
            K |= _nonzero(("lam", r), ("u", k), block)
    x = solve_in_cheapest_order(K, right, keys, _sliding_links(tree))
    solved = recursive | {
        k: stack_vectors([x["u", k, i] for i in range(member.S.shape[1])])
        for k, member in enumerate(tree.members)
        if k not in recursive
    }
    lam = [-x["lam", r, i] for r, (_, gamma) in enumerate(rows) for i in range(gamma.shape[0])]
    return ForwardDynamicsSolution(
        tree.accelerations([solved[k] for k in range(len(tree.links))]), stack_vectors(lam)
    )


def _sliding_links(tree: TreeUnknowns) -> set[int]:
    """Indices of the links whose inboard joint has a sliding coordinate."""
    return {
        k
        for k, link in enumerate(tree.links)
        if not set(LENGTH_COMPONENTS).isdisjoint(link.joint.components(tree.planar))
    }


def loop_rows(tree: TreeUnknowns, problem: ForwardProblem) -> list[tuple[dict[int, Matrix], Matrix]]:
    """For every constraint, the blocks of its Jacobian J_u with respect to the unknowns u, by link index, and its
    right-hand side γ."""
    rows, given = problem.rows, problem.prescribed
    found = [
        constraint_rows(tree, one, rows.prescribed_for(given, number))
        for number, one in enumerate(rows.constraints)
    ]
    if problem.added_right_side is None:
        return found
    return [
        (columns, gamma + problem.added_right_side[place])
        for (columns, gamma), place in zip(found, rows.slices, strict=True)
    ]


def _open_branches(
    problem: ForwardProblem, tree: TreeUnknowns, rows: list[tuple[dict[int, Matrix], Matrix]]
) -> dict[int, Matrix]:
    """The unknown accelerations u of subsystems without loops and drives that have many links, computed by recursion,
    by link index. `rows` are the constraint rows of loops and drives."""
    closed = {k for columns, _ in rows for k in columns}
    found: dict[int, Matrix] = {}
    for members in subsystem_links(problem):
        if len(members) >= MIN_RECURSIVE_LINKS and closed.isdisjoint(members):
            found |= articulated_accelerations(tree, problem.tau, members)
    return found


def _inertia_entries(
    tree: TreeUnknowns, tau: Matrix, without: dict[int, Matrix]
) -> tuple[Entries[Key], dict[Key, Matrix]]:
    """Entries of the inertia matrix I_u in the unknowns u, one of each symmetric pair, and the known forces φ_u, by the
    names of unknowns; links in `without` are omitted."""
    K: Entries[Key] = {}
    for (j, k), block in tree.inertia(without).items():
        found = _nonzero(("u", j), ("u", k), block)
        K |= {(a, b): value for (a, b), value in found.items() if j != k or a <= b}
    right: dict[Key, Matrix] = {}
    for k, force in enumerate(tree.forces(tau)):
        if k not in without:
            right |= {("u", k, i): value for i, (value,) in enumerate(entries(force))}
    return K, right


def _nonzero(row: tuple[str, int], column: tuple[str, int], block: Matrix) -> Entries[Key]:
    """The structurally nonzero entries of a block of a matrix, by the names of their row and column."""
    sparse = ca.sparsify(block)
    return {
        ((*row, i), (*column, j)): value
        for i, line in enumerate(entries(sparse))
        for j, value in enumerate(line)
        if sparse.sparsity().has_nz(i, j)
    }


def subsystem_links(problem: ForwardProblem) -> list[list[int]]:
    """For each subsystem, the indices of its bodies in `Skeleton.links`."""
    index = problem.at.skeleton.index
    return [[index[body] for body in subsystem.bodies] for subsystem in problem.at.skeleton.tree.subsystems]
