"""Residual of the equations of motion at rest or in steady motion, with all loads and drives, and its derivatives."""

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
"""Remedies for loads that are set-valued forces, for which there is no isolated equilibrium."""


@dataclass(frozen=True, eq=False)
class Balance:
    """Residual of one mechanism on the tree of its plan, with prescribed motions and known efforts.

    With `held`, the drives are fixed at their positions at the given time. `outputs` are expressions to evaluate.
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
        """Pickle the arguments; traced functions cannot be pickled and are traced again."""
        return Balance, (self.plan, self.efforts, self.held, self.outputs)

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism of the plan."""
        return self.plan.mechanism

    @cached_property
    def _weighed(self) -> tuple[Equations, Massless, dict[Idle, float]]:
        return with_mass(self.plan, drive_targets(self.mechanism))

    @property
    def equations(self) -> Equations:
        """Constraint equations on the tree of the plan; idle spins without inertia are assigned a small inertia."""
        return self._weighed[0]

    @property
    def massless(self) -> Massless:
        """Result of the check for motions without inertia."""
        return self._weighed[1]

    @property
    def decided(self) -> bool:
        """Whether the masses determine all motions."""
        return not self.massless.undetermined

    @cached_property
    def signals(self) -> Signals:
        """Prescribed motions and known efforts."""
        return Signals(self.equations, self.efforts)

    @cached_property
    def residual(self) -> Residual:
        """Symbolic residual F, constraints Φ and their time derivatives."""
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
        """Jacobian and bias of the constraints, and the generalized forces of unit multipliers."""
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
        """Rates of the relevant state variables x."""
        found = ca.vertcat(ca.SX(0, 1), *[ca.SX(self.signals.x_rate)[k] for k in self.counted])
        if not self.follows:
            return found
        return ca.substitute(
            found, self.equations.strengths, ca.densify(ca.SX(self.residual.following[:, 0]))
        )

    @cached_property
    def counted(self) -> list[int]:
        """Indices of the relevant state variables: integrals, and states of loads on which forces or rates depend.

        A state variable such as the heat of friction grows without limit, but has no influence on the motion.
        """
        found = ca.vertcat(self.residual.force, ca.SX(self.signals.x_rate))
        J, integrals = ca.jacobian(found, self.equations.x), len(self.mechanism.integrals)
        return [k for k in range(J.shape[1]) if k < integrals or J[:, k].nnz()]

    @property
    def states(self) -> list[str]:
        """Names of the relevant state variables."""
        return [self.equations.skeleton.states[k] for k in self.counted]

    def with_states(self, x: np.ndarray, change: np.ndarray) -> np.ndarray:
        """All state variables, with a change of the relevant ones."""
        found = x.copy()
        found[self.counted] += change
        return found

    @cached_property
    def _followed(self) -> Traced:
        """F, its derivative with respect to the multipliers, and the forces that depend on reactions."""
        found = self.residual
        outputs = {"force": found.force, "holding": -ca.jacobian(found.force, found.lam)}
        return self._traced("followed", outputs | {"following": found.following})

    @property
    def follows(self) -> bool:
        """Whether loads depend on reactions, so that F is not linear in λ."""
        return bool(self.equations.strengths.shape[0])

    @cached_property
    def _slopes(self) -> Traced:
        """Derivatives of all values with respect to the tangent of q, the rates, state variables and parameters."""
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
        """The output expressions as one column."""
        found = [
            one.traced(self.equations)
            if isinstance(one, MarkerPlace)
            else self.signals.traced(one, f"output {k}")
            for k, one in enumerate(self.outputs, 1)
        ]
        return ca.vertcat(ca.SX(0, 1), *map(ca.SX, found))

    def _traced(self, name: str, outputs: Mapping[str, Matrix]) -> Traced:
        self.signals.z = self.signals.tables.z  # outputs may contain further tables
        return Traced(name, self._inputs | {"z": self.signals.z}, outputs)

    @property
    def timed(self) -> bool:
        """Whether the equations depend on time explicitly."""
        found = self._values.outputs.values()
        clock = ca.vertcat(self.equations.t, self.signals.z)
        return any(ca.depends_on(ca.SX(value), clock) for value in found)

    # in numbers -----------------------------------------------------------------------------------------

    def prescribed(self, t: float, p: np.ndarray) -> np.ndarray:
        """Positions that the drives prescribe at a time, for given parameters."""
        return self._asked(self._given, {"t": t, "p": p})["s"]

    def rows(self, **at: Any) -> Numbers:
        """J and b of all constraints, J v = b, and the generalized forces of unit multipliers; at t, q, p."""
        return self._asked(self._rows, at)

    def values(self, **at: Any) -> Numbers:
        """F, J v − b, J a − γ, ẋ and Φ."""
        return self._asked(self._values, at)

    def followed(self, **at: Any) -> Numbers:
        """F, −∂F/∂λ and the forces that depend on reactions; at t, q, v, a, lam, x, p."""
        return self._asked(self._followed, at)

    def slopes(self, **at: Any) -> Numbers:
        """Derivatives of `values` with respect to the tangent of q, v, x and p, such as "force_q"; and the inertia."""
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
