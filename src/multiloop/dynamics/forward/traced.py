"""Forward dynamics traced once for a mechanism, a tree and a method, ready to be asked with numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import casadi as ca

from multiloop.dynamics.actions import acting_inputs
from multiloop.dynamics.forward.augmented import augmented
from multiloop.dynamics.forward.embedding import embedding
from multiloop.dynamics.forward.slm import slm
from multiloop.dynamics.forward.sslm import sslm
from multiloop.dynamics.forward.system import system
from multiloop.dynamics.forward.virtual_work import virtual_work
from multiloop.dynamics.problem import Forward, Problem
from multiloop.kinematics.equations import KEPT, Equations
from multiloop.spatial import parted
from multiloop.symbols import Traced


@dataclass(frozen=True)
class Formulation:
    """A method and what it takes besides the problem: the plan's order, a choice of coordinates, or a penalty."""

    solve: Callable[..., Forward]
    takes: str = ""


FORMULATIONS = {
    "sslm": Formulation(sslm, "order"),
    "slm": Formulation(slm),
    "system": Formulation(system),
    "embedding": Formulation(embedding, "choice"),
    "virtual_work": Formulation(virtual_work, "choice"),
    "augmented": Formulation(augmented, "penalty"),
}
METHODS = tuple(FORMULATIONS)


@dataclass(frozen=True, eq=False)
class ForwardFunctions:
    """Traced forward dynamics.

    `driven` are the rates that drives prescribe; their accelerations are an input and their multipliers, below
    those of the loops, the drives' efforts. `independent` is the number of independent rows when some are
    redundant (a basis is then an input), `order` the plan's order of elimination.
    """

    equations: Equations
    method: str
    driven: tuple[int, ...] = ()
    independent: int | None = None
    order: Sequence[int] | None = None
    stiff: bool = False

    @property
    def rows(self) -> int:
        """Rows of the loops and the drives."""
        return self.equations.skeleton.rows + len(self.driven)

    @cached_property
    def accelerations(self) -> Traced:
        """(q, v, tau, s̈, basis, choice, c, p) → q̇, v̇ and λ of all rows."""
        eq, n = self.equations, self.equations.skeleton.rates
        tau = parted(ca.SX.sym("tau", n))
        prescribed = ca.SX.sym("prescribed", len(self.driven))
        kept = self.rows if self.independent is None else self.independent
        basis = ca.SX.sym("basis", kept, self.rows) if self.independent is not None else ca.SX(0, 0)
        choice = ca.SX.sym("choice", n - kept, n) if self.takes == "choice" else ca.SX(0, 0)
        penalties = self.rows if self.takes == "penalty" else 1
        weight = ca.SX.sym("c", penalties) if self.stiff or self.takes == "penalty" else ca.SX(0, 0)
        problem = Problem(
            eq,
            tau,
            self.driven,
            prescribed,
            basis if self.independent is not None else None,
            weight if self.stiff and self.takes != "penalty" else 0.0,
        )
        answer = self._answer(problem, choice, weight)
        inputs = {
            "q": eq.q,
            "v": eq.v,
            "tau": tau,
            "prescribed": prescribed,
            "basis": basis,
            "choice": choice,
        }
        inputs |= {"c": weight, **acting_inputs(eq), "p": eq.skeleton.symbols}
        return Traced(
            f"forward_{self.method}", inputs, {"q_rate": eq.q_rate, "a": answer.a, "lam": answer.lam}
        )

    @property
    def takes(self) -> str:
        """What the method takes besides the problem."""
        return FORMULATIONS[self.method].takes

    def _answer(self, problem: Problem, choice: ca.SX, weight: ca.SX) -> Forward:
        solve = FORMULATIONS[self.method].solve
        if self.takes == "order":
            return solve(problem, self.order)
        extra = {"": (), "choice": (choice,), "penalty": (weight,)}[self.takes]
        return solve(problem, *extra)


@lru_cache(maxsize=KEPT)
def forward_functions(
    equations: Equations,
    method: str,
    driven: tuple[int, ...],
    independent: int | None,
    order: tuple[int, ...],
    stiff: bool,
) -> ForwardFunctions:
    """Forward dynamics that were asked for lately are not traced again."""
    return ForwardFunctions(equations, method, driven, independent, order, stiff)
