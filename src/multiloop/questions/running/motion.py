"""Forward dynamics in numbers: accelerations, multipliers, efforts and reactions of one instant, by any method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.dynamics.forward import FORMULATIONS, METHODS, ForwardFunctions, forward_functions
from multiloop.dynamics.inertia import generalized_inertia
from multiloop.dynamics.measured import measured_of
from multiloop.dynamics.projection import Projection
from multiloop.kernels.tolerances import SINGULAR_BELOW
from multiloop.kinematics.assembly import Assembly, drive_of
from multiloop.kinematics.path import Drive
from multiloop.kinematics.targets import drive_targets
from multiloop.model import Mechanism, SolveError
from multiloop.plan import Plan, tree_inertia
from multiloop.plan.massless import rate_weights
from multiloop.questions.choices import require
from multiloop.questions.least import least_reactions
from multiloop.questions.load_refusals import require_untwisted
from multiloop.questions.refusal import refusal
from multiloop.questions.running.efforts import known_efforts
from multiloop.questions.running.penalties import inertia_moved, part_missed
from multiloop.questions.running.rotors import undecided, with_mass, without_spin
from multiloop.questions.running.stops import singular_position
from multiloop.spatial import Matrix

PENALTY = 3e6
"""Penalty of the augmented method for a row, relative to the inertia that the row moves."""

MET = 1e-7
"""Part of the accelerations along a row that penalties may leave over …"""

CLEAR = 1e-5
"""… at positions farther than this from a singular one."""

SIZE = 1e-2
"""The least size of scaled rows: where all are smaller at once they vanish together."""

WEIGHED = 60
"""Rates up to which the way back onto the constraints weighs the masses."""


@dataclass(frozen=True, eq=False)
class Answer:
    """What holds at one instant: q̇, v̇, multipliers of the loops, forces along all rates, and what power comes in."""

    q_rate: np.ndarray
    a: np.ndarray
    lam: np.ndarray
    tau: np.ndarray
    power: float


class Motions:
    """The mechanism let go, or driven, or both: forward dynamics with prescribed and free freedoms."""

    def __init__(
        self,
        plan: Plan,
        assembly: Assembly,
        method: str,
        efforts: Mapping[str, Any] | None = None,
        *,
        free: bool = False,
    ) -> None:
        """With `free`, what the drives prescribe is let go."""
        mechanism = plan.mechanism
        require(mechanism, "forward method", method, METHODS)
        if not free and any(motion.on_marker for motion in mechanism.drives):
            what = "a Motion of a marker prescribes no joint."
            raise _error(mechanism, "S05", what, "Prescribe the joints' motions instead.")
        self.plan, self.p, self.method = plan, assembly.p, method
        targets = () if free else drive_targets(mechanism)
        self.equations, self.massless, self._spins = with_mass(plan, targets)
        if self.massless.undetermined:
            raise undecided(mechanism, self.massless)
        require_untwisted(self.equations, self._spins, plan.assembly.on(self.equations), self.p)
        self.skeleton = self.equations.skeleton
        self.driven, self.efforts = self.equations.driven, efforts
        self.forces = known_efforts(self.equations, efforts)
        self.measured = measured_of(self.equations)
        self.drive: Drive = (lambda t, order: np.zeros(0)) if free else drive_of(mechanism)
        held = self.skeleton.rates - plan.mobility  # rows of the loops that are independent at most positions
        self.rank = min(held + len(self.driven), self.skeleton.rates)
        self._basis = np.zeros((0, 0))
        self._choice = np.zeros((0, 0))
        self._weight = np.zeros((0, 0))
        self.closeness, self._size = 1.0, SIZE
        self._yielded = np.zeros(self.skeleton.rows + len(self.driven))

    @cached_property
    def functions(self) -> ForwardFunctions:
        """The traced functions; the number of independent rows is that of the first position."""
        rows = self.skeleton.rows + len(self.driven)
        redundant = self.rank < rows and not self.passes_singular
        return forward_functions(
            self.equations,
            self.method,
            self.driven,
            self.rank if redundant else None,
            self.plan.order,
            self.massless.rule == "stiffened",
        )

    @property
    def _takes(self) -> str:
        return FORMULATIONS[self.method].takes

    @property
    def passes_singular(self) -> bool:
        """Whether the method goes on through singular positions, by penalties that cancel as they are written."""
        return self._takes == "penalty"

    @property
    def chooses(self) -> bool:
        """Whether the method works in independent coordinates, chosen anew on the way."""
        return self._takes == "choice"

    @cached_property
    def row_scale(self) -> np.ndarray:
        """Divides rows of the loops that are lengths by the characteristic length; those of the drives stay."""
        return np.concatenate([self.equations.row_scale[: self.skeleton.rows], np.ones(len(self.driven))])

    @property
    def used(self) -> str:
        """The method that is really used: with redundant rows or massless links `sslm` is `slm`."""
        coupled = self.functions.independent is not None or self.functions.stiff
        return "slm" if self.method == "sslm" and coupled else self.method

    def _rows(self, q: np.ndarray) -> np.ndarray:
        """Scaled rows of the loops, then of the drives."""
        scale = self.row_scale[: self.skeleton.rows, None]
        loops = scale * self.equations.geometric_jacobian(q, self.p)
        return np.vstack([loops, np.eye(self.skeleton.rates)[list(self.driven)]])

    def prepare(self, q: np.ndarray, t: float) -> None:
        """Choose, at a closed position, what the functions take as given: row basis, coordinates, weights."""
        J = self._rows(q)
        U, sigma, _ = np.linalg.svd(J, full_matrices=True)
        self._size = max(self._size, float(sigma.max(initial=0.0)))
        self.closeness = float(sigma[self.rank - 1] / self._size) if self.rank else 1.0
        if self.closeness < SINGULAR_BELOW and not self.passes_singular:
            raise singular_position(self.plan.mechanism, t, self.closeness)
        scale = self.row_scale
        if self.functions.independent is not None:
            self._basis = U[:, : self.rank].T * scale
        if self.chooses:
            weight = rate_weights(self.equations, q, self.p)
            self._choice = np.linalg.svd(J / weight, full_matrices=True)[2][self.rank :] * weight
        if self.passes_singular:
            raw = J / scale[:, None]
            self._weight = PENALTY * inertia_moved(self.equations, raw, q, self.p, self._yielded)
        elif self.functions.stiff:
            size = float(np.sum((J / scale[:, None]) ** 2)) or 1.0
            self._weight = np.array([[float(np.trace(self.inertia(q))) / size]])

    def closeness_at(self, q: np.ndarray) -> float:
        """How near a closed position is to a singular one: the least singular value of its rows over the largest.

        The largest is that of all positions asked for: a single row, or all of them, may vanish.
        """
        return _closeness(self._rows(q), self.rank, self._size)

    def given(self, q: np.ndarray, t: float = 0.0) -> dict[str, np.ndarray]:
        """What the functions take besides motion and forces, as chosen at a closed position, by name."""
        self.prepare(q, t)
        found = {"basis": self._basis, "choice": self._choice, "c": self._weight, "p": self.p}
        return {name: value for name, value in found.items() if value.size}

    def inertia(self, q: np.ndarray) -> np.ndarray:
        """I of the tree."""
        return tree_inertia(self.equations, q, self.p)

    def sizes(self) -> np.ndarray:
        """What 1 means in [q, v, work]: lengths in characteristic lengths, rates the same per second, work loosely."""
        chart = self.equations.chart
        in_q, in_v = chart.plain
        q = np.ones(self.skeleton.positions)
        q[in_q] = chart.scale[in_v]
        energy = max(float(np.trace(self.inertia(self.skeleton.neutral))), 1e-12)
        return np.concatenate([q, chart.scale, [energy]])

    def rates_of(self, rates: Mapping[str, np.ndarray]) -> np.ndarray:
        """v of the planned tree from the rates of all joints."""
        v = np.zeros(self.skeleton.rates)
        for link in self.skeleton.links:
            v[link.v] = rates[link.joint.name]
        q = self.plan.assembly.on(self.equations)
        return without_spin(self.equations, q, self.p, v, self._spins) if self._spins else v

    def answer(self, t: float, q: np.ndarray, v: np.ndarray) -> Answer:
        """Accelerations and multipliers; `prepare` must have been called near this position."""
        tau = self.forces(t, q, v)
        prescribed = self.drive(t, 2)
        given = {"basis": self._basis, "choice": self._choice, "c": self._weight, "p": self.p}
        q_rate, a, lam = self.functions.accelerations(t=t, q=q, v=v, tau=tau, prescribed=prescribed, **given)
        rows = self.skeleton.rows
        tau = tau.copy()
        tau[list(self.driven)] += lam[rows:]
        supplied = self.measured.supplied(t=t, q=q, v=v, p=self.p)
        return Answer(q_rate, a, lam[:rows], tau, float(tau @ v) + supplied)

    def require_met(self, t: float, q: np.ndarray, v: np.ndarray, answer: Answer) -> None:
        """Refuse accelerations by penalties that miss the rows where nothing is singular."""
        if not self.passes_singular or self.closeness < CLEAR:
            return
        J, gamma = self._rows(q), self.equations.gamma(q, v, self.p)
        gamma[self.skeleton.rows :] += self.drive(t, 2)
        lam = np.concatenate([answer.lam, answer.tau[list(self.driven)]])
        free = np.linalg.lstsq(self.inertia(q), (J / self.row_scale[:, None]).T @ lam, rcond=None)[0]
        part = part_missed(J, self.row_scale * gamma, answer.a, free)
        if (
            part > MET and _closeness(J, self.rank, self._size) >= CLEAR
        ):  # inside a step the position may be nearer
            what = (
                f"the penalties do not meet the constraints at t = {t:.6g} s: a part {part:.1e} stays over."
            )
            raise _error(self.plan.mechanism, "S12", what, "Use another method than augmented.")

    def projection(self, s: Matrix, s_rate: Matrix, basis: Matrix | None = None) -> Projection:
        """The way back onto the constraints, for drives at s(t); `basis` combines redundant rows."""
        functions = self.functions
        light = not functions.stiff and self.skeleton.rates <= WEIGHED
        return Projection(
            self.equations,
            self.driven,
            s,
            s_rate,
            basis if functions.independent is not None else None,
            functions.order,
            damped=self.passes_singular,
            inertia=generalized_inertia(self.equations) if light else None,
        )

    def reactions(self, t: float, q: np.ndarray, v: np.ndarray, answer: Answer) -> np.ndarray:
        """Constraint wrenches of all joints, 6 × joints."""
        known = {"t": t, "q": q, "v": v, "a": answer.a, "lam": answer.lam, "tau": answer.tau}
        wrenches = self.measured.reactions(**known, p=self.p)[0].reshape(6, -1)
        return least_reactions(self.equations, q, self.p, wrenches) if self.plan.redundant else wrenches


def _closeness(J: np.ndarray, rank: int, size: float) -> float:
    """The least singular value of the independent rows over the largest, which is no less than `size`."""
    sigma = np.linalg.svd(J, compute_uv=False)
    return float(sigma[rank - 1] / max(size, sigma.max(initial=0.0))) if rank else 1.0


def _error(mechanism: Mechanism, code: str, what: str, remedy: str) -> SolveError:
    return refusal(mechanism, code, "forward dynamics", what, remedy)
