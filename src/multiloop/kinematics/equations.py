"""Constraint equations of a mechanism along one tree: cut joints, pairs and couplings, prescribed coordinates, idle
spins.

Φ(q, s) = 0,      J v = b,      J a = γ

q are the coordinates of the tree, v the rates, a the accelerations, s the prescribed values, Φ the residuals, J is the
Jacobian, and b and γ are the right-hand sides.

Theory: docs/theory/02-kinematics.md, eqs. (2.9)–(2.11).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import casadi as ca
import numpy as np

from multiloop.dependencies import sp
from multiloop.kinematics.constraints import Prescribed, RowSet, Spin, SpinRow, Target, target_rows
from multiloop.kinematics.snapshot import SharedProperty, Snapshot
from multiloop.kinematics.traced_tree_motion import TreeFunctions
from multiloop.kinematics.tree import Skeleton, build_skeleton, coordinate_index
from multiloop.model import Mechanism
from multiloop.spatial import Matrix
from multiloop.symbols import Traced
from multiloop.topology import Branch, Split, Tree

CACHE_SIZE = 64
"""Number of combinations of mechanism and tree whose equations and CasADi functions are cached."""

PrescribedValues = Sequence[np.ndarray]
"""Prescribed values s, their first and their second time derivatives, as numeric arrays."""


class Equations(Snapshot):
    """All constraint rows of a mechanism: cut joints, pairs and couplings (`loop_constraints`), then prescribed
    coordinates (`drives`), then idle spins.

    s, s_rate and s_second are the prescribed values of the targets with their time derivatives; if loop constraints
    depend on time, the first entry of s is the time. The coordinates q, rates v, time t and state variables x are the
    symbols of `tree_functions`, the CasADi functions of the motion along the tree. `like` are other equations along the
    same tree, whose symbols, functions and cached expressions are shared.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        targets: tuple[Target, ...] = (),
        spins: tuple[Spin, ...] = (),
        like: Equations | None = None,
    ) -> None:
        tree = TreeFunctions(skeleton) if like is None else like.tree_functions
        at = tree.symbols
        super().__init__(skeleton, at.q, at.v, at.t, at.x)
        self.tree_functions: TreeFunctions = tree
        self.a, self.chart, self.cache = tree.a, at.chart, at.cache
        self.reaction_dependent_forces = at.reaction_dependent_forces
        self.targets = targets
        self.spins = spins
        self.drives = RowSet(tuple(target_rows(skeleton, target) for target in targets))
        self.rows = (
            self.loop_constraints + self.drives + RowSet(tuple(SpinRow(spin, skeleton) for spin in spins))
        )
        self.time_count = int(self.loop_constraints.rheonomic)
        asked, count = ca.SX.sym("s", self.drives.value_count), self.time_count + self.drives.value_count
        self.s = ca.vertcat(self.t, asked) if self.time_count else asked
        self.s_rate, self.s_second = (ca.SX.sym(name, count) for name in ("s_rate", "s_second"))

    @property
    def prescribed(self) -> Prescribed:
        """Prescribed values of the targets and their time derivatives as symbols; s and its derivatives without the
        entry of the time."""
        return self.prescribed_for_drives(self.s, self.s_rate, self.s_second)

    def prescribed_for_drives(self, s: Matrix, s_rate: Matrix, s_second: Matrix) -> Prescribed:
        """Prescribed values of the targets and their time derivatives: the given s, s_rate and s_second without the
        entry of the time."""
        return Prescribed(*(values[self.time_count :] for values in (s, s_rate, s_second)))

    @cached_property
    def driven_rates(self) -> tuple[int, ...]:
        """Indices in v of the rates of tree joints that targets prescribe, in the order of the targets."""
        return tuple(
            coordinate_index(self.skeleton, target.of, component)
            for target in self.targets
            if target.of in self.skeleton.link_of_joint
            for component in target.components
        )

    def function(self, name: str, inputs: Sequence[str], **outputs: Matrix) -> Traced:
        """A CasADi function that returns the expressions `outputs`; its arguments are the symbols named in `inputs`, in
        this order, followed by the parameters p."""
        symbols = {letter: getattr(self, letter) for letter in inputs}
        return Traced(name, symbols | {"p": self.skeleton.parameter_symbols}, outputs)

    # symbolic expressions -----------------------------------------------------------------------------

    @SharedProperty
    def _loop_phi(self) -> Matrix:
        """Position residuals Φ(q, t) of the loop constraints, shared by all equations along the same tree."""
        return ca.SX(self.loop_constraints.position_residual(self, ca.SX(0, 1)))

    @SharedProperty
    def _loop_tangent(self) -> Matrix:
        return self._tangent(self._loop_phi)

    @cached_property
    def _drive_phi(self) -> Matrix:
        """Position residuals Φ(q, s) of the targets."""
        return ca.SX(self.drives.position_residual(self, self.prescribed.s))

    @cached_property
    def phi(self) -> Matrix:
        """Residuals Φ(q, s) of all constraints of positions."""
        return ca.vertcat(self._loop_phi, self._drive_phi)

    @cached_property
    def _position_jacobian(self) -> Matrix:
        """Jacobian Φ_q E(q) of the position residuals Φ, with q̇ = E(q) v. Unlike the Jacobian from the constraint
        wrenches it is the exact derivative also in positions with open loops, so that Newton's method converges
        quadratically."""
        return ca.vertcat(self._loop_tangent, self._tangent(self._drive_phi))

    def _tangent(self, rows: Matrix) -> Matrix:
        return ca.jacobian(rows, self.q) @ self.chart.rate_map(self.q)

    @cached_property
    def _position_residual(self) -> Traced:
        return self.function("closure", ("q", "s"), phi=self.phi)

    @cached_property
    def _jacobian(self) -> Traced:
        return self.function("jacobian", ("q", "s"), J=self._position_jacobian)

    @cached_property
    def _rate_jacobian(self) -> Traced:
        """CasADi function (q, s, p) → Jacobian of all constraint rows: the derivative Φ_q E (with q̇ = E v) for rows
        with a position residual Φ, otherwise the Jacobian from the constraint wrenches."""
        if len(self.rows.position_rows) == self.rows.count:
            return self._jacobian
        found = ca.SX(self.rows.jacobian(self))
        found[self.rows.position_rows, :] = self._position_jacobian
        return self.function("rate_jacobian", ("q", "s"), J=found)

    @cached_property
    def _bias(self) -> Traced:
        return self.function("bias", ("q", "s", "s_rate"), bias=self.rows.bias(self, self.prescribed))

    @cached_property
    def _gamma(self) -> Traced:
        gamma = self.rows.gamma(self, self.prescribed)
        return self.function("gamma", ("q", "v", "s", "s_rate", "s_second"), gamma=gamma)

    @SharedProperty
    def _geometric(self) -> Traced:
        return self.function("geometric", ("q", "t"), J=self.loop_jacobian)

    @cached_property
    def full_jacobian(self) -> Matrix:
        """Jacobian J of all constraint rows, from the wrenches of the constraints; it equals the derivative of the
        position residuals Φ if the loops are closed (Φ = 0)."""
        more = RowSet(self.rows.constraints[len(self.loop_constraints.constraints) :]).jacobian(self)
        return ca.vertcat(self.loop_jacobian, more)

    @cached_property
    def _rows_jacobian(self) -> Traced:
        return self.function("rows_jacobian", ("q", "t"), J=self.full_jacobian)

    # numerical values ---------------------------------------------------------------------------------

    def position_residual(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Position residuals Φ of the loop constraints, followed by those of the targets."""
        return self._position_residual(q, s, p)[0]

    def jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Jacobian Φ_q E of the position residuals Φ, residuals × joint rates, with q̇ = E v."""
        return self._as_matrix(self._jacobian(q, s, p))

    def sparse_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> sp.csc_matrix:
        """Jacobian Φ_q E of the position residuals Φ, residuals × joint rates, with q̇ = E v, as a SciPy sparse
        matrix."""
        return self._jacobian.sparse(q, s, p)

    def scaled_loop_jacobian(self, q: np.ndarray, p: np.ndarray, t: float | None = None) -> sp.csc_matrix:
        """Jacobian of the loop constraints with respect to the rates v; rows and rates that are lengths are divided by
        the characteristic length."""
        own, s = self.loop_constraints.count, np.zeros(self.s.shape[0])
        s[: self.time_count] = self._required_time(t)
        J = self.sparse_rate_jacobian(q, s, p)[:own]
        return sp.diags(self.rate_row_scale[:own]) @ J @ sp.diags(self.chart.rate_units)

    def rate_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Jacobian of all constraint rows: the derivative Φ_q E (with q̇ = E v) for rows with a position residual Φ,
        otherwise from the constraint wrenches."""
        return self._as_matrix(self._rate_jacobian(q, s, p))

    def sparse_rate_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> sp.csc_matrix:
        """Jacobian of all constraint rows as a SciPy sparse matrix: the derivative Φ_q E (with q̇ = E v) for rows with
        a position residual Φ, otherwise from the constraint wrenches."""
        return self._rate_jacobian.sparse(q, s, p)

    def geometric_jacobian(self, q: np.ndarray, p: np.ndarray, t: float | None = None) -> np.ndarray:
        """Jacobian J of the loop constraints, from their wrenches (`loop_jacobian`)."""
        return self._as_matrix(self._geometric(q, self._required_time(t), p))

    def sparse_geometric_jacobian(
        self, q: np.ndarray, p: np.ndarray, t: float | None = None
    ) -> sp.csc_matrix:
        """Jacobian J of the loop constraints, from their wrenches, as a SciPy sparse matrix."""
        return self._geometric.sparse(q, self._required_time(t), p)

    def rows_jacobian(self, q: np.ndarray, p: np.ndarray, t: float | None = None) -> np.ndarray:
        """Jacobian J of all constraint rows, from the wrenches of the constraints."""
        return self._as_matrix(self._rows_jacobian(q, self._required_time(t), p))

    def _required_time(self, t: float | None) -> np.ndarray:
        """The time as an array; `t` may be None if no loop constraint depends on time."""
        if t is None and self.time_count:
            raise ValueError("the constraints depend on time: give t")
        return np.array([0.0 if t is None else t])

    def bias(self, q: np.ndarray, given: PrescribedValues, p: np.ndarray) -> np.ndarray:
        """Right-hand side b of the velocity constraints J v = b, for all constraint rows."""
        return self._bias(q, *given[:2], p)[0]

    def gamma(self, q: np.ndarray, v: np.ndarray, given: PrescribedValues, p: np.ndarray) -> np.ndarray:
        """Right-hand side γ of the acceleration constraints J a = γ, for all constraint rows."""
        return self._gamma(q, v, *given, p)[0]

    def time_values(self, t: float, order: int = 0) -> np.ndarray:
        """The entries of s, or of its time derivative of the given order, that precede the values of the targets: the
        time t if loop constraints depend on it, otherwise an empty array."""
        return np.full(self.time_count, (t, 1.0, 0.0)[order])

    def _as_matrix(self, answer: list[np.ndarray]) -> np.ndarray:
        """The first array in `answer`, the result of a CasADi function, as a matrix with a column for each rate, also
        if there is only one rate or none."""
        rows = len(answer[0]) if self.skeleton.rates <= 1 else -1
        return answer[0].reshape(rows, self.skeleton.rates)

    @cached_property
    def row_scale(self) -> np.ndarray:
        """Scale factor of each position residual: the reciprocal of the characteristic length for lengths, otherwise
        1."""
        return self.rate_row_scale[self.rows.position_rows]

    @cached_property
    def value_scale(self) -> np.ndarray:
        """Scale factor of each prescribed value: the reciprocal of the characteristic length for lengths, 0 for the
        time, otherwise 1."""
        lengths = [flag for target in self.targets for flag in target.value_lengths()]
        return np.concatenate(
            [np.zeros(self.time_count), np.where(lengths, 1 / self.skeleton.characteristic_length, 1.0)]
        )

    @cached_property
    def rate_row_scale(self) -> np.ndarray:
        """Scale factor of each constraint row: the reciprocal of the characteristic length for lengths, otherwise 1."""
        return self.rows.scale(self.skeleton.characteristic_length)


@lru_cache(maxsize=CACHE_SIZE)
def equations_of(
    mechanism: Mechanism, tree: Tree, targets: tuple[Target, ...] = (), spins: tuple[Spin, ...] = ()
) -> Equations:
    """The constraint equations of a mechanism along a tree, with the constraints of prescribed coordinates (`targets`)
    and idle spins; cached for repeated use."""
    plain = _equations_without_targets(mechanism, _Layout(tree.branches, tree.cuts, tree.splits, tree))
    same = plain.skeleton.tree == tree
    if same and not targets and not spins:
        return plain
    return Equations(plain.skeleton if same else replace(plain.skeleton, tree=tree), targets, spins, plain)


@dataclass(frozen=True)
class _Layout:
    """A tree as a cache key for equations. Two keys are equal if their trees have equal branches, cut joints and split
    bodies; other data of a tree, such as the joints that must stay in the tree, do not affect the equations."""

    branches: tuple[Branch, ...]
    cuts: tuple[str, ...]
    splits: tuple[Split, ...]
    tree: Tree = field(compare=False)


@lru_cache(maxsize=CACHE_SIZE)
def _equations_without_targets(mechanism: Mechanism, layout: _Layout) -> Equations:
    """The equations of a mechanism without targets, along the tree of `layout`; their symbols and functions are shared
    by equations with targets."""
    return Equations(build_skeleton(mechanism, layout.tree))
