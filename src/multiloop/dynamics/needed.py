"""What does the motion of one body need? Newton and Euler for a rigid one, with its modal forces for one that bends."""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.members import EYE, Member, Spinning
from multiloop.kinematics.snapshot import Snapshot
from multiloop.model import ReducedBody
from multiloop.model.bowing import between
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

    Its points r = r₀ + Φ η have the accelerations x = a + U r + 2 ω × Φ η̇ + Φ η̈, exactly, so that with the
    integrals of `Modes`

        f = ∫ x dm,    n = axial ∫ x rᵀ dm,    g_i = tr ∫ x Φ_iᵀ dm + (K η + D η̇)_i
        ∫ x rᵀ dm = a hᵀ + U S + 2 ω̃ Σ η̇_j Q_jᵀ + Σ η̈_j Q_jᵀ,    ∫ x Φ_iᵀ dm = a P_iᵀ + U Q_i + Σ (2 η̇_j ω̃ + η̈_j) S_ji

    These are Lagrange's equations of T = ½ ∫ ṙ·ṙ dm: energy balances to round-off at any deflection. Shifts q of second
    order add ∫ ṙ₀·q̇ dm to T, r₀ moving as the rigid body does, and so ∫ (r̈₀·δq + q̈·δr₀) dm to what is needed.

    Source: ours; the integrals are those of the floating frame of reference.
    """
    modes, (eta, rate, rate_rate) = body.modes, elastic
    assert modes is not None
    # in the body's frame: U and a are turned back, the wrench is turned forth
    U, omega, a = B.T @ motion.U @ B, skew(B.T @ motion.omega), B.T @ motion.a
    h, P, Q = body.moment_at(eta), modes.momentum_at(eta), modes.moments_at(eta)
    S = ca.trace(body.inertia) / 2 * EYE - body.inertia + modes.second_moment(eta)
    swept = [2 * rate[j] * omega + rate_rate[j] * EYE for j in range(modes.count)]
    f = body.mass * a + U @ h + sum((swept[j] @ P[:, j] for j in range(modes.count)), zeros(3))
    K = U @ S + sum((swept[j] @ Q[j].T for j in range(modes.count)), zeros(3, 3))
    if modes.bows is not None:
        f = f + between(modes.bows.momentum, rate, rate)
        K = K + between(modes.bows.moments, rate, rate).T
    n = ca.cross(h, a) + axial(K)
    modal = modes.stiffness @ eta + modes.damping @ rate + P.T @ a
    swings = [
        ca.trace(U @ Q[i] + sum((swept[j] @ modes.products[j][i] for j in range(modes.count)), zeros(3, 3)))
        for i in range(modes.count)
    ]
    return ca.vertcat(B @ n, B @ f, modal + ca.vertcat(*swings))
