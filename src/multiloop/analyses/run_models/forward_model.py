"""Forward dynamics of a mechanism with free and prescribed degrees of freedom, by a chosen formulation.

`ForwardModel` collects the equations, the rank of the constraints, the efforts that produce prescribed motions, the
projection onto the constraints and the reactions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.analyses.errors import require_choice
from multiloop.analyses.idle_spins import (
    equations_with_rotors,
    require_no_spin_moment,
    undetermined_motion_error,
    without_spins,
)
from multiloop.analyses.load_checks import require_determined_reactions
from multiloop.analyses.minimum_norm import minimum_norm_reactions
from multiloop.analyses.run_models.servo_constraints import require_reachable, servo_rates
from multiloop.analyses.signals import tree_keys
from multiloop.dynamics import ConstraintProjection, generalized_inertia
from multiloop.dynamics.forward import FORMULATIONS, METHODS, ForwardFunctions, forward_functions
from multiloop.dynamics.outputs import reaction_functions_of
from multiloop.kinematics import tree_rates
from multiloop.kinematics.assembly import Assembly, Drive, drive_of
from multiloop.kinematics.conditioning import RowGroups
from multiloop.kinematics.constraints import drive_targets
from multiloop.plan import Plan, independent_loop_rows, require_budget, tree_inertia
from multiloop.spatial import Matrix

LEAST_EFFORTS = "least efforts: Σ τ² is smallest"
"""Text of the rule by which the efforts are determined if there are more efforts than prescribed motions."""

MASS_METRIC_LIMIT = 60
"""Largest number of joint rates for which the projection onto the constraints uses the mass matrix as metric."""


@dataclass(frozen=True, eq=False)
class ForwardSolution:
    """The solution of the equations of motion at one instant.

    `a` are the joint accelerations, `lam` the multipliers of the loop constraints, and `tau` the generalized forces
    along all joint rates. `dependent_force_rows` has one row for each force that depends on reactions: its value, the
    residual of its force law, and bounds of the slopes of this law (module `dynamics.reaction_dependent_forces`).
    """

    a: np.ndarray
    lam: np.ndarray
    tau: np.ndarray
    dependent_force_rows: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))


class ForwardModel:
    """Forward dynamics of a mechanism with prescribed and free degrees of freedom, for the spanning tree of its plan.

    The model does not change during a simulation: quantities that are chosen at positions are in a `LocalChoice`,
    efforts and prescribed motions in `Signals`.
    """

    def __init__(
        self,
        plan: Plan,
        assembly: Assembly,
        method: str,
        *,
        free: bool = False,
        given: Iterable[str] = (),
    ) -> None:
        """With `free`, drives are ignored and their joints move freely; `given` are the joints with known efforts."""
        mechanism = plan.mechanism
        require_choice(mechanism, "forward method", method, METHODS)
        self.plan, self.p, self.method = plan, assembly.p, method
        self._arguments = {"free": free, "given": tuple(given)}
        targets = () if free else drive_targets(mechanism)
        self.equations, self.massless, self._spins = equations_with_rotors(plan, targets)
        if self.massless.undetermined:
            raise undetermined_motion_error(mechanism, self.massless)
        require_no_spin_moment(
            self.equations, self._spins, plan.assembly.coordinates_on(self.equations), self.p
        )
        self.skeleton = self.equations.skeleton
        require_budget(mechanism, self.skeleton, plan.operations)
        require_determined_reactions(plan, self.skeleton)
        self.reaction_functions = reaction_functions_of(self.equations)
        self.drive: Drive = drive_of(self.equations)
        self.servo_rates = servo_rates(self.equations, plan, given)
        self._loop_rank = independent_loop_rows(assembly, plan.tree, plan.mobility)
        self.rank = min(self._loop_rank + self.equations.drives.count, self.skeleton.rates)
        self.require_reachable(plan.assembly.t, plan.assembly.coordinates_on(self.equations), self.p)

    def __reduce__(self) -> tuple[Any, ...]:
        """Traced functions cannot be pickled: another process traces them again."""
        return _rebuild, (self.plan, self.method, self._arguments)

    @cached_property
    def functions(self) -> ForwardFunctions:
        """Traced functions of forward dynamics, for the number of independent constraint rows at the first position."""
        count = self.equations.loop_constraints.count if self.servo_rates else self.equations.rows.count
        redundant = self.solved_rows < count and not self.passes_singular
        return forward_functions(
            self.equations,
            self.method,
            self.solved_rows if redundant else None,
            self.plan.order,
            self.massless.rule == "stiffened",
            self.servo_rates,
        )

    def with_method(self, method: str) -> ForwardModel:
        """A copy of the model that uses another formulation of forward dynamics."""
        other = copy(self)
        other.method = method
        other.__dict__.pop("functions", None)
        return other

    @property
    def solved_rows(self) -> int:
        """Number of independent constraint rows whose multipliers the formulation solves for, without the rows of servo
        constraints."""
        return self._loop_rank if self.servo_rates else self.rank

    @property
    def redundant(self) -> bool:
        """Whether some constraint rows are redundant."""
        return self.rank < self.equations.rows.count and not self.passes_singular

    @cached_property
    def grouping(self) -> RowGroups:
        """Groups of constraint rows; redundant rows are removed from one group after another.

        All rows form one group, unless there are servo constraints or nonholonomic constraints. In this case the groups
        are the position constraints of the mechanism, its nonholonomic constraints, and the drives.
        """
        rows, own, alone = self.equations.rows, self.equations.loop_constraints, self.plan.rank.rates_alone
        if not self.servo_rates and len(rows.position_rows) == rows.count:
            return RowGroups((tuple(range(rows.count)),), (self.rank,))
        rates = tuple(k for k in range(own.count) if k not in own.position_rows)
        drives = tuple(range(own.count, rows.count))
        return RowGroups(
            (tuple(own.position_rows), rates, drives),
            (self._loop_rank - alone, alone, self.rank - self._loop_rank),
        )

    @property
    def position_rows(self) -> list[int]:
        """Indices of the independent constraint rows that constrain positions."""
        return (
            self.grouping.independent_places(0)
            if len(self.grouping.ranks) == 1
            else self.grouping.independent_places(0, 2)
        )

    @property
    def _decision(self) -> str:
        return FORMULATIONS[self.method].extra_input

    @property
    def passes_singular(self) -> bool:
        """Whether the method passes through singular positions, because it replaces the multipliers by penalty terms.

        Expressions with penalty terms must be compiled without rearrangement of their terms.
        """
        return self._decision == "penalty"

    @property
    def uses_independent_coordinates(self) -> bool:
        """Whether the method uses independent coordinates, which are chosen again during a simulation."""
        return self._decision == "choice"

    @cached_property
    def row_scale(self) -> np.ndarray:
        """Scale factors of the constraint rows: rows of lengths are divided by the characteristic length; rows of
        drives are not scaled."""
        own = self.equations.loop_constraints.count
        return np.concatenate([self.equations.rate_row_scale[:own], np.ones(self.equations.drives.count)])

    @property
    def method_used(self) -> str:
        """The method actually used: with redundant constraints or joints that move no mass, "sslm" is replaced by
        "slm"."""
        coupled = self.functions.independent_count is not None or self.functions.stiff
        return "slm" if self.method == "sslm" and coupled else self.method

    @property
    def dependent_force_count(self) -> int:
        """Number of load forces that depend on reactions."""
        return int(self.equations.reaction_dependent_forces.shape[0])

    @property
    def effort_rule(self) -> str:
        """Text of the rule by which the efforts are determined if there are more efforts than prescribed motions;
        otherwise empty."""
        return LEAST_EFFORTS if len(self.servo_rates) > self.equations.drives.count else ""

    def scaled_jacobian(self, q: np.ndarray, p: np.ndarray, t: float) -> np.ndarray:
        """Jacobian of the constraints of the mechanism, with rows of lengths divided by the characteristic length,
        followed by the rows of the drives."""
        rows: np.ndarray = self.row_scale[:, None] * self.equations.rows_jacobian(q, p, t)
        return rows

    @property
    def uses_mass_metric(self) -> bool:
        """Whether pivoting and projection use the mass matrix as metric.

        Otherwise rates are compared after lengths in them are divided by the characteristic length.
        """
        return self.massless.rule != "stiffened" and self.skeleton.rates <= MASS_METRIC_LIMIT

    def metric(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """The metric W (rates × rates) of the matrix J W Jᵀ that the projection factorises, with the constraint
        Jacobian J.

        W is the inverse of the mass matrix or, if this is not used, a diagonal matrix: 1 for angular rates, the squared
        characteristic length for others.
        """
        return (
            np.linalg.inv(self.inertia(q, p))
            if self.uses_mass_metric
            else np.diag(self.equations.chart.rate_units**2)
        )

    def prescribed(self, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Values that the drives prescribe at a time, with their first and second time derivatives."""
        return self.drive(t, 0), self.drive(t, 1), self.drive(t, 2)

    def inertia(self, q: np.ndarray, p: np.ndarray | None = None) -> np.ndarray:
        """Generalized inertia matrix I of the spanning tree."""
        return tree_inertia(self.equations, q, self.p if p is None else p)

    def rates_of(self, rates: Mapping[str, np.ndarray]) -> np.ndarray:
        """The rate vector v of the spanning tree from the rates of all joints and flexible bodies, by name."""
        v = tree_rates(self.equations, rates)
        q = self.plan.assembly.coordinates_on(self.equations)
        return without_spins(self.equations, q, self.p, v, list(self._spins)) if self._spins else v

    def projection(self, s: Matrix, s_rate: Matrix, basis: Matrix | None = None) -> ConstraintProjection:
        """The projection onto the constraints for the prescribed values s of the drives and their rates; `basis` is the
        matrix of independent combinations of the constraint rows, used if some rows are redundant."""
        return ConstraintProjection(
            self.equations,
            s,
            s_rate,
            basis if self.redundant else None,
            self.position_rows,
            self.functions.order,
            inertia=generalized_inertia(self.equations) if self.uses_mass_metric else None,
        )

    def require_reachable(self, t: float, q: np.ndarray, p: np.ndarray) -> None:
        """Raise an error for a position at which the available efforts cannot produce the prescribed motion."""
        if self.servo_rates:
            require_reachable(self.equations, self.servo_rates, self._loop_rank, self.inertia(q, p), t, q, p)

    def reactions(self, answer: ForwardSolution, **known: Any) -> np.ndarray:
        """Constraint wrenches of all joints, 6 × joints, for a solution of the equations of motion; `known` are the
        time t and the blocks q, v and x of the state, by name."""
        found = {"a": answer.a, "lam": answer.lam, "tau": answer.tau, "p": self.p}
        found["dependent_forces"] = answer.dependent_force_rows.reshape(-1, self.dependent_force_count + 2)[
            :, 0
        ]
        wrenches = self.reaction_functions.reactions(**known, **found)[0].reshape(6, -1)
        one = (np.array([known["t"]]), known["q"][None], self.p, wrenches[None], answer.lam[None])
        least: np.ndarray = self.minimum_norm(*one)[0]
        return least

    def reported_forces(self, answer: ForwardSolution, **known: Any) -> dict[str, np.ndarray]:
        """The multipliers (`lam`) of a solution or, where equilibrium does not determine all reactions, the
        minimum-norm reactions (`wrenches`), as arguments of `Recorder.add`; `known` are t and the blocks of the
        state."""
        if self.plan.redundant:
            return {"wrenches": self.reactions(answer, **known)}
        return {"lam": answer.lam[: self.equations.loop_constraints.count]}

    def minimum_norm(
        self, t: np.ndarray, q: np.ndarray, p: np.ndarray, wrenches: np.ndarray, lam: np.ndarray
    ) -> np.ndarray:
        """The reactions, replaced by minimum-norm reactions where equilibrium does not determine all of them.

        All arrays have one row for each instant.
        """
        if not self.plan.redundant:
            return wrenches
        return minimum_norm_reactions(self.equations, t, q, p, wrenches, lam)


def _rebuild(plan: Plan, method: str, arguments: Mapping[str, Any]) -> ForwardModel:
    return ForwardModel(plan, plan.assembly, method, **arguments)


def motion_keys(model: ForwardModel) -> tuple[str, ...]:
    """Cache keys of the equations of motion: the description, the tree, and the options of the formulation."""
    functions = model.functions
    chosen = [getattr(functions, entry.name) for entry in fields(functions) if entry.name != "equations"]
    return (*tree_keys(model.skeleton), repr((*chosen, model.rank, model.equations.targets)))
