"""A mechanism made ready for the compiled time loop: its rate, its constraints and its events as kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.dynamics.actions import supplied_power
from multiloop.dynamics.inertia import generalized_inertia
from multiloop.dynamics.projection import Projection
from multiloop.kernels import Kernel, Recipe
from multiloop.kernels.system import System
from multiloop.questions.running.motion import Motions
from multiloop.questions.running.signals import Signals
from multiloop.questions.running.words import identifying_words, motion_words, signal_words
from multiloop.spatial import Matrix
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class Looping:
    """Motions and signals of one run, traced on the loop's common inputs t, q, v, u, z, basis, choice, c, p."""

    motions: Motions
    signals: Signals

    @cached_property
    def inputs(self) -> dict[str, Matrix]:
        """The common inputs, in the loop's order."""
        given = self.motions.functions.accelerations.inputs
        eq, signals = self.motions.equations, self.signals
        found = {"t": signals.t, "q": eq.q, "v": eq.v, "u": signals.u, "z": signals.z}
        return found | {name: given[name] for name in ("basis", "choice", "c", "p")}

    @cached_property
    def _answer(self) -> dict[str, Matrix]:
        """Accelerations and multipliers with efforts and prescribed motions put in."""
        x, signals = self.inputs, self.signals
        return self.motions.functions.accelerations.on(**x, tau=signals.tau, prescribed=signals.s_second)

    @cached_property
    def forces(self) -> Matrix:
        """Forces along all rates: known efforts, and those of the drives."""
        tau = ca.SX(self.signals.tau)
        for k, place in enumerate(self.motions.driven):
            tau[place] += self._answer["lam"][self.motions.skeleton.rows + k]
        return tau

    @cached_property
    def answers(self) -> Traced:
        """(t, q, v, u, z, basis, choice, c, p) → a, λ of all rows, forces along all rates."""
        outputs = {"a": self._answer["a"], "lam": self._answer["lam"], "forces": self.forces}
        return Traced("answers", self.inputs, outputs)

    @property
    def chooses(self) -> bool:
        """Whether rows or coordinates are chosen anew on the way."""
        return self.motions.functions.independent is not None or self.motions.chooses

    @cached_property
    def _rate(self) -> dict[str, Matrix]:
        power = ca.dot(self.forces, self.motions.equations.v) + supplied_power(self.motions.equations)
        return {"q_rate": self._answer["q_rate"], "a": self._answer["a"], "power": power}

    @cached_property
    def rate(self) -> Traced:
        """(t, q, v, u, z, basis, choice, c, p) → q̇, v̇, power."""
        return Traced("rate", self.inputs, self._rate)

    @cached_property
    def _projection(self) -> Projection:
        return self.motions.projection(self.signals.s, self.signals.s_rate, self.inputs["basis"])

    def _closing(self) -> dict[str, Matrix]:
        return {"q_next": self._projection.closed(), "gap": self._projection.gap}

    def _straightening(self) -> dict[str, Matrix]:
        """With the work of the drives' push, (v + δ/2)ᵀ I δ: not small where a drive changes its speed at once."""
        v, closeness = self._projection.straightened()
        eq, work = self.motions.equations, ca.SX(0)
        if self.motions.driven:
            push = v - eq.v
            work = ca.dot(eq.v + push / 2, generalized_inertia(eq) @ push)
        return {"v_next": v, "closeness": closeness, "work": work}

    def _matrix(self) -> dict[str, Matrix]:
        rows = ca.vertcat(self.motions.equations.loop_jacobian, self._drive_rows)
        return {"J": ca.diag(ca.DM(self.motions.row_scale)) @ rows}

    @property
    def _drive_rows(self) -> Matrix:
        return ca.DM.eye(self.motions.skeleton.rates)[list(self.motions.driven), :]

    def _slope(self) -> dict[str, Matrix]:
        f = ca.vertcat(*self._rate.values())
        x = self.inputs
        by_state = ca.jacobian(f, ca.vertcat(x["q"], x["v"]))
        return {"J": by_state, "by_time": ca.jacobian(f, x["t"]), "by_table": ca.jacobian(f, x["z"])}

    def _watching(self) -> dict[str, Matrix]:
        return {"values": self.signals.watched}

    def system(self, q: np.ndarray, *, implicit: bool) -> System:
        """Everything the loop calls, built; `q` is the closed position at the start."""
        motions = self.motions
        return System(
            nq=motions.skeleton.positions,
            nv=motions.skeleton.rates,
            rate=self._kernel("rate", lambda: self._rate),
            close=self._kernel("close", self._closing),
            straighten=self._kernel("straighten", self._straightening),
            given=motions.given(q),
            rank=motions.rank,
            row_scale=motions.row_scale,
            choices=motions.chooses,
            matrix=self._kernel("matrix", self._matrix) if self.chooses else None,
            slope=self._kernel("slope", self._slope) if implicit else None,
            watch=self._kernel("watch", self._watching) if self.signals.events else None,
            tables=self.signals.tables,
            controlled=self.signals.u.shape[0],
            control=self.signals.control,
        )

    def _kernel(self, name: str, outputs: Callable[[], dict[str, Matrix]]) -> Kernel:
        as_written = self.motions.passes_singular
        words = identifying_words(self.motions.skeleton, name, *self._words)
        return Kernel(Recipe(lambda: Traced(name, self.inputs, outputs()), words, as_written))

    @cached_property
    def _words(self) -> tuple[str, ...]:
        return (*motion_words(self.motions), *signal_words(self.signals))
