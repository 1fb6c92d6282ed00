"""The mechanism let go, or driven, or both: which equations hold for it, by the method asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.dynamics.forward import FORMULATIONS, METHODS, ForwardFunctions, forward_functions
from multiloop.dynamics.inertia import generalized_inertia
from multiloop.dynamics.projection import Projection
from multiloop.dynamics.readouts import readouts_of
from multiloop.kinematics.assembly import Assembly
from multiloop.kinematics.conditioning import Grouping
from multiloop.kinematics.path import Drive
from multiloop.kinematics.prescribed import drive_of
from multiloop.kinematics.readings import rates_on
from multiloop.kinematics.targets import drive_targets
from multiloop.plan import Plan, tree_inertia
from multiloop.plan.elastic_cost import require_budget
from multiloop.plan.rank import independent_loop_rows
from multiloop.questions.choices import require
from multiloop.questions.idle_spins import without_spins
from multiloop.questions.load_refusals import require_determined, require_untwisted
from multiloop.questions.massless_spins import undecided, with_mass
from multiloop.questions.minimum_norm import minimum_norm_reactions
from multiloop.questions.running.pushing import pushing_rates, require_reach
from multiloop.questions.signals.cache_keys import tree_keys
from multiloop.spatial import Matrix

LEAST_EFFORTS = "least efforts: Σ τ² is smallest"
"""How more efforts than prescribed motions are shared."""

WEIGHED = 60
"""Rates up to which the way back onto the constraints weighs the masses."""


@dataclass(frozen=True, eq=False)
class Answer:
    """What holds at one instant: accelerations, multipliers of the loops, forces along all rates, and what follows
    reactions (`dynamics.following`), one row for every strength."""

    a: np.ndarray
    lam: np.ndarray
    tau: np.ndarray
    following: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))


class ForwardModel:
    """Forward dynamics of a mechanism along its plan, with prescribed and free freedoms.

    It describes and remembers nothing: what is chosen on the way is a `Choice`, what acts are `Signals`.
    """

    def __init__(
        self,
        plan: Plan,
        assembly: Assembly,
        method: str,
        *,
        free: bool = False,
        given: Iterable[str] = (),
    ) -> None:
        """With `free`, what the drives prescribe is let go; `given` are the joints whose efforts are known."""
        mechanism = plan.mechanism
        require(mechanism, "forward method", method, METHODS)
        self.plan, self.p, self.method = plan, assembly.p, method
        self._asked = {"free": free, "given": tuple(given)}
        targets = () if free else drive_targets(mechanism)
        self.equations, self.massless, self._spins = with_mass(plan, targets)
        if self.massless.undetermined:
            raise undecided(mechanism, self.massless)
        require_untwisted(self.equations, self._spins, plan.assembly.on(self.equations), self.p)
        self.skeleton = self.equations.skeleton
        require_budget(mechanism, self.skeleton, plan.operations)
        require_determined(plan, self.skeleton)
        self.readouts = readouts_of(self.equations)
        self.drive: Drive = drive_of(self.equations)
        self.pushing = pushing_rates(self.equations, plan, given)
        self._held = independent_loop_rows(assembly, plan.tree, plan.mobility)
        self.rank = min(self._held + self.equations.drives.count, self.skeleton.rates)
        self.require_reach(plan.assembly.t, plan.assembly.on(self.equations), self.p)

    def __reduce__(self) -> tuple[Any, ...]:
        """Traces cannot be written down: another process makes its own."""
        return _made_again, (self.plan, self.method, self._asked)

    @cached_property
    def functions(self) -> ForwardFunctions:
        """The traced functions; the number of independent rows is that of the first position."""
        count = self.equations.own.count if self.pushing else self.equations.rows.count
        redundant = self.solved < count and not self.passes_singular
        return forward_functions(
            self.equations,
            self.method,
            self.solved if redundant else None,
            self.plan.order,
            self.massless.rule == "stiffened",
            self.pushing,
        )

    def by(self, method: str) -> ForwardModel:
        """The same by another method."""
        other = copy(self)
        other.method = method
        other.__dict__.pop("functions", None)
        return other

    @property
    def solved(self) -> int:
        """Independent rows that the formulation solves for: drives that push elsewhere are not among them."""
        return self._held if self.pushing else self.rank

    @property
    def redundant(self) -> bool:
        """Whether some of all rows repeat others."""
        return self.rank < self.equations.rows.count and not self.passes_singular

    @cached_property
    def grouping(self) -> Grouping:
        """The rows in groups that are made independent one after another.

        Together, unless drives push elsewhere or some rows hold rates alone: then own rows of positions, own rows of
        rates, drives.
        """
        rows, own, alone = self.equations.rows, self.equations.own, self.plan.rank.rates_alone
        if not self.pushing and len(rows.held) == rows.count:
            return Grouping((tuple(range(rows.count)),), (self.rank,))
        rates = tuple(k for k in range(own.count) if k not in own.held)
        drives = tuple(range(own.count, rows.count))
        return Grouping((tuple(own.held), rates, drives), (self._held - alone, alone, self.rank - self._held))

    @property
    def closing(self) -> list[int]:
        """Which independent rows hold positions."""
        return self.grouping.combined(0) if len(self.grouping.ranks) == 1 else self.grouping.combined(0, 2)

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
        """Divides own rows that are lengths by the characteristic length; those of the drives stay."""
        own = self.equations.own.count
        return np.concatenate([self.equations.rate_row_scale[:own], np.ones(self.equations.drives.count)])

    @property
    def used(self) -> str:
        """The method that is really used: with redundant rows or massless links `sslm` is `slm`."""
        coupled = self.functions.independent is not None or self.functions.stiff
        return "slm" if self.method == "sslm" and coupled else self.method

    @property
    def strengths(self) -> int:
        """How many strengths of loads follow reactions."""
        return int(self.equations.strengths.shape[0])

    @property
    def rule(self) -> str:
        """How more efforts than prescribed motions are shared; nothing where there is no choice."""
        return LEAST_EFFORTS if len(self.pushing) > self.equations.drives.count else ""

    def rows_at(self, q: np.ndarray, p: np.ndarray, t: float) -> np.ndarray:
        """Scaled rows of the own constraints, then of the drives."""
        rows: np.ndarray = self.row_scale[:, None] * self.equations.rows_jacobian(q, p, t)
        return rows

    @property
    def weighs_masses(self) -> bool:
        """Whether rows are compared, and met again, by the inertia that they move; else by the sizes of the rates."""
        return self.massless.rule != "stiffened" and self.skeleton.rates <= WEIGHED

    def metric(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """W of J W Jᵀ, as `projection` has it."""
        return (
            np.linalg.inv(self.inertia(q, p))
            if self.weighs_masses
            else np.diag(self.equations.chart.scale**2)
        )

    def prescribed(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What is prescribed from outside at a time, with its rates and second rates."""
        return self.drive(t, 0), self.drive(t, 1), self.drive(t, 2)

    def inertia(self, q: np.ndarray, p: np.ndarray | None = None) -> np.ndarray:
        """I of the tree."""
        return tree_inertia(self.equations, q, self.p if p is None else p)

    def rates_of(self, rates: Mapping[str, np.ndarray]) -> np.ndarray:
        """v of the planned tree from the rates of all joints and elastic bodies."""
        v = rates_on(self.equations, rates)
        q = self.plan.assembly.on(self.equations)
        return without_spins(self.equations, q, self.p, v, list(self._spins)) if self._spins else v

    def projection(self, s: Matrix, s_rate: Matrix, basis: Matrix | None = None) -> Projection:
        """The way back onto the constraints, for drives at s(t); `basis` combines redundant rows."""
        return Projection(
            self.equations,
            s,
            s_rate,
            basis if self.redundant else None,
            self.closing,
            self.functions.order,
            inertia=generalized_inertia(self.equations) if self.weighs_masses else None,
        )

    def require_reach(self, t: float, q: np.ndarray, p: np.ndarray) -> None:
        """Refuse a position at which the efforts that push cannot produce the motion."""
        if self.pushing:
            require_reach(self.equations, self.pushing, self._held, self.inertia(q, p), t, q, p)

    def reactions(self, answer: Answer, **known: Any) -> np.ndarray:
        """Constraint wrenches of all joints, 6 × joints; `known` are t and the blocks of the state."""
        found = {"a": answer.a, "lam": answer.lam, "tau": answer.tau, "p": self.p}
        found["strengths"] = answer.following.reshape(-1, self.strengths + 2)[:, 0]
        wrenches = self.readouts.reactions(**known, **found)[0].reshape(6, -1)
        one = (np.array([known["t"]]), known["q"][None], self.p, wrenches[None], answer.lam[None])
        least: np.ndarray = self.least(*one)[0]
        return least

    def least(
        self, t: np.ndarray, q: np.ndarray, p: np.ndarray, wrenches: np.ndarray, lam: np.ndarray
    ) -> np.ndarray:
        """The least of the reactions that equilibrium allows, where it does not determine all; a row an instant."""
        if not self.plan.redundant:
            return wrenches
        return minimum_norm_reactions(self.equations, t, q, p, wrenches, lam)


def _made_again(plan: Plan, method: str, asked: Mapping[str, Any]) -> ForwardModel:
    return ForwardModel(plan, plan.assembly, method, **asked)


def motion_keys(model: ForwardModel) -> tuple[str, ...]:
    """The description, the tree, and how the equations of motion are put together."""
    functions = model.functions
    chosen = [getattr(functions, entry.name) for entry in fields(functions) if entry.name != "equations"]
    return (*tree_keys(model.skeleton), repr((*chosen, model.rank, model.equations.targets)))
