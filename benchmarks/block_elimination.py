"""Lagrange multipliers of the loops as [koul] computes them: of the whole system (SLM), or block by block (SSLM).

Both solve Ī λ = Ψ − J I⁻¹ φ with Ī = J I⁻¹ Jᵀ. The whole system takes I and J as two matrices. The blocks are the
inertias I_j of the subsystems and the J_(r,j) of loop r and subsystem j, of which only those that do not vanish exist.

Source: [koul], eqs. (11), (22)–(24), (33)–(35), (44), (45).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.symbolic_solvers import solve_positive
from multiloop.symbols import Traced


@dataclass(frozen=True)
class Blocks:
    """Inertia I, constraint Jacobian J, forces φ and right-hand side Ψ, with the rates of every subsystem and the rows
    of every loop."""

    I: Any
    J: Any
    phi: Any
    psi: Any
    subsystems: Sequence[list[int]]
    loops: Sequence[list[int]]

    def sharing(self, loop: list[int], subsystem: list[int]) -> bool:
        """Whether the block of J of a loop and a subsystem has an entry."""
        return bool(ca.sparsify(ca.SX(self.J)[loop, subsystem]).nnz())

    def with_symbols(self, full: bool) -> tuple[Any, Blocks]:
        """The symbols, and the same blocks with a separate symbol in every entry that does not vanish, or, if `full`,
        in every entry of the inertias I_j and of the J_(r,j) that do not vanish."""
        n, m = self.J.shape[1], self.J.shape[0]
        I, J = (_pattern(part) for part in (self.I, self.J))
        if full:
            for own in self.subsystems:
                I[np.ix_(own, own)] = True
                for rows in self.loops:
                    J[np.ix_(rows, own)] = self.sharing(rows, own)
        return _filled(I, J, n, m, self.subsystems, self.loops)

    def as_one(self) -> Blocks:
        """The same system with one subsystem and one loop, which contain all rates and rows."""
        return replace(self, subsystems=[list(range(self.J.shape[1]))], loops=[list(range(self.J.shape[0]))])


def _pattern(matrix: Any) -> np.ndarray:
    """Which entries of a matrix do not vanish."""
    return np.array(ca.DM(ca.sparsify(ca.SX(matrix)).sparsity(), 1).full()) != 0


def _filled(
    I: np.ndarray, J: np.ndarray, n: int, m: int, subsystems: Sequence[list[int]], loops: Sequence[list[int]]
) -> tuple[Any, Blocks]:
    """Symbols in the entries that are True, of which those of I are symmetric."""
    made = [
        ca.SX.sym("I", ca.sparsify(ca.DM(np.triu(I).astype(float))).sparsity()),
        ca.SX.sym("J", ca.sparsify(ca.DM(J.astype(float))).sparsity()),
        ca.SX.sym("f", n),
        ca.SX.sym("y", m),
    ]
    symbols = ca.vertcat(*ca.symvar(ca.veccat(*made)))
    return symbols, Blocks(ca.triu2symm(made[0]), *made[1:], subsystems, loops)


def multipliers_of_the_whole_system(blocks: Blocks) -> Any:
    """λ by eq. (11): one solve with I, of size n, and one with Ī, of size m."""
    m = blocks.J.shape[0]
    X = solve_positive(blocks.I, ca.horzcat(blocks.J.T, blocks.phi))
    return solve_positive(blocks.J @ X[:, :m], blocks.psi - blocks.J @ X[:, m])


def multipliers_by_subsystems(blocks: Blocks) -> Any:
    """λ by eqs. (22)–(24) and (33)–(35): solves with the inertias of the subsystems, then block elimination of Ī."""
    loops, bar, right = blocks.loops, {}, [blocks.psi[rows] for rows in blocks.loops]
    for own in blocks.subsystems:
        sharing = [r for r, rows in enumerate(loops) if blocks.sharing(rows, own)]
        J = [blocks.J[loops[r], own] for r in sharing]
        X = solve_positive(blocks.I[own, own], ca.horzcat(*[block.T for block in J], blocks.phi[own]))
        columns = ca.horzsplit(X, [0, *_ends([block.shape[0] for block in J]), X.shape[1]])
        for a, r in enumerate(sharing):
            right[r] = right[r] - J[a] @ columns[-1]
            for b, s in enumerate(sharing[: a + 1]):
                bar[r, s] = bar.get((r, s), 0) + J[a] @ columns[b]
    return _block_elimination(bar, right)


def _block_elimination(bar: dict[tuple[int, int], Any], right: list[Any]) -> Any:
    """λ of the block system Ī λ = Ψ̄; of the symmetric Ī only the blocks (r, s) with s ≤ r are given."""
    count, solved = len(right), []
    for k in range(count):
        below = [r for r in range(k + 1, count) if (r, k) in bar]
        X = solve_positive(bar[k, k], ca.horzcat(*[bar[r, k].T for r in below], right[k]))
        columns = ca.horzsplit(X, [0, *_ends([bar[r, k].shape[0] for r in below]), X.shape[1]])
        solved.append((below, columns))
        for a, r in enumerate(below):
            right[r] = right[r] - bar[r, k] @ columns[-1]
            for b, s in enumerate(below[: a + 1]):
                bar[r, s] = bar.get((r, s), 0) - bar[r, k] @ columns[b]
    lam: list[Any] = [None] * count
    for k in reversed(range(count)):
        below, columns = solved[k]
        lam[k] = columns[-1] - sum(
            (columns[a] @ lam[r] for a, r in enumerate(below)), ca.SX(*columns[-1].shape)
        )
    return ca.vertcat(*lam)


def _ends(widths: Sequence[int]) -> list[int]:
    """Ends of adjacent columns of the given widths."""
    return [sum(widths[: k + 1]) for k in range(len(widths))]


def operations(solve: Callable[[Blocks], Any], blocks: Blocks, full: bool) -> int:
    """Scalar operations of one solve, with matrices that are full or have their structural zeros."""
    symbols, filled = blocks.with_symbols(full)
    return Traced("multipliers", {"A": symbols}, {"lam": solve(filled)}).tape().total
