"""Balance of forces at equilibrium and in steady motion, with the outputs of linear models.

Theory: docs/theory/13-equilibrium-and-vibrations.md, eq. (13.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.idle_spins import equations_with_rotors
from multiloop.analyses.load_checks import require_determined_reactions
from multiloop.analyses.run_models import servo_rates
from multiloop.analyses.signals import Signals
from multiloop.dynamics import Residual
from multiloop.kinematics import Equations
from multiloop.kinematics.constraints import drive_targets
from multiloop.model import (
    Expression,
    Mechanism,
)
from multiloop.model.loads import Friction, Load, Stop
from multiloop.plan import IdleMotion, MasslessLinks, Plan
from multiloop.spatial import Matrix
from multiloop.symbols import Traced

Numbers = dict[str, np.ndarray]
"""Vectors and matrices by name."""

SET_VALUED_REMEDIES: dict[type[Load], str] = {
    Friction: 'Use stiction="smooth", or let `simulate` come to rest.',
    Stop: "Give the stop a stiffness, or let `simulate` come to rest.",
}
"""By load type, the remedy in the error message for a load whose set-valued force keeps a range of positions in
equilibrium."""


@dataclass(frozen=True, eq=False)
class ForceBalance:
    """Residual of the equations of motion of one mechanism, with prescribed motions and known efforts.

    The equations are those of the spanning tree of the plan. With `held`, the drives are fixed at their positions at
    the time of evaluation. `outputs` are additional expressions to be evaluated, such as outputs of a linear model.
    """

    plan: Plan
    efforts: Mapping[str, Any] = field(default_factory=dict)
    held: bool = False
    outputs: tuple[Expression, ...] = ()

    def __post_init__(self) -> None:
        if self.signals.u.shape[0]:
            what = "is computed in Python, which provides no derivatives."
            remedy = "Give a number, an expression or a Result."
            raise analysis_error(
                self.mechanism, "E05", f"effort at '{self.signals.known.python_efforts[0]}'", what, remedy
            )
        for load in self.mechanism.all_loads:
            if load.modes:
                what = "is set-valued at rest: a range of positions is in equilibrium, not a single one."
                remedy = SET_VALUED_REMEDIES.get(
                    type(load), "Replace the load by a Spring, or let `simulate` come to rest."
                )
                raise analysis_error(self.mechanism, "E05", f"load '{load.name}'", what, remedy)
        require_determined_reactions(self.plan, self.equations.skeleton)

    def __reduce__(self) -> tuple[Any, ...]:
        """Constructor and arguments for pickling; traced functions cannot be pickled and are traced again."""
        return ForceBalance, (self.plan, self.efforts, self.held, self.outputs)

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism of the plan."""
        return self.plan.mechanism

    @cached_property
    def _mass_verdict(self) -> tuple[Equations, MasslessLinks, dict[IdleMotion, float]]:
        return equations_with_rotors(self.plan, drive_targets(self.mechanism))

    @property
    def equations(self) -> Equations:
        """Equations on the spanning tree of the plan; idle spins without inertia are assigned a small inertia."""
        return self._mass_verdict[0]

    @property
    def massless(self) -> MasslessLinks:
        """Result of the check for motions that no inertia determines."""
        return self._mass_verdict[1]

    @property
    def masses_determine_motion(self) -> bool:
        """Whether the inertia of the bodies determines all motions."""
        return not self.massless.undetermined

    @cached_property
    def signals(self) -> Signals:
        """Prescribed motions and known efforts as symbolic functions."""
        return Signals(self.equations, self.efforts)

    @cached_property
    def residual(self) -> Residual:
        """Symbolic residuals of the equations of motion and of the constraints on positions, rates and
        accelerations."""
        eq, signals = self.equations, self.signals
        moving = (signals.s_rate, signals.s_second)
        s_rate, s_second = (0 * part if self.held else part for part in moving)
        given = eq.prescribed_for_drives(signals.s, s_rate, s_second)
        return Residual(eq, signals.tau, given, servo_rates(eq, self.plan, self.efforts))

    @cached_property
    def _inputs(self) -> dict[str, Matrix]:
        eq = self.equations
        found = {"t": eq.t, "q": eq.q, "v": eq.v, "a": eq.a, "lam": self.residual.lam, "x": eq.x}
        return found | {"z": self.signals.z, "p": eq.skeleton.parameter_symbols}

    @cached_property
    def _rows(self) -> Traced:
        """Traced function that returns the Jacobian J and the right-hand side b of the constraints J v = b, and the
        matrix of the generalized forces of unit multipliers."""
        eq, found = self.equations, self.residual
        outputs = {
            "J": eq.full_jacobian,
            "bias": eq.rows.bias(eq, found.prescribed),
            "holding": found.multiplier_matrix,
        }
        return self._traced("rows", outputs)

    @cached_property
    def _given(self) -> Traced:
        return self._traced("given", {"s": self.signals.s})

    @cached_property
    def _values(self) -> Traced:
        found = self.residual
        outputs = {"force": found.force, "rates": found.rates, "accelerations": found.accelerations}
        return self._traced("values", outputs | {"x_rate": self._x_rate, "closure": found.position_residual})

    @property
    def _x_rate(self) -> Matrix:
        """Symbolic rates ẋ of the relevant state variables (`relevant_states`)."""
        found = ca.vertcat(ca.SX(0, 1), *[ca.SX(self.signals.x_rate)[k] for k in self.relevant_states])
        if not self.has_reaction_dependent_loads:
            return found
        return ca.substitute(
            found,
            self.equations.reaction_dependent_forces,
            ca.densify(ca.SX(self.residual.dependent_force_rows[:, 0])),
        )

    @cached_property
    def relevant_states(self) -> list[int]:
        """Indices of the relevant state variables: integrals, and states of loads on which forces or rates depend.

        A state variable such as the heat of friction grows without limit, but has no influence on the motion.
        """
        found = ca.vertcat(self.residual.force, ca.SX(self.signals.x_rate))
        J, integrals = ca.jacobian(found, self.equations.x), len(self.mechanism.integrals)
        return [k for k in range(J.shape[1]) if k < integrals or J[:, k].nnz()]

    @property
    def state_names(self) -> list[str]:
        """Names of the relevant state variables (`relevant_states`)."""
        return [self.equations.skeleton.states[k] for k in self.relevant_states]

    def with_states(self, x: np.ndarray, change: np.ndarray) -> np.ndarray:
        """All state variables x, with `change` added to the relevant ones (`relevant_states`)."""
        found = x.copy()
        found[self.relevant_states] += change
        return found

    @cached_property
    def _reaction_values(self) -> Traced:
        """Traced function that returns the residual F of the equations of motion, its negative derivative −∂F/∂λ with
        respect to the multipliers λ, and the values and residuals of forces that depend on reactions."""
        found = self.residual
        outputs = {"force": found.force, "holding": -ca.jacobian(found.force, found.lam)}
        return self._traced("followed", outputs | {"dependent_force_rows": found.dependent_force_rows})

    @property
    def has_reaction_dependent_loads(self) -> bool:
        """Whether loads depend on reactions, so that the residual F is not linear in the multipliers λ."""
        return bool(self.equations.reaction_dependent_forces.shape[0])

    @cached_property
    def _derivatives(self) -> Traced:
        """Traced (CasADi) function that returns the derivatives of the residuals and rates of `values`, and of the
        outputs, with respect to the coordinates q (in their tangent space), the rates v, the state variables in
        `relevant_states` and the parameters p; also the inertia matrix and the outputs."""
        eq, outputs = self.equations, dict[str, Matrix]()
        E, counted = (
            eq.chart.rate_map(eq.q),
            ca.vertcat(ca.SX(0, 1), *[eq.x[k] for k in self.relevant_states]),
        )
        values = self._values.outputs | {"read": self._output_values}
        for name, value in values.items():
            outputs[f"{name}_q"] = ca.jacobian(ca.SX(value), eq.q) @ E
            outputs[f"{name}_v"] = ca.jacobian(ca.SX(value), eq.v)
            outputs[f"{name}_x"] = ca.jacobian(ca.SX(value), counted)
            outputs[f"{name}_p"] = ca.jacobian(ca.SX(value), eq.skeleton.parameter_symbols)
        return self._traced(
            "slopes", outputs | {"inertia": self.residual.inertia, "read": self._output_values}
        )

    @property
    def _output_values(self) -> Matrix:
        """Column of the symbolic expressions of the additional `outputs`."""
        found = [self.signals.traced(one, f"output {k}") for k, one in enumerate(self.outputs, 1)]
        return ca.vertcat(ca.SX(0, 1), *map(ca.SX, found))

    def _traced(self, name: str, outputs: Mapping[str, Matrix]) -> Traced:
        self.signals.z = self.signals.tables.z  # updated, since the outputs may contain further tables
        return Traced(name, self._inputs | {"z": self.signals.z}, outputs)

    @property
    def depends_on_time(self) -> bool:
        """Whether the equations depend on time explicitly."""
        found = self._values.outputs.values()
        clock = ca.vertcat(self.equations.t, self.signals.z)
        return any(ca.depends_on(ca.SX(value), clock) for value in found)

    # numerical evaluation -------------------------------------------------------------------------------

    def prescribed(self, t: float, p: np.ndarray) -> np.ndarray:
        """Positions that the drives prescribe at time t, for parameter values p."""
        return self._evaluate(self._given, {"t": t, "p": p})["s"]

    def rows(self, **at: Any) -> Numbers:
        """Jacobian J and right-hand side b of all constraints J v = b, and generalized forces of unit multipliers; `at`
        contains t, q and p."""
        return self._evaluate(self._rows, at)

    def values(self, **at: Any) -> Numbers:
        """Values, by name, of the residual F of the equations of motion, the residuals J v − b, J a − γ and Φ of the
        constraints on rates, accelerations and positions, and the rates ẋ of state variables."""
        return self._evaluate(self._values, at)

    def reaction_values(self, **at: Any) -> Numbers:
        """Values of the residual F of the equations of motion, its derivative −∂F/∂λ with respect to the multipliers,
        and the forces that depend on reactions; `at` contains t, q, v, a, the multipliers lam, x and p."""
        return self._evaluate(self._reaction_values, at)

    def derivatives(self, **at: Any) -> Numbers:
        """Derivatives of the quantities that `values` returns, and of the outputs, with respect to the coordinates q
        (in their tangent space), rates v, state variables x and parameters p, by names such as "force_q"; also the
        inertia matrix."""
        return self._evaluate(self._derivatives, at)

    def _evaluate(self, traced: Traced, at: Mapping[str, Any]) -> Numbers:
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
    return name in ("J", "holding", "inertia", "dependent_force_rows") or name[-2:] in (
        "_q",
        "_v",
        "_x",
        "_p",
    )
