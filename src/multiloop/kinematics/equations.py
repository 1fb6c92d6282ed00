"""The constraint equations of one mechanism along one tree: loops, drives, and rows that hold rates alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import casadi as ca
import numpy as np
import scipy.sparse as sp

from multiloop.kinematics.rows import CutRows, Source, SpinRow, TargetRows
from multiloop.kinematics.skeleton import Skeleton, build_skeleton
from multiloop.kinematics.snapshot import Kept
from multiloop.kinematics.spins import Spin
from multiloop.kinematics.targets import Target, coordinate_index
from multiloop.kinematics.trace import Trace
from multiloop.model import Mechanism
from multiloop.spatial import Matrix
from multiloop.symbols import Traced
from multiloop.topology import Branch, Split, Tree

KEPT = 64
"""Mechanisms along a tree whose equations, and what is traced from them, are kept."""


class Equations(Trace):
    """Rows of the cuts first, then of the targets, then the rate-only rows; s are the targets' values."""

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
        self.sources: tuple[Source, ...] = (
            *map(CutRows, skeleton.cuts),
            *map(TargetRows, targets),
            *map(SpinRow, spins),
        )
        self.s = ca.SX.sym("s", sum(source.values for source in self.sources))

    @cached_property
    def driven(self) -> tuple[int, ...]:
        """Places in v of the rates that targets on joints of the tree prescribe, in their order."""
        return tuple(
            coordinate_index(self.skeleton, target.of, component)
            for target in self.targets
            if target.of in self.skeleton.carrier
            for component in target.components
        )

    # symbols ------------------------------------------------------------------------------------------

    @Kept
    def _loop_phi(self) -> Matrix:
        """Φ(q) of the cuts, which all equations along the tree have in common."""
        rows = [CutRows(cut).position(self, ca.SX(0, 1)) for cut in self.skeleton.cuts]
        return ca.vertcat(ca.SX(0, 1), *rows)

    @Kept
    def _loop_position_jacobian(self) -> Matrix:
        return self._tangent(self._loop_phi)

    @cached_property
    def _target_phi(self) -> Matrix:
        """Φ(q, s) of all position rows but those of the cuts."""
        found, at = [ca.SX(0, 1)], 0
        for source in self.sources[len(self.skeleton.cuts) :]:
            rows = source.position(self, self.s[at : at + source.values])
            at += source.values
            if rows is not None:
                found.append(rows)
        return ca.vertcat(*found)

    @cached_property
    def phi(self) -> Matrix:
        """Φ(q, s) of all position rows."""
        return ca.vertcat(self._loop_phi, self._target_phi)

    @cached_property
    def _position_jacobian(self) -> Matrix:
        """Φ_q E(q): exact also away from the closed position, so that Newton's steps are Newton's."""
        return ca.vertcat(self._loop_position_jacobian, self._tangent(self._target_phi))

    def _tangent(self, rows: Matrix) -> Matrix:
        return ca.jacobian(rows, self.q) @ self.chart.rate_map(self.q)

    @cached_property
    def _closure(self) -> Traced:
        return self.function("closure", "qs", phi=self.phi)

    @cached_property
    def _jacobian(self) -> Traced:
        return self.function("jacobian", "qs", J=self._position_jacobian)

    @cached_property
    def _rate_jacobian(self) -> Traced:
        if not self.spins:
            return self._jacobian
        rates = ca.vertcat(ca.SX(0, 1), *[source.rate(self) for source in self.sources if source.rate_only])
        return self.function(
            "rate_jacobian", "qs", J=ca.vertcat(self._position_jacobian, ca.jacobian(rates, self.v))
        )

    @cached_property
    def _gamma(self) -> Traced:
        gamma = ca.vertcat(ca.SX(0, 1), *[source.gamma(self) for source in self.sources])
        return self.function("gamma", "qv", gamma=gamma)

    @Kept
    def _geometric(self) -> Traced:
        return self.function("geometric", "q", J=self.loop_jacobian)

    # numbers ------------------------------------------------------------------------------------------

    def closure(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Φ: rows of the cuts, then of the targets."""
        return self._closure(q, s, p)[0]

    def jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Tangent Jacobian of the position rows."""
        return self._wide(self._jacobian(q, s, p))

    def sparse_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> sp.csc_matrix:
        """The same as a SciPy sparse matrix."""
        return self._jacobian.sparse(q, s, p)

    def scaled_loops(self, q: np.ndarray, p: np.ndarray) -> sp.csc_matrix:
        """Tangent Jacobian of the cuts' rows, lengths in characteristic lengths; for equations without targets."""
        J = self.sparse_jacobian(q, np.zeros(self.s.shape[0]), p)[: self.skeleton.rows]
        return sp.diags(self.row_scale[: self.skeleton.rows]) @ J @ sp.diags(self.chart.scale)

    def rate_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Tangent Jacobian of the position rows with the rate-only rows below."""
        return self._wide(self._rate_jacobian(q, s, p))

    def sparse_rate_jacobian(self, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> sp.csc_matrix:
        """The same as a SciPy sparse matrix."""
        return self._rate_jacobian.sparse(q, s, p)

    def geometric_jacobian(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """J of the cuts by `loop_jacobian`."""
        return self._wide(self._geometric(q, p))

    def gamma(self, q: np.ndarray, v: np.ndarray, p: np.ndarray) -> np.ndarray:
        """−J̇ v of all rows, rate-only ones last: J a = γ + s̈."""
        return self._gamma(q, v, p)[0]

    def _wide(self, answer: list[np.ndarray]) -> np.ndarray:
        """Rows over all rates, also where there is one rate only, or none."""
        rows = len(answer[0]) if self.skeleton.rates <= 1 else -1
        return answer[0].reshape(rows, self.skeleton.rates)

    @cached_property
    def row_scale(self) -> np.ndarray:
        """Divides position rows that are lengths by the characteristic length."""
        return self._scale([source for source in self.sources if not source.rate_only])

    @cached_property
    def rate_row_scale(self) -> np.ndarray:
        """The same for all rows."""
        return self._scale(self.sources)

    def _scale(self, sources: Sequence[Source]) -> np.ndarray:
        lengths = [is_length for source in sources for is_length in source.lengths(self)]
        return np.where(np.array(lengths, bool), 1 / self.skeleton.length, 1.0)


@lru_cache(maxsize=KEPT)
def equations_of(
    mechanism: Mechanism, tree: Tree, targets: tuple[Target, ...] = (), spins: tuple[Spin, ...] = ()
) -> Equations:
    """The equations of a mechanism along a tree, traced once and kept."""
    plain = _plain_equations(mechanism, _Layout(tree.branches, tree.cuts, tree.splits, tree))
    same = plain.skeleton.tree == tree
    if same and not targets and not spins:
        return plain
    return Equations(plain.skeleton if same else replace(plain.skeleton, tree=tree), targets, spins, plain)


@dataclass(frozen=True)
class _Layout:
    """What the skeleton takes from a tree: trees that differ only in which joints had to stay have the same."""

    branches: tuple[Branch, ...]
    cuts: tuple[str, ...]
    splits: tuple[Split, ...]
    tree: Tree = field(compare=False)


@lru_cache(maxsize=KEPT)
def _plain_equations(mechanism: Mechanism, layout: _Layout) -> Equations:
    """Without targets: what all equations along one tree share."""
    return Equations(build_skeleton(mechanism, layout.tree))
