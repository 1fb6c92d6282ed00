"""Traced functions of a driven mechanism: Newton step of the loops, rates and accelerations, efforts and reactions.

Theory: docs/theory/02-kinematics.md, eqs. (2.18), (2.19).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from multiloop.analyses.prescribed_motion.inverse_solver import InverseSolver
from multiloop.analyses.signals import Signals, driven_signals
from multiloop.dynamics import ConstraintProjection, solve_general
from multiloop.dynamics.inverse import traced_inverse
from multiloop.kinematics import Equations, equations_of
from multiloop.kinematics.constraints import drive_targets
from multiloop.kinematics.tree import coordinate_index
from multiloop.plan import Plan, unknown_efforts
from multiloop.spatial import Matrix
from multiloop.symbols import Traced

NEWTON_STEPS = 3
"""Number of Newton steps after a prediction: an error of 0.03 (in rad or characteristic lengths) is reduced to
round-off by the third step."""


@dataclass(frozen=True, eq=False)
class DrivenTraces:
    """Traced functions of a driven mechanism, formulated for the spanning tree of its plan.

    Their inputs are the time t, the values z of tables over time, the coordinates q and the parameters p.
    """

    plan: Plan
    method: str = "subsystem"

    @cached_property
    def equations(self) -> Equations:
        """The kinematic equations, with the constraints of the loops and of the drives."""
        return equations_of(self.plan.mechanism, self.plan.tree, drive_targets(self.plan.mechanism))

    @cached_property
    def signals(self) -> Signals:
        """Prescribed motions and known efforts."""
        return driven_signals(self.equations)

    def tables(self, t: float) -> np.ndarray:
        """Values z of the tables over time, at the time t."""
        return self.signals.tables.read(np.array([t]))[:, 0]

    @cached_property
    def driven_rates(self) -> tuple[int, ...]:
        """Indices of the rates that the drives prescribe."""
        return self.equations.driven_rates

    @property
    def time_inputs(self) -> dict[str, Matrix]:
        """Inputs t and z of the traced functions."""
        return {"t": self.signals.t, "z": self.signals.z}

    @property
    def p(self) -> Matrix:
        """The symbols of the parameters."""
        return self.equations.skeleton.parameter_symbols

    @cached_property
    def newton_step(self) -> Traced:
        """Traced function (t, z, q, p) → coordinates after one Newton step, and the gap of the loops before this
        step."""
        rows = ConstraintProjection(self.equations, self.signals.s, self.signals.s_rate, damped=True)
        inputs = self.time_inputs | {"q": self.equations.q, "p": self.p}
        return Traced("closing", inputs, {"q_next": rows.project_positions(), "gap": rows.gap})

    @cached_property
    def rates_and_accelerations(self) -> Traced:
        """Traced function (t, z, q, p) → joint rates v and accelerations a.

        The drives prescribe some rates ṡ and accelerations s̈; the dependent ones follow from the loop constraints:

            J_d v_d = −J_l ṡ,      J_d a_d = γ − J_l s̈

        with the dependent rates v_d and accelerations a_d, the columns J_d and J_l of the loop Jacobian for dependent
        and prescribed rates, and the right-hand side γ of the loop constraints for accelerations. If markers are
        driven, or constraints of the mechanism depend on time, the constraints of loops and drives are solved together.
        """
        if self.solves_all_rows:
            return self._solve_all_rows()
        eq, signals, driven = self.equations, self.signals, list(self.driven_rates)
        others = [k for k in range(eq.skeleton.rates) if k not in self.driven_rates]
        J, p = eq.loop_jacobian, self.p
        rates = self._assemble_rates(
            signals.s_rate, solve_general(J[:, others], -J[:, driven] @ signals.s_rate), others
        )
        own = {"gamma": eq.loop_constraints.gamma(eq, eq.prescribed)}
        gamma = Traced("gamma", {"q": eq.q, "v": eq.v, "p": p}, own).on(eq.q, rates, p)["gamma"]
        follows = solve_general(J[:, others], gamma - J[:, driven] @ signals.s_second)
        inputs = self.time_inputs | {"q": eq.q, "p": p}
        return Traced(
            "moving", inputs, {"v": rates, "a": self._assemble_rates(signals.s_second, follows, others)}
        )

    @property
    def solves_all_rows(self) -> bool:
        """Whether the constraints of loops and drives are solved together: drives prescribe other quantities than rates
        of the tree, or loop constraints depend on time."""
        eq = self.equations
        return eq.loop_constraints.rheonomic or any(target.on_marker for target in eq.targets)

    def _solve_all_rows(self) -> Traced:
        """Traced function (t, z, q, p) → rates v and accelerations a, which solves J v = b and J a = γ, where J is the
        Jacobian of the constraints of loops and drives together, and b and γ are the right-hand sides."""
        eq, signals, p = self.equations, self.signals, self.p
        J = eq.full_jacobian
        given = eq.prescribed_for_drives(signals.s, signals.s_rate, signals.s_second)
        v = solve_general(J, eq.rows.bias(eq, given))
        inputs = self.time_inputs | {"q": eq.q, "p": p}
        gamma = Traced("gamma", inputs | {"v": eq.v}, {"gamma": eq.rows.gamma(eq, given)})
        return Traced("moving", inputs, {"v": v, "a": solve_general(J, gamma.on(**inputs, v=v)["gamma"])})

    def _assemble_rates(self, prescribed: Matrix, others: Matrix, places: list[int]) -> Matrix:
        """The vector of prescribed and other rates, or accelerations, in the order of the joint rates; `places` are the
        indices of the others."""
        whole = ca.SX(self.equations.skeleton.rates, 1)
        for entries, where in ((prescribed, self.driven_rates), (others, places)):
            for k, place in enumerate(where):
                whole[place] = entries[k]
        return whole

    @cached_property
    def inverse_dynamics(self) -> dict[str, Matrix]:
        """Symbolic outputs of inverse dynamics: efforts `tau`, constraint wrenches of all joints (`wrenches`, 6 ×
        joints), multipliers `lam`, and reaction-dependent forces (`dependent_force_rows`) if there are any.
        """
        eq, loads = self.equations, self.inverse_solver
        inverse = traced_inverse(eq, loads.method_used, loads.B, None, self.plan.determinacy.blocks)
        found = inverse.on(t=self.signals.t, q=eq.q, v=eq.v, a=eq.a, x=eq.x, known=self.signals.tau, p=self.p)
        return {name: self.with_initial_states(value) for name, value in found.items()}

    def with_initial_states(self, value: Matrix) -> Matrix:
        """The expression `value` with all state variables other than coordinates replaced by their initial values."""
        x = self.equations.x
        return ca.substitute(value, x, self.signals.x_start) if x.numel() else value

    @cached_property
    def inverse_solver(self) -> InverseSolver:
        """The solver of efforts and reactions by the chosen method."""
        return InverseSolver(self.plan, self.equations, self.plan.assembly.p, self.method)

    def close_loops(self, q: Any) -> tuple[Any, Any]:
        """The coordinates q after NEWTON_STEPS Newton steps, and the remaining gap of the loops."""
        t, z, p = self.signals.t, self.signals.z, self.p
        for _ in range(NEWTON_STEPS):
            q = self.newton_step.on(t, z, q, p)["q_next"]
        return q, self.newton_step.on(t, z, q, p)["gap"]

    @property
    def rows(self) -> Matrix:
        """Jacobian of the loop constraints, followed by that of the drives, with lengths divided by the characteristic
        length."""
        return ca.vertcat(self.scaled_loop_jacobian, self.drive_rows)

    @property
    def scaled_loop_jacobian(self) -> Matrix:
        """Jacobian J of the loop constraints, with lengths divided by the characteristic length."""
        eq = self.equations
        return (
            ca.diag(ca.DM(eq.rate_row_scale[: eq.loop_constraints.count]))
            @ eq.loop_jacobian
            @ ca.diag(eq.chart.rate_units)
        )

    @property
    def drive_rows(self) -> Matrix:
        """Jacobian of the quantities that drives prescribe, with lengths divided by the characteristic length."""
        eq = self.equations
        if not self.solves_all_rows:
            return ca.DM.eye(eq.skeleton.rates)[list(self.driven_rates), :]
        scale = ca.DM(eq.rate_row_scale[eq.loop_constraints.count :])
        return ca.diag(scale) @ eq.drives.jacobian(eq) @ ca.diag(eq.chart.rate_units)

    @cached_property
    def effort_rates(self) -> tuple[int, ...]:
        """Indices of the joint rates along which the unknown efforts act."""
        skeleton = self.equations.skeleton
        return tuple(coordinate_index(skeleton, *effort) for effort in unknown_efforts(self.plan.mechanism))
