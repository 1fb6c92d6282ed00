"""CasADi functions of inverse dynamics: required forces, efforts, multipliers and joint reactions.

Theory: docs/theory/05-inverse-dynamics.md, eq. (5.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.dynamics.actions import dependent_force_inputs, load_inputs
from multiloop.dynamics.inverse.system_and_subsystem import InverseProblem, subsystem, system, virtual_work
from multiloop.dynamics.inverse.traditional import traditional
from multiloop.dynamics.joint_reactions import constraint_wrenches, joint_reactions
from multiloop.dynamics.reaction_dependent_forces import solve_dependent_forces
from multiloop.kinematics import Equations
from multiloop.kinematics.tree import coordinate_index
from multiloop.model import Connection
from multiloop.plan import Block
from multiloop.spatial import as_column
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class InverseFunctions:
    """CasADi functions of inverse dynamics of one mechanism along one tree."""

    equations: Equations

    @cached_property
    def _problem(self) -> InverseProblem:
        eq = self.equations
        nothing = ca.DM(eq.skeleton.rates, 1)
        return InverseProblem(eq, eq.a, ca.DM(eq.skeleton.rates, 0), nothing)

    @cached_property
    def required_forces(self) -> Traced:
        """CasADi function (q, v, a, p) → forces along all rates that the motion requires, and Jacobian J of the loops.
        The forces are Nᵀ (w* − wᵉ), with the natural orthogonal complement N and the inertia and applied wrenches w*
        and wᵉ of the bodies."""
        eq = self.equations
        inputs = {"q": eq.q, "v": eq.v, "a": eq.a, **load_inputs(eq), **dependent_force_inputs(eq)}
        inputs["p"] = eq.skeleton.parameter_symbols
        return Traced("reduced", inputs, {"needed": self._problem.required_forces, "J": eq.loop_jacobian})

    def traced_solution(
        self, method: str, B: np.ndarray, independent: int | None, blocks: Sequence[Block]
    ) -> Traced:
        """CasADi function (q, v, a, known, basis, choice, p) → multipliers λ and efforts τ, by one of the methods
        "system", "subsystem" and "virtual_work".

        The columns of B are the directions of the unknown efforts; `independent` is the number of independent
        constraint rows if some are redundant, otherwise None; `blocks` are the blocks of the subsystem method.

        Inputs: `known` are the known forces along all rates; `basis` combines redundant constraint rows into
        independent rows; `choice` selects independent rates for the method "virtual_work". Inputs that are not needed
        are empty.
        """
        eq, n, rows = self.equations, self.equations.skeleton.rates, self.equations.loop_constraints.count
        known = ca.SX.sym("known", n)
        kept = rows if independent is None else independent
        basis = ca.SX.sym("basis", kept, rows) if independent is not None else ca.SX(0, 0)
        choice = ca.SX.sym("choice", n - kept, n) if method == "virtual_work" else ca.SX(0, 0)
        problem = InverseProblem(eq, eq.a, ca.DM(B), known, basis if independent is not None else None)
        if method == "virtual_work":
            answer = virtual_work(problem, choice)
        elif method == "subsystem":
            answer = subsystem(problem, blocks)
        else:
            answer = system(problem)
        inputs = {"q": eq.q, "v": eq.v, "a": eq.a, "known": known, "basis": basis, "choice": choice}
        inputs |= {**load_inputs(eq), "p": eq.skeleton.parameter_symbols}
        outputs = {"lam": answer.lam, "tau": answer.tau}
        if eq.reaction_dependent_forces.shape[0]:
            forces = as_column(known + ca.DM(B) @ answer.tau)
            found = solve_dependent_forces(
                eq, outputs, joint_reactions(eq, problem.required_wrenches, answer.lam, forces), eq.a
            )
            outputs = found.outputs | {"dependent_force_rows": found.dependent_force_rows}
        return Traced(f"inverse_{method}", inputs, outputs)

    def traced_traditional(self, B: np.ndarray, independent: int | None, multipliers: bool = False) -> Traced:
        """CasADi function (q, v, a, known, spread, p) → constraint wrenches (6 × joints) and efforts τ by the
        traditional method.

        `known` are the known forces along all rates; `spread` expresses redundant reaction components by independent
        unknowns (see `traditional`) and is empty if `independent`, the number of these unknowns, is None. With
        `multipliers` the vector λ is returned too; it contains zeros for the rows of cut joints, followed by the
        multipliers of the couplings.
        """
        eq = self.equations
        known = ca.SX.sym("known", eq.skeleton.rates)
        count = sum(joint.rows(eq.skeleton.planar) for joint in _joints(eq))
        count += sum(coupling.rows for coupling in eq.skeleton.mechanism.couplings)
        spread = ca.SX.sym("spread", count, independent) if independent is not None else ca.SX(0, 0)
        problem = InverseProblem(eq, eq.a, ca.DM(B), known)
        answer = traditional(problem, spread if independent is not None else None)
        found = dict(zip([joint.name for joint in _joints(eq)], answer.wrenches, strict=True))
        ordered = [found[joint.name] for joint in eq.skeleton.mechanism.connections]
        inputs = {"q": eq.q, "v": eq.v, "a": eq.a, "known": known, "spread": spread}
        inputs |= {**load_inputs(eq), "p": eq.skeleton.parameter_symbols}
        outputs = {"wrenches": ca.horzcat(ca.SX(6, 0), *ordered), "tau": answer.tau}
        if multipliers:
            outputs["lam"] = answer.lam
        if eq.reaction_dependent_forces.shape[0]:
            # wrenches of gears follow from their multipliers; those of cut joints are in `found`
            own = constraint_wrenches(eq, answer.lam)[1]
            followed = solve_dependent_forces(eq, outputs, own | found, eq.a)
            outputs = followed.outputs | {"dependent_force_rows": followed.dependent_force_rows}
        return Traced("inverse_traditional", inputs, outputs)


def _joints(equations: Equations) -> list[Connection]:
    """All joints in the order of the traditional method: tree joints, then cut joints."""
    skeleton = equations.skeleton
    return [*(link.joint for link in skeleton.links), *(cut.joint for cut in skeleton.cuts)]


def effort_columns(equations: Equations, efforts: tuple[tuple[str, str], ...]) -> np.ndarray:
    """The matrix B (rates × efforts), with one unit column for every effort, which is given as (joint, component)."""
    B = np.zeros((equations.skeleton.rates, len(efforts)))
    for k, (joint, component) in enumerate(efforts):
        B[coordinate_index(equations.skeleton, joint, component), k] = 1.0
    return B


def traced_inverse(
    equations: Equations, method: str, B: np.ndarray, independent: int | None, blocks: Sequence[Block]
) -> Traced:
    """CasADi function (q, v, a, known, basis, choice, p) → efforts τ along the columns of B, constraint wrenches, 6 ×
    joints, and multipliers λ of the loop constraints.

    The arguments and inputs are those of `InverseFunctions.traced_solution`.
    """
    solved = InverseFunctions(equations).traced_solution(method, B, independent, blocks)
    forces = as_column(solved.inputs["known"] + ca.DM(B) @ solved.outputs["tau"])
    needed = InverseProblem(equations, equations.a, ca.DM(B), forces).required_wrenches
    found = joint_reactions(equations, needed, solved.outputs["lam"], forces)
    wrenches = [found[joint.name] for joint in equations.skeleton.mechanism.connections]
    outputs = {"tau": solved.outputs["tau"], "wrenches": ca.horzcat(ca.SX(6, 0), *wrenches)}
    outputs["lam"] = solved.outputs["lam"]
    if "dependent_force_rows" in solved.outputs:
        dependent_force_rows = solved.outputs["dependent_force_rows"]
        (outputs["wrenches"],) = ca.substitute(
            [outputs["wrenches"]], [equations.reaction_dependent_forces], [dependent_force_rows[:, 0]]
        )
        outputs["dependent_force_rows"] = dependent_force_rows
    return Traced("inverse", solved.inputs, outputs)
