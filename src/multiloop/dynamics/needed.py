"""What does the motion of one body need? Newton and Euler for a rigid one, with its modal forces for one that bends."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from multiloop.dynamics.members import EYE, Member, Spinning
from multiloop.kinematics.snapshot import Snapshot
from multiloop.model import ReducedBody
from multiloop.model.reduced import axial
from multiloop.spatial import Matrix, skew, zeros


def needed_by_body(at: Snapshot, k: int, member: Member, motion: Spinning, a: Matrix | None) -> Matrix:
    """What a body's motion needs in its axes, an elastic one's modal forces below; without `a` at v̇ = 0."""
    link, planar = at.skeleton.links[k], at.skeleton.planar
    if not link.reduced.elastic:
        return needed_wrench(link.reduced, member.B, motion, planar)
    rate = zeros(link.reduced.elastic) if a is None else a[link.eta_rate]
    return needed_by_modes(link.reduced, member.B, motion, (at.placed[k].eta, at.v[link.eta_rate], rate))


def needed_wrench(body: ReducedBody, B: Matrix, motion: Spinning, planar: bool) -> Matrix:
    """The wrench that a body's motion needs, in the axes of the motion; B takes the body's frame to them.

        f = m a + U h,   n = h × a + I α + ω × I ω,   h = m d

    With K = ∫ U r rᵀ dm = U (½ tr I − I) the last two are (K_zy − K_yz, K_xz − K_zx, K_yx − K_xy).

    Source: [chaudhary], eqs. (2)–(5).
    """
    h = B @ (body.mass * body.com)
    f = body.mass * motion.a + motion.U @ h
    n = ca.cross(h, motion.a)
    if planar:
        return ca.vertcat(n + body.inertia[2, 2] * motion.alpha, f)
    I = B @ body.inertia @ B.T
    return ca.vertcat(n + axial(motion.U @ (ca.trace(I) / 2 * EYE - I)), f)


def needed_by_modes(
    body: ReducedBody, B: Matrix, motion: Spinning, elastic: tuple[Matrix, Matrix, Matrix]
) -> Matrix:
    """The wrench and the modal forces that the motion of an elastic body needs; `elastic` are η, η̇ and η̈.

    Its points r = r₀ + Ψ ζ have the accelerations x = a + U r + 2 ω × Ψ ζ̇ + Ψ ζ̈, exactly, so that with the
    integrals of `Modes`

        f = ∫ x dm,    n = axial ∫ x rᵀ dm,    g = Aᵀ [tr ∫ x Ψ_iᵀ dm]_i + K η + D η̇
        ∫ x rᵀ dm = a hᵀ + U S + Σ (2 ζ̇_j ω̃ + ζ̈_j) Q_jᵀ,    ∫ x Ψ_iᵀ dm = a P_iᵀ + U Q_i + Σ (2 ζ̇_j ω̃ + ζ̈_j) S_ji

    These are Lagrange's equations of T = ½ ∫ ṙ·ṙ dm: energy balances to round-off at any deflection.

    Source: ours; the integrals are those of the floating frame of reference.
    """
    modes, (eta, rate, acceleration) = body.modes, elastic
    assert modes is not None
    zeta, A = modes.amplitudes(eta), modes.gradient(eta)
    zeta_rate, zeta_acceleration = A @ rate, A @ acceleration + modes.drift(rate)
    # in the body's frame: U and a are turned back, the wrench is turned forth
    U, spin, a = B.T @ motion.U @ B, skew(B.T @ motion.omega), B.T @ motion.a
    h, Q = body.moment_at(eta), modes.moments_at(zeta)
    S = ca.trace(body.inertia) / 2 * EYE - body.inertia + modes.second_moment(zeta)
    P, M = modes.momentum, modes.mass
    f = body.mass * a + U @ h + 2 * (spin @ (P @ zeta_rate)) + P @ zeta_acceleration
    K = U @ S + 2 * (spin @ weighted(zeta_rate, Q).T) + weighted(zeta_acceleration, Q).T
    n = ca.cross(h, a) + axial(K)
    swings = [
        ca.trace(U @ Q[i]) + 2 * ca.trace(spin @ weighted(zeta_rate, [row[i] for row in modes.products]))
        for i in range(zeta.shape[0])
    ]
    modal = A.T @ (P.T @ a + ca.vertcat(*swings) + M @ zeta_acceleration)
    return ca.vertcat(B @ n, B @ f, modal + modes.stiffness @ eta + modes.damping @ rate)


def weighted(x: Matrix, tensors: Sequence[Matrix]) -> Matrix:
    """Σ x_j T_j."""
    return sum((x[j] * T for j, T in enumerate(tensors)), zeros(3, 3))
