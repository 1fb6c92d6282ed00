"""Traced functions of a simulation: time derivative of the state, projection onto the constraints, and events; they are
cached for recent mechanisms.

Theory: docs/theory/07-time-integration.md, eqs. (7.1), (7.11), (7.12).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from multiloop.analyses.analysis_cache import cached_value
from multiloop.analyses.run_models.forward_model import ForwardModel, ForwardSolution, motion_keys
from multiloop.analyses.run_models.integrator_inputs import (
    elastic_indices,
    link_stiffness,
    mass_orthogonal_projection,
    rate_derivatives,
    state_sizes,
    velocity_projection,
)
from multiloop.analyses.run_models.inverse_dynamics_control import efforts_with_control
from multiloop.analyses.run_models.local_choice import LocalChoice
from multiloop.analyses.signals import Signals, signal_keys
from multiloop.dynamics import ConstraintProjection
from multiloop.dynamics.actions import GUARD, supplied_power
from multiloop.dynamics.outputs import (
    SOURCES,
    EnergyItem,
    at_solution,
    determined_entry,
    dissipated_power,
    energy_items,
)
from multiloop.kernels import Kernel
from multiloop.kernels.runtime import CLOSE, CLOSED, ROUNDS, CoordinatePlaces, StateLayout, StateScales
from multiloop.model import Expression
from multiloop.plan import Plan
from multiloop.spatial import Matrix
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class RunModel:
    """Forward dynamics and signals of one simulation, as traced functions of the same inputs.

    These inputs are the time t, coordinates q, rates v, further state variables x, the control u, values z of tables,
    three quantities of a `LocalChoice`, and the parameters p. These three are `basis` (the matrix of independent
    combinations of constraint rows), `choice` (the matrix of independent combinations of rates) and `c` (the penalty
    factors).
    """

    model: ForwardModel
    signals: Signals

    def __reduce__(self) -> tuple[Any, ...]:
        """Constructor and arguments for pickling; traced functions cannot be pickled and are traced again in the other
        process."""
        acting = self.signals
        return _rebuild, (self.model, *(getattr(acting, entry.name) for entry in fields(acting)[1:]))

    @property
    def layout(self) -> StateLayout:
        """The layout of the state vector; it includes the integrated energy of every item in `items`."""
        return replace(self.signals.layout, work=1 + len(self.items))

    @cached_property
    def items(self) -> tuple[EnergyItem, ...]:
        """Keys (SUPPLIED or LOST, name of a part of the mechanism) of every integrated power, in the order of the
        state."""
        return tuple(self._item_powers)

    @cached_property
    def _item_powers(self) -> dict[EnergyItem, Matrix]:
        """Powers supplied or lost by each part of the mechanism; empty if there is only one such power."""
        eq = self.model.equations
        found = energy_items(eq, self.forces, self._solution["lam"][: eq.loop_constraints.count])
        return found if len(found) > 1 else {}

    @cached_property
    def inputs(self) -> dict[str, Matrix]:
        """The input symbols that all traced functions of the simulation share, in the order of the time loop."""
        given = self.model.functions.accelerations.inputs
        eq, signals = self.model.equations, self.signals
        found = {"t": signals.t, "q": eq.q, "v": eq.v, "x": eq.x, "u": signals.u, "z": signals.z}
        found["basis"] = (
            ca.SX.sym("basis", self.model.rank, eq.rows.count) if self.model.redundant else ca.SX(0, 0)
        )
        return found | {name: given[name] for name in ("choice", "c", "p")}

    @cached_property
    def _solution(self) -> dict[str, Matrix]:
        """Accelerations, multipliers and further outputs of forward dynamics, as expressions in `inputs`: efforts and
        prescribed motions are substituted."""
        return self._on_run_inputs(self.model.functions.accelerations)

    def _on_run_inputs(self, traced: Traced) -> dict[str, Matrix]:
        """Outputs of a function of forward dynamics as expressions in `inputs`: efforts and prescribed motions are
        substituted."""
        x, signals = self.inputs, self.signals
        given = {"s": signals.s, "s_rate": signals.s_rate, "s_second": signals.s_second}
        functions = self.model.functions
        if functions.independent_count is not None:  # `traced` has no rows of servo constraints
            x = x | {"basis": x["basis"][: functions.independent_count, : functions.rows]}
        return traced.on(**x, tau=self._efforts[1], **given)

    @cached_property
    def _efforts(self) -> tuple[Matrix, Matrix]:
        """Known efforts, including those of a control law, and the generalized forces of these efforts along all
        rates."""
        return efforts_with_control(self.model, self.signals, self.inputs)

    @cached_property
    def forces(self) -> Matrix:
        """Generalized forces along all joint rates, of known efforts and of drives."""
        return self._solution["forces"]

    @cached_property
    def solve(self) -> Traced:
        """Traced function of `inputs` with the outputs v̇, multipliers λ of all constraint rows, generalized forces
        along all joint rates, known efforts, and reaction-dependent forces if there are any."""
        outputs = {"a": self._solution["a"], "lam": self._solution["lam"], "forces": self.forces}
        outputs["efforts"] = self._efforts[0]
        if "dependent_force_rows" in self._solution:
            outputs["dependent_force_rows"] = ca.densify(self._solution["dependent_force_rows"])
        return Traced("solution", self.inputs, outputs)

    @cached_property
    def set_valued_outputs(self) -> Traced:
        """Traced function of `inputs` with the outputs of all set-valued forces, one row per force
        (`actions.set_valued_force_law`)."""
        return Traced("set_valued_rows", self.inputs, {"rows": self._solution["set_valued_rows"]})

    @cached_property
    def impulse_response(self) -> Traced:
        """Traced function of `inputs` with the jumps of rates and multipliers caused by unit impulses
        (`ForwardFunctions.impulse_response`)."""
        return Traced(
            "impulse_response", self.inputs, self._on_run_inputs(self.model.functions.impulse_response)
        )

    @property
    def set_valued_count(self) -> int:
        """Number of set-valued forces."""
        return sum(len(load.modes) for load in self.model.skeleton.mechanism.all_loads)

    @cached_property
    def places(self) -> CoordinatePlaces:
        """Indices of elastic coordinates, and of coordinates whose time derivatives are rates."""
        direct = self.model.equations.chart.direct_coordinates
        return CoordinatePlaces(*elastic_indices(self.model.skeleton), *direct)

    @property
    def changes_choice(self) -> bool:
        """Whether independent constraint rows or coordinates are chosen again during the simulation."""
        return self.model.redundant or self.model.uses_independent_coordinates

    @cached_property
    def _rate(self) -> dict[str, Matrix]:
        eq = self.model.equations
        power = ca.dot(self.forces, eq.v) + self._constraint_power + supplied_power(eq)
        power, x_rate = power - dissipated_power(eq), self.signals.x_rate
        power = ca.vertcat(power, *self._item_powers.values())
        if "dependent_force_rows" in self._solution:
            dependent_forces = self._solution["dependent_force_rows"][:, 0]
            power, x_rate = ca.substitute([power, x_rate], [eq.reaction_dependent_forces], [dependent_forces])
        return {
            "q_rate": self._solution["q_rate"],
            "a": self._solution["a"],
            "x_rate": x_rate,
            "power": power,
        }

    @property
    def _constraint_power(self) -> Matrix:
        """Power λᵀ b of loop constraints that depend explicitly on time, with multipliers λ and the right-hand side b
        of the constraints J v = b on the rates v."""
        eq = self.model.equations
        if not eq.loop_constraints.rheonomic:
            return ca.SX(0)
        return ca.dot(
            self._solution["lam"][: eq.loop_constraints.count], eq.loop_constraints.bias(eq, eq.prescribed)
        )

    @cached_property
    def rate(self) -> Traced:
        """Traced function of `inputs` with the time derivative of the state: q̇, v̇, ẋ, the total power, and the power of
        every item in `items`."""
        return Traced("rate", self.inputs, self._rate)

    @cached_property
    def projection(self) -> ConstraintProjection:
        """The projection of positions and rates onto the constraints."""
        return self.model.projection(self.signals.s, self.signals.s_rate, self.inputs["basis"])

    @cached_property
    def position_projection(self) -> Traced:
        """Traced function of `inputs` with the positions after one Newton step onto the constraints, and the gap of the
        loops before this step."""
        return Traced("project_positions", self.inputs, self.projection.position_outputs())

    @cached_property
    def _velocity_projection(self) -> Traced:
        return Traced("project_velocities", self.inputs, self._velocity_outputs())

    def _velocity_outputs(self) -> dict[str, Matrix]:
        return velocity_projection(self.model, self.projection)

    def _scaled_jacobian(self) -> dict[str, Matrix]:
        return {"J": ca.diag(ca.DM(self.model.row_scale)) @ self.model.equations.full_jacobian}

    def _event_values(self) -> dict[str, Matrix]:
        """Values of the user's events, followed by the event functions of the modes of all set-valued forces."""
        watched, read = self.signals.watched, self.signals.outputs_of_events
        if self.set_valued_count:
            watched = ca.vertcat(watched, self._solution["set_valued_rows"][:, GUARD])
        if not read:
            return {"values": watched}
        eq, found = self.model.equations, self._solution
        solution = {"a": found["a"], "lam": found["lam"][: eq.loop_constraints.count], "tau": self.forces}
        if "dependent_force_rows" in found:
            solution["dependent_forces"] = found["dependent_force_rows"][:, 0]
        values = [at_solution(eq, determined_entry(self.model.plan, eq, name), solution) for name in read]
        return {"values": ca.substitute(watched, ca.vertcat(*read.values()), ca.vertcat(*values))}

    # numerical evaluation ---------------------------------------------------------------------------------

    @cached_property
    def sizes(self) -> StateScales:
        """The scale of every entry of the state."""
        return state_sizes(self.model, self.layout)

    def rate_at(self, t: float, y: np.ndarray, choice: LocalChoice) -> np.ndarray:
        """Time derivative ẏ of the state y at time t."""
        given = self.signals.inputs_at(t, y) | choice.kernel_inputs
        return np.concatenate(self.rate(**given, p=self.model.p))

    def project_at(
        self, t: float, y: np.ndarray, choice: LocalChoice, closed: Traced, *, at_once: bool = False
    ) -> tuple[np.ndarray, float]:
        """The state projected onto the constraints, and the remaining residual of the position constraints.

        Positions are corrected by Newton's method with the step function `closed`, then the rates are replaced by the
        nearest consistent rates; x does not change. `at_once` states that the speed of a drive may have jumped at t.
        """
        if self.model.passes_singular:
            return mass_orthogonal_projection(self.model, self.layout, t, y, self.model.p, at_once=at_once)
        last, open_by = np.inf, 0.0
        given = self.signals.inputs_at(t, y) | choice.kernel_inputs | {"p": self.model.p}
        for _ in range(ROUNDS):
            q, (gap,) = closed(**given)
            open_by = float(gap)
            if not np.isfinite(gap) or (gap >= last and last < CLOSED):
                break
            given["q"] = q
            if gap < CLOSE:  # Newton's method squares the gap in one step
                open_by = float(gap * gap)
                break
            last = gap
        v, _, (pushed,) = self._velocity_projection(**given)
        work = y[self.layout["work"]].copy()
        work[0] += pushed
        return self.layout.pack(q=given["q"], v=v, x=given["x"], work=work), open_by

    def solve_at(self, t: float, y: np.ndarray, choice: LocalChoice) -> ForwardSolution:
        """Accelerations, multipliers and generalized forces in the state y; raises an error that names an effort whose
        value is undefined."""
        p, rows = self.model.p, self.model.equations.loop_constraints.count
        given = self.signals.inputs_at(t, y) | choice.kernel_inputs
        a, lam, tau, efforts, *dependent_force_rows = self.solve(**given, p=p)
        self.signals.require_values(t, y, p, efforts)
        return ForwardSolution(a, lam[:rows], tau, *dependent_force_rows)

    # for the compiled loop ------------------------------------------------------------------------------

    @property
    def traces(self) -> dict[str, Callable[[], dict[str, Matrix]]]:
        """Functions that return the outputs of every kernel of the time loop, by name; a kernel is traced on demand."""
        return {
            "rate": lambda: self._rate,
            "project_positions": self.projection.position_outputs,
            "project_velocities": self._velocity_outputs,
            "matrix": self._scaled_jacobian,
            "slope": lambda: rate_derivatives(self._rate, self.inputs),
            "stiffness": lambda: link_stiffness(self.model, self._on_run_inputs),
            "events": self._event_values,
        }

    @cached_property
    def kernels(self) -> dict[str, Kernel]:
        """Kernels built so far; their machine code stays loaded as long as this object exists."""
        return {}

    @cached_property
    def cache_keys(self) -> tuple[str, ...]:
        """Cache keys that identify the kernels of this model."""
        return (*motion_keys(self.model), *signal_keys(self.signals))


def _rebuild(model: ForwardModel, *acting: Any) -> RunModel:
    return RunModel(model, Signals(model.equations, *acting))


def cached_model(plan: Plan, method: str, given: Sequence[str]) -> ForwardModel:
    """The cached forward model of a plan; `given` are the joints whose efforts are known."""
    return cached_value(
        lambda: ForwardModel(plan, plan.assembly, method, given=given), "model", plan, method, given
    )


def cached_run(
    model: ForwardModel, efforts: Mapping[str, Any] | None, events: Mapping[str, Expression]
) -> RunModel:
    """The cached run model of a forward model without a controller."""
    return cached_value(
        lambda: RunModel(model, Signals(model.equations, efforts, None, events)),
        "run",
        model,
        efforts,
        events,
        tuple(SOURCES),
    )
