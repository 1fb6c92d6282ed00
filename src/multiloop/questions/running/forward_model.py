"""The mechanism let go, or driven, or both: which equations hold for it, by the method asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.dynamics.forward import FORMULATIONS, METHODS, ForwardFunctions, forward_functions
from multiloop.dynamics.inertia import generalized_inertia
from multiloop.dynamics.measured import measured_of
from multiloop.dynamics.projection import Projection
from multiloop.kinematics.assembly import Assembly, drive_of
from multiloop.kinematics.path import Drive
from multiloop.kinematics.targets import drive_targets
from multiloop.model import Mechanism, SolveError
from multiloop.plan import Plan, tree_inertia
from multiloop.questions.choices import require
from multiloop.questions.least import least_reactions
from multiloop.questions.refusal import refusal
from multiloop.questions.running.rotors import undecided, with_mass, without_spin
from multiloop.questions.signals.cache_words import tree_words
from multiloop.spatial import Matrix

WEIGHED = 60
"""Rates up to which the way back onto the constraints weighs the masses."""


@dataclass(frozen=True, eq=False)
class Answer:
    """What holds at one instant: accelerations, multipliers of the loops, and forces along all rates."""

    a: np.ndarray
    lam: np.ndarray
    tau: np.ndarray


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
        self.skeleton = self.equations.skeleton
        self.driven = self.equations.driven
        self.measured = measured_of(self.equations)
        self.drive: Drive = (lambda t, order: np.zeros(0)) if free else drive_of(mechanism)
        held = self.skeleton.rates - plan.mobility  # rows of the loops that are independent at most positions
        self.rank = min(held + len(self.driven), self.skeleton.rates)

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

    def rows_at(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Scaled rows of the loops, then of the drives."""
        scale = self.row_scale[: self.skeleton.rows, None]
        loops = scale * self.equations.geometric_jacobian(q, p)
        return np.vstack([loops, np.eye(self.skeleton.rates)[list(self.driven)]])

    def inertia(self, q: np.ndarray, p: np.ndarray | None = None) -> np.ndarray:
        """I of the tree."""
        return tree_inertia(self.equations, q, self.p if p is None else p)

    def rates_of(self, rates: Mapping[str, np.ndarray]) -> np.ndarray:
        """v of the planned tree from the rates of all joints."""
        v = np.zeros(self.skeleton.rates)
        for link in self.skeleton.links:
            v[link.v] = rates[link.joint.name]
        q = self.plan.assembly.on(self.equations)
        return without_spin(self.equations, q, self.p, v, self._spins) if self._spins else v

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
            inertia=generalized_inertia(self.equations) if light else None,
        )

    def reactions(self, answer: Answer, **known: Any) -> np.ndarray:
        """Constraint wrenches of all joints, 6 × joints; `known` are t and the blocks of the state."""
        found = {"a": answer.a, "lam": answer.lam, "tau": answer.tau, "p": self.p}
        wrenches = self.measured.reactions(**known, **found)[0].reshape(6, -1)
        redundant = self.plan.redundant
        return least_reactions(self.equations, known["q"], self.p, wrenches) if redundant else wrenches


def motion_words(model: ForwardModel) -> tuple[str, ...]:
    """The description, the tree, and how the equations of motion are put together."""
    functions = model.functions
    chosen = [getattr(functions, entry.name) for entry in fields(functions) if entry.name != "equations"]
    return (*tree_words(model.skeleton), repr((*chosen, model.rank)))


def _error(mechanism: Mechanism, code: str, what: str, remedy: str) -> SolveError:
    return refusal(mechanism, code, "forward dynamics", what, remedy)
