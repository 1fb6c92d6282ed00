"""Which few shapes stand for a link of many nodes? Component modes, from its sparse mass and stiffness.

    M z̈ + K z = f,      C z = 0 holds the link's own frame: no rigid motion is left in any shape

    natural     K φ = ω² M φ, C φ = 0: a cantilever if the frame is clamped to a marker, on pins if it goes through two
    free        K φ = ω² M φ of the free link without its rigid motions, then seen from the frame
    interface   K φ = Lᵀ λ for forces at all other interfaces, and natural modes while these are held
    nodal       one coordinate of a node at a time, what lies between nodes following without inertia

Interfaces move by L z, 6 rows each: a rotation vector and a shift. `with_diagonals` makes mass and stiffness diagonal.

Source: [craig_bampton]; static shapes by forces rather than by motions, which span the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.linalg import cholesky, eigh, qr
from scipy.sparse.linalg import LinearOperator, eigsh, splu

DENSE = 500
"""Unknowns up to which eigenvalues are found by dense matrices."""

ALIKE = 1e-6
"""Squares of frequencies that differ by less, relative to them, count as one."""

Chosen = Callable[[np.ndarray], np.ndarray]
"""Combinations of several shapes (columns, of unit mass) that count; a planar link leaves out what leaves its plane."""


class TooFewModesError(Exception):
    """The mesh has fewer modes than were asked for; `.most` is how many."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


@dataclass(frozen=True, eq=False)
class Component:
    """A link of n unknowns: mass, stiffness, its six rigid motions (n×6), and rows that are zero in any case.

    `always` are these: what leaves the plane of a planar mechanism.
    """

    M: sp.csr_matrix
    K: sp.csr_matrix
    rigid: np.ndarray
    always: sp.csr_matrix

    @property
    def count(self) -> int:
        """n."""
        return int(self.M.shape[0])

    @cached_property
    def motions(self) -> np.ndarray:
        """Rigid motions that it is free to make."""
        held = self.always @ self.rigid
        _, sizes, rows = np.linalg.svd(held) if len(held) else (None, np.zeros(0), np.eye(6))
        rank = int((sizes > 1e-9 * sizes.max(initial=1e-300)).sum())
        found: np.ndarray = self.rigid @ rows[rank:].T
        return found

    def held_by(self, rows: sp.csr_matrix) -> Constrained:
        """The same with further rows held."""
        return Constrained(self, sp.vstack([self.always, rows]).tocsr())

    def seen_from(self, frame: sp.csr_matrix, shapes: np.ndarray) -> np.ndarray:
        """Shapes less the rigid motion that they make in the rows of the frame, as many as there are motions."""
        R = self.motions
        moved: np.ndarray = shapes - R @ np.linalg.solve(frame @ R, frame @ shapes)
        return moved


@dataclass(frozen=True, eq=False)
class Constrained:
    """A link that is held in rows C, and what forces do to it."""

    component: Component
    rows: sp.csr_matrix

    @cached_property
    def _rows(self) -> sp.csr_matrix:
        """C with rows of unit length."""
        lengths = np.sqrt(np.asarray(self.rows.multiply(self.rows).sum(axis=1)).ravel())
        return sp.diags(1 / lengths) @ self.rows

    @cached_property
    def _factor(self) -> Any:
        """That of K + k CᵀC, positive definite where nothing else is free to move; k of the size of K."""
        K, C = self.component.K, self._rows
        stiff = float(abs(K).max())
        options = {"SymmetricMode": True}
        return splu((K + stiff * C.T @ C).tocsc(), "MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)

    @cached_property
    def _reactions(self) -> tuple[np.ndarray, np.ndarray]:
        """What unit reactions do, and their own matrix, C (K + k CᵀC)⁻¹ Cᵀ."""
        moved = self._factor.solve(self._rows.T.toarray())
        return moved, self._rows @ moved

    def solve(self, forces: np.ndarray) -> np.ndarray:
        """z of K z + Cᵀλ = f with C z = 0, columns side by side."""
        found: np.ndarray = self._factor.solve(forces)
        moved, own = self._reactions
        found -= moved @ np.linalg.solve(own, self._rows @ found)
        return found

    @property
    def most(self) -> int:
        """How many natural modes there are."""
        return self.component.count - int(self.rows.shape[0])


def natural_modes(held: Constrained, count: int, chosen: Chosen | None = None) -> np.ndarray:
    """The lowest natural modes of a link that is held, n × count."""
    return _lowest(held.component, held.solve, held.most, count, chosen)


def free_modes(
    held: Constrained, frame: sp.csr_matrix, count: int, chosen: Chosen | None = None
) -> np.ndarray:
    """The lowest elastic modes of the free link, seen from its frame; `held` is the link held in that frame."""
    component = held.component
    M, R = component.M, component.motions
    rigid = np.linalg.solve(R.T @ (M @ R), R.T)

    def solve(forces: np.ndarray) -> np.ndarray:
        found = held.solve(forces - M @ (R @ (rigid @ forces)))
        moved: np.ndarray = found - R @ (rigid @ (M @ found))
        return moved

    return component.seen_from(frame, _lowest(component, solve, held.most, count, chosen))


def interface_modes(
    held: Constrained, ends: sp.csr_matrix, count: int, chosen: Chosen | None = None
) -> np.ndarray:
    """Static shapes for forces at `ends`, the free rows of all interfaces but the frame's, and natural modes beside."""
    static = held.solve(ends.T.toarray())
    more = count - static.shape[1]
    clamped = Constrained(held.component, sp.vstack([held.rows, ends]).tocsr())
    found = [static / np.abs(static).max(axis=0)]
    found += [natural_modes(clamped, more, chosen)] if more > 0 else []
    return np.hstack(found)


def nodal_shapes(held: Constrained, nodal: np.ndarray) -> np.ndarray:
    """A shape for every coordinate of nodes that the frame leaves free: the other ones rest, K φ = 0 between nodes."""
    K, rows = held.component.K.toarray(), held.rows.toarray()[:, nodal]
    between = np.setdiff1d(np.arange(len(K)), nodal)
    _, _, order = qr(rows, pivoting=True)
    led, free = order[: len(rows)], np.sort(order[len(rows) :])
    moved = np.zeros((len(nodal), len(free)))
    moved[free] = np.eye(len(free))
    moved[led] = -np.linalg.solve(rows[:, led], rows[:, free])
    found = np.zeros((len(K), len(free)))
    found[nodal] = moved
    found[between] = -np.linalg.solve(K[np.ix_(between, between)], K[np.ix_(between, nodal)] @ moved)
    return found


def with_diagonals(
    component: Component, shapes: np.ndarray, apart: sp.csr_matrix | None = None
) -> np.ndarray:
    """The same span by shapes of unit mass and diagonal stiffness, softest first.

    Shapes of one frequency may be turned into each other at will: they are turned so that `apart` is diagonal, too.
    """
    M, K = shapes.T @ (component.M @ shapes), shapes.T @ (component.K @ shapes)
    squares, turned = eigh((K + K.T) / 2, (M + M.T) / 2)
    found: np.ndarray = shapes @ turned
    begins = np.flatnonzero(np.diff(squares, prepend=-np.inf) > ALIKE * np.abs(squares))
    for begin, end in zip(begins, [*begins[1:], len(squares)], strict=True) if apart is not None else ():
        some = found[:, begin:end]
        found[:, begin:end] = some @ np.linalg.eigh(some.T @ (apart @ some))[1]
    return found


def _lowest(
    component: Component,
    solve: Callable[[np.ndarray], np.ndarray],
    most: int,
    count: int,
    chosen: Chosen | None,
) -> np.ndarray:
    """Eigenvectors of the largest eigenvalues of S M, S the flexibility; of what is chosen among them the softest."""
    look = count if chosen is None else 2 * count + 6
    while True:
        if count > most:
            raise TooFewModesError(max(most, 0))
        found = with_diagonals(component, _eigenvectors(component.M, solve, min(look, most)))
        if chosen is not None:
            found = with_diagonals(component, chosen(found))
        if found.shape[1] >= count:
            return found[:, :count]
        if look >= most:
            raise TooFewModesError(found.shape[1])
        look *= 2


def _eigenvectors(M: sp.csr_matrix, solve: Callable[[np.ndarray], np.ndarray], count: int) -> np.ndarray:
    n = M.shape[0]
    if n <= DENSE or 3 * count > n:
        G = cholesky(M.toarray(), lower=True)
        S = G.T @ solve(G)
        _, vectors = eigh((S + S.T) / 2, subset_by_index=[n - count, n - 1])
        found: np.ndarray = solve(G @ vectors[:, ::-1])
        return found
    start = solve(M @ np.random.default_rng(1).normal(size=n))
    flexibility = LinearOperator((n, n), matvec=lambda f: solve(np.asarray(f).ravel()), dtype=float)
    values, vectors = eigsh(
        LinearOperator(
            (n, n), matvec=lambda x: x, dtype=float
        ),  # not asked for: the flexibility stands for it
        k=count,
        M=M,
        sigma=0.0,
        OPinv=flexibility,
        v0=start,
        ncv=max(2 * count + 10, 20),
    )
    ordered: np.ndarray = vectors[:, np.argsort(values)]
    return ordered
