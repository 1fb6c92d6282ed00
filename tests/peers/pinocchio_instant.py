"""One instant of a mechanism in Pinocchio, with loops closed by hand: accelerations, efforts, force in every joint.

Inertia, bias, Jacobians, accelerations and the forces inside the tree are Pinocchio's. The constraints of the cuts are
dot products, differentiated twice by hand; NumPy solves for accelerations and multipliers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pinocchio as pin
from peers.pinocchio_model import Peer, Values

from multiloop import Joint

ALIGNED = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED

DEPENDENT = 1e-9
"""Singular values of the rows below this part of the largest count as zero."""

HELD = {
    "Revolute": ("xz", "yz", "point"),
    "Prismatic": ("xy", "yz", "zx", "x", "y"),
    "Cylindrical": ("xz", "yz", "x", "y"),
    "Universal": ("zx", "point"),
    "Spherical": ("point",),
    "Planar": ("xz", "yz", "z"),
    "Fixed": ("xy", "yz", "zx", "point"),
    "Free": (),
}
"""The constraints of a cut: "xz" the right angle of the first marker's x and the second's z, "x" the way along the
first marker's x, "point" all of the way."""

FLAT_HELD = HELD | {"Revolute": ("point",), "Prismatic": ("xy", "y"), "Planar": (), "Fixed": ("xy", "point")}
"""The same in a planar mechanism, where a point has two coordinates."""


@dataclass(frozen=True, eq=False)
class Row:
    """One constraint of a cut: its value, and its second derivative J a + bias.

    J is the unit wrench [moment; force] on the second body, at the second marker, in inertial axes.
    """

    cut: str
    value: float
    moment: np.ndarray
    force: np.ndarray
    J: np.ndarray
    bias: float


@dataclass(frozen=True, eq=False)
class Answer:
    """Accelerations and efforts of the tree's joints, and [moment; force] of the constraint of every joint.

    `left` is the residual of Pinocchio's inverse dynamics, relative to the largest effort or bias.
    """

    accelerations: Values
    efforts: Values
    wrenches: Values
    left: float


class Instant:
    """A peer at given positions and rates of its tree's joints."""

    def __init__(self, peer: Peer, positions: Values, rates: Values | None = None) -> None:
        self.peer, self.model, self.data = peer, peer.model, peer.model.createData()
        self.q = peer.coordinates(positions)
        self.maps = peer.rate_maps(self.q)
        self.v = self.gathered({} if rates is None else rates)
        pin.forwardKinematics(self.model, self.data, self.q, self.v, np.zeros(self.model.nv))
        pin.computeJointJacobians(self.model, self.data, self.q)
        pin.updateFramePlacements(self.model, self.data)

    def gathered(self, values: Values) -> np.ndarray:
        """Rates or efforts of joints in Pinocchio's order; joints that are not named have none."""
        parts = (T @ np.atleast_1d(values[name]) for name, T in self.maps.items() if name in values)
        return sum(parts, np.zeros(self.model.nv))

    def by_joint(self, v: np.ndarray) -> dict[str, np.ndarray]:
        """Rates, accelerations or efforts of the tree's joints from Pinocchio's."""
        return {name: T.T @ v for name, T in self.maps.items()}

    def place(self, reference: str) -> pin.SE3:
        """A marker in the inertial frame."""
        return self.data.oMf[self.peer.frames[reference]]

    @cached_property
    def rows(self) -> list[Row]:
        """The constraints of all cuts."""
        held = FLAT_HELD if self.peer.planar else HELD
        return [
            row
            for cut in self.peer.cuts
            for what in held[type(cut).__name__]
            for row in self._rows(cut, what)
        ]

    def _rows(self, cut: Joint, what: str) -> list[Row]:
        """One right angle, one way along an axis, or the whole way; u turns with the first marker, w with the second.

        (u · w)¨ = n · (α_S − α_F) + ṅ · (ω_S − ω_F),            n = w × u
        (u · r)¨ = u · r̈ + r · (α_F × u) + r · (ω_F × (ω_F × u)) + 2 ṙ · (ω_F × u)
        """
        (F, J_F, omega_F, v_F, alpha_F, a_F), (S, J_S, omega_S, v_S, alpha_S, a_S) = map(
            self._moving, (cut.first, cut.second)
        )
        r, r_rate, r_rate2 = S.translation - F.translation, v_S - v_F, a_S - a_F
        if what == "point":
            axes = np.eye(3)[: 2 if self.peer.planar else 3]
            J = J_S[:3] - J_F[:3]
            return [Row(cut.name, e @ r, np.zeros(3), e, e @ J, e @ r_rate2) for e in axes]
        u, u_rate = (axis := F.rotation[:, "xyz".index(what[0])]), np.cross(omega_F, axis)
        if len(what) == 1:
            J = u @ (J_S[:3] - J_F[:3]) + np.cross(u, r) @ J_F[3:]
            turning = np.cross(alpha_F, u) + np.cross(omega_F, u_rate)
            bias = u @ r_rate2 + r @ turning + 2 * r_rate @ u_rate
            return [Row(cut.name, u @ r, np.zeros(3), u, J, bias)]
        w, w_rate = (axis := S.rotation[:, "xyz".index(what[1])]), np.cross(omega_S, axis)
        n, n_rate = np.cross(w, u), np.cross(w_rate, u) + np.cross(w, u_rate)
        bias = n @ (alpha_S - alpha_F) + n_rate @ (omega_S - omega_F)
        return [Row(cut.name, u @ w, n, np.zeros(3), n @ (J_S[3:] - J_F[3:]), bias)]

    def _moving(self, reference: str) -> tuple:
        """Place of a marker, its Jacobian [v; ω], ω, v, and α, a when the coordinates do not accelerate."""
        frame = self.peer.frames[reference]
        J = pin.getFrameJacobian(self.model, self.data, frame, ALIGNED)
        twist = pin.getFrameVelocity(self.model, self.data, frame, ALIGNED)
        rate = pin.getFrameClassicalAcceleration(self.model, self.data, frame, ALIGNED)
        return self.place(reference), J, twist.angular, twist.linear, rate.angular, rate.linear

    @cached_property
    def J(self) -> np.ndarray:
        """Rows of all cuts."""
        return np.array([row.J for row in self.rows]).reshape(-1, self.model.nv)

    @property
    def gap(self) -> float:
        """The distance of the cuts from closure, in metres or radians."""
        return max((abs(row.value) for row in self.rows), default=0.0)

    @property
    def motions(self) -> np.ndarray:
        """Columns span the rates that cuts and welds allow."""
        _, sigma, Vt = np.linalg.svd(np.vstack([self.J, self.peer.weld_rows]))
        return Vt[_rank(sigma) :].T

    @property
    def shared(self) -> list[Values]:
        """Wrenches of all joints that are self-equilibrated: they change no motion."""
        U, sigma, _ = np.linalg.svd(self.J)
        still, none = np.zeros(self.model.nv), np.zeros(len(self.rows))
        zero = self.wrenches(still, none, still)[0]
        found = (self.wrenches(still, z, still)[0] for z in U.T[_rank(sigma) :])
        return [{name: wrench - zero[name] for name, wrench in wrenches.items()} for wrenches in found]

    def solve(self, efforts: Values, prescribed: Values) -> Answer:
        """Accelerations and multipliers for known efforts, where some joints accelerate as prescribed.

            M a − Gᵀ λ = τ − b,     G a = g          (rows of the cuts, of the welds, of the drives)

        Of dependent rows only independent combinations Uᵀ G are used.
        """
        M, b = pin.crba(self.model, self.peer.model.createData(), self.q), self.bias
        M = np.triu(M) + np.triu(M, 1).T
        driven = [self.maps[name].T for name in prescribed]
        G = np.vstack([self.J, self.peer.weld_rows, *driven])
        wished = [np.atleast_1d(a) for a in prescribed.values()]
        g = np.concatenate([[-row.bias for row in self.rows], np.zeros(len(self.peer.weld_rows)), *wished])
        U, sigma, _ = np.linalg.svd(G)
        U, n = U[:, : _rank(sigma)], self.model.nv
        K = np.block([[M, -G.T @ U], [U.T @ G, np.zeros((U.shape[1], U.shape[1]))]])
        tau = self.gathered(efforts)
        x = np.linalg.solve(K, np.concatenate([tau - b, U.T @ g]))
        a, lam, count = x[:n], U @ x[n:], len(self.rows)
        tau = tau + G[count:].T @ lam[count:]
        wrenches, needed = self.wrenches(a, lam[:count], tau)
        size = max(np.abs(tau).max(), np.abs(b).max())
        left = float(np.abs(needed - tau).max() / size)
        return Answer(self.by_joint(a), self.by_joint(tau), wrenches, left)

    @property
    def bias(self) -> np.ndarray:
        """Forces that gravity and the rates alone need."""
        return pin.nonLinearEffects(self.model, self.peer.model.createData(), self.q, self.v)

    def wrenches(self, a: np.ndarray, lam: np.ndarray, tau: np.ndarray) -> tuple[Values, np.ndarray]:
        """[moment; force] of every joint: what its first body exerts on its second through the constraint.

        At the second marker, in inertial axes, without the efforts. Cuts have theirs from the multipliers;
        for the others Pinocchio's inverse dynamics is asked with the cuts' wrenches as external forces, and
        says what each joint transmits outward. Also the efforts that it finds.
        """
        of_cut = {cut.name: np.zeros(6) for cut in self.peer.cuts}
        for row, multiplier in zip(self.rows, lam, strict=True):
            of_cut[row.cut] += multiplier * np.concatenate([row.moment, row.force])
        external = [pin.Force.Zero() for _ in range(self.model.njoints)]
        for cut in self.peer.cuts:
            moment, force = of_cut[cut.name][:3], of_cut[cut.name][3:]
            acting = pin.Force(force, moment + np.cross(self.place(cut.second).translation, force))
            for sign, reference in ((-1.0, cut.first), (1.0, cut.second)):
                number = self.model.frames[self.peer.frames[reference]].parentJoint
                external[number] += self.data.oMi[number].actInv(sign * acting)
        data, forces = self.model.createData(), pin.StdVec_Force()
        forces.extend(external)
        needed = pin.rnea(self.model, data, self.q, self.v, a, forces)
        efforts = self.by_joint(tau)
        found = {name: self._carried(name, data) - self._effort(name, efforts[name]) for name in self.maps}
        return found | of_cut, needed

    def _carried(self, name: str, data: pin.Data) -> np.ndarray:
        """The wrench of a tree joint on its second body; the outermost step has it for the outer body."""
        forward, steps = self.peer.forward[name], self.peer.steps[name]
        number = steps[-1 if forward else 0].number
        outward = self.data.oMi[number].act(data.f[number])  # at the inertial origin
        point = self.place(self.peer.mechanism.joint(name).second).translation
        moment = outward.angular - np.cross(point, outward.linear)
        return (1.0 if forward else -1.0) * np.concatenate([moment, outward.linear])

    def _effort(self, name: str, effort: np.ndarray) -> np.ndarray:
        """Efforts of a joint as a wrench on its second body: moments about its turns, forces along its slides."""
        joint, values = self.peer.mechanism.joint(name), iter(effort)
        F, S = self.place(joint.first).rotation, self.place(joint.second).rotation
        moment, force = np.zeros(3), np.zeros(3)
        for step in self.peer.steps[name]:
            if step.kind == "ball":
                moment += F @ [next(values) for _ in range(3)]
            elif step.kind[0] == "P":
                force += next(values) * F[:, "XYZ".index(step.kind[1])]
            elif step.kind != "weld":
                moment += next(values) * (S[:, 0] if step.kind == "RX" else F[:, 2])
        return np.concatenate([moment, force])


def _rank(sigma: np.ndarray) -> int:
    return int(np.sum(sigma > DEPENDENT * sigma.max(initial=1e-300)))
