"""Constraint equations of a mechanism along one tree: those of the description, of prescribed coordinates and of idle
spins.

Φ(q, s) = 0,      J v = b,      J a = γ

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
"""Number of mechanisms along a tree whose equations and traced functions are cached."""

PrescribedValues = Sequence[np.ndarray]
"""Prescribed values s and their first and second time derivatives, as numbers."""


class Equations(Snapshot):
    """The rows of the constraints of the description (`own`), followed by those of the targets (`drives`) and of idle
    spins.

    s, s_rate and s_second are the prescribed values of the targets with their time derivatives; where constraints of
    the description depend on time, the time is the first entry of s. The equations are a snapshot on the symbols of
    `tree_functions`, the functions of the motion along the tree. `like` are other equations along the tree, whose
    symbols, functions and cached expressions they share.
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
        """Prescribed values of the targets, on symbols."""
        return self.prescribed_for_drives(self.s, self.s_rate, self.s_second)

    def prescribed_for_drives(self, s: Matrix, s_rate: Matrix, s_second: Matrix) -> Prescribed:
        """The part of the prescribed values that belongs to the targets, without the time."""
        return Prescribed(*(values[self.time_count :] for values in (s, s_rate, s_second)))

    @cached_property
    def driven_rates(self) -> tuple[int, ...]:
        """Places in v of the rates that targets prescribe at joints of the tree, in the order of the targets."""
        return tuple(
            coordinate_index(self.skeleton, target.of, component)
            for target in self.targets
            if target.of in self.skeleton.link_of_joint
            for component in target.components
        )

    def function(self, name: str, inputs: Sequence[str], **outputs: Matrix) -> Traced:
        """A function of some of the symbols (by name, in order), followed by the parameters p."""
        symbols = {letter: getattr(self, letter) for letter in inputs}
        return Traced(name, symbols | {"p": self.skeleton.parameter_symbols}, outputs)

    # symbols ------------------------------------------------------------------------------------------

    @SharedProperty
    def _loop_phi(self) -> Matrix:
        """Φ(q, t) of the constraints of the description, shared by all equations along the tree."""
        return ca.SX(self.loop_constraints.position_residual(self, ca.SX(0, 1)))

    @SharedProperty
    def _loop_tangent(self) -> Matrix:
        return self._tangent(self._loop_phi)

    @cached_property
    def _drive_phi(self) -> Matrix:
        """Φ(q, s) of the targets."""
        return ca.SX(self.drives.position_residual(self, self.prescribed.s))

    @cached_property
    def phi(self) -> Matrix:
        """Φ(q, s) of all rows that constrain positions."""
        return ca.vertcat(self._loop_phi, self._drive_phi)

    @cached_property
    def _position_jacobian(self) -> Matrix:
        """Φ_q E(q), which is exact also where loops are open, so that Newton's method converges quadratically."""
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
        """All rows in order: the derivative Φ_q E where there is a Φ, else J."""
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
        """J of all rows; equals the derivative of Φ where Φ = 0."""
        more = RowSet(self.rows.constraints[len(self.loop_constraints.constraints) :]).jacobian(self)
        return ca.vertcat(self.loop_jacobian, more)

    @cached_property
    def _rows_jacobian(self) -> Traced:
        return self.function("rows_jacobian", ("q", "t"), J=self.full_jacobian)

    # numbers ------------------------------------------------------------------------------------------

    def position_residual(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Residual Φ: rows of the constraints of the description, then of the targets."""
        return self._position_residual(q, s, p)[0]

    def jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Jacobian Φ_q E of the position rows."""
        return self._as_matrix(self._jacobian(q, s, p))

    def sparse_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> sp.csc_matrix:
        """Jacobian Φ_q E of the position rows, as a SciPy sparse matrix."""
        return self._jacobian.sparse(q, s, p)

    def scaled_loop_jacobian(self, q: np.ndarray, p: np.ndarray, t: float | None = None) -> sp.csc_matrix:
        """Jacobian of the rows of the description with respect to v, lengths in characteristic lengths."""
        own, s = self.loop_constraints.count, np.zeros(self.s.shape[0])
        s[: self.time_count] = self._required_time(t)
        J = self.sparse_rate_jacobian(q, s, p)[:own]
        return sp.diags(self.rate_row_scale[:own]) @ J @ sp.diags(self.chart.rate_units)

    def rate_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Jacobian of all rows, including those that constrain only rates."""
        return self._as_matrix(self._rate_jacobian(q, s, p))

    def sparse_rate_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> sp.csc_matrix:
        """Jacobian of all rows, as a SciPy sparse matrix."""
        return self._rate_jacobian.sparse(q, s, p)

    def geometric_jacobian(self, q: np.ndarray, p: np.ndarray, t: float | None = None) -> np.ndarray:
        """J of the constraints of the description, from their wrenches (`loop_jacobian`)."""
        return self._as_matrix(self._geometric(q, self._required_time(t), p))

    def sparse_geometric_jacobian(
        self, q: np.ndarray, p: np.ndarray, t: float | None = None
    ) -> sp.csc_matrix:
        """J of the constraints of the description, as a SciPy sparse matrix."""
        return self._geometric.sparse(q, self._required_time(t), p)

    def rows_jacobian(self, q: np.ndarray, p: np.ndarray, t: float | None = None) -> np.ndarray:
        """J of all rows from the wrenches of the constraints."""
        return self._as_matrix(self._rows_jacobian(q, self._required_time(t), p))

    def _required_time(self, t: float | None) -> np.ndarray:
        """The time as an array; it may be None if no constraint of the description depends on it."""
        if t is None and self.time_count:
            raise ValueError("the constraints depend on time: give t")
        return np.array([0.0 if t is None else t])

    def bias(self, q: np.ndarray, given: PrescribedValues, p: np.ndarray) -> np.ndarray:
        """b of all rows: J v = b."""
        return self._bias(q, *given[:2], p)[0]

    def gamma(self, q: np.ndarray, v: np.ndarray, given: PrescribedValues, p: np.ndarray) -> np.ndarray:
        """γ of all rows: J a = γ."""
        return self._gamma(q, v, *given, p)[0]

    def time_values(self, t: float, order: int = 0) -> np.ndarray:
        """The part of s, or of its derivative of this order, that precedes the targets: the time, if the description
        depends on it."""
        return np.full(self.time_count, (t, 1.0, 0.0)[order])

    def _as_matrix(self, answer: list[np.ndarray]) -> np.ndarray:
        """The result as a matrix rows × rates, also for one rate or none."""
        rows = len(answer[0]) if self.skeleton.rates <= 1 else -1
        return answer[0].reshape(rows, self.skeleton.rates)

    @cached_property
    def row_scale(self) -> np.ndarray:
        """Factors that divide position rows that are lengths by the characteristic length."""
        return self.rate_row_scale[self.rows.position_rows]

    @cached_property
    def value_scale(self) -> np.ndarray:
        """Factors that divide prescribed values that are lengths by the characteristic length; 0 for the time."""
        lengths = [flag for target in self.targets for flag in target.value_lengths()]
        return np.concatenate(
            [np.zeros(self.time_count), np.where(lengths, 1 / self.skeleton.characteristic_length, 1.0)]
        )

    @cached_property
    def rate_row_scale(self) -> np.ndarray:
        """Factors that divide rows that are lengths by the characteristic length, for all rows."""
        return self.rows.scale(self.skeleton.characteristic_length)


@lru_cache(maxsize=CACHE_SIZE)
def equations_of(
    mechanism: Mechanism, tree: Tree, targets: tuple[Target, ...] = (), spins: tuple[Spin, ...] = ()
) -> Equations:
    """The equations of a mechanism along a tree; traced once and cached."""
    plain = _equations_without_targets(mechanism, _Layout(tree.branches, tree.cuts, tree.splits, tree))
    same = plain.skeleton.tree == tree
    if same and not targets and not spins:
        return plain
    return Equations(plain.skeleton if same else replace(plain.skeleton, tree=tree), targets, spins, plain)


@dataclass(frozen=True)
class _Layout:
    """The properties of a tree on which the skeleton depends; they are equal for trees that differ only in their
    kept joints."""

    branches: tuple[Branch, ...]
    cuts: tuple[str, ...]
    splits: tuple[Split, ...]
    tree: Tree = field(compare=False)


@lru_cache(maxsize=CACHE_SIZE)
def _equations_without_targets(mechanism: Mechanism, layout: _Layout) -> Equations:
    """The equations without targets, which all equations along one tree share."""
    return Equations(build_skeleton(mechanism, layout.tree))
