"""Prescribed motions, known efforts, tables and sampled inputs of a mechanism as symbolic functions of time and state.

Expressions become part of the kernels (compiled functions). Tables over time are evaluated outside the kernels and
enter as inputs z, so that the size of a table does not increase the cost of a kernel; values that only Python can
compute (a controller, efforts of another analysis) enter as inputs u. Numerical values are computed by evaluating the
same traced expressions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import casadi as ca
import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results import described_limits
from multiloop.analyses.signals.controllers import Controller, Sampler
from multiloop.analyses.signals.effort_inputs import CommandedEffort, Curve, corners
from multiloop.analyses.signals.efforts import (
    KnownEfforts,
    effort_place,
    require_values,
    undefined_value_error,
)
from multiloop.dynamics.actions import actions_of, state_rates
from multiloop.dynamics.outputs import state_entry
from multiloop.kernels.runtime import StateLayout
from multiloop.kinematics import CACHE_SIZE, Equations, expression_value
from multiloop.kinematics.assembly import drive_of
from multiloop.kinematics.constraints import DrivenTarget, driven_targets
from multiloop.kinematics.tree import Skeleton
from multiloop.model import Expression, Mechanism, MultiloopError, additional_states
from multiloop.model.expressions import (
    Scalar,
    Table,
    Time,
    check_covered,
    derivative,
    lift,
    may_be_undefined,
    nodes_of,
    polynomial_pieces,
    to_text,
    zero_or_nan,
)
from multiloop.symbols import Traced

Pieces = tuple[np.ndarray, np.ndarray, bool]
"""A piecewise polynomial of time: breaks, coefficients (degree + 1, pieces), and whether the curve is periodic."""


class TimeTables:
    """All tables and curves over time of one run, in the order of their addition, with symbols for their values."""

    def __init__(self) -> None:
        self.curves: list[Pieces] = []
        self._symbols: list[ca.SX] = []

    def symbol(self, curve: Pieces) -> ca.SX:
        """Add a curve and return the symbol for its value at the time of the run."""
        self.curves.append(curve)
        self._symbols.append(ca.SX.sym(f"z{len(self._symbols)}"))
        return self._symbols[-1]

    @property
    def z(self) -> ca.SX:
        """Column of the symbols of all curves."""
        return ca.vertcat(ca.SX(0, 1), *self._symbols)

    def read(self, times: np.ndarray) -> np.ndarray:
        """Values z of all curves at all times, curves × times."""
        if not self.curves:
            return np.zeros((0, len(times)))
        z = []
        for curve, (breaks, _, periodic) in zip(self._polynomials, self.curves, strict=True):
            span = breaks[-1] - breaks[0]
            turns = np.floor((times - breaks[0]) / span) if periodic else 0.0
            z.append(curve(times - span * turns))
        return np.array(z).reshape(len(z), len(times))

    @cached_property
    def _polynomials(self) -> list[Any]:
        from scipy.interpolate import PPoly  # imported only here, since the import takes 0.2 s

        return [PPoly(coefficients, breaks) for breaks, coefficients, _ in self.curves]


@dataclass(eq=False)
class Signals:
    """All prescribed and known inputs of one run as symbolic functions of time t, values z of tables, and inputs u.

    The inputs u are values that Python computes. `at` is (t, y), the time and state at the start, with which a
    controller is called for the first time. With a `sample` time (s) the efforts of the controller are constant between
    samples, and take effect `delay` samples later.
    """

    equations: Equations
    efforts: Mapping[str, Any] | None = None
    controller: Controller | Sampler | None = None
    events: Mapping[str, Expression] = field(default_factory=dict)
    at: tuple[float, np.ndarray] | None = None
    sample: float = 0.0
    delay: int = 0

    def __post_init__(self) -> None:
        """Trace all signals, so that all tables on which they depend are known."""
        self.known = KnownEfforts(
            self.equations, self.efforts, self.controller, self.at, self.sample, self.delay
        )
        self.tables, self._covering = TimeTables(), list[tuple[str, Table]]()
        # symbols of outputs that events read, for which solutions are substituted
        self.outputs_of_events: dict[str, ca.SX] = {}
        self.reads_outputs = False
        self.s, self.s_rate, self.s_second = (self._prescribed(order) for order in range(3))
        self.wanted = tuple(self._desired(order) for order in range(3))
        self.w = ca.SX.sym("w", len(self.known.commanded))
        self.u = ca.SX.sym("u", len(self.known.functions) + len(self.known.controlled))
        self.raw, self.tau = self._forces()
        integrals = {f"integral '{integral.name}'": integral.of for integral in self.mechanism.integrals}
        self.x_rate = ca.vertcat(self._column(integrals), state_rates(self.equations))
        self.x_start = self._column(additional_states(self.mechanism))
        self.watched = self._column({f"event '{name}'": event for name, event in self.events.items()})
        self.z = self.tables.z

    @property
    def t(self) -> ca.SX:
        """The symbol of time."""
        time: ca.SX = self.equations.t
        return time

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism on which the inputs act."""
        return self.equations.skeleton.mechanism

    @property
    def desired(self) -> Mechanism | None:
        """The mechanism whose drives prescribe the desired motion of a control law with inverse dynamics, or None."""
        law = next(iter(self.known.commanded.values()), None)
        return None if law is None else law.desired

    @property
    def layout(self) -> StateLayout:
        """The index ranges of coordinates, rates, further states and work in the state vector y of a run."""
        return self.known.layout

    # symbolic expressions -------------------------------------------------------------------------------

    def _prescribed(self, order: int) -> ca.SX:
        """All prescribed values, or their time derivative of the given order.

        They are the time, if constraint equations depend on time, and the positions prescribed by drives.
        """
        found = [ca.SX(0, 1)] + [ca.SX((self.t, 1.0, 0.0)[order])] * self.equations.time_count
        driven = driven_targets(self.mechanism) if self.equations.targets else ()
        return ca.vertcat(*found, self._profiles("drive of", driven, order))

    def _desired(self, order: int) -> ca.SX:
        """Desired values of a control law with inverse dynamics, or their time derivative of the given order."""
        wanted = () if self.desired is None else driven_targets(self.desired)
        return self._profiles("desired motion of", wanted, order)

    def _profiles(self, what: str, driven: Sequence[DrivenTarget], order: int) -> ca.SX:
        found = [ca.SX(0, 1)]
        for one in driven:
            for expression in map(lift, one.profiles):
                for _ in range(order):
                    expression = derivative(expression)
                found.append(ca.SX(self.traced(expression, f"{what} '{one.target.of}'")))
        return ca.vertcat(*found)

    def _forces(self) -> tuple[ca.SX, ca.SX]:
        """Column of all known efforts, and column of generalized forces along all rates of the spanning tree.

        In the generalized forces every effort is limited to the range of its actuator.
        """
        raw: list[Any] = []
        tau: list[Any] = [0.0] * self.equations.skeleton.rates
        limits = {
            effort_place(self.equations, name): [
                self._traced_with_nan(end, f"effort at '{name}'") for end in ends
            ]
            for name, ends in described_limits(self.mechanism).items()
        }
        known = self.known
        given = [*known.functions, *known.controlled]
        held = dict(zip(given, ca.vertsplit(self.u), strict=True)) if given else {}
        added = dict(zip(known.commanded, ca.vertsplit(self.w), strict=True)) if known.commanded else {}
        for name in (*known.sources, *known.controlled):
            place, source = effort_place(self.equations, name), known.sources.get(name)
            if isinstance(source, Curve):
                effort: Any = self.tables.symbol((source.breaks, source.coefficients, False))
            elif name in held:
                effort = held[name]
            elif isinstance(source, CommandedEffort):
                effort = self.traced(source.expression, f"effort at '{name}'") + added[name]
            elif isinstance(source, Expression):
                effort = self.traced(source, f"effort at '{name}'")
            else:
                effort = float(source or 0.0)
            raw.append(effort)
            if place in limits:
                (least, hidden), (most, also_hidden) = limits[place]
                undefined = self._nan_of(effort, getattr(source, "expression", source))
                effort = ca.fmin(ca.fmax(effort, least), most) + undefined + hidden + also_hidden
            tau[place] = tau[place] + effort
        return ca.vertcat(ca.SX(0, 1), *raw), ca.vertcat(ca.SX(0, 1), *tau)

    def _traced_with_nan(self, expression: Scalar, where: str) -> tuple[Any, Any]:
        """A traced expression, and a term that is zero, or NaN where the expression is undefined (see `_nan_of`)."""
        found = self.traced(expression, where)
        return found, self._nan_of(found, expression)

    @staticmethod
    def _nan_of(traced: Any, expression: Any) -> Any:
        """A term that is zero, or NaN where a traced expression is undefined.

        Added to the result of fmin and fmax, which ignore NaN, it makes an undefined value visible.
        """
        return zero_or_nan(traced) if may_be_undefined(expression) else 0.0

    def _column(self, expressions: Mapping[str, Scalar]) -> ca.SX:
        """Column of traced expressions; the keys of `expressions` identify them in error messages."""
        found = [ca.SX(self.traced(expression, where)) for where, expression in expressions.items()]
        return ca.vertcat(ca.SX(0, 1), *found)

    def traced(self, expression: Scalar, where: str) -> Any:
        """An expression of time, state and parameters as a CasADi expression in the symbols t, q, v, x, u, z and p.

        `where` identifies the expression in error messages, such as "effort at 'A'".
        """

        def read(table: Table) -> ca.SX:
            self._covering.append((where, table))
            return self.tables.symbol((*polynomial_pieces(table), table.periodic))

        def value_of(name: str) -> ca.SX:
            self.reads_outputs = True
            if where.startswith("event"):
                return self.outputs_of_events.setdefault(name, ca.SX.sym(name))
            return ca.SX(state_entry(self.equations, name))

        return expression_value(self.equations, expression, read, value_of)

    # numerical evaluation -------------------------------------------------------------------------------

    @cached_property
    def _forces_known(self) -> Traced:
        """(t, q, v, x, u, z, p) → column of known efforts, and generalized forces of these efforts along all rates; u
        are the values that Python computes, z the values of the tables at time t."""
        eq = self.equations
        inputs = {"t": self.t, "q": eq.q, "v": eq.v, "x": eq.x, "u": self.u, "z": self.z}
        return Traced(
            "known", inputs | {"p": eq.skeleton.parameter_symbols}, {"efforts": self.raw, "tau": self.tau}
        )

    def inputs_at(self, t: float, y: np.ndarray, u: np.ndarray | None = None) -> dict[str, Any]:
        """All inputs of the traced functions of a run at time t and state y, by name: t, the blocks q, v and x of y, u
        and z.

        `u` are the values that Python computes, by default computed here; z are the values of the tables at time t.
        """
        control = self.known.control
        if u is None:
            u = np.zeros(0) if control is None else np.array(control(t, y))
        return {"t": t, **self.layout.blocks(y), "u": u, "z": self.tables.read(np.array([t]))[:, 0]}

    def forces_at(self, t: float, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Generalized forces along all rates, at time t and state y, of the efforts that are prescribed or controlled.

        Raises an error that names the effort if the value of an effort is undefined in this state.
        """
        self.require_covered(t, t)
        efforts, tau = self._forces_known(**self.inputs_at(t, y), p=p)
        self.require_values(t, y, p, efforts)
        return tau

    def require_values(self, t: float, y: np.ndarray, p: np.ndarray, efforts: np.ndarray) -> None:
        """Raise an error, with name and reason, if one of the `efforts` at time t and state y is undefined.

        Efforts that read a table over a state variable are also checked: the state may be outside the table.
        """
        finite = np.isfinite(efforts).all()
        checked = self.state_table_efforts if finite else self.known.sources
        require_values(self.equations, checked, t, self.layout.blocks(y), p)
        if not finite:
            raise undefined_value_error(self.mechanism, "efforts", t, "the value of an effort is not finite.")

    @cached_property
    def state_table_efforts(self) -> dict[str, Expression]:
        """Efforts, by name, that read a table whose argument is not time."""
        return {
            name: source
            for name, source in self.known.sources.items()
            if isinstance(source, Expression)
            and any(
                isinstance(node, Table) and not isinstance(node.argument, Time) for node in nodes_of(source)
            )
        }

    def require_covered(self, begin: float, until: float) -> None:
        """Raise an error if a table or curve does not cover the time span from `begin` to `until`."""
        for where, table in self._covering:
            try:
                check_covered(table, np.array([begin, until]))
            except ValueError as problem:
                reason = str(problem).partition(". Give")[0] + "."
                if begin == until:
                    raise undefined_value_error(self.mechanism, where, until, reason) from None
                raise analysis_error(
                    self.mechanism,
                    "S03",
                    where,
                    reason,
                    "Simulate within the times of the table, or extend the table.",
                ) from None
        self.known.require_covered(begin, until)

    def corner_times(
        self, begin: float, until: float, parameters: Mapping[str, float] | None = None
    ) -> list[float]:
        """Times between `begin` and `until` at which a drive's profile or an effort is not smooth, in increasing order.

        All tables must cover this time span. `parameters` are the values of the parameters, by default those in the
        description of the mechanism.
        """
        self.require_covered(begin, until)
        return corners(self.mechanism, self.known.sources, begin, until, parameters)


def identifying_keys(skeleton: Skeleton, *words: str) -> tuple[str, ...]:
    """The keys `words` under which the kernel cache stores a function, or () if the mechanism contains a user-defined
    type.

    The source text of user-defined types is not tracked. Functions without keys are traced again in every process;
    their compiled code is found in the cache by the traced operations.
    """
    mechanism = skeleton.mechanism
    parts = (*mechanism.all_bodies, *mechanism.connections, *mechanism.all_loads, *actions_of(skeleton))
    ours = all(type(part).__module__.partition(".")[0] == "multiloop" for part in parts)
    return words if ours else ()


def tree_keys(skeleton: Skeleton) -> tuple[str, ...]:
    """Cache keys that identify the description of the mechanism and its spanning tree.

    The description includes the values of the parameters: most functions take these values as inputs, but some limits
    and scales are evaluated once.
    """
    tree = skeleton.tree
    return (
        skeleton.mechanism.fingerprint,
        repr((tree.branches, tree.cuts, tree.splits, tree.row_groups)),
    )


def signal_keys(signals: Signals) -> tuple[str, ...]:
    """Cache keys that identify the known efforts, the efforts of a controller, and the events."""
    sources = [(name, _source_text(value)) for name, value in signals.known.sources.items()]
    watched = [(name, to_text(event)) for name, event in signals.events.items()]
    return (repr((sources, signals.known.controlled, watched)),)


def _source_text(value: Any) -> str:
    """The text of an effort as part of a cache key.

    The values of curves and functions of time are omitted, because these are evaluated outside the kernels.
    """
    if isinstance(value, Expression):
        return to_text(value)
    if isinstance(value, CommandedEffort):
        return value.cache_text
    if isinstance(value, Curve):
        return "curve"
    return "function" if callable(value) else repr(float(value or 0.0))


class TracedDrive:
    """Function (t, order) that returns the values that all drives prescribe at time t, or their derivatives of order 1
    or 2.

    An undefined value raises an error that names the drive.
    """

    def __init__(self, signals: Signals, p: np.ndarray) -> None:
        self.signals, self.p = signals, p
        self._last: tuple[float, list[np.ndarray]] = (np.nan, [])

    def __call__(self, t: float, order: int) -> np.ndarray:
        if t != self._last[0]:
            self._last = (t, self._at(t))
        return self._last[1][order]

    def _at(self, t: float) -> list[np.ndarray]:
        """Prescribed values s and their derivatives ṡ, s̈ at time t."""
        try:
            self.signals.require_covered(t, t)
            found = self._traced(t=t, z=self.signals.tables.read(np.array([t])), p=self.p)
        except MultiloopError:
            found = [np.array([np.nan])]
        if all(np.isfinite(values).all() for values in found):
            return found
        by_expressions = drive_of(self.signals.equations)  # usually raises an error that describes the cause
        return [by_expressions(t, order) for order in range(3)]

    @cached_property
    def _traced(self) -> Traced:
        return prescribed_values(self.signals)


@lru_cache(maxsize=CACHE_SIZE)
def prescribed_values(signals: Signals) -> Traced:
    """(t, z, p) → prescribed values s of drives and their time derivatives ṡ, s̈; z are the values of the tables at
    time t."""
    inputs = {"t": signals.t, "z": signals.z, "p": signals.equations.skeleton.parameter_symbols}
    return Traced(
        "prescribed", inputs, {"s": signals.s, "s_rate": signals.s_rate, "s_second": signals.s_second}
    )


@lru_cache(maxsize=CACHE_SIZE)
def driven_signals(equations: Equations) -> Signals:
    """The Signals of a mechanism from its description alone: its drives and actuators, but no efforts, controller or
    events given as arguments of an analysis. The result is cached."""
    return Signals(equations)
