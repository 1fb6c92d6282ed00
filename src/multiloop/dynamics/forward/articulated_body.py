"""Articulated-body algorithm: accelerations of the spanning tree for known forces, in O(n) operations for n bodies.

    D_i = S_iᵀ Î_i S_i,   r_i = τ_i − S_iᵀ β_i,   u_i = D_i⁻¹ (r_i − S_iᵀ Î_i ṫ'_i)

Î_i is the articulated inertia of body i, whose outboard joints are free to accelerate, β_i its bias wrench, S_i the
motion subspace of its inboard joint, τ_i the efforts and u_i the unknown accelerations of this joint, r_i these efforts
minus those that the bias wrench requires, and ṫ'_i the twist rate of the body at u_i = 0.

Source: the recursive step of [koul], §3 (ReDySim); articulated inertia after [featherstone].
Differs: the unknowns and axes are those of `tree_members`; a body that rotates freely at its inboard joint transmits
only a force, so that it acts on its parent as an articulated mass (3×3) at the joint.
Theory: docs/theory/06-forward-dynamics.md, eqs. (6.15), (6.16).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import casadi as ca

from multiloop.dynamics.forward.tree_unknowns import TreeUnknowns
from multiloop.dynamics.symbolic_solvers import solve_positive
from multiloop.kinematics import Snapshot
from multiloop.spatial import Matrix, skew, zeros


@dataclass(frozen=True)
class ArticulatedInertia:
    """Articulated inertia of a body as the blocks N, H, M and bias wrench [n; f] of the equation w = [N H; Hᵀ M] ṫ +
    [n; f] between twist rate ṫ and wrench w.

    For a flexible body with elastic coordinates η the wrench is w + C η̈, and the modal forces are Cᵀ ṫ + E η̈ + g,
    with the blocks C and E of coupling and modal inertia and the bias g.
    """

    N: Matrix
    H: Matrix
    M: Matrix
    n: Matrix
    f: Matrix
    C: Matrix = field(default_factory=lambda: zeros(6, 0))
    E: Matrix = field(default_factory=lambda: zeros(0, 0))
    g: Matrix = field(default_factory=lambda: zeros(0))

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        rigid = (self.N + other.N, self.H + other.H, self.M + other.M, self.n + other.n, self.f + other.f)
        if not self.E.shape[0]:
            return ArticulatedInertia(*rigid)
        return ArticulatedInertia(*rigid, self.C + other.C, self.E + other.E, self.g + other.g)

    def wrench(self, x: Matrix) -> Matrix:
        """Wrenches and modal forces for columns [α; a; η̈] of accelerations, without the bias terms [n; f; g]."""
        t, eta = (x[:3, :], x[3:6, :]), x[6:, :]
        rigid = ca.vertcat(self.N @ t[0] + self.H @ t[1], self.H.T @ t[0] + self.M @ t[1])
        if not self.E.shape[0]:
            return rigid
        return ca.vertcat(rigid + self.C @ eta, self.C.T @ x[:6, :] + self.E @ eta)

    def on_elastic(self, screws: Matrix) -> ArticulatedInertia:
        """Contribution of this articulated inertia to that of a flexible parent, about whose origin both are given;
        column k of `screws` (6×e) is the twist of this body per unit of elastic rate k of the parent."""
        if not screws.shape[1]:
            return self
        C = self.wrench(screws)
        g = screws.T @ ca.vertcat(self.n, self.f)
        return ArticulatedInertia(self.N, self.H, self.M, self.n, self.f, C, screws.T @ C, g)

    def seen_from(self, r: Matrix) -> ArticulatedInertia:
        """The articulated inertia about another point; r is the vector from that point to the present reference
        point."""
        R = skew(r)
        through = R @ self.M
        H = self.H + through
        N = self.N - self.H @ R + R @ self.H.T - through @ R
        return ArticulatedInertia(N, H, self.M, self.n + R @ self.f, self.f)

    def turned(self, C: Matrix) -> ArticulatedInertia:
        """The articulated inertia with components in other axes, to which the rotation matrix C transforms; the elastic
        parts are omitted."""
        return ArticulatedInertia(
            C @ self.N @ C.T, C @ self.H @ C.T, C @ self.M @ C.T, C @ self.n, C @ self.f
        )


def tree_accelerations(at: Snapshot, tau: Matrix) -> Matrix:
    """Accelerations v̇ of the tree for known forces `tau` along the rates, without loop constraints."""
    tree = TreeUnknowns(at)
    links = range(len(at.skeleton.links))
    found = articulated_accelerations(tree, tau, links)
    return tree.accelerations([found[k] for k in links])


def articulated_accelerations(tree: TreeUnknowns, tau: Matrix, links: Sequence[int]) -> dict[int, Matrix]:
    """The unknown accelerations u of the links `links`, which must be one or more complete branches from the ground, by
    link index."""
    own = {k: _body_inertia(tree, k) for k in links}
    eliminated: dict[int, tuple[Matrix, Matrix, Matrix]] = {}
    for k in reversed(links):
        member, link, body = tree.members[k], tree.links[k], own[k]
        effort = tau[link.rates]
        turn = member.M.T @ effort if member.turns_freely else zeros(3)
        S, w = member.S, ca.vertcat(body.n, body.f, body.g)
        U = body.wrench(S)
        D = S.T @ U
        u = (S[:3, :].T @ turn if member.turns_freely else effort) - S.T @ w
        eliminated[k] = (U, D, u)
        if link.parent >= 0:
            passed = (
                _transmitted_inertia(body, member.turns_freely, eliminated[k])
                .turned(member.C)
                .seen_from(member.arm)
            )
            reaction_inertia = ArticulatedInertia(
                zeros(3, 3), zeros(3, 3), zeros(3, 3), member.C @ turn, zeros(3)
            )
            own[link.parent] = (
                own[link.parent]
                + passed.on_elastic(member.elastic_screws)
                + reaction_inertia.on_elastic(member.elastic_screws)
            )
    return _outward_pass(tree, links, eliminated)


def _body_inertia(tree: TreeUnknowns, k: int) -> ArticulatedInertia:
    """Inertia and bias wrench of the single body k, without the bodies outward of it."""
    mass, w = tree.body_inertia(k), tree.required_wrench(k)
    rigid = (mass.inertia, skew(mass.moment), mass.mass * ca.DM.eye(3), w[:3], w[3:6])
    return ArticulatedInertia(*rigid, mass.coupling, mass.modal, w[6:])


def _transmitted_inertia(
    body: ArticulatedInertia, free: bool, factors: tuple[Matrix, Matrix, Matrix]
) -> ArticulatedInertia:
    """Articulated inertia that a body transmits across its inboard joint; a freely rotating body (`free`) transmits no
    moment.

    The `factors` are Î S, D = Sᵀ Î S and r, with the articulated inertia Î of the body, the motion subspace S of the
    joint, and the right-hand side r for the unknowns of the joint.
    """
    U, D, u = factors
    if not D.shape[0]:
        return body
    U = U[:6, :]
    solved = solve_positive(D, ca.horzcat(U.T, u))
    L, follows = solved[:, :6].T, solved[:, 6]
    M = body.M - U[3:, :] @ L[3:, :].T
    f = body.f + U[3:, :] @ follows
    if free:
        return ArticulatedInertia(zeros(3, 3), zeros(3, 3), M, zeros(3), f)
    N = body.N - U[:3, :] @ L[:3, :].T
    H = body.H - U[:3, :] @ L[3:, :].T
    return ArticulatedInertia(N, H, M, body.n + U[:3, :] @ follows, f)


def _outward_pass(
    tree: TreeUnknowns, links: Sequence[int], factors: dict[int, tuple[Matrix, Matrix, Matrix]]
) -> dict[int, Matrix]:
    """The unknown accelerations u by link index, computed from the ground outward with the `factors` of every link (see
    `_transmitted_inertia`). Twist rates in this recursion are differences from those at u = 0."""
    found: dict[int, Matrix] = {}
    rates: dict[int, tuple[Matrix, Matrix]] = {-1: (zeros(3), zeros(3))}
    for k in links:
        member, (U, D, u) = tree.members[k], factors[k]
        alpha, a = rates[tree.links[k].parent]
        if member.elastic_screws.shape[1]:
            elastic = member.elastic_screws @ found[tree.links[k].parent][-member.elastic_screws.shape[1] :]
            alpha, a = alpha + elastic[:3], a + elastic[3:]
        a = member.C.T @ (a + ca.cross(alpha, member.arm))
        alpha = zeros(3) if member.turns_freely else member.C.T @ alpha
        found[k] = solve_positive(D, u - U[:6, :].T @ ca.vertcat(alpha, a)) if D.shape[0] else zeros(0)
        rates[k] = (alpha + member.S[:3, :] @ found[k], a + member.S[3:6, :] @ found[k])
    return found
