"""Mass matrix of rigid and flexible bodies, and its product with accelerations or velocities.

The velocity of a rigid body is its twist t = [ω; v], that of a body with e elastic coordinates η is [ω; v; η̇]:

    M = [M_t C; Cᵀ E],      M_t = [I h̃; −h̃ m 1],   h = ∫ r dm

m is the mass, I the inertia tensor about the origin, 1 the unit matrix, h the first moment of mass (r is the position
of a mass element), and h̃ the cross-product matrix of h. C (6×e) couples the elastic coordinates with the rigid motion,
E (e×e) is the modal mass; C and E are absent for a rigid body.

Theory: docs/theory/04-orthogonal-complement.md, eq. (4.1); docs/theory/10-flexible-bodies.md, eq. (10.6).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import casadi as ca

from multiloop.spatial.rotation import Matrix, skew


def inertia_about(I_com: Matrix, m: Matrix, d: Matrix) -> Matrix:
    """Inertia tensor about a point from which the mass centre lies at d (parallel-axis theorem).

    I_O = I_C − m d̃ d̃,   I_C: inertia tensor `I_com` about the mass centre, d̃: cross-product matrix of d
    """
    S = skew(d)
    return I_com - m * (S @ S)


@dataclass(frozen=True)
class Inertia:
    """Mass, first moment of mass h and inertia tensor of a body about its origin; `coupling` and `modal` are the
    matrices C (6×e) and E (e×e) of a flexible body."""

    mass: Any
    moment: Matrix
    inertia: Matrix
    coupling: Matrix = field(default_factory=lambda: ca.DM(6, 0))
    modal: Matrix = field(default_factory=lambda: ca.DM(0, 0))

    @property
    def elastic(self) -> int:
        """The number of elastic coordinates."""
        return int(self.modal.shape[0])

    def __add__(self, other: Inertia) -> Inertia:
        rigid = (self.mass + other.mass, self.moment + other.moment, self.inertia + other.inertia)
        if not self.elastic:
            return Inertia(*rigid)
        return Inertia(*rigid, self.coupling + other.coupling, self.modal + other.modal)

    def seen_from(self, r: Matrix, planar: bool = False) -> Inertia:
        """The inertia of the same body about another point; r is the vector from that point to the present reference
            point. If `planar`, only the moment of inertia about z changes.

            I' = I − m r̃ r̃ − r̃ h̃ − h̃ r̃,   h' = h + m r

        m is the mass, I the inertia tensor, h the first moment of mass; r̃ and h̃ are cross-product matrices.
        """
        m, h, I = self.mass, self.moment, self.inertia
        if planar:
            more = m * ca.dot(r, r) + 2 * ca.dot(r, h)
            return Inertia(m, h + m * r, I + more * ca.diag(ca.DM([0, 0, 1])))
        R, H = skew(r), skew(h)
        cross = R @ H
        return Inertia(m, h + m * r, I - m * (R @ R) - cross - cross.T)

    def turned(self, R: Matrix, planar: bool = False) -> Inertia:
        """The inertia with components in other axes; R transforms components from the present to the other axes. If
        `planar`, only the moment of inertia about z is kept."""
        I = R @ self.inertia @ R.T
        if planar:
            I = ca.sparsify(ca.diag(ca.vertcat(0, 0, I[2, 2])))
        if not self.elastic:
            return Inertia(self.mass, R @ self.moment, I)
        coupling = ca.vertcat(R @ self.coupling[:3, :], R @ self.coupling[3:, :])
        return Inertia(self.mass, R @ self.moment, I, coupling, self.modal)

    def carried_by_flexible(self, screws: Matrix) -> Inertia:
        """Contribution of this rigid body to the inertia of a flexible body to which it is attached.

        This inertia, with the mass matrix M_t (6×6), must be given about the origin of the flexible body and in its
        axes. Column k of Ψ, the argument `screws` (6×e), is the twist of the rigid body per unit rate of elastic
        coordinate k. The result also has the blocks C (coupling of rigid motion and elastic coordinates) and E (modal
        mass):

        C = M_t Ψ,   E = Ψᵀ M_t Ψ
        """
        if not screws.shape[1]:
            return Inertia(self.mass, self.moment, self.inertia)
        coupling = self._rigid_wrench(screws)
        return Inertia(self.mass, self.moment, self.inertia, coupling, screws.T @ coupling)

    def with_point_mass(self, mass: Any, point: Matrix, modes: Matrix) -> Inertia:
        """The inertia of the body with an additional point mass at the position `point` in the body frame.

        The columns of `modes` (3×e) are the displacements of the point per unit of each elastic coordinate of the body.
        """
        S = skew(point)
        rigid = (self.mass + mass, self.moment + mass * point, inertia_about(self.inertia, mass, point))
        if not self.elastic:
            return Inertia(*rigid)
        coupling = self.coupling + mass * ca.vertcat(S @ modes, modes)
        return Inertia(*rigid, coupling, self.modal + mass * (modes.T @ modes))

    def wrench(self, rates: Matrix) -> Matrix:
        """Product of the mass matrix with `rates`, columns [α; a; η̈] of accelerations (or [ω; v; η̇] of velocities):
        the wrench at the origin, followed by the modal forces."""
        if not self.elastic:
            return self._rigid_wrench(rates)
        t, eta = rates[:6, :], rates[6:, :]
        return ca.vertcat(self._rigid_wrench(t) + self.coupling @ eta, self.coupling.T @ t + self.modal @ eta)

    def _rigid_wrench(self, t: Matrix) -> Matrix:
        H = skew(self.moment)
        return ca.vertcat(self.inertia @ t[:3, :] + H @ t[3:, :], self.mass * t[3:, :] - H @ t[:3, :])

    @property
    def matrix(self) -> Matrix:
        """The mass matrix M, (6+e)×(6+e), for e elastic coordinates.

        Source: [chaudhary], eq. (3); [koul], eq. (3), for the rigid part.
        """
        H = skew(self.moment)
        rigid = ca.vertcat(ca.horzcat(self.inertia, H), ca.horzcat(-H, self.mass * ca.DM.eye(3)))
        if not self.elastic:
            return rigid
        return ca.vertcat(ca.horzcat(rigid, self.coupling), ca.horzcat(self.coupling.T, self.modal))
