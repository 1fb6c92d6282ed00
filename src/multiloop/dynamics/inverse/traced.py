"""Inverse dynamics traced for a mechanism and a tree: required forces, efforts, multipliers and reactions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.dynamics.actions import acting_inputs, felt_inputs
from multiloop.dynamics.following import follow_reactions
from multiloop.dynamics.inverse.problem import InverseProblem
from multiloop.dynamics.inverse.subsystem import subsystem
from multiloop.dynamics.inverse.system import system
from multiloop.dynamics.inverse.traditional import traditional
from multiloop.dynamics.inverse.virtual_work import virtual_work
from multiloop.dynamics.reactions import all_reactions, constraint_wrenches
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.targets import coordinate_index
from multiloop.model import Connection
from multiloop.plan import Block
from multiloop.spatial import parted
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class InverseFunctions:
    """Traced functions of inverse dynamics of one mechanism along one tree."""

    equations: Equations

    @cached_property
    def _problem(self) -> InverseProblem:
        eq = self.equations
        nothing = ca.DM(eq.skeleton.rates, 1)
        return InverseProblem(eq, eq.a, ca.DM(eq.skeleton.rates, 0), nothing)

    @cached_property
    def reduced(self) -> Traced:
        """(q, v, a, p) → forces along every rate that the motion requires, Nᵀ w*, and J of the loops."""
        eq = self.equations
        inputs = {"q": eq.q, "v": eq.v, "a": eq.a, **acting_inputs(eq), **felt_inputs(eq)}
        inputs["p"] = eq.skeleton.symbols
        return Traced("reduced", inputs, {"needed": self._problem.right, "J": eq.loop_jacobian})

    def solved(self, method: str, B: np.ndarray, independent: int | None, blocks: Sequence[Block]) -> Traced:
        """(q, v, a, known, basis, choice, p) → λ and τ by one of the methods on the tree's equations.

        B are the columns of the unknown efforts; `independent` is the number of independent rows if some are
        redundant.
        """
        eq, n, rows = self.equations, self.equations.skeleton.rates, self.equations.own.count
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
        inputs |= {**acting_inputs(eq), "p": eq.skeleton.symbols}
        outputs = {"lam": answer.lam, "tau": answer.tau}
        if eq.strengths.shape[0]:
            forces = parted(known + ca.DM(B) @ answer.tau)
            found = follow_reactions(eq, outputs, all_reactions(eq, problem.needed, answer.lam, forces), eq.a)
            outputs = found.outputs | {"following": found.following}
        return Traced(f"inverse_{method}", inputs, outputs)

    def all_at_once(self, B: np.ndarray, independent: int | None, multipliers: bool = False) -> Traced:
        """(q, v, a, known, spread, p) → constraint wrenches (6 × joints) and τ by the traditional method.

        With `multipliers` also λ of the couplings, after a zero for every row of a cut joint.
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
        inputs |= {**acting_inputs(eq), "p": eq.skeleton.symbols}
        outputs = {"wrenches": ca.horzcat(ca.SX(6, 0), *ordered), "tau": answer.tau}
        if multipliers:
            outputs["lam"] = answer.lam
        if eq.strengths.shape[0]:
            own = constraint_wrenches(eq, answer.lam)[
                1
            ]  # of gears; of cut joints the wrenches were found, not λ
            followed = follow_reactions(eq, outputs, own | found, eq.a)
            outputs = followed.outputs | {"following": followed.following}
        return Traced("inverse_traditional", inputs, outputs)


def _joints(equations: Equations) -> list[Connection]:
    """All joints in the order of the traditional method: those of the tree, then cut joints."""
    skeleton = equations.skeleton
    return [*(link.joint for link in skeleton.links), *(cut.joint for cut in skeleton.cuts)]


def effort_columns(equations: Equations, efforts: tuple[tuple[str, str], ...]) -> np.ndarray:
    """B: one unit column for every effort (joint, component)."""
    B = np.zeros((equations.skeleton.rates, len(efforts)))
    for k, (joint, component) in enumerate(efforts):
        B[coordinate_index(equations.skeleton, joint, component), k] = 1.0
    return B
