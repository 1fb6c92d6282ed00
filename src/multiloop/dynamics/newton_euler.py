"""Newton–Euler equations: the wrenches that the motion of the bodies requires, and their sums along the tree.

    w* = M ṫ + Ω M E t,      w_(i−1,i) = w*_i − wᵉ_i + Σ A' w_(i,i+1)

M is the mass matrix of a body, t its twist, and w_(i−1,i) the wrench that the joint between bodies i−1 and i transmits.
Ω is block-diagonal with the cross-product matrix of ω in both blocks, E selects ω from the twist t, and A' transforms a
wrench to the origin of the inward body. w* includes the weight, since the ground is given the acceleration −g; wᵉ is
the wrench applied by loads. The wrench of a flexible body is followed by its modal forces.

Source: [chaudhary], eqs. (2)–(5), (9)–(11), (32); modal forces by the floating frame of reference.
Theory: docs/theory/04-orthogonal-complement.md, eqs. (4.2), (4.3), (4.12), (4.13);
docs/theory/05-inverse-dynamics.md, eqs. (5.7), (5.8);
docs/theory/10-flexible-bodies.md, eqs. (10.7)–(10.9).
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from multiloop.dynamics.actions import applied_wrenches
from multiloop.dynamics.inertia_matrix import link_motion_matrix, parent_elastic_screws
from multiloop.dynamics.tree_members import (
    EYE,
    BodyMotion,
    Member,
    acceleration_matrix,
    body_motions,
    members_of,
)
from multiloop.kinematics import Snapshot
from multiloop.kinematics.tree import Link, accumulate_inward
from multiloop.model import ReducedBody
from multiloop.model.floating_frame import axial_vector
from multiloop.spatial import Matrix, as_column, transport_wrench, zeros


def body_required_wrench(
    at: Snapshot, k: int, member: Member, motion: BodyMotion, a: Matrix | None
) -> Matrix:
    """Wrench that the motion of the body with the index k requires, in the axes of its member, followed by modal forces
    if it is flexible.

    Without the accelerations `a` the wrench at v̇ = 0 is returned."""
    link, planar = at.skeleton.links[k], at.skeleton.planar
    if not link.reduced.elastic:
        return rigid_body_wrench(link.reduced, member.B, motion, planar)
    rate = zeros(link.reduced.elastic) if a is None else a[link.eta_rate]
    elastic = (at.placements[k].eta, at.v[link.eta_rate], rate)
    return elastic_body_wrench(link.reduced, member.B, motion, elastic, planar)


def rigid_body_wrench(body: ReducedBody, B: Matrix, motion: BodyMotion, planar: bool) -> Matrix:
    """Wrench [n; f] that the motion of a rigid body requires, in the axes of `motion`; B rotates from the body's frame
    to these axes.

        f = m a + U h,   n = h × a + I α + ω × I ω,   h = m d

    m is the mass, I the inertia about the origin of the body, a the acceleration of this origin, d the position of the
    mass centre, and U = α̃ + ω̃ω̃. With K = ∫ U r rᵀ dm = U (½ tr I − I) the sum I α + ω × I ω is (K_zy − K_yz, K_xz −
    K_zx, K_yx − K_xy).

    Source: [chaudhary], eqs. (2)–(5).
    """
    h = B @ (body.mass * body.com)
    f = body.mass * motion.a + motion.U @ h
    n = ca.cross(h, motion.a)
    if planar:
        return ca.vertcat(n + body.inertia[2, 2] * motion.alpha, f)
    I = B @ body.inertia @ B.T
    return ca.vertcat(n + axial_vector(motion.U @ (ca.trace(I) / 2 * EYE - I)), f)


def elastic_body_wrench(
    body: ReducedBody, B: Matrix, motion: BodyMotion, elastic: tuple[Matrix, Matrix, Matrix], planar: bool
) -> Matrix:
    """Wrench [n; f] and modal forces g that the motion of a flexible body requires; `elastic` are η, η̇ and η̈.

    The points r = r₀ + Ψ ζ(η) of the body, with mode shapes Ψ and their amplitudes ζ, have exactly the accelerations x
    = a + α × r + ω × (ω × r + 2 Ψ ζ̇) + Ψ ζ̈. With the mass integrals of `Modes` (P = ∫ Ψ dm), h = ∫ r dm, Q_i = ∫ r
    Ψ_iᵀ dm, N = ∫ r × Ψ dm, M = ∫ Ψᵀ Ψ dm, A = ∂ζ/∂η, inertia I about the origin, mass m, stiffness K and damping D,

        f = ∫ x dm = m a + α × h + ω × (ω × h + 2 P ζ̇) + P ζ̈
        n = ∫ r × x dm = h × a + I α + ω × I ω + 2 ∫ r × (ω × Ψ ζ̇) dm + N ζ̈
        g = Aᵀ (Pᵀ a + Nᵀ α + [tr ω̃ω̃ Q_i]_i + 2 (∫ Ψ ζ̇ × Ψ dm)ᵀ ω + M ζ̈) + K η + D η̇

    These are Lagrange's equations for the kinetic energy T = ½ ∫ ṙ·ṙ dm: the energy balance is satisfied to round-off
    at any deflection. In the plane ω̃ω̃ is −ω² along x and y, so that only two diagonal entries of Q_i are needed.

    Source: derived here; the integrals are those of the floating frame of reference.
    """
    modes, (eta, rate, acceleration) = body.modes, elastic
    assert modes is not None
    zeta, A = modes.amplitudes(eta), modes.gradient(eta)
    zeta_rate, zeta_acceleration = A @ rate, A @ acceleration + modes.drift(rate)
    # computed in the frame of the body: the motion is rotated to it, the wrench back
    omega, alpha, a = (B.T @ x for x in (motion.omega, motion.alpha, motion.a))
    inertia, Q = body.inertia_at(eta), modes.moments_at(zeta)
    h, P, N, swept = inertia.moment, modes.momentum, modes.angular_coupling(zeta), weighted_sum(zeta_rate, Q)
    f = body.mass * a + ca.cross(alpha, h) + P @ zeta_acceleration
    f += ca.cross(omega, ca.cross(omega, h) + 2 * (P @ zeta_rate))
    n = ca.cross(h, a) + _rotational_moment(inertia.inertia, omega, alpha, planar) + N @ zeta_acceleration
    n += 2 * (ca.trace(swept) * omega - swept.T @ omega)
    swings = (
        P.T @ a
        + N.T @ alpha
        + _centrifugal_modal_forces(Q, omega, planar)
        + 2 * (modes.crossed(zeta_rate).T @ omega)
    )
    modal = A.T @ (swings + modes.mass @ zeta_acceleration)
    return ca.vertcat(B @ n, B @ f, modal + modes.stiffness @ eta + modes.damping @ rate)


def _rotational_moment(I: Matrix, omega: Matrix, alpha: Matrix, planar: bool) -> Matrix:
    """Moment I α + ω × I ω of a body with the inertia I, angular velocity ω and angular acceleration α."""
    if planar:
        return I[2, 2] * alpha
    return axial_vector(acceleration_matrix(omega, alpha, planar) @ (ca.trace(I) / 2 * EYE - I))


def _centrifugal_modal_forces(Q: Sequence[Matrix], omega: Matrix, planar: bool) -> Matrix:
    """Centrifugal modal forces tr ω̃ω̃ Q_i of all mode shapes i, with the mass integrals Q_i = ∫ r Ψ_iᵀ dm."""
    if planar:
        return -(omega[2] ** 2) * ca.vertcat(*[one[0, 0] + one[1, 1] for one in Q])
    square = acceleration_matrix(omega, zeros(3), planar)
    return ca.vertcat(*[ca.dot(square, one) for one in Q])


def weighted_sum(x: Matrix, tensors: Sequence[Matrix]) -> Matrix:
    """Weighted sum Σ x_j T_j of 3×3 matrices T_j."""
    return sum((x[j] * T for j, T in enumerate(tensors)), zeros(3, 3))


def required_wrenches(at: Snapshot, a: Matrix | None = None) -> list[Matrix]:
    """Required wrench w* − wᵉ of every body at its origin, in inertial axes; if `a` is None, the joint accelerations
    are zero.

    The inertia wrench w* includes the weight, since the ground is given the acceleration −g; wᵉ is the wrench applied
    by loads. The equations of each body are evaluated in the axes of `tree_members`. The wrench of a flexible body is
    followed by the required modal forces.

    Source: [chaudhary], eq. (5), w* = M ṫ + Ω M E t; Ω is called W there.
    """
    members, found = members_of(at), []
    a = None if a is None else as_column(a)
    moving = body_motions(at, members, a)
    for k, (member, motion) in enumerate(zip(members, moving, strict=True)):
        w = body_required_wrench(at, k, member, motion, a)
        found.append(ca.vertcat(member.A @ w[:3], member.A @ w[3:6], w[6:]))
    for k, w in applied_wrenches(at).items():
        if k >= 0:
            found[k] = found[k] - w
    return found


def carried_wrenches(at: Snapshot, own: list[Matrix]) -> list[Matrix]:
    """Wrench that each inboard joint transmits to its body: the sum of the required wrenches of the body and of all
    bodies outward of it.

        w_(i−1,i) = w*_i − wᵉ_i + Σ A' w_(i,i+1)      over the children i+1 of body i

    w_(i−1,i) is the wrench that the inboard joint of body i transmits, A' transforms a wrench to the origin of body i,
    and `own` are the required wrenches w*_i − wᵉ_i of the single bodies. A wrench at a marker of a flexible body also
    contributes to the modal forces of this body.

    Source: [chaudhary], eq. (11), for a tree.
    """

    def step(k: int, link: Link, total: Matrix) -> Matrix:
        r = at.placements[k].pose.p - at.placements[link.parent].pose.p
        transmitted = transport_wrench(total[:6], r)
        modal = own[link.parent].shape[0] > 6
        return ca.vertcat(transmitted, parent_elastic_screws(at, k).T @ transmitted) if modal else transmitted

    return accumulate_inward(at.skeleton.links, own, step, lambda one, other: one + other)


def generalized_forces(at: Snapshot, carried: list[Matrix]) -> Matrix:
    """Generalized forces along the rates, one entry for each rate: the power of the wrenches `carried`, which the
    inboard joints transmit, for a unit rate.

    Source: [chaudhary], eqs. (9)–(10), (32).
    """
    parts = [link_motion_matrix(at, k).T @ carried[k] for k in range(len(at.skeleton.links))]
    return ca.vertcat(ca.DM(0, 1), *parts)
