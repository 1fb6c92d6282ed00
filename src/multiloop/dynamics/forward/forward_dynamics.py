"""CasADi functions of forward dynamics for a mechanism, a spanning tree and a formulation.

Theory: docs/theory/06-forward-dynamics.md, eq. (6.1);
docs/theory/12-contact.md, eq. (12.8);
docs/theory/14-compiled-kernels.md, eq. (14.1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import casadi as ca

from multiloop.dynamics.actions import JointReactions, load_inputs
from multiloop.dynamics.forward.augmented_lagrangian import augmented
from multiloop.dynamics.forward.forward_problem import (
    NOTHING_PRESCRIBED,
    ForwardDynamicsSolution,
    ForwardProblem,
)
from multiloop.dynamics.forward.independent_coordinates import embedding, virtual_work
from multiloop.dynamics.forward.servo import Servo
from multiloop.dynamics.forward.subsystem_multipliers import sslm
from multiloop.dynamics.forward.whole_system import slm, system
from multiloop.dynamics.joint_reactions import joint_reactions
from multiloop.dynamics.newton_euler import required_wrenches
from multiloop.dynamics.reaction_dependent_forces import ForceLaws, solve_dependent_forces
from multiloop.kinematics import CACHE_SIZE, Equations
from multiloop.kinematics.constraints import RowSet
from multiloop.spatial import Matrix, as_column
from multiloop.symbols import Traced


@dataclass(frozen=True)
class Formulation:
    """A formulation of forward dynamics, and the name of its additional argument.

    The argument is the elimination order of the plan ("order"), a matrix that selects independent rates ("choice"), or
    a penalty factor ("penalty")."""

    solve: Callable[..., ForwardDynamicsSolution]
    extra_input: str = ""


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
    """CasADi functions of forward dynamics.

    `equations` contain the drives, whose prescribed values are inputs of the functions. The multipliers of the drives
    follow the multipliers of the loop constraints and are the efforts of the drives, unless efforts along the rates
    `effort_rates` produce the prescribed motions (`Servo`). `independent_count` is the number of independent constraint
    rows if some are redundant (a basis is then an input), and `order` is the elimination order of the plan. With
    `stiff` the term c JᵀJ, with the constraint Jacobian J and a factor c, is added to the inertia, as massless links
    require.
    """

    equations: Equations
    method: str
    independent_count: int | None = None
    order: Sequence[int] | None = None
    stiff: bool = False
    effort_rates: tuple[int, ...] = ()

    @property
    def ideal_drives(self) -> RowSet:
        """Constraints of the drives whose multipliers are themselves the efforts; empty if efforts act along
        `effort_rates`."""
        return RowSet() if self.effort_rates else self.equations.drives

    @property
    def rows(self) -> int:
        """Number of rows of the loop constraints and of the ideal drives."""
        return self.equations.loop_constraints.count + self.ideal_drives.count

    @cached_property
    def accelerations(self) -> Traced:
        """CasADi function (q, v, tau, s, ṡ, s̈, basis, choice, c, p) → q̇, v̇, multipliers λ of all rows, and forces
        along all rates; also reaction-dependent forces if there are any (`solve_dependent_forces`).

        s are the prescribed values of the drives, and `tau` the known forces along the rates. `basis` combines
        redundant constraint rows, `choice` selects independent rates, and c is the penalty or the factor of c JᵀJ; an
        input that the formulation does not need is empty.

        If loads depend on the time t or the state variables x, these inputs precede p; the time is not a separate input
        if it is the first entry of s.
        """
        inputs, answer, forces = self._traced
        outputs = {"q_rate": self.equations.q_rate} | self._with_reaction_dependent_forces(answer, forces)
        return Traced(f"forward_{self.method}", inputs, outputs)

    @cached_property
    def given_dependent_forces(self) -> Traced:
        """CasADi function with the accelerations v̇, the multipliers λ and the forces along all rates as outputs, in
        which the reaction-dependent forces are further inputs (`dependent_forces`); the outputs are linear in these
        forces and in the known forces τ."""
        inputs, answer, forces = self._traced
        outputs = {"a": answer.a, "lam": answer.lam, "forces": forces}
        return Traced(
            f"open_{self.method}",
            inputs | {"dependent_forces": self.equations.reaction_dependent_forces},
            outputs,
        )

    @cached_property
    def _traced(self) -> tuple[dict[str, Matrix], ForwardDynamicsSolution, Matrix]:
        """Symbolic inputs, solution, and forces along all rates; the last two depend on the symbols of the
        reaction-dependent forces."""
        eq, n = self.equations, self.equations.skeleton.rates
        tau = as_column(ca.SX.sym("tau", n))
        kept = self.rows if self.independent_count is None else self.independent_count
        basis = ca.SX.sym("basis", kept, self.rows) if self.independent_count is not None else ca.SX(0, 0)
        choice = ca.SX.sym("choice", n - kept, n) if self.extra_input == "choice" else ca.SX(0, 0)
        penalties = self.rows if self.extra_input == "penalty" else 1
        weight = ca.SX.sym("c", penalties) if self.stiff or self.extra_input == "penalty" else ca.SX(0, 0)
        problem = ForwardProblem(
            eq,
            tau,
            self.ideal_drives,
            eq.prescribed if self.ideal_drives.count else NOTHING_PRESCRIBED,
            basis if self.independent_count is not None else None,
            weight if self.stiff and self.extra_input != "penalty" else 0.0,
        )
        answer, forces = self._solution(problem, choice, weight)
        inputs = {
            "q": eq.q,
            "v": eq.v,
            "tau": tau,
            "s": eq.s,
            "s_rate": eq.s_rate,
            "s_second": eq.s_second,
            "basis": basis,
            "choice": choice,
        }
        acting = {
            name: symbol for name, symbol in load_inputs(eq).items() if name != "t" or not eq.time_count
        }
        inputs |= {"c": weight, **acting, "p": eq.skeleton.parameter_symbols}
        return inputs, answer, forces

    def _with_reaction_dependent_forces(
        self, answer: ForwardDynamicsSolution, forces: Matrix
    ) -> dict[str, Matrix]:
        """Outputs by name: accelerations v̇, multipliers λ and forces along all rates, with reaction-dependent forces
        replaced by their solution, and the outputs of these forces."""
        eq, outputs = self.equations, {"a": answer.a, "lam": answer.lam, "forces": forces}
        if not eq.reaction_dependent_forces.shape[0]:
            return outputs
        found = solve_dependent_forces(eq, outputs, self.joint_reactions(**outputs), answer.a)
        rows = {"set_valued_rows": found.set_valued_rows} if found.set_valued_rows.shape[0] else {}
        return found.outputs | {"dependent_force_rows": found.dependent_force_rows} | rows

    @cached_property
    def impulse_response(self) -> Traced:
        """CasADi function of the inputs of `accelerations` that returns the effects of unit impulses at an impact.

            I Δv = F + Jᵀ Λ,  J Δv = 0      [pfeiffer], ch. 6: an impact changes only rates

        I is the inertia of the tree, J the constraint Jacobian, Δv the jump of the rates, F the generalized impulse,
        and Λ are the impulses of the constraints. The outputs are the jumps of v, λ and the forces along all rates for
        a unit impulse of every set-valued force, and the derivative Jᵍ of the rates ġ of all set-valued forces with
        respect to v; Jᵍ times the jumps R of v is the change of all these rates. Further outputs are the same
        quantities for tangential impulses of contacts with friction (`ContactSliding`), their tangential axes, and
        [coefficient of friction, creep speed] of each.
        """
        eq, (inputs, answer, forces) = self.equations, self._traced
        found = {"a": answer.a, "lam": answer.lam, "forces": forces}
        x, m = eq.reaction_dependent_forces, eq.reaction_dependent_forces.shape[0]
        jumps = {name: _directional_derivatives(part, x, ca.DM.eye(m)) for name, part in found.items()}
        set_valued = ForceLaws.of_mechanism(eq).set_valued_forces
        rates = ca.vertcat(ca.SX(0, 1), *[ca.SX(grip.rate) for grip in set_valued])
        numbers = [
            (grip.restitution, grip.rebound_speed, 0.0 if grip.gap is None else 1.0) for grip in set_valued
        ]
        outputs = jumps | {"grip_rates": ca.jacobian(rates, eq.v)}
        outputs["laws"] = ca.vertcat(ca.SX(0, 3), *[ca.horzcat(*map(ca.SX, row)) for row in numbers])
        slides = [grip.slide for grip in set_valued if grip.slide is not None]
        across = ca.jacobian(ca.vertcat(ca.SX(0, 1), *[ca.SX(slide.v) for slide in slides]), eq.v)
        outputs |= {
            f"slid_{name}": _directional_derivatives(part, inputs["tau"], across.T)
            for name, part in found.items()
        }
        outputs["slid_forces"] = outputs["slid_forces"] - across.T
        outputs["slide_rates"] = across
        outputs["slide_axes"] = ca.horzcat(ca.SX(3, 0), *[ca.SX(slide.axes) for slide in slides])
        rough = [(slide.coefficient, slide.slip) for slide in slides]
        outputs["rough"] = ca.vertcat(ca.SX(0, 2), *[ca.horzcat(*map(ca.SX, row)) for row in rough])
        still = ca.substitute([ca.densify(ca.SX(part)) for part in outputs.values()], [x], [ca.SX.zeros(m)])
        return Traced("impulse_response", inputs, dict(zip(outputs, still, strict=True)))

    def joint_reactions(self, a: Matrix, lam: Matrix, forces: Matrix) -> JointReactions:
        """The reactions of all joints, from the accelerations a, the multipliers lam and the forces along all rates."""
        eq = self.equations
        return joint_reactions(
            eq, required_wrenches(eq, a), lam[: eq.loop_constraints.count, 0], as_column(forces)
        )

    @property
    def extra_input(self) -> str:
        """Name of the additional argument of the formulation."""
        return FORMULATIONS[self.method].extra_input

    def _solution(
        self, problem: ForwardProblem, choice: ca.SX, weight: ca.SX
    ) -> tuple[ForwardDynamicsSolution, Matrix]:
        """The solution, and the forces along all rates, including the efforts of drives. `choice` and the penalty
        factor `weight` are used only by the formulations that need them."""
        method = FORMULATIONS[self.method].solve
        extra = {"": (), "order": (self.order,), "choice": (choice,), "penalty": (weight,)}[self.extra_input]
        eq = self.equations
        if self.effort_rates:
            B = ca.DM.eye(eq.skeleton.rates)[:, list(self.effort_rates)]
            held, efforts = Servo(eq.drives, B).solve_with_efforts(
                problem, lambda other: method(other, *extra), eq.prescribed
            )
            return held, problem.tau + B @ efforts
        answer = method(problem, *extra)
        if not self.ideal_drives.count:
            return answer, problem.tau
        return answer, problem.tau + self.ideal_drives.jacobian(eq).T @ answer.lam[
            eq.loop_constraints.count :
        ]


def _directional_derivatives(output: Matrix, inputs: Matrix, directions: Matrix) -> Matrix:
    """Directional derivatives of an `output` with respect to `inputs`, along each column of `directions`."""
    if not directions.shape[1] or not output.shape[0]:
        return ca.SX(output.shape[0], directions.shape[1])
    return ca.jtimes(ca.densify(output), inputs, directions)


@lru_cache(maxsize=CACHE_SIZE)
def forward_functions(
    equations: Equations,
    method: str,
    independent: int | None,
    order: tuple[int, ...],
    stiff: bool,
    effort_rates: tuple[int, ...] = (),
) -> ForwardFunctions:
    """The `ForwardFunctions` for the given arguments, cached for repeated use."""
    return ForwardFunctions(equations, method, independent, order, stiff, effort_rates)
