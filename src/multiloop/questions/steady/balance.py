"""What balances a mechanism that stands or moves steadily: its residual with all that acts, and the slopes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.residual import Residual
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.targets import drive_targets
from multiloop.model import Mechanism
from multiloop.model.loads import Friction, Load, Stop
from multiloop.plan import Idle, Plan
from multiloop.plan.massless import Massless
from multiloop.questions.load_refusals import require_determined
from multiloop.questions.massless_spins import with_mass
from multiloop.questions.refusal import refusal
from multiloop.questions.running.pushing import pushing_rates
from multiloop.questions.signals.signals import Signals
from multiloop.questions.steady.observed import MarkerPlace, Observed
from multiloop.spatial import Matrix
from multiloop.symbols import Traced

Numbers = dict[str, np.ndarray]
"""Vectors and matrices by name."""

REMEDIES: dict[type[Load], str] = {
    Friction: 'Use stiction="smooth", or let `simulate` come to rest.',
    Stop: "Give it a stiffness, or let `simulate` come to rest.",
}
"""What to do instead of an equilibrium with a set-valued force."""


@dataclass(frozen=True, eq=False)
class Balance:
    """The residual of one mechanism along its plan with prescribed motions and known efforts put in.

    With `held`, the drives stand still where they are at the time asked. `outputs` are expressions that are read off.
    """

    plan: Plan
    efforts: Mapping[str, Any] = field(default_factory=dict)
    held: bool = False
    outputs: tuple[Observed, ...] = ()

    def __post_init__(self) -> None:
        if self.signals.u.shape[0]:
            what = "is worked out in Python, which has no derivatives."
            remedy = "Give a number, an expression or a Result."
            raise refusal(self.mechanism, "E05", f"effort at '{self.signals.known.exact[0]}'", what, remedy)
        for load in self.mechanism.all_loads:
            if load.modes:
                what = "is set-valued at rest: a range of positions is in equilibrium, not one."
                remedy = REMEDIES.get(type(load), "Replace it with a Spring, or let `simulate` come to rest.")
                raise refusal(self.mechanism, "E05", f"load '{load.name}'", what, remedy)
        require_determined(self.plan, self.equations.skeleton)

    def __reduce__(self) -> tuple[Any, ...]:
        """Traces cannot be written down: another process makes its own."""
        return Balance, (self.plan, self.efforts, self.held, self.outputs)

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism asked about."""
        return self.plan.mechanism

    @cached_property
    def _weighed(self) -> tuple[Equations, Massless, dict[Idle, float]]:
        return with_mass(self.plan, drive_targets(self.mechanism))

    @property
    def equations(self) -> Equations:
        """Rows along the plan's tree; idle spins without inertia are given some."""
        return self._weighed[0]

    @property
    def massless(self) -> Massless:
        """The verdict on the masses."""
        return self._weighed[1]

    @property
    def decided(self) -> bool:
        """Whether masses decide all motions."""
        return not self.massless.undetermined

    @cached_property
    def signals(self) -> Signals:
        """What is prescribed and known."""
        return Signals(self.equations, self.efforts)

    @cached_property
    def residual(self) -> Residual:
        """F, Φ and its rates on symbols."""
        eq, signals = self.equations, self.signals
        moving = (signals.s_rate, signals.s_second)
        s_rate, s_second = (0 * part if self.held else part for part in moving)
        given = eq.drives_given(signals.s, s_rate, s_second)
        return Residual(eq, signals.tau, given, pushing_rates(eq, self.plan, self.efforts))

    @cached_property
    def _inputs(self) -> dict[str, Matrix]:
        eq = self.equations
        found = {"t": eq.t, "q": eq.q, "v": eq.v, "a": eq.a, "lam": self.residual.lam, "x": eq.x}
        return found | {"z": self.signals.z, "p": eq.skeleton.symbols}

    @cached_property
    def _rows(self) -> Traced:
        """Where the rows are and what holds them."""
        eq, found = self.equations, self.residual
        outputs = {"J": eq.full_jacobian, "bias": eq.rows.bias(eq, found.given), "holding": found.holding}
        return self._traced("rows", outputs)

    @cached_property
    def _given(self) -> Traced:
        return self._traced("given", {"s": self.signals.s})

    @cached_property
    def _values(self) -> Traced:
        found = self.residual
        outputs = {"force": found.force, "rates": found.rates, "accelerations": found.accelerations}
        return self._traced("values", outputs | {"x_rate": self._x_rate, "closure": found.closure})

    @property
    def _x_rate(self) -> Matrix:
        """Rates of the own states that count."""
        found = ca.vertcat(ca.SX(0, 1), *[ca.SX(self.signals.x_rate)[k] for k in self.counted])
        if not self.follows:
            return found
        return ca.substitute(
            found, self.equations.strengths, ca.densify(ca.SX(self.residual.following[:, 0]))
        )

    @cached_property
    def counted(self) -> list[int]:
        """Places of the own states that count: integrals, and those of loads on which something depends.

        The heat of friction grows on and on, and nothing else does for that.
        """
        found = ca.vertcat(self.residual.force, ca.SX(self.signals.x_rate))
        J, integrals = ca.jacobian(found, self.equations.x), len(self.mechanism.integrals)
        return [k for k in range(J.shape[1]) if k < integrals or J[:, k].nnz()]

    @property
    def states(self) -> list[str]:
        """Their names."""
        return [self.equations.skeleton.states[k] for k in self.counted]

    def with_states(self, x: np.ndarray, change: np.ndarray) -> np.ndarray:
        """All own states with those changed that count."""
        found = x.copy()
        found[self.counted] += change
        return found

    @cached_property
    def _followed(self) -> Traced:
        """F with what the multipliers do here, and what follows reactions."""
        found = self.residual
        outputs = {"force": found.force, "holding": -ca.jacobian(found.force, found.lam)}
        return self._traced("followed", outputs | {"following": found.following})

    @property
    def follows(self) -> bool:
        """Whether loads follow reactions, so that F is not linear in λ."""
        return bool(self.equations.strengths.shape[0])

    @cached_property
    def _slopes(self) -> Traced:
        """Derivatives of everything along the tree's tangent, the rates, own states and parameters."""
        eq, outputs = self.equations, dict[str, Matrix]()
        E, counted = eq.chart.rate_map(eq.q), ca.vertcat(ca.SX(0, 1), *[eq.x[k] for k in self.counted])
        values = self._values.outputs | {"read": self._read}
        for name, value in values.items():
            outputs[f"{name}_q"] = ca.jacobian(ca.SX(value), eq.q) @ E
            outputs[f"{name}_v"] = ca.jacobian(ca.SX(value), eq.v)
            outputs[f"{name}_x"] = ca.jacobian(ca.SX(value), counted)
            outputs[f"{name}_p"] = ca.jacobian(ca.SX(value), eq.skeleton.symbols)
        return self._traced("slopes", outputs | {"inertia": self.residual.inertia, "read": self._read})

    @property
    def _read(self) -> Matrix:
        """The expressions that are read off, one below the other."""
        found = [
            one.traced(self.equations)
            if isinstance(one, MarkerPlace)
            else self.signals.traced(one, f"output {k}")
            for k, one in enumerate(self.outputs, 1)
        ]
        return ca.vertcat(ca.SX(0, 1), *map(ca.SX, found))

    def _traced(self, name: str, outputs: Mapping[str, Matrix]) -> Traced:
        self.signals.z = self.signals.tables.z  # outputs may read tables of their own
        return Traced(name, self._inputs | {"z": self.signals.z}, outputs)

    @property
    def timed(self) -> bool:
        """Whether time enters by itself."""
        found = self._values.outputs.values()
        clock = ca.vertcat(self.equations.t, self.signals.z)
        return any(ca.depends_on(ca.SX(value), clock) for value in found)

    # in numbers -----------------------------------------------------------------------------------------

    def prescribed(self, t: float, p: np.ndarray) -> np.ndarray:
        """What the drives prescribe at a time, for given parameters."""
        return self._asked(self._given, {"t": t, "p": p})["s"]

    def rows(self, **at: Any) -> Numbers:
        """J and b of all rows, J v = b, and what the multipliers do; at t, q, p."""
        return self._asked(self._rows, at)

    def values(self, **at: Any) -> Numbers:
        """F, J v − b, J a − γ, ẋ and Φ."""
        return self._asked(self._values, at)

    def followed(self, **at: Any) -> Numbers:
        """F, −∂F/∂λ and what follows reactions; at t, q, v, a, lam, x, p."""
        return self._asked(self._followed, at)

    def slopes(self, **at: Any) -> Numbers:
        """Their derivatives, by the tangent of q, by v, x and p, as "force_q"; and the inertia."""
        return self._asked(self._slopes, at)

    def _asked(self, traced: Traced, at: Mapping[str, Any]) -> Numbers:
        empty = {name: np.zeros(symbol.shape) for name, symbol in self._inputs.items()}
        tables = self.signals.tables.read(np.array([at["t"]]))[:, 0]
        answers = traced(**empty | {"z": tables} | dict(at))
        shapes = [output.shape for output in traced.outputs.values()]
        named = zip(traced.outputs, answers, shapes, strict=True)
        return {
            name: value if shape[1] == 1 and not _is_matrix(name) else value.reshape(shape, order="F")
            for name, value, shape in named
        }


def _is_matrix(name: str) -> bool:
    return name in ("J", "holding", "inertia", "following") or name[-2:] in ("_q", "_v", "_x", "_p")
