"""The seam between a body's make-up and the recursion: a rigid body is a reduced body with no modes.

The recursion asks a body three things: where a marker stands, how it moves, and what the body's motion
needs. A flexible link answers with a few elastic coordinates η; a rigid one with none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca

from multiloop.model.bowing import Bows, Vectors, along, between, columns
from multiloop.spatial import Inertia, Matrix, Pose, rotation_by, tangent, tangent_drift, zeros

Tensors = tuple[Matrix, ...]
"""A 3×3 matrix for each coordinate."""


@dataclass(frozen=True)
class Modes:
    """How a body deforms: every point r₀ of it moves to r = r₀ + Φ(r₀) η, linear in e elastic coordinates η, but for
    shifts of second order, its `bows`, where it has some.

    `shapes[marker]` (6×e) are the rotation vector Φ_r and the shift Φ_t of a marker per unit of each coordinate.
    The mass enters by constant integrals over the body, exact for this motion at any size of η:

        momentum P = ∫ Φ dm (3×e),   moments S_i = ∫ r₀ Φ_iᵀ dm,   products S_ij = ∫ Φ_i Φ_jᵀ dm (3×3 each)

    The modal mass is tr S_ij and no data of its own. `stiffness` and `damping` are e×e.
    """

    shapes: Mapping[str, Matrix]
    momentum: Matrix
    moments: Tensors
    products: tuple[Tensors, ...]
    stiffness: Matrix
    damping: Matrix
    bows: Bows | None = None

    @property
    def count(self) -> int:
        """e, the number of elastic coordinates."""
        return len(self.moments)

    def moments_at(self, eta: Matrix) -> Tensors:
        """Q_i = ∫ r (∂r/∂η_i)ᵀ dm = S_i + Σ_j η_j (S_ji + Z_ij) at a deflection."""
        e = range(self.count)
        found = tuple(sum((eta[j] * self.products[j][i] for j in e), self.moments[i]) for i in e)
        if self.bows is None:
            return found
        return tuple(Q + along(self.bows.moments, eta, i) for i, Q in enumerate(found))

    def second_moment(self, eta: Matrix) -> Matrix:
        """What the deflection adds to ∫ r rᵀ dm: Σ_i η_i (S_i + S_iᵀ) + Σ_ij η_i η_j (S_ij + ½ Z_ij + ½ Z_ijᵀ)."""
        if self.bows is not None:
            W = between(self.bows.moments, eta, eta) / 2
            return replace(self, bows=None).second_moment(eta) + W + W.T
        pairs = zip(self.moments, self.moments_at(eta), strict=True)
        return sum((eta[i] * (S + Q.T) for i, (S, Q) in enumerate(pairs)), ca.DM(3, 3))

    def momentum_at(self, eta: Matrix) -> Matrix:
        """∫ ∂r/∂η dm at a deflection, 3×e."""
        return self.momentum if self.bows is None else self.momentum + columns(self.bows.momentum, eta)

    def moment_of(self, eta: Matrix) -> Matrix:
        """What the deflection adds to ∫ r dm."""
        found = self.momentum @ eta
        return found if self.bows is None else found + between(self.bows.momentum, eta, eta) / 2

    @property
    def mass(self) -> Matrix:
        """The modal mass m_ij = ∫ Φ_i · Φ_j dm."""
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
            None if self.bows is None else self.bows.seen_from(frame),
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
        return self.modes is not None and (
            bool(self.modes.shapes[marker].nnz()) or self._bow(marker) is not None
        )

    def marker_pose(self, name: str, eta: Matrix) -> Pose:
        """Where a marker stands in the body's frame.

            p = p₀ + Φ_t η + ½ Σ η_i η_j B_ij,   R = exp(Φ_r η) R₀

        Source: [fattah], ch. 2. Differs: the slope is the rotation vector of the section; taken as the rotation
        itself, 1 + (Φ_r η)~, which is none, it would lose energy.
        """
        pose = self.markers[name]
        if self.modes is None or not self.moves(name):
            return pose
        bend, bow = self.modes.shapes[name] @ eta, self._bow(name)
        shift = bend[3:] if bow is None else bend[3:] + between(bow, eta, eta) / 2
        return Pose(rotation_by(bend[:3]), pose.p + shift) @ Pose(pose.R, zeros(3))

    def _bow(self, name: str) -> Vectors | None:
        """Shifts of second order of a marker."""
        bows = None if self.modes is None else self.modes.bows
        return None if bows is None else bows.of(name)

    def marker_shape(self, name: str, eta: Matrix) -> Matrix:
        """Twist of a marker on the body per unit of η̇, in the body's frame at the marker: [T Φ_r; Φ_t + B η], 6×e."""
        if self.modes is None:
            return ca.DM(6, 0)
        shape, bow = self.modes.shapes[name], self._bow(name)
        shift = shape[3:, :] if bow is None else shape[3:, :] + columns(bow, eta)
        return ca.vertcat(tangent(shape[:3, :] @ eta) @ shape[:3, :], shift)

    def marker_drift(self, name: str, eta: Matrix, eta_rate: Matrix) -> Matrix:
        """Acceleration of a marker on the body when η does not accelerate: [Ṫ Φ_r η̇; Σ η̇_i η̇_j B_ij]."""
        if self.modes is None:
            return ca.DM(6, 1)
        slope, bow = self.modes.shapes[name][:3, :], self._bow(name)
        shift = ca.DM(3, 1) if bow is None else between(bow, eta_rate, eta_rate)
        return ca.vertcat(tangent_drift(slope @ eta, slope @ eta_rate), shift)

    def moment_at(self, eta: Matrix) -> Matrix:
        """First moment h = ∫ r dm about the frame's origin."""
        h = self.mass * self.com
        return h if self.modes is None else h + self.modes.moment_of(eta)

    def inertia_at(self, eta: Matrix) -> Inertia:
        """How hard the body is to move at a deflection, in its own frame.

        I = tr S − S,  S = ∫ r rᵀ dm;    C_i = [∫ r × Φ_i dm; ∫ Φ_i dm],    E_ij = ∫ Φ_i · Φ_j dm
        """
        modes = self.modes
        if modes is None:
            return Inertia(self.mass, self.mass * self.com, self.inertia)
        more = modes.second_moment(eta)
        turning = [axial(Q.T) for Q in modes.moments_at(eta)]
        return Inertia(
            self.mass,
            self.moment_at(eta),
            self.inertia + ca.trace(more) * ca.DM.eye(3) - more,
            ca.vertcat(ca.horzcat(*turning), modes.momentum_at(eta)),
            modes.mass,
        )

    def inertia_in(self, R: Matrix, eta: Matrix) -> Inertia:
        """The same in other axes, about the same origin; that of a rigid body by way of its mass centre."""
        if self.modes is None:
            return Inertia(self.mass, self.mass * (R @ self.com), R @ self.inertia @ R.T)
        return self.inertia_at(eta).turned(R)


def axial(K: Matrix) -> Matrix:
    """∫ r × x dm from K = ∫ x rᵀ dm: (K_zy − K_yz, K_xz − K_zx, K_yx − K_xy)."""
    return ca.vertcat(K[2, 1] - K[1, 2], K[0, 2] - K[2, 0], K[1, 0] - K[0, 1])
