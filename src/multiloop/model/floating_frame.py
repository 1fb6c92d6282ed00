"""Reduced bodies: mass, inertia, marker poses and mode shapes of a body for the recursive algorithms.

A rigid body has no modes. In a flexible body the position r of every point, r₀ in the undeformed body, depends linearly
on the amplitudes ζ of the mode shapes Ψ,

    r = r₀ + Ψ ζ,      ζ = (η_1 … η_e, ½ ηᵀ G_1 η, …),      ζ̇ = A η̇,   A = ∂ζ/∂η,      ζ̈ = A η̈ + Ȧ η̇

The first e amplitudes are the elastic coordinates η. The others are quadratic forms of η with constant matrices G and
describe foreshortening: the end of a beam with constant length is displaced by −½ ∫ w'² dx along the beam if the
deflection is w(x).

Source: foreshortening, [kane_ryan_banerjee]; quadratic forms as amplitudes of further mode shapes, [jain_tiso].
Theory: docs/theory/10-flexible-bodies.md, eqs. (10.1)–(10.6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from multiloop.spatial import Inertia, Matrix, Pose, rotation_from_vector, tangent, tangent_drift, zeros

Tensors = tuple[Matrix, ...]
"""A tuple of 3×3 matrices, one for each amplitude of the mode shapes."""


@dataclass(frozen=True)
class Modes:
    """The modes of a flexible body: the point r₀ moves to r = r₀ + Ψ(r₀) ζ, with the amplitudes ζ of s mode shapes.

    The first e amplitudes are the elastic coordinates η, the others are ½ ηᵀ G η with the matrices G in `forms`.
    `shapes[marker]` (6×s) contains the rotation vector Ψ_r and the displacement Ψ_t of a marker per unit of each
    amplitude. The mass distribution is described by constant integrals over the body, which are exact for this
    displacement field at any η:

        momentum P = ∫ Ψ dm (3×s),   moments S_i = ∫ r₀ Ψ_iᵀ dm,   products S_ij = ∫ Ψ_i Ψ_jᵀ dm (3×3 each)

    The modal mass matrix has the entries tr S_ij. `stiffness` and `damping` are e×e.
    """

    shapes: Mapping[str, Matrix]
    momentum: Matrix
    moments: Tensors
    products: tuple[Tensors, ...]
    stiffness: Matrix
    damping: Matrix
    forms: QuadraticForms = ()

    @property
    def count(self) -> int:
        """The number e of elastic coordinates."""
        return len(self.moments) - len(self.forms)

    def amplitudes(self, eta: Matrix) -> Matrix:
        """The amplitudes ζ (s×1) of the mode shapes at given elastic coordinates."""
        return amplitudes(eta, self.forms)

    def gradient(self, eta: Matrix) -> Matrix:
        """The derivative A = ∂ζ/∂η (s×e) of the amplitudes with respect to the elastic coordinates."""
        return amplitude_gradient(eta, self.forms)

    def drift(self, rate: Matrix) -> Matrix:
        """The second time derivative Ȧ η̇ of the amplitudes ζ for η̈ = 0, with A = ∂ζ/∂η; `rate` are the elastic rates
        η̇."""
        return amplitude_drift(rate, self.forms)

    def moments_at(self, zeta: Matrix) -> Tensors:
        """The 3×3 moments Q_i = ∫ r Ψ_iᵀ dm = S_i + Σ_j ζ_j S_ji of the deformed body at the amplitudes ζ.

        r is the position of a point, Ψ_i its displacement per unit of ζ_i; S_i and S_ji are the constant `moments` and
        `products`.
        """
        s = range(len(self.moments))
        return tuple(sum((zeta[j] * self.products[j][i] for j in s), self.moments[i]) for i in s)

    def second_moment(self, zeta: Matrix) -> Matrix:
        """Contribution of the deformation to ∫ r rᵀ dm: Σ_i ζ_i (S_i + S_iᵀ) + Σ_ij ζ_i ζ_j S_ij.

        r is the position of a point, ζ the amplitudes; S_i and S_ij are the constant `moments` and `products`.
        """
        both = zip(self.moments, self.moments_at(zeta), strict=True)
        return sum((zeta[i] * (S + Q.T) for i, (S, Q) in enumerate(both)), ca.DM(3, 3))

    def angular_coupling(self, zeta: Matrix) -> Matrix:
        """The integral ∫ r × Ψ dm (3×s) of positions r and mode shapes Ψ over the deformed body at the amplitudes
        `zeta`."""
        alone = ca.horzcat(*[axial_vector(S.T) for S in self.moments])
        return alone + self.crossed(zeta)

    def crossed(self, x: Matrix) -> Matrix:
        """The integral ∫ (Ψ x) × Ψ dm (3×s) of the mode shapes Ψ for amplitudes x, from the constant integrals
        `products`."""
        columns = []
        for i in range(len(self.moments)):
            turns = [axial_vector(row[i].T) for row in self.products]
            columns.append(sum((x[j] * t for j, t in enumerate(turns) if t.nnz()), ca.DM(3, 1)))
        return ca.horzcat(*columns)

    def moment_of(self, eta: Matrix) -> Matrix:
        """Contribution of the deformation to the first moment ∫ r dm (kg m) of the body, with the positions r of its
        points."""
        return self.momentum @ self.amplitudes(eta)

    @property
    def mass(self) -> Matrix:
        """The modal mass matrix (s×s) with the entries ∫ Ψ_i · Ψ_j dm, for s mode shapes Ψ_i."""
        rows = [ca.horzcat(*[ca.trace(S) for S in row]) for row in self.products]
        return ca.sparsify(ca.vertcat(*rows))

    def seen_from(self, frame: Pose) -> Modes:
        """The modes expressed in another frame fixed to the undeformed body; `frame` is its pose in the frame of these
        modes."""
        R, p = frame.R.T, frame.p
        shapes = {name: ca.vertcat(R @ shape[:3, :], R @ shape[3:, :]) for name, shape in self.shapes.items()}
        moments = tuple(R @ (S - p @ self.momentum[:, i].T) @ R.T for i, S in enumerate(self.moments))
        products = tuple(tuple(ca.sparsify(R @ S @ R.T) for S in row) for row in self.products)
        return Modes(
            {name: ca.sparsify(shape) for name, shape in shapes.items()},
            ca.sparsify(R @ self.momentum),
            tuple(map(ca.sparsify, moments)),
            products,
            self.stiffness,
            self.damping,
            self.forms,
        )


@dataclass(frozen=True)
class ReducedBody:
    """The data of a body for the recursive algorithms, in the frame of its inboard marker on the undeformed body.

    `mass`, mass centre `com` (3), `inertia` about the frame's origin (3×3) and the poses of `markers` are those of the
    undeformed body; `modes` describe its deformation and are None for a rigid body.
    """

    mass: Any
    com: Matrix
    inertia: Matrix
    markers: Mapping[str, Pose]
    modes: Modes | None = None

    @property
    def elastic(self) -> int:
        """The number of elastic coordinates."""
        return 0 if self.modes is None else self.modes.count

    def moves(self, marker: str) -> bool:
        """Whether the elastic coordinates move a marker relative to the body's frame."""
        return self.modes is not None and bool(self.modes.shapes[marker].nnz())

    def marker_pose(self, name: str, eta: Matrix) -> Pose:
        """The pose of a marker in the body's frame.

            p = p₀ + Ψ_t ζ,   R = exp(Ψ_r ζ) R₀

        p₀ and R₀ are position and orientation of the marker on the undeformed body, Ψ_t and Ψ_r its displacements and
        rotation vectors per unit of the amplitudes ζ of the mode shapes; exp maps a rotation vector to its rotation.

        Source: [fattah], ch. 2. Differs: the slope is used as the rotation vector of the section; the linearised matrix
        1 + (Ψ_r η)~ is not orthogonal and would not conserve energy.
        """
        pose = self.markers[name]
        if self.modes is None or not self.moves(name):
            return pose
        bend = self.modes.shapes[name] @ self.modes.amplitudes(eta)
        return Pose(rotation_from_vector(bend[:3]), pose.p + bend[3:]) @ Pose(pose.R, zeros(3))

    def marker_shape(self, name: str, eta: Matrix) -> Matrix:
        """The twist [T Ψ_r; Ψ_t] A (6×e) of a marker relative to the body's frame per unit of the elastic rates.

        The twist is taken at the marker, along the axes of the body's frame. Ψ_r and Ψ_t are rotation vectors and
        displacements of the marker per unit of the amplitudes ζ, A = ∂ζ/∂η, and T maps the rate of a rotation vector to
        an angular velocity.

        Theory: docs/theory/10-flexible-bodies.md, eq. (10.4).
        """
        if self.modes is None:
            return ca.DM(6, 0)
        shape = self.modes.shapes[name]
        moved = shape @ self.modes.gradient(eta)
        return ca.vertcat(tangent(shape[:3, :] @ self.modes.amplitudes(eta)) @ moved[:3, :], moved[3:, :])

    def marker_drift(self, name: str, eta: Matrix, eta_rate: Matrix) -> Matrix:
        """Acceleration [angular; linear] of a marker relative to the body's frame for η̈ = 0, at given elastic rates
        η̇.

            [Ṫ Ψ_r ζ̇ + T Ψ_r Ȧ η̇; Ψ_t Ȧ η̇]

        η are the elastic coordinates, ζ the amplitudes of the mode shapes and A = ∂ζ/∂η; Ψ_r and Ψ_t are rotation
        vectors and displacements of the marker per unit of ζ, and T maps the rate of a rotation vector to an angular
        velocity.

        Theory: docs/theory/10-flexible-bodies.md, eq. (10.4).
        """
        if self.modes is None:
            return ca.DM(6, 1)
        shape, modes = self.modes.shapes[name], self.modes
        slope, shift = shape[:3, :], shape @ modes.drift(eta_rate)
        turn = slope @ modes.amplitudes(eta)
        turning = tangent_drift(turn, slope @ modes.gradient(eta) @ eta_rate)
        return ca.vertcat(turning + tangent(turn) @ shift[:3], shift[3:])

    def moment_at(self, eta: Matrix) -> Matrix:
        """First moment h = ∫ r dm (kg m) of the deformed body, with positions r from the origin of its frame."""
        h = self.mass * self.com
        return h if self.modes is None else h + self.modes.moment_of(eta)

    def inertia_at(self, eta: Matrix) -> Inertia:
        """The inertia of the deformed body in its frame, at given elastic coordinates η:

        I = (tr S) 1 − S,  S = ∫ r rᵀ dm;    C = [∫ r × Ψ dm; ∫ Ψ dm] A,    E = Aᵀ ∫ Ψᵀ Ψ dm A

        I is the 3×3 rotary inertia, C (6×e) couples rigid and elastic motion, E (e×e) is the elastic mass matrix; r are
        positions, Ψ mode shapes, and A = ∂ζ/∂η is the derivative of the amplitudes ζ.

        Theory: docs/theory/10-flexible-bodies.md, eq. (10.6).
        """
        modes = self.modes
        if modes is None:
            return Inertia(self.mass, self.mass * self.com, self.inertia)
        zeta, A = modes.amplitudes(eta), modes.gradient(eta)
        more = modes.second_moment(zeta)
        return Inertia(
            self.mass,
            self.moment_at(eta),
            self.inertia + ca.trace(more) * ca.DM.eye(3) - more,
            ca.vertcat(modes.angular_coupling(zeta), modes.momentum) @ A,
            ca.triu2symm(ca.triu(A.T @ (modes.mass @ A))),  # only the upper triangle of E is computed
        )

    def inertia_in(self, R: Matrix, eta: Matrix) -> Inertia:
        """The inertia of the body at given elastic coordinates about the origin of its frame, in other axes.

        R converts components along the axes of the body's frame to components along these axes.
        """
        if self.modes is None:
            return Inertia(self.mass, self.mass * (R @ self.com), R @ self.inertia @ R.T)
        return self.inertia_at(eta).turned(R)


def axial_vector(K: Matrix) -> Matrix:
    """The vector ∫ r × x dm = (K_zy − K_yz, K_xz − K_zx, K_yx − K_xy) of two vector fields r and x, from K = ∫ x rᵀ
    dm."""
    return ca.sparsify(ca.vertcat(K[2, 1] - K[1, 2], K[0, 2] - K[2, 0], K[1, 0] - K[0, 1]))


QuadraticForms = tuple[Matrix, ...]
"""A tuple of symmetric numerical matrices G (e×e), one for each mode shape whose amplitude is ½ ηᵀ G η, quadratic in
the e elastic coordinates η."""


def amplitudes(eta: Matrix, forms: QuadraticForms) -> Matrix:
    """The amplitudes ζ = (η, ½ ηᵀ G η, …) of the s mode shapes (s×1), for elastic coordinates η and the matrices G in
    `forms`."""
    return ca.vertcat(eta, *[ca.dot(eta, G @ eta) / 2 for G in forms]) if forms else eta


def amplitude_gradient(eta: Matrix, forms: QuadraticForms) -> Matrix:
    """The derivative A = ∂ζ/∂η (s×e) of the amplitudes with respect to the elastic coordinates."""
    return ca.vertcat(ca.DM.eye(eta.shape[0]), *[(G @ eta).T for G in forms])


def amplitude_drift(rate: Matrix, forms: QuadraticForms) -> Matrix:
    """The second time derivative Ȧ η̇ (s×1) of the amplitudes ζ for η̈ = 0, with A = ∂ζ/∂η; `rate` are the elastic
    rates η̇."""
    return ca.vertcat(ca.DM(rate.shape[0], 1), *[_quadratic_form(G, rate) for G in forms])


def _quadratic_form(G: Matrix, x: Matrix) -> Matrix:
    """The quadratic form xᵀ G x, computed from the upper triangle of the symmetric matrix G."""
    rows, columns = ca.triu(ca.sparsify(ca.DM(G))).sparsity().get_triplet()
    found = ca.SX(0)
    for i, j in zip(rows, columns, strict=True):
        found += float(G[i, j]) * (1 if i == j else 2) * (x[i] * x[j])
    return found
