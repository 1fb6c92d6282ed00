"""Efforts and reactions at one instant of a known motion, by any of the methods of inverse dynamics.

    h(q, v, v̇) = Jᵀ λ + B τ

The methods are those of `dynamics.inverse`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.dynamics.inverse import InverseFunctions, effort_columns
from multiloop.dynamics.readouts import readouts_of
from multiloop.kernels.tolerances import SINGULAR_BELOW
from multiloop.kinematics.course import Instant
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.path import most_moved
from multiloop.kinematics.rates import RANK
from multiloop.kinematics.singularity import Nearness
from multiloop.model import Fault, SolveError
from multiloop.plan import Plan, efforts_of, screws_of
from multiloop.plan.massless import most_carried
from multiloop.questions.choices import require
from multiloop.questions.leading.constraint_svd import ConstraintSVD, constraint_svd_at
from multiloop.questions.leading.effort_weights import effort_weights
from multiloop.questions.leading.idle_accelerations import idle_accelerations
from multiloop.questions.leading.loads_found import LoadsFound, brought_together
from multiloop.questions.leading.traced_drive import driven_signals
from multiloop.questions.leading.traced_solver import traced_solver
from multiloop.questions.load_refusals import require_determined, require_distances
from multiloop.questions.minimum_norm import minimum_norm_reactions
from multiloop.questions.run_errors import singular_position
from multiloop.symbols import Traced

LEAST_EFFORTS = "least efforts: Σ (τ/weight)² is smallest"

METHODS = ("subsystem", "system", "virtual_work", "traditional")


class Loads:
    """Solver for the efforts of the drives and the reactions of all joints.

    `x` are the states that are not coordinates; by default they have their initial values, since a prescribed motion
    does not depend on them. With more efforts than degrees of freedom those of minimum norm are taken, min Σ
    (τ/weight)²; idle degrees of freedom accelerate by their own inertia, since no effort acts on them.
    """

    def __init__(
        self,
        plan: Plan,
        equations: Equations,
        p: np.ndarray,
        method: str,
        weights: Mapping[str, float] | None = None,
        x: np.ndarray | None = None,
    ) -> None:
        require(plan.mechanism, "inverse method", method, METHODS)
        self.plan, self.equations, self.p, self.method = plan, equations, p, method
        require_determined(plan, equations.skeleton)
        self.functions = InverseFunctions(equations)
        self.readouts = readouts_of(equations)
        self.efforts = efforts_of(plan.mechanism)
        self.signals = driven_signals(equations)
        self.B = effort_columns(equations, self.efforts)
        self.weights = effort_weights(plan.mechanism, self.efforts, weights or {})
        self.over = len(self.efforts) - self.freedoms
        self.own_states = equations.skeleton.initial(p) if x is None else x

    @property
    def freedoms(self) -> int:
        """Number of degrees of freedom that efforts must produce."""
        return self.plan.mobility - len(self.plan.idle)

    def holding(self, t: float, q: np.ndarray) -> ConstraintSVD:
        """Singular values of the loops at a closed position."""
        return constraint_svd_at(self.equations, self.plan, t, q, self.p)

    def grip(self, holding: ConstraintSVD) -> float:
        """The part of the worst actuated motion that the efforts reach, 0 where they do not reach every degree
        of freedom.
        """
        _, parts = holding.reach(self.B)
        return (
            float(parts[self.freedoms - 1]) if 0 < self.freedoms <= len(parts) else float(not self.freedoms)
        )

    @property
    def watches(self) -> bool:
        """Whether the efforts must be checked: there are more drives than degrees of freedom, or actuators."""
        drives = sum(target.rows() for target in self.equations.targets)
        return drives > self.freedoms or bool(self.plan.mechanism.actuators)

    def nearness(self, t: float, q: np.ndarray) -> list[Nearness]:
        """Closeness of the loops alone and of the efforts, which that of loops and drives does not include."""
        if not self.watches:
            return []
        holding = self.holding(t, q)
        least_held = holding.Vt[max(min(holding.count, len(holding.sigma)) - 1, 0)]
        if not self.freedoms:
            return [Nearness(holding.closeness, most_moved(self.equations, least_held))]
        least_reached = holding.reach(self.B)[0][:, max(self.freedoms - 1, 0)] / holding.scale
        return [
            Nearness(holding.closeness, most_moved(self.equations, least_held)),
            Nearness(
                self.grip(holding),
                most_moved(self.equations, least_reached),
                "is hardly reached by any effort",
            ),
        ]

    def solve(self, instant: Instant, beyond: np.ndarray | float = 0.0) -> LoadsFound:
        """Accelerations, forces along every rate, constraint wrenches and reaction-dependent forces at an instant.

        Forces `beyond` the known ones may be added along the rates.
        """
        q, v, holding = instant.q, instant.v, self.holding(instant.t, instant.q)
        if holding.closeness < SINGULAR_BELOW:
            raise singular_position(self.plan.mechanism, instant.t, holding.closeness)
        if self.grip(holding) < SINGULAR_BELOW:
            raise self._without_grip(instant.t)
        require_distances(self.equations, instant.t, q, v, self.p)
        y = self.signals.layout.pack(q=q, v=v, x=self.own_states)
        known = self.signals.forces_at(instant.t, y, self.p) + beyond
        found = self._found(instant, known, holding, np.zeros(self.equations.strengths.shape[0]))
        if self.over > 0 or self.plan.idle:
            found = brought_together(lambda x: self._found(instant, known, holding, x), found)
        if self.plan.redundant:
            one = (np.array([instant.t]), q[None], self.p, found.wrenches[None], found.lam[None])
            found = replace(found, wrenches=minimum_norm_reactions(self.equations, *one)[0])
        return found

    def _found(
        self, instant: Instant, known: np.ndarray, holding: ConstraintSVD, strengths: np.ndarray
    ) -> LoadsFound:
        """The solution with idle accelerations and minimum-norm efforts computed for given reaction-dependent
        forces.
        """
        a = self._idle_forward(instant, known, holding, strengths)
        if self.over > 0:
            known = known + self.B @ self._least_efforts(instant, a, known, holding, strengths)
        if self.method == "traditional":
            return self._traditional(instant, a, known)
        return self._reduced(instant, a, known, holding)

    def _without_grip(self, t: float) -> SolveError:
        """The error for efforts that do not reach every degree of freedom."""
        listed = ", ".join(joint for joint, _ in self.efforts)
        fault = Fault(
            "S01",
            "inverse dynamics",
            f"at t = {t:.6g} s the efforts at {listed} do not reach every freedom: with all of them locked the "
            "mechanism may still move.",
            "Go round such positions, or put the actuators where they hold it there too.",
        )
        return SolveError(f"mechanism '{self.plan.mechanism.name}'", [fault], time=t)

    def _reduced(
        self, instant: Instant, a: np.ndarray, known: np.ndarray, holding: ConstraintSVD
    ) -> LoadsFound:
        basis = holding.basis if self.independent is not None else np.zeros((0, 0))
        choice = holding.choice if self.method == "virtual_work" else np.zeros((0, 0))
        motion = self._motion(instant, a)
        lam, tau, *more = self._solver(**motion, known=known, basis=basis, choice=choice)
        forces, following = known + self._unknown @ tau, self._following(more)
        felt = {"lam": lam, "tau": forces, "strengths": following[:, 0]}
        wrenches = self.readouts.reactions(**motion, **felt)[0].reshape(6, -1)
        return LoadsFound(a, forces, wrenches, following, lam)

    def _following(self, more: list[np.ndarray]) -> np.ndarray:
        strengths = self.equations.strengths.shape[0]
        return np.concatenate(more or [np.zeros(0)]).reshape(strengths, strengths + 2)

    def _traditional(self, instant: Instant, a: np.ndarray, known: np.ndarray) -> LoadsFound:
        spread = np.zeros((0, 0))
        if self.plan.redundant:
            screws = screws_of(self.equations, instant.q, self.p, instant.t)
            skeleton = self.equations.skeleton
            joints = [
                *(link.joint.name for link in skeleton.links),
                *(constraint.name for constraint in self.equations.own.constraints),
            ]
            rows = [k for joint in joints for k in screws.joint_rows(joint)]
            spread = np.linalg.svd(screws.A[rows])[0][:, : self.plan.rank.rank]
        wrenches, tau, lam, *more = self._solver(**self._motion(instant, a), known=known, spread=spread)
        forces = known + self._unknown @ tau
        return LoadsFound(a, forces, wrenches.reshape(6, -1), self._following(more), lam)

    def _motion(self, instant: Instant, a: np.ndarray) -> dict[str, Any]:
        """Known inputs of the traced functions at an instant."""
        return {"t": instant.t, "q": instant.q, "v": instant.v, "a": a, "x": self.own_states, "p": self.p}

    @property
    def _unknown(self) -> np.ndarray:
        """Columns of the efforts that the method itself solves for."""
        return self.B if self.over <= 0 else self.B[:, :0]

    @property
    def used(self) -> str:
        """The method that is used: `subsystem` needs as many equations as unknowns, else it is `system`."""
        if self.method == "subsystem" and (self.plan.idle or self.over > 0 or self.independent is not None):
            return "system"
        return self.method

    @cached_property
    def _solver(self) -> Traced:
        unknown = self.efforts if self.over <= 0 else ()
        if self.method == "traditional":
            independent = self.plan.rank.rank if self.plan.redundant else None
            return traced_solver(self.equations, self.method, unknown, independent, ())
        blocks = self.plan.determinacy.blocks
        return traced_solver(self.equations, self.used, unknown, self.independent, blocks)

    @property
    def independent(self) -> int | None:
        """The number of independent rows of the loops if some are redundant, else None."""
        skeleton = self.equations.skeleton
        count = skeleton.rates - self.plan.mobility
        return count if count < self.equations.own.count else None

    def _needed(
        self, instant: Instant, a: np.ndarray, known: np.ndarray, strengths: np.ndarray
    ) -> np.ndarray:
        whole = self.functions.reduced(**self._motion(instant, a), strengths=strengths)[0]
        needed: np.ndarray = whole - known
        return needed

    def _least_efforts(
        self,
        instant: Instant,
        a: np.ndarray,
        known: np.ndarray,
        holding: ConstraintSVD,
        strengths: np.ndarray,
    ) -> np.ndarray:
        """min Σ (τ/weight)² subject to Cᵀ B τ = Cᵀ h, in which reactions take no part."""
        C = holding.motions
        scaled = C.T @ (self.B * self.weights)
        h = C.T @ self._needed(instant, a, known, strengths)
        efforts: np.ndarray = self.weights * np.linalg.lstsq(scaled, h, rcond=RANK)[0]
        return efforts

    def _idle_forward(
        self, instant: Instant, known: np.ndarray, holding: ConstraintSVD, strengths: np.ndarray
    ) -> np.ndarray:
        """Accelerations with those of idle degrees of freedom."""
        if not self.plan.idle:
            return instant.a
        Z = holding.reach(self.B)[0][:, self.freedoms :]
        h = self._needed(instant, instant.a, known, strengths)
        added = idle_accelerations(self.equations, instant.q, self.p, Z, h, self._carried)
        a: np.ndarray = instant.a + added
        return a

    @cached_property
    def _carried(self) -> np.ndarray:
        return most_carried(self.equations, self.plan.assembly.on(self.equations), self.p)


def load_keys(loads: Loads) -> tuple[str, ...]:
    """Cache keys: the method of inverse dynamics, its unknown efforts, independent rows and blocks."""
    return (repr((loads.used, loads.efforts, loads.independent, loads.plan.determinacy.blocks)),)
