"""Constraint equations of one mechanism along one tree: of the description, of prescribed coordinates and idle spins.

Φ(q, s) = 0,      J v = b,      J a = γ
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import casadi as ca
import numpy as np

from multiloop.kinematics.constraints import Prescribed, RowSet, Spin, SpinRow, target_rows
from multiloop.kinematics.skeleton import Skeleton, build_skeleton
from multiloop.kinematics.snapshot import Kept
from multiloop.kinematics.sparse_matrices import sp
from multiloop.kinematics.targets import Target, coordinate_index
from multiloop.kinematics.trace import Trace
from multiloop.model import Mechanism
from multiloop.spatial import Matrix
from multiloop.symbols import Traced
from multiloop.topology import Branch, Split, Tree

KEPT = 64
"""Number of mechanisms along a tree whose equations and traced functions are cached."""

Given = Sequence[np.ndarray]
"""Prescribed values s and their first and second time derivatives, as numbers."""


class Equations(Trace):
    """Rows of the constraints of the description (`own`), then of the targets (`drives`), then of idle spins.

    s, s_rate and s_second are the prescribed values of the targets with their time derivatives; where constraints of
    the description depend on time, the time is the first entry of s.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        targets: tuple[Target, ...] = (),
        spins: tuple[Spin, ...] = (),
        like: Trace | None = None,
    ) -> None:
        super().__init__(skeleton, like)
        self.targets = targets
        self.spins = spins
        self.drives = RowSet(tuple(target_rows(skeleton, target) for target in targets))
        self.rows = self.own + self.drives + RowSet(tuple(SpinRow(spin, skeleton) for spin in spins))
        self.times = int(self.own.rheonomic)
        asked, count = ca.SX.sym("s", self.drives.values), self.times + self.drives.values
        self.s = ca.vertcat(self.t, asked) if self.times else asked
        self.s_rate, self.s_second = (ca.SX.sym(name, count) for name in ("s_rate", "s_second"))

    @property
    def given(self) -> Prescribed:
        """Prescribed values of the targets, on symbols."""
        return self.drives_given(self.s, self.s_rate, self.s_second)

    def drives_given(self, s: Matrix, s_rate: Matrix, s_second: Matrix) -> Prescribed:
        """The part of the prescribed values that belongs to the targets, without the time."""
        return Prescribed(*(values[self.times :] for values in (s, s_rate, s_second)))

    @cached_property
    def driven(self) -> tuple[int, ...]:
        """Places in v of the rates that targets prescribe at joints of the tree, in the order of the targets."""
        return tuple(
            coordinate_index(self.skeleton, target.of, component)
            for target in self.targets
            if target.of in self.skeleton.carrier
            for component in target.components
        )

    # symbols ------------------------------------------------------------------------------------------

    @Kept
    def _own_phi(self) -> Matrix:
        """Φ(q, t) of the constraints of the description, shared by all equations along the tree."""
        return ca.SX(self.own.position(self, ca.SX(0, 1)))

    @Kept
    def _own_tangent(self) -> Matrix:
        return self._tangent(self._own_phi)

    @cached_property
    def _more_phi(self) -> Matrix:
        """Φ(q, s) of the targets."""
        return ca.SX(self.drives.position(self, self.given.s))

    @cached_property
    def phi(self) -> Matrix:
        """Φ(q, s) of all rows that constrain positions."""
        return ca.vertcat(self._own_phi, self._more_phi)

    @cached_property
    def _position_jacobian(self) -> Matrix:
        """Φ_q E(q), which is exact away from closed positions too, so that Newton's method converges quadratically."""
        return ca.vertcat(self._own_tangent, self._tangent(self._more_phi))

    def _tangent(self, rows: Matrix) -> Matrix:
        return ca.jacobian(rows, self.q) @ self.chart.rate_map(self.q)

    @cached_property
    def _closure(self) -> Traced:
        return self.function("closure", ("q", "s"), phi=self.phi)

    @cached_property
    def _jacobian(self) -> Traced:
        return self.function("jacobian", ("q", "s"), J=self._position_jacobian)

    @cached_property
    def _rate_jacobian(self) -> Traced:
        """All rows in order: the derivative Φ_q E where there is a Φ, else J."""
        if len(self.rows.held) == self.rows.count:
            return self._jacobian
        found = ca.SX(self.rows.jacobian(self))
        found[self.rows.held, :] = self._position_jacobian
        return self.function("rate_jacobian", ("q", "s"), J=found)

    @cached_property
    def _bias(self) -> Traced:
        return self.function("bias", ("q", "s", "s_rate"), bias=self.rows.bias(self, self.given))

    @cached_property
    def _gamma(self) -> Traced:
        gamma = self.rows.gamma(self, self.given)
        return self.function("gamma", ("q", "v", "s", "s_rate", "s_second"), gamma=gamma)

    @Kept
    def _geometric(self) -> Traced:
        return self.function("geometric", ("q", "t"), J=self.loop_jacobian)

    @cached_property
    def full_jacobian(self) -> Matrix:
        """J of all rows; equals the derivative of Φ where Φ = 0."""
        more = RowSet(self.rows.constraints[len(self.own.constraints) :]).jacobian(self)
        return ca.vertcat(self.loop_jacobian, more)

    @cached_property
    def _rows_jacobian(self) -> Traced:
        return self.function("rows_jacobian", ("q", "t"), J=self.full_jacobian)

    # numbers ------------------------------------------------------------------------------------------

    def closure(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Φ: rows of the constraints of the description, then of the targets."""
        return self._closure(q, s, p)[0]

    def jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Jacobian Φ_q E of the position rows."""
        return self._wide(self._jacobian(q, s, p))

    def sparse_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> sp.csc_matrix:
        """Jacobian Φ_q E of the position rows, as a SciPy sparse matrix."""
        return self._jacobian.sparse(q, s, p)

    def scaled_loops(self, q: np.ndarray, p: np.ndarray, t: float | None = None) -> sp.csc_matrix:
        """Jacobian of the rows of the description with respect to v, lengths in characteristic lengths."""
        own, s = self.own.count, np.zeros(self.s.shape[0])
        s[: self.times] = self._known_time(t)
        J = self.sparse_rate_jacobian(q, s, p)[:own]
        return sp.diags(self.rate_row_scale[:own]) @ J @ sp.diags(self.chart.scale)

    def rate_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Jacobian of all rows, including those that constrain only rates."""
        return self._wide(self._rate_jacobian(q, s, p))

    def sparse_rate_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> sp.csc_matrix:
        """Jacobian of all rows, as a SciPy sparse matrix."""
        return self._rate_jacobian.sparse(q, s, p)

    def geometric_jacobian(self, q: np.ndarray, p: np.ndarray, t: float | None = None) -> np.ndarray:
        """J of the constraints of the description, from their wrenches (`loop_jacobian`)."""
        return self._wide(self._geometric(q, self._known_time(t), p))

    def sparse_geometric_jacobian(
        self, q: np.ndarray, p: np.ndarray, t: float | None = None
    ) -> sp.csc_matrix:
        """J of the constraints of the description, as a SciPy sparse matrix."""
        return self._geometric.sparse(q, self._known_time(t), p)

    def rows_jacobian(self, q: np.ndarray, p: np.ndarray, t: float | None = None) -> np.ndarray:
        """J of all rows from the wrenches of the constraints."""
        return self._wide(self._rows_jacobian(q, self._known_time(t), p))

    def _known_time(self, t: float | None) -> np.ndarray:
        """The time as an array; it may be None if no constraint of the description depends on it."""
        if t is None and self.times:
            raise ValueError("the constraints depend on time: say at which")
        return np.array([0.0 if t is None else t])

    def bias(self, q: np.ndarray, given: Given, p: np.ndarray) -> np.ndarray:
        """b of all rows: J v = b."""
        return self._bias(q, *given[:2], p)[0]

    def gamma(self, q: np.ndarray, v: np.ndarray, given: Given, p: np.ndarray) -> np.ndarray:
        """γ of all rows: J a = γ."""
        return self._gamma(q, v, *given, p)[0]

    def own_values(self, t: float, order: int = 0) -> np.ndarray:
        """First entries of s, or of its derivative of this order: the time, where the description depends on it."""
        return np.full(self.times, (t, 1.0, 0.0)[order])

    def _wide(self, answer: list[np.ndarray]) -> np.ndarray:
        """The result as a matrix rows × rates, also for one rate or none."""
        rows = len(answer[0]) if self.skeleton.rates <= 1 else -1
        return answer[0].reshape(rows, self.skeleton.rates)

    @cached_property
    def row_scale(self) -> np.ndarray:
        """Factors that divide position rows that are lengths by the characteristic length."""
        return self.rate_row_scale[self.rows.held]

    @cached_property
    def value_scale(self) -> np.ndarray:
        """Factors that divide prescribed values that are lengths by the characteristic length; 0 for the time."""
        lengths = [flag for target in self.targets for flag in target.value_lengths()]
        return np.concatenate([np.zeros(self.times), np.where(lengths, 1 / self.skeleton.length, 1.0)])

    @cached_property
    def rate_row_scale(self) -> np.ndarray:
        """Factors that divide rows that are lengths by the characteristic length, for all rows."""
        return self.rows.scale(self.skeleton.length)


@lru_cache(maxsize=KEPT)
def equations_of(
    mechanism: Mechanism, tree: Tree, targets: tuple[Target, ...] = (), spins: tuple[Spin, ...] = ()
) -> Equations:
    """The equations of a mechanism along a tree; traced once and cached."""
    plain = _plain_equations(mechanism, _Layout(tree.branches, tree.cuts, tree.splits, tree))
    same = plain.skeleton.tree == tree
    if same and not targets and not spins:
        return plain
    return Equations(plain.skeleton if same else replace(plain.skeleton, tree=tree), targets, spins, plain)


@dataclass(frozen=True)
class _Layout:
    """The part of a tree on which the skeleton depends: equal for trees that differ only in the joints to be kept."""

    branches: tuple[Branch, ...]
    cuts: tuple[str, ...]
    splits: tuple[Split, ...]
    tree: Tree = field(compare=False)


@lru_cache(maxsize=KEPT)
def _plain_equations(mechanism: Mechanism, layout: _Layout) -> Equations:
    """The equations without targets, which all equations along one tree share."""
    return Equations(build_skeleton(mechanism, layout.tree))
