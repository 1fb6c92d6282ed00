"""States of a run near a singular configuration, evaluated in extended precision, and the error that round-off causes.

Positions and rates are projected onto the constraints exactly, and the equations of motion are evaluated in decimals.
Where penalties carry the run through singular configurations, the multipliers are solved for instead, because penalties
do not determine them there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.kinematics.equations import Given
from multiloop.kinematics.exact import exact_rows
from multiloop.kinematics.rates import RANK, linearised
from multiloop.kinematics.round_off import (
    Motion,
    displaced,
    expected_changes,
    most_expected,
    round_off_shows,
)
from multiloop.kinematics.singularity import NEAR
from multiloop.model import SolveError
from multiloop.questions.round_off import Doubt, Told, worst_said
from multiloop.questions.run_errors import near_singular, singular_position
from multiloop.questions.running.approach import SUSPECT, Moment, nearest_approach
from multiloop.questions.running.choice import Choice, choose, pushed, require_met
from multiloop.questions.running.forward_model import Answer, ForwardModel
from multiloop.questions.running.run_model import RunModel
from multiloop.symbols.precise import Decimals, Precise

DIRECT = "slm"
"""The method that solves for the multipliers where penalties do not determine them."""


@dataclass(frozen=True, eq=False)
class Seen:
    """A state and its accelerations and forces, free of round-off."""

    y: np.ndarray
    answer: Answer


@dataclass(frozen=True, eq=False)
class Beside:
    """A recorded state near a singular configuration, with the efforts `u` of a controller there."""

    t: float
    closeness: float
    seen: Seen
    u: np.ndarray | None


@dataclass(eq=False)
class CloserLook:
    """Checks the recorded states of one run; those near singular configurations are reported as warnings at the end."""

    run: RunModel
    suspicious: bool = True  # whether a state may be near a singular configuration
    beside: list[Beside] = field(default_factory=list)
    undetermined: list[Doubt] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)

    def told(
        self, t: float, y: np.ndarray, answer: Answer, choice: Choice, u: np.ndarray | None = None
    ) -> tuple[np.ndarray, Answer]:
        """The state and its solution, as given or recomputed in extended precision; `u` are a controller's efforts.

        Solutions of the penalty method that violate the constraints at a regular position are refused. All other
        methods refuse a position that is singular to round-off, because rates are not determined there.
        """
        seen = self._at(t, y, answer, u) if self.suspicious else None
        if seen is not None:
            y, answer = seen.y, seen.answer
        state = self.run.layout.blocks(y)
        self.moments.append(Moment(t, state["q"], state["v"], answer.a))
        if seen is None:
            require_met(self.run.model, choice, t, state["q"], state["v"], answer, self.run.model.p)
        return y, answer

    def _at(self, t: float, y: np.ndarray, answer: Answer, u: np.ndarray | None) -> Seen | None:
        """The state in extended precision; None where double precision suffices or no better solution exists."""
        state, given = self.run.layout.blocks(y), self._model.prescribed(t)
        closeness = self._closeness(state["q"], given[0])
        if closeness >= NEAR:
            return None
        told_apart = closeness > RANK
        if told_apart and not self._asked_for((state["q"], state["v"], answer.a), given):
            self.beside.append(Beside(t, closeness, Seen(y, answer), u))
            return None
        exact = self._exactly(t, state) if told_apart else None
        seen = None if exact is None else self._seen(t, y, *exact, u)
        if seen is None and not self.run.model.passes_singular:  # the rows do not determine the rates
            raise singular_position(self._model.plan.mechanism, t, closeness)
        if seen is None:
            self.undetermined.append(Doubt(t, np.inf, ""))
        else:
            self.beside.append(Beside(t, closeness, seen, u))
        return seen

    def said(self) -> list[str]:
        """Warnings about the round-off error of the recorded states, from the few in which it may be largest."""
        if self.undetermined or not self.beside:
            return worst_said(self.undetermined)
        v = np.array([self.run.layout.blocks(one.seen.y)["v"] for one in self.beside])
        a = np.array([one.seen.answer.a for one in self.beside])
        closeness = np.array([one.closeness for one in self.beside])
        asked = most_expected(expected_changes(self._model.equations, closeness, v, a))
        return worst_said(self._doubt(self.beside[k]) for k in asked)

    def approach(self, closeness: float, t: float, y: np.ndarray) -> list[str]:
        """Warnings about the nearest approach to a singular configuration.

        `closeness` is the smallest value at the ends of steps, reached at time t in the state y.
        """
        if closeness < SUSPECT and self.moments:
            steps = closeness, t, y[self.run.layout["q"]]
            closeness, t = nearest_approach(self.run.model, self.moments, steps)
        return near_singular(closeness, t)

    @property
    def _model(self) -> ForwardModel:
        """The model whose equations are solved."""
        return self._reader.model

    @cached_property
    def _reader(self) -> RunModel:
        run = self.run
        return RunModel(run.model.by(DIRECT), run.signals) if run.model.passes_singular else run

    @cached_property
    def _answers(self) -> Precise:
        return Precise(self._reader.answers)

    def _asked_for(self, motion: Motion, given: Given) -> bool:
        """Whether extended precision is needed: round-off is visible, or penalties are used."""
        model = self._model
        return self.run.model.passes_singular or round_off_shows(
            model.equations, motion, given, model.p, model.rank
        )

    def _closeness(self, q: np.ndarray, s: np.ndarray) -> float:
        """The smallest singular value within the rank, relative to the largest."""
        sigma, rank = linearised(self._model.equations, q, s, self._model.p).sigma, self._model.rank
        return float(sigma[rank - 1] / sigma[0]) if rank else 1.0

    def _exactly(self, t: float, state: dict[str, np.ndarray]) -> tuple[Decimals, Decimals] | None:
        """q and v near those of a state that satisfy the constraints exactly; None where they are not found."""
        model, given = self._model, self._model.prescribed(t)
        rows = exact_rows(model.equations)
        q = rows.position(state["q"], given[0], model.p, len(model.closing))
        v = None if q is None else rows.rates(q, state["v"], given, model.p, model.rank)
        return None if q is None or v is None else (q, v)

    def _seen(self, t: float, y: np.ndarray, q: Any, v: Any, u: np.ndarray | None) -> Seen | None:
        """The state at q and v with its solution; None where the method has none."""
        model, layout, signals = self._model, self.run.layout, self.run.signals
        y = layout.pack(**{**layout.blocks(y), "q": q.astype(float), "v": v.astype(float)})
        try:
            chosen = choose(model, y[layout["q"]], t=t).given
        except SolveError:  # singular to round-off
            return None
        known = signals.inputs_at(t, y, u) | {"q": q, "v": v}
        a, lam, tau, _, *following = (
            found.astype(float) for found in self._answers(**known, **chosen, p=model.p)
        )
        finite = all(np.isfinite(part).all() for part in (a, lam, tau))
        return Seen(y, Answer(a, lam[: model.equations.own.count], tau, *following)) if finite else None

    def _doubt(self, at: Beside) -> Doubt:
        """The change of a solution when loops are open by round-off."""
        model, state = self._model, self.run.layout.blocks(at.seen.y)
        motion = (state["q"], state["v"], at.seen.answer.a)
        q, v, _ = displaced(model.equations, motion, model.prescribed(at.t), model.p, model.rank)
        other = self._seen(at.t, at.seen.y, q, v, at.u)
        if other is None:
            return Doubt(at.t, np.inf, "")
        found, as_good = self._told(at.t, at.seen), self._told(at.t, other)
        return found.doubt(model.equations, at.t, as_good, at.closeness)

    def _told(self, t: float, seen: Seen) -> Told:
        model, answer, state = self._model, seen.answer, self.run.layout.blocks(seen.y)
        wrenches = model.reactions(answer, t=t, **state)
        return Told(state["v"], answer.a, answer.tau, wrenches, pushed(model, answer, t, state["q"], model.p))
