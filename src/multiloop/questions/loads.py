"""Efforts and reactions of one instant of a known motion, by any of the inverse methods, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from multiloop.dynamics.inverse import InverseFunctions, effort_columns
from multiloop.dynamics.measured import Measured
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.path import Instant
from multiloop.kinematics.rates import RANK, rank_among
from multiloop.model import Fault, Mechanism, SolveError
from multiloop.plan import Plan, efforts_of, screws_of
from multiloop.questions.choices import require
from multiloop.questions.efforts import known_efforts
from multiloop.questions.least import least_reactions
from multiloop.symbols import Traced

METHODS = ("subsystem", "system", "virtual_work", "traditional")


class Loads:
    """What the drives must give and what every joint carries.

    With more efforts than freedoms the least are taken, min Σ (τ/weight)², before anything else; with idle
    freedoms these follow their own inertia, since nothing acts on them.
    """

    def __init__(
        self,
        plan: Plan,
        equations: Equations,
        p: np.ndarray,
        method: str,
        weights: Mapping[str, float] | None = None,
    ) -> None:
        require(plan.mechanism, "inverse method", method, METHODS)
        self.plan, self.equations, self.p, self.method = plan, equations, p, method
        self.functions = InverseFunctions(equations)
        self.measured = Measured(equations)
        self.efforts = efforts_of(plan.mechanism)
        self.forces = known_efforts(equations, None)
        self.B = effort_columns(equations, self.efforts)
        self.weights = _weights_of(plan.mechanism, self.efforts, weights or {})
        self.over = len(self.efforts) - (plan.mobility - len(plan.idle))

    def require_span(self, q: np.ndarray) -> None:
        """Refuse efforts that cannot supply every freedom, however many they are."""
        freedoms = self.plan.mobility - len(self.plan.idle)
        sigma = np.linalg.svd(self._motions(q).T @ self.B, compute_uv=False)
        if freedoms and np.sum(sigma > 1e-7 * max(1.0, sigma.max(initial=0.0))) < freedoms:
            listed = ", ".join(joint for joint, _ in self.efforts)
            fault = Fault(
                "S01",
                "inverse dynamics",
                f"the efforts at {listed} cannot supply every one of {freedoms} freedoms.",
                "Put the actuators where they move all of them.",
            )
            raise SolveError(f"mechanism '{self.plan.mechanism.name}'", [fault])

    def solve(self, instant: Instant) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Accelerations, forces along every rate (known and found), and constraint wrenches (6 × joints)."""
        q, v = instant.q, instant.v
        known = self.forces(instant.t, q, v)
        a = self._idle_forward(instant, known)
        if self.over > 0:
            known = known + self.B @ self._least_efforts(instant, a, known)
        if self.method == "traditional":
            wrenches, tau = self._traditional(q, v, a, known)
        else:
            wrenches, tau = self._reduced(q, v, a, known)
        if self.plan.redundant:
            wrenches = least_reactions(self.equations, q, self.p, wrenches)
        return a, tau, wrenches

    def _reduced(
        self, q: np.ndarray, v: np.ndarray, a: np.ndarray, known: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        rows = self.equations.skeleton.rows
        U, sigma, Vt = self._decomposed(q)
        rank = rank_among(sigma)
        basis = U[:, :rank].T * self.equations.row_scale[:rows] if self._redundant_rows else np.zeros((0, 0))
        choice = Vt[rank:] if self.method == "virtual_work" else np.zeros((0, 0))
        lam, tau = self._solver(q, v, a, known, basis, choice, self.p)
        forces = known + self._unknown @ tau
        return self.measured.reactions(q, v, a, lam, forces, self.p)[0].reshape(6, -1), forces

    def _traditional(
        self, q: np.ndarray, v: np.ndarray, a: np.ndarray, known: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        spread = np.zeros((0, 0))
        if self.plan.redundant:
            screws, skeleton = screws_of(self.equations, q, self.p), self.equations.skeleton
            joints = [
                *(link.joint.name for link in skeleton.links),
                *(cut.joint.name for cut in skeleton.cuts),
            ]
            rows = [k for joint in joints for k in screws.joint_rows(joint)]
            spread = np.linalg.svd(screws.A[rows])[0][:, : self.plan.rank.rank]
        wrenches, tau = self._solver(q, v, a, known, spread, self.p)
        return wrenches.reshape(6, -1), known + self._unknown @ tau

    @property
    def _unknown(self) -> np.ndarray:
        """Columns of the efforts that the method itself finds."""
        return self.B if self.over <= 0 else self.B[:, :0]

    @property
    def used(self) -> str:
        """The method that is really used: `subsystem` needs as many equations as unknowns, else it is `system`."""
        if self.method == "subsystem" and (self.plan.idle or self.over > 0 or self._redundant_rows):
            return "system"
        return self.method

    @cached_property
    def _redundant_rows(self) -> bool:
        sigma = self._decomposed(self.plan.assembly.on(self.equations))[1]
        return rank_among(sigma) < self.equations.skeleton.rows

    @cached_property
    def _solver(self) -> Traced:
        if self.method == "traditional":
            independent = self.plan.rank.rank if self.plan.redundant else None
            return self.functions.all_at_once(self._unknown, independent)
        return self.functions.solved(self.used, self._unknown, self.independent, self.plan.determinacy.blocks)

    @cached_property
    def independent(self) -> int | None:
        """The number of independent rows of the loops, where some are redundant."""
        sigma = self._decomposed(self.plan.assembly.on(self.equations))[1]
        return rank_among(sigma) if self._redundant_rows else None

    def _decomposed(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Singular values of the loops' scaled rows."""
        rows = self.equations.skeleton.rows
        J = self.equations.row_scale[:rows, None] * self.equations.geometric_jacobian(q, self.p)
        return (
            np.linalg.svd(J, full_matrices=True)
            if rows
            else (np.zeros((0, 0)), np.zeros(0), np.eye(J.shape[1]))
        )

    def _motions(self, q: np.ndarray) -> np.ndarray:
        """Columns span the rates that the loops allow."""
        _, sigma, Vt = self._decomposed(q)
        return Vt[rank_among(sigma) :].T

    def _needed(self, instant: Instant, a: np.ndarray, known: np.ndarray) -> np.ndarray:
        return self.functions.reduced(instant.q, instant.v, a, self.p)[0] - known

    def _least_efforts(self, instant: Instant, a: np.ndarray, known: np.ndarray) -> np.ndarray:
        """min Σ (τ/weight)² with Cᵀ B τ = Cᵀ h: the power balance decides, the reactions play no part."""
        C = self._motions(instant.q)
        scaled = C.T @ (self.B * self.weights)
        return self.weights * np.linalg.lstsq(scaled, C.T @ self._needed(instant, a, known), rcond=RANK)[0]

    def _idle_forward(self, instant: Instant, known: np.ndarray) -> np.ndarray:
        """Accelerations in which every idle freedom follows its own inertia.

        Along motions Z that no effort moves, Zᵀ h(v̇ + Z x) = 0 is solved for x.
        """
        if not self.plan.idle:
            return instant.a
        C = self._motions(instant.q)
        U, sigma, _ = np.linalg.svd(C.T @ self.B, full_matrices=True)
        Z = C @ U[:, rank_among(sigma) :]
        h = self._needed(instant, instant.a, known)
        inertia = np.column_stack([Z.T @ (self._needed(instant, instant.a + z, known) - h) for z in Z.T])
        if np.abs(inertia).max(initial=0.0) < 1e-14 * max(1.0, float(np.abs(h).max())):
            return instant.a
        return instant.a - Z @ np.linalg.lstsq(inertia, Z.T @ h, rcond=1e-9)[0]


def _weights_of(
    mechanism: Mechanism, efforts: tuple[tuple[str, str], ...], weights: Mapping[str, float]
) -> np.ndarray:
    """The weight of every effort, given by joint or "joint.component"; 1 where none is."""
    names = [(f"{joint}.{component}", joint) for joint, component in efforts]
    for name, weight in weights.items():
        require(mechanism, "weight of joint", name, [known for pair in names for known in pair])
        if not isinstance(weight, int | float | np.number) or not 0 < weight < np.inf:
            remedy = "Give a positive number: a large one lets it take more, a small one spares it."
            fault = Fault("S09", f"weight of '{name}'", f"is {weight!r:.60}.", remedy)
            raise SolveError(f"mechanism '{mechanism.name}'", [fault])
    return np.array([float(weights.get(whole, weights.get(joint, 1.0))) for whole, joint in names])
