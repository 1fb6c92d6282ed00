"""What acts on a mechanism over time, on symbols: prescribed motions, known efforts, tables, held inputs.

Expressions become part of the kernels. Tables of time are read outside and enter as z, so that their length
costs nothing; what only Python can answer (a controller, exact efforts of another question) enters as u.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.spans import expression_value
from multiloop.model import Expression, Mechanism, SolveError
from multiloop.model.expressions import Scalar, derivative, lift
from multiloop.model.expressions.expression import is_number
from multiloop.model.expressions.tables import Table, check_covered, pieces
from multiloop.questions.refusal import refusal
from multiloop.questions.running.corners import corners, unsteady
from multiloop.questions.running.curves import Curve
from multiloop.questions.running.efforts import (
    described_limits,
    effort_place,
    effort_sources,
    require_free,
)
from multiloop.questions.running.seen import Sight

Pieces = tuple[np.ndarray, np.ndarray, bool]
"""Breaks, coefficients (degree + 1, pieces) and whether the curve repeats."""

Controller = Callable[[float, Mapping[str, Any], Mapping[str, Any]], Mapping[str, float]]
"""(t, positions, rates) by joint name → efforts by joint name."""


@dataclass(eq=False)
class Signals:
    """Everything prescribed or known about one run, traced on the symbols t, z and u."""

    equations: Equations
    efforts: Mapping[str, Any] | None = None
    controller: Controller | None = None
    events: Mapping[str, Expression] = field(default_factory=dict)
    at: tuple[float, np.ndarray, np.ndarray] | None = (
        None  # (t, q, v) at the start, where a controller is asked
    )
    tables: list[Pieces] = field(default_factory=list)
    covering: list[Table] = field(default_factory=list)
    _z: list[ca.SX] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Trace everything at once, so that all tables are known."""
        self.s, self.s_rate, self.s_second = (self._prescribed(order) for order in range(3))
        self.u = ca.SX.sym("u", len(self._functions) + len(self.controlled))
        self.tau = self._forces()
        self.watched = ca.vertcat(ca.SX(0, 1), *[self.traced(event) for event in self.events.values()])
        self.z = ca.vertcat(ca.SX(0, 1), *self._z)

    @property
    def t(self) -> ca.SX:
        """The time."""
        return self.equations.t

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism acted on."""
        return self.equations.skeleton.mechanism

    @cached_property
    def sources(self) -> dict[str, Any]:
        """Known efforts by name: numbers, expressions, curves, or functions of time.

        A controller stands in place of an actuator's own effort.
        """
        taken: dict[int, str] = {}
        for name in self.controlled:
            place = effort_place(self.equations, name)
            require_free(self.equations, name, place)
            if place in taken:
                raise self._refused(
                    f"answers for '{name}' and '{taken[place]}', which are one.", "Answer once."
                )
            taken[place] = name
        for name in self.efforts or {}:
            place = effort_place(self.equations, name)
            if place in taken:
                what = f"gives an effort at '{taken[place]}', and so do the `efforts`."
                raise self._refused(what, "Give it in one of them.")
        known = effort_sources(self.equations, self.efforts)
        return {name: f for name, f in known.items() if effort_place(self.equations, name) not in taken}

    @cached_property
    def _functions(self) -> dict[str, Callable[[float], float]]:
        """Efforts that only Python can work out at every time, by name."""
        return {n: f for n, f in self.sources.items() if callable(f) and not isinstance(f, Curve)}

    @cached_property
    def controlled(self) -> tuple[str, ...]:
        """The efforts that the controller gives, as its first answer names them."""
        if self.controller is None:
            return ()
        skeleton = self.equations.skeleton
        t, q, v = self.at or (0.0, skeleton.neutral, np.zeros(skeleton.rates))
        return tuple(self._asked(t, q, v))

    @cached_property
    def _sight(self) -> Sight:
        return Sight(self.equations)

    @property
    def exact(self) -> tuple[str, ...]:
        """Efforts that are worked out in Python at every time, by name."""
        return tuple(self._functions)

    def _asked(self, t: float, q: np.ndarray, v: np.ndarray) -> Mapping[str, float]:
        """The controller's answer."""
        assert self.controller is not None
        found = self.controller(t, *self._sight.at(q, v))
        if not isinstance(found, Mapping):
            raise self._refused(f"answered {found!r} at t = {t:g} s.", 'Let it return {"joint": effort}.')
        return found

    def _number(self, name: str, effort: Any, t: float) -> float:
        """An effort of the controller as a number."""
        if not is_number(effort) or not np.isfinite(effort):
            what = f"answered {effort!r} for '{name}' at t = {t:g} s."
            raise self._refused(what, "Let it give finite numbers.")
        return float(effort)

    def _refused(self, what: str, remedy: str) -> SolveError:
        return refusal(self.mechanism, "S03", "control", what, remedy)

    @property
    def control(self) -> Callable[[float, np.ndarray, np.ndarray], list[float]] | None:
        """u(t, q, v), where there is any."""
        if not self._functions and self.controller is None:
            return None

        def held(t: float, q: np.ndarray, v: np.ndarray) -> list[float]:
            given = self._asked(t, q, v) if self.controller is not None else {}
            if set(given) != set(self.controlled):
                names, first = (", ".join(found) or "nothing" for found in (given, self.controlled))
                what = f"answered for {names} at t = {t:g} s, for {first} at first."
                raise self._refused(what, "Let it give the same efforts every time, 0 where there is none.")
            exact = [float(function(t)) for function in self._functions.values()]
            return [*exact, *(self._number(name, given[name], t) for name in self.controlled)]

        return held

    def _prescribed(self, order: int) -> ca.SX:
        """Positions, rates or accelerations of all drives."""
        found = [ca.SX(0, 1)]
        for motion in self.mechanism.drives:
            for profile in motion.named().values():
                expression = lift(profile)
                for _ in range(order):
                    expression = derivative(expression)
                found.append(ca.SX(self.traced(expression)))
        return ca.vertcat(*found)

    def _forces(self) -> ca.SX:
        """Known forces along all rates, each within its actuator's limit."""
        skeleton = self.equations.skeleton
        tau: list[Any] = [0.0] * skeleton.rates
        limits = {
            effort_place(self.equations, name): self.traced(limit)
            for name, limit in described_limits(self.mechanism).items()
        }
        held = (
            dict(zip([*self._functions, *self.controlled], ca.vertsplit(self.u), strict=True))
            if self.u.shape[0]
            else {}
        )
        for name in (*self.sources, *self.controlled):
            place, source = effort_place(self.equations, name), self.sources.get(name)
            if isinstance(source, Curve):
                effort: Any = self._table((source.breaks, source.coefficients, False))
            elif name in held:
                effort = held[name]
            else:
                effort = self.traced(source) if isinstance(source, Expression) else float(source or 0.0)
            limit = limits.get(place)
            effort = effort if limit is None else ca.fmin(ca.fmax(effort, -limit), limit)
            tau[place] = tau[place] + effort
        return ca.vertcat(ca.SX(0, 1), *tau)

    def traced(self, expression: Scalar) -> Any:
        """An expression of time, positions, rates and parameters on the loop's symbols."""
        return expression_value(self.equations, expression, self._read)

    def _read(self, table: Table) -> ca.SX:
        self.covering.append(table)
        return self._table((*pieces(table), table.periodic))

    def _table(self, curve: Pieces) -> ca.SX:
        """The symbol that stands for a curve's value at t."""
        self.tables.append(curve)
        self._z.append(ca.SX.sym(f"z{len(self._z)}"))
        return self._z[-1]

    def read(self, times: np.ndarray) -> np.ndarray:
        """z at all times, tables × times."""
        from scipy.interpolate import PPoly  # takes a fifth of a second to import

        z = []
        for breaks, coefficients, periodic in self.tables:
            span = breaks[-1] - breaks[0]
            turns = np.floor((times - breaks[0]) / span) if periodic else 0.0
            z.append(PPoly(coefficients, breaks)(times - span * turns))
        return np.array(z).reshape(len(z), len(times))

    def ends(self, begin: float, until: float, parameters: Mapping[str, float] | None = None) -> list[float]:
        """Times within the run where a profile or an effort has a corner; all tables must reach so far.

        `parameters` are those of a design, else the described ones.
        """
        for table in self.covering:
            try:
                check_covered(table, np.array([begin, until]))
            except ValueError as problem:
                raise refusal(
                    self.mechanism,
                    "S03",
                    "effort or event",
                    str(problem).partition(". Give")[0] + ".",
                    "Run within its times.",
                ) from None
        for curve in self.sources.values():
            if isinstance(curve, Curve):
                curve.require_covered(begin)
                curve.require_covered(until)
        return corners(self.mechanism, self.sources, begin, until, parameters)

    @property
    def unsteady(self) -> bool:
        """Whether an effort may change in the middle of a step though nothing moves."""
        return self.controller is not None or unsteady(self.mechanism, self.sources)
