"""Wrench that the motion of one body requires: Newton–Euler equations, with modal forces for an elastic body."""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from multiloop.dynamics.members import EYE, Member, Spinning, turned
from multiloop.kinematics.snapshot import Snapshot
from multiloop.model import ReducedBody
from multiloop.model.reduced import axial
from multiloop.spatial import Matrix, zeros


def needed_by_body(at: Snapshot, k: int, member: Member, motion: Spinning, a: Matrix | None) -> Matrix:
    """Wrench that the motion of a body requires in its axes, then its modal forces if elastic; without `a` at v̇ = 0."""
    link, planar = at.skeleton.links[k], at.skeleton.planar
    if not link.reduced.elastic:
        return needed_wrench(link.reduced, member.B, motion, planar)
    rate = zeros(link.reduced.elastic) if a is None else a[link.eta_rate]
    elastic = (at.placed[k].eta, at.v[link.eta_rate], rate)
    return needed_by_modes(link.reduced, member.B, motion, elastic, planar)


def needed_wrench(body: ReducedBody, B: Matrix, motion: Spinning, planar: bool) -> Matrix:
    """Wrench that the motion of a rigid body requires, in the axes of the motion; B rotates the body's frame to them.

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
    body: ReducedBody, B: Matrix, motion: Spinning, elastic: tuple[Matrix, Matrix, Matrix], planar: bool
) -> Matrix:
    """Wrench and modal forces that the motion of an elastic body requires; `elastic` are η, η̇ and η̈.

    Its points r = r₀ + Ψ ζ have the accelerations x = a + α × r + ω × (ω × r + 2 Ψ ζ̇) + Ψ ζ̈, exactly, so that with the
    integrals of `Modes`, Q_i = ∫ r Ψ_iᵀ dm and N = ∫ r × Ψ dm

        f = ∫ x dm = m a + α × h + ω × (ω × h + 2 P ζ̇) + P ζ̈
        n = ∫ r × x dm = h × a + I α + ω × I ω + 2 ∫ r × (ω × Ψ ζ̇) dm + N ζ̈
        g = Aᵀ (Pᵀ a + Nᵀ α + [tr ω̃ω̃ Q_i]_i + 2 (∫ Ψ ζ̇ × Ψ dm)ᵀ ω + M ζ̈) + K η + D η̇

    These are Lagrange's equations of T = ½ ∫ ṙ·ṙ dm: energy is balanced to round-off at any deflection. In the plane
    ω̃ω̃ is −ω² along x and y, so that only two diagonal entries of Q_i are needed.

    Source: derived here; the integrals are those of the floating frame of reference.
    """
    modes, (eta, rate, acceleration) = body.modes, elastic
    assert modes is not None
    zeta, A = modes.amplitudes(eta), modes.gradient(eta)
    zeta_rate, zeta_acceleration = A @ rate, A @ acceleration + modes.drift(rate)
    # computed in the frame of the body: the motion is rotated to it, the wrench back
    omega, alpha, a = (B.T @ x for x in (motion.omega, motion.alpha, motion.a))
    inertia, Q = body.inertia_at(eta), modes.moments_at(zeta)
    h, P, N, swept = inertia.moment, modes.momentum, modes.turning_at(zeta), weighted(zeta_rate, Q)
    f = body.mass * a + ca.cross(alpha, h) + P @ zeta_acceleration
    f += ca.cross(omega, ca.cross(omega, h) + 2 * (P @ zeta_rate))
    n = ca.cross(h, a) + _spun(inertia.inertia, omega, alpha, planar) + N @ zeta_acceleration
    n += 2 * (ca.trace(swept) * omega - swept.T @ omega)
    swings = P.T @ a + N.T @ alpha + _flung(Q, omega, planar) + 2 * (modes.crossed(zeta_rate).T @ omega)
    modal = A.T @ (swings + modes.mass @ zeta_acceleration)
    return ca.vertcat(B @ n, B @ f, modal + modes.stiffness @ eta + modes.damping @ rate)


def _spun(I: Matrix, omega: Matrix, alpha: Matrix, planar: bool) -> Matrix:
    """I α + ω × I ω."""
    if planar:
        return I[2, 2] * alpha
    return axial(turned(omega, alpha, planar) @ (ca.trace(I) / 2 * EYE - I))


def _flung(Q: Sequence[Matrix], omega: Matrix, planar: bool) -> Matrix:
    """tr ω̃ω̃ Q_i of all mode shapes."""
    if planar:
        return -(omega[2] ** 2) * ca.vertcat(*[one[0, 0] + one[1, 1] for one in Q])
    square = turned(omega, zeros(3), planar)
    return ca.vertcat(*[ca.dot(square, one) for one in Q])


def weighted(x: Matrix, tensors: Sequence[Matrix]) -> Matrix:
    """Σ x_j T_j."""
    return sum((x[j] * T for j, T in enumerate(tensors)), zeros(3, 3))
