"""Component modes of a discretised flexible body, and the modal damping that belongs to them.

Constraint modes for the interface coordinates and fixed-interface modes (Craig–Bampton), from the mass and the
stiffness matrix.

Theory: docs/theory/10-flexible-bodies.md, eqs. (10.15), (10.16), (10.18).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
import scipy.sparse as sp
from scipy.linalg import cholesky, eigh, qr
from scipy.sparse.linalg import LinearOperator, eigsh, splu

from multiloop.model import Rayleigh, Resolve
from multiloop.spatial import Matrix

LARGEST_DENSE = 500
"""Largest number of unknowns for which eigenvalues are computed with dense matrices."""

EQUAL_FREQUENCIES = 1e-6
"""Relative difference of two squared natural frequencies below which they are treated as equal."""

ModeFilter = Callable[[np.ndarray], np.ndarray]
"""Type of functions that return selected linear combinations of modes. Modes are columns with unit modal mass. In a
planar mechanism, the combinations that deform the body in the plane of motion are selected."""


class TooFewModesError(Exception):
    """Error raised if the mesh has fewer modes than requested; `available` is the number of modes of the mesh."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.available = most


@dataclass(frozen=True, eq=False)
class Component:
    """A discretised flexible body with n unknowns z: mass matrix M and stiffness matrix K, both n × n.

    The columns of `rigid` (n × 6) are its rigid-body motions. The matrix `zero_rows` states conditions on all modes,
    `zero_rows` @ z = 0: in a planar mechanism, the out-of-plane motion of markers is zero.
    """

    M: sp.csr_matrix
    K: sp.csr_matrix
    rigid: np.ndarray
    zero_rows: sp.csr_matrix

    @property
    def count(self) -> int:
        """Number of unknowns n."""
        return int(self.M.shape[0])

    @cached_property
    def free_rigid_motions(self) -> np.ndarray:
        """Basis of the rigid-body motions that the conditions `zero_rows` permit, n × motions."""
        rates = self.zero_rows @ self.rigid
        _, sizes, rows = np.linalg.svd(rates) if len(rates) else (None, np.zeros(0), np.eye(6))
        rank = int((sizes > 1e-9 * sizes.max(initial=1e-300)).sum())
        found: np.ndarray = self.rigid @ rows[rank:].T
        return found

    def constrained_by(self, rows: sp.csr_matrix) -> ConstrainedComponent:
        """The body with the further constraints `rows` @ z = 0 on its unknowns z."""
        return ConstrainedComponent(self, sp.vstack([self.zero_rows, rows]).tocsr())

    def relative_to_frame(self, frame: sp.csr_matrix, shapes: np.ndarray) -> np.ndarray:
        """Mode shapes relative to the body frame: the modes minus the rigid-body motion of the frame in each mode.

        The product of the matrix `frame` with the unknowns z is zero if the frame is at rest; the matrix has one row
        for each permitted rigid-body motion.
        """
        R = self.free_rigid_motions
        moved: np.ndarray = shapes - R @ np.linalg.solve(frame @ R, frame @ shapes)
        return moved


@dataclass(frozen=True, eq=False)
class ConstrainedComponent:
    """A flexible body with constraints C z = 0 on its unknowns z, and its static response to forces."""

    component: Component
    rows: sp.csr_matrix

    @cached_property
    def _unit_rows(self) -> sp.csr_matrix:
        """The constraint matrix C with each row scaled to unit length."""
        lengths = np.sqrt(np.asarray(self.rows.multiply(self.rows).sum(axis=1)).ravel())
        return sp.diags(1 / lengths) @ self.rows

    @cached_property
    def _factor(self) -> Any:
        """Sparse factors of K + k CᵀC, which is positive definite if the constraints C prevent all rigid-body motions.

        The number k is the largest entry of the stiffness matrix K.
        """
        K, C = self.component.K, self._unit_rows
        stiff = float(abs(K).max())
        options = {"SymmetricMode": True}
        return splu((K + stiff * C.T @ C).tocsc(), "MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)

    @cached_property
    def _reactions(self) -> tuple[np.ndarray, np.ndarray]:
        """Displacements (K + k CᵀC)⁻¹ Cᵀ under unit constraint reactions, and the flexibility C (K + k CᵀC)⁻¹ Cᵀ.

        K is the stiffness matrix, C the constraint matrix with rows of unit length, and k the largest entry of K.
        """
        moved = self._factor.solve(self._unit_rows.T.toarray())
        return moved, self._unit_rows @ moved

    def solve(self, forces: np.ndarray) -> np.ndarray:
        """Static displacements z under forces f, from K z + Cᵀλ = f and C z = 0 with the stiffness matrix K and the
        multipliers λ of the constraints C; one load case per column."""
        found: np.ndarray = self._factor.solve(forces)
        moved, own = self._reactions
        found -= moved @ np.linalg.solve(own, self._unit_rows @ found)
        return found

    @property
    def mode_count(self) -> int:
        """Number of natural modes: unknowns minus constraints."""
        return self.component.count - int(self.rows.shape[0])


def natural_modes(
    constrained: ConstrainedComponent, count: int, mode_filter: ModeFilter | None = None
) -> np.ndarray:
    """The `count` natural modes of lowest frequency of a constrained body as columns, unknowns × count.

    If `mode_filter` is given, they are the modes of lowest frequency of the body restricted to the linear combinations
    of modes that `mode_filter` returns, for instance those that deform it in the plane of motion.
    """
    return _lowest_modes(constrained.component, constrained.solve, constrained.mode_count, count, mode_filter)


def free_modes(
    constrained: ConstrainedComponent,
    frame: sp.csr_matrix,
    count: int,
    mode_filter: ModeFilter | None = None,
) -> np.ndarray:
    """The `count` elastic modes of lowest frequency of the free body, relative to its frame, unknowns × count.

    `constrained` is the body with its frame at rest, and `frame` the matrix of the constraints that fix this frame. If
    `mode_filter` is given, the modes are the lowest among the combinations that it selects.
    """
    component = constrained.component
    M, R = component.M, component.free_rigid_motions
    rigid = np.linalg.solve(R.T @ (M @ R), R.T)

    def solve(forces: np.ndarray) -> np.ndarray:
        found = constrained.solve(forces - M @ (R @ (rigid @ forces)))
        moved: np.ndarray = found - R @ (rigid @ (M @ found))
        return moved

    return component.relative_to_frame(
        frame, _lowest_modes(component, solve, constrained.mode_count, count, mode_filter)
    )


def interface_modes(
    constrained: ConstrainedComponent,
    ends: sp.csr_matrix,
    count: int,
    mode_filter: ModeFilter | None = None,
) -> np.ndarray:
    """Craig–Bampton modes: static modes for unit interface forces, then fixed-interface modes; `count` in total.

    `constrained` is the body clamped at one interface. The product of the matrix `ends` with the unknowns z gives the
    motions of all other interfaces. If `mode_filter` is given, fixed-interface modes are the lowest among those that it
    selects.
    """
    static = constrained.solve(ends.T.toarray())
    more = count - static.shape[1]
    clamped = ConstrainedComponent(constrained.component, sp.vstack([constrained.rows, ends]).tocsr())
    found = [static / np.abs(static).max(axis=0)]
    found += [natural_modes(clamped, more, mode_filter)] if more > 0 else []
    return np.hstack(found)


def nodal_shapes(constrained: ConstrainedComponent, nodal: np.ndarray) -> np.ndarray:
    """Static displacement fields φ, one for each nodal coordinate that the body frame does not constrain.

    In each field one of these coordinates is 1 and the others are 0; nodal coordinates that the frame constrains follow
    from the constraints of the frame. Unknowns that are not nodal coordinates follow from static equilibrium without
    forces: their rows of K φ are zero, with the stiffness matrix K.
    """
    K, rows = constrained.component.K.toarray(), constrained.rows.toarray()[:, nodal]
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


def diagonalise(component: Component, shapes: np.ndarray, apart: sp.csr_matrix | None = None) -> np.ndarray:
    """Combine the modes `shapes` (columns) so that modal masses are 1 and the modal stiffness matrix is diagonal,
    lowest stiffness first.

    Modes of equal frequency are determined only up to a rotation among them. If the symmetric matrix `apart` is given,
    the rotation is chosen so that φᵢᵀ `apart` φⱼ = 0 for any two different modes φᵢ and φⱼ of equal frequency.
    """
    M, K = shapes.T @ (component.M @ shapes), shapes.T @ (component.K @ shapes)
    squares, turned = eigh((K + K.T) / 2, (M + M.T) / 2)
    found: np.ndarray = shapes @ turned
    begins = np.flatnonzero(np.diff(squares, prepend=-np.inf) > EQUAL_FREQUENCIES * np.abs(squares))
    for begin, end in zip(begins, [*begins[1:], len(squares)], strict=True) if apart is not None else ():
        some = found[:, begin:end]
        found[:, begin:end] = some @ np.linalg.eigh(some.T @ (apart @ some))[1]
    return found


def _lowest_modes(
    component: Component,
    solve: Callable[[np.ndarray], np.ndarray],
    most: int,
    count: int,
    mode_filter: ModeFilter | None,
) -> np.ndarray:
    """The `count` modes of lowest frequency of a body, or of the combinations of modes that `mode_filter` selects.

    They are the eigenvectors of S M with the largest eigenvalues, where `solve` multiplies by the flexibility matrix S
    and M is the mass matrix. `most` is the number of modes of the body.
    """
    look = count if mode_filter is None else 2 * count + 6
    while True:
        if count > most:
            raise TooFewModesError(max(most, 0))
        found = diagonalise(component, _eigenvectors(component.M, solve, min(look, most)))
        if mode_filter is not None:
            found = diagonalise(component, mode_filter(found))
        if found.shape[1] >= count:
            return found[:, :count]
        if look >= most:
            raise TooFewModesError(found.shape[1])
        look *= 2


def _eigenvectors(M: sp.csr_matrix, solve: Callable[[np.ndarray], np.ndarray], count: int) -> np.ndarray:
    n = M.shape[0]
    if n <= LARGEST_DENSE or 3 * count > n:
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
        ),  # not evaluated, because eigsh in shift-invert mode uses `OPinv` instead
        k=count,
        M=M,
        sigma=0.0,
        OPinv=flexibility,
        v0=start,
        ncv=max(2 * count + 10, 20),
    )
    ordered: np.ndarray = vectors[:, np.argsort(values)]
    return ordered


def modal_damping(
    given: Any, resolve: Resolve, mass: Matrix, stiffness: Matrix, natural: np.ndarray | None = None
) -> Matrix:
    """Damping matrix D (e × e) of e elastic coordinates: α M + β K (Rayleigh damping), or from a damping ratio ζ of
    each natural mode.

    `given` is the damping in the description of the body, and `resolve` replaces its parameters by numbers or symbols.
    If the elastic coordinates are natural modes, D is diagonal with 2 ζ √(m k), where m and k are the diagonal entries
    of the mass matrix M and the stiffness matrix K. Otherwise the columns φ of `natural` are the natural modes:
    D = Σ 2 ζ √(k/m³) M φ φᵀ M, with m = φᵀ M φ and k = φᵀ K φ, which gives φᵀ D φ = 2 ζ √(m k) for each mode.
    """
    e = stiffness.shape[0]
    if isinstance(given, Rayleigh):
        return ca.sparsify(resolve(given.alpha) * mass + resolve(given.beta) * stiffness)
    if not given:
        return ca.DM(e, e)
    ratios = given if isinstance(given, tuple) else (given,) * e
    if natural is not None:
        total: Matrix = ca.DM(e, e)
        for ratio, phi in zip(ratios, map(ca.DM, natural.T), strict=True):
            m, k, pushed = phi.T @ mass @ phi, phi.T @ stiffness @ phi, mass @ phi
            total = total + 2 * resolve(ratio) * ca.sqrt(k / m**3) * (pushed @ pushed.T)
        return total
    found = [2 * resolve(ratio) * ca.sqrt(mass[i, i] * stiffness[i, i]) for i, ratio in enumerate(ratios)]
    return ca.diag(ca.vertcat(*found))
