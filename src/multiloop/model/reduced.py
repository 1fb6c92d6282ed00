"""The seam between a body's make-up and the recursion: a rigid body is a reduced body with no modes.

The recursion asks a body three things: where a marker stands, how it moves, and what the body's motion
needs. A flexible link answers with a few elastic coordinates η; a rigid one with none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from multiloop.model.amplitudes import Forms, amplitudes, drift, gradient
from multiloop.spatial import Inertia, Matrix, Pose, rotation_by, tangent, tangent_drift, zeros

Tensors = tuple[Matrix, ...]
"""A 3×3 matrix for each coordinate."""


@dataclass(frozen=True)
class Modes:
    """How a body deforms: every point r₀ of it moves to r = r₀ + Ψ(r₀) ζ, linear in the amplitudes ζ of s shapes.

    The first e amplitudes are the elastic coordinates η themselves, those after them ½ ηᵀ G η of its `forms`.
    `shapes[marker]` (6×s) are the rotation vector Ψ_r and the shift Ψ_t of a marker per unit of each amplitude.
    The mass enters by constant integrals over the body, exact for this motion at any size of η:

        momentum P = ∫ Ψ dm (3×s),   moments S_i = ∫ r₀ Ψ_iᵀ dm,   products S_ij = ∫ Ψ_i Ψ_jᵀ dm (3×3 each)

    The modal mass is tr S_ij and no data of its own. `stiffness` and `damping` are e×e.
    """

    shapes: Mapping[str, Matrix]
    momentum: Matrix
    moments: Tensors
    products: tuple[Tensors, ...]
    stiffness: Matrix
    damping: Matrix
    forms: Forms = ()

    @property
    def count(self) -> int:
        """e, the number of elastic coordinates."""
        return len(self.moments) - len(self.forms)

    def amplitudes(self, eta: Matrix) -> Matrix:
        """ζ at a deflection."""
        return amplitudes(eta, self.forms)

    def gradient(self, eta: Matrix) -> Matrix:
        """A = ∂ζ/∂η, s×e."""
        return gradient(eta, self.forms)

    def drift(self, rate: Matrix) -> Matrix:
        """Ȧ η̇: how the amplitudes accelerate when η does not."""
        return drift(rate, self.forms)

    def moments_at(self, zeta: Matrix) -> Tensors:
        """Q_i = ∫ r Ψ_iᵀ dm = S_i + Σ_j ζ_j S_ji at some amplitudes."""
        s = range(len(self.moments))
        return tuple(sum((zeta[j] * self.products[j][i] for j in s), self.moments[i]) for i in s)

    def second_moment(self, zeta: Matrix) -> Matrix:
        """What the deflection adds to ∫ r rᵀ dm: Σ_i ζ_i (S_i + S_iᵀ) + Σ_ij ζ_i ζ_j S_ij."""
        both = zip(self.moments, self.moments_at(zeta), strict=True)
        return sum((zeta[i] * (S + Q.T) for i, (S, Q) in enumerate(both)), ca.DM(3, 3))

    def moment_of(self, eta: Matrix) -> Matrix:
        """What the deflection adds to ∫ r dm."""
        return self.momentum @ self.amplitudes(eta)

    @property
    def mass(self) -> Matrix:
        """The masses of the shapes, ∫ Ψ_i · Ψ_j dm, s×s."""
        rows = [ca.horzcat(*[ca.trace(S) for S in row]) for row in self.products]
        return ca.sparsify(ca.vertcat(*rows))

    def seen_from(self, frame: Pose) -> Modes:
        """The same described in another frame of the undeformed body, whose pose in the old one is given."""
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
    """What the recursion needs of a body, in the frame that its inboard marker has on the undeformed body.

    mass, com (3), inertia about the frame's origin (3×3) and `markers`, the poses of the markers, all of them
    undeformed; `modes` tell how it deforms.
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
        """Whether the elastic coordinates move a marker on the body."""
        return self.modes is not None and bool(self.modes.shapes[marker].nnz())

    def marker_pose(self, name: str, eta: Matrix) -> Pose:
        """Where a marker stands in the body's frame.

            p = p₀ + Ψ_t ζ,   R = exp(Ψ_r ζ) R₀

        Source: [fattah], ch. 2. Differs: the slope is the rotation vector of the section; taken as the rotation
        itself, 1 + (Φ_r η)~, which is none, it would lose energy.
        """
        pose = self.markers[name]
        if self.modes is None or not self.moves(name):
            return pose
        bend = self.modes.shapes[name] @ self.modes.amplitudes(eta)
        return Pose(rotation_by(bend[:3]), pose.p + bend[3:]) @ Pose(pose.R, zeros(3))

    def marker_shape(self, name: str, eta: Matrix) -> Matrix:
        """Twist of a marker on the body per unit of η̇, in the body's frame at the marker: [T Ψ_r; Ψ_t] A, 6×e."""
        if self.modes is None:
            return ca.DM(6, 0)
        shape = self.modes.shapes[name]
        moved = shape @ self.modes.gradient(eta)
        return ca.vertcat(tangent(shape[:3, :] @ self.modes.amplitudes(eta)) @ moved[:3, :], moved[3:, :])

    def marker_drift(self, name: str, eta: Matrix, eta_rate: Matrix) -> Matrix:
        """Acceleration of a marker on the body when η does not accelerate: [Ṫ Ψ_r ζ̇ + T Ψ_r Ȧ η̇; Ψ_t Ȧ η̇]."""
        if self.modes is None:
            return ca.DM(6, 1)
        shape, modes = self.modes.shapes[name], self.modes
        slope, shift = shape[:3, :], shape @ modes.drift(eta_rate)
        turn = slope @ modes.amplitudes(eta)
        turning = tangent_drift(turn, slope @ modes.gradient(eta) @ eta_rate)
        return ca.vertcat(turning + tangent(turn) @ shift[:3], shift[3:])

    def moment_at(self, eta: Matrix) -> Matrix:
        """First moment h = ∫ r dm about the frame's origin."""
        h = self.mass * self.com
        return h if self.modes is None else h + self.modes.moment_of(eta)

    def inertia_at(self, eta: Matrix) -> Inertia:
        """How hard the body is to move at a deflection, in its own frame.

        I = tr S − S,  S = ∫ r rᵀ dm;    C = [∫ r × Ψ dm; ∫ Ψ dm] A,    E = Aᵀ ∫ Ψᵀ Ψ dm A
        """
        modes = self.modes
        if modes is None:
            return Inertia(self.mass, self.mass * self.com, self.inertia)
        zeta, A = modes.amplitudes(eta), modes.gradient(eta)
        more = modes.second_moment(zeta)
        turning = [axial(Q.T) for Q in modes.moments_at(zeta)]
        return Inertia(
            self.mass,
            self.moment_at(eta),
            self.inertia + ca.trace(more) * ca.DM.eye(3) - more,
            ca.vertcat(ca.horzcat(*turning), modes.momentum) @ A,
            A.T @ modes.mass @ A,
        )

    def inertia_in(self, R: Matrix, eta: Matrix) -> Inertia:
        """The same in other axes, about the same origin; that of a rigid body by way of its mass centre."""
        if self.modes is None:
            return Inertia(self.mass, self.mass * (R @ self.com), R @ self.inertia @ R.T)
        return self.inertia_at(eta).turned(R)


def axial(K: Matrix) -> Matrix:
    """∫ r × x dm from K = ∫ x rᵀ dm: (K_zy − K_yz, K_xz − K_zx, K_yx − K_xy)."""
    return ca.vertcat(K[2, 1] - K[1, 2], K[0, 2] - K[2, 0], K[1, 0] - K[0, 1])
