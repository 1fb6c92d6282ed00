"""Residuals Φ, Jacobian J and right-hand sides b, γ of all constraints, formed from the wrenches that they can exert.

    J = Σ Wᵀ (relative twist per unit of v),      γ = −(Wᵀ ṫ + Ẇᵀ t)

v are the joint rates of the tree, W the constraint wrenches, t the relative twist of the two bodies; the sum extends
over the wrenches of a constraint. All other modules access constraints only through a `RowSet`.

Source: [koul], eq. (12) and §2.2, J = Ĵ N, block by block.
Theory: docs/theory/01-notation.md, eq. (1.11);
docs/theory/02-kinematics.md, eqs. (2.9)–(2.11);
docs/theory/03-constraints.md, eqs. (3.3)–(3.5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from multiloop.kinematics.constraints.constraint import (
    Constraint,
    EffortInteraction,
    End,
    Interaction,
    Prescribed,
    Row,
    WrenchInteraction,
)
from multiloop.kinematics.constraints.relative_motion import end_poses, end_twist_rates
from multiloop.kinematics.tree import ancestors, marker_deformation_twists
from multiloop.spatial import Matrix

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot
    from multiloop.kinematics.tree import Skeleton

Interactions = Callable[["Snapshot"], tuple[Interaction, ...]]
"""Type of functions that return the wrenches and efforts of a constraint at an instant."""


def constraint_jacobian(at: Snapshot, interactions: tuple[Interaction, ...], count: int) -> Matrix:
    """Jacobian of one constraint, `count` × joint rates, from its wrenches and efforts per unit multiplier; blocks that
    are structurally zero are not formed."""
    columns: list[Matrix] = [ca.DM(count, 1)] * at.skeleton.rates
    for one in interactions:
        if isinstance(one, EffortInteraction):
            place = at.skeleton.links[one.link].v.start + one.component
            columns[place] = columns[place] + one.weight.T
        else:
            _add_between(at, one, columns)
    return ca.horzcat(ca.DM(count, 0), *columns)


def _add_between(at: Snapshot, between: WrenchInteraction, columns: list[Matrix]) -> None:
    """Add Wᵀ times the relative twist of two markers, per unit of each joint rate, to the columns of the Jacobian J.

        J_k = ± Wᵀ A P_k     (+ on the path to the second body, − to the first, 0 outside the loop)

    P_k is the motion subspace of tree joint k, and A transforms its twist to the origin of the second marker. A joint
    inward of both bodies moves both markers alike and is left out; no columns are computed that would cancel.

    Source: [koul], eq. (12) and §2.2, J = Ĵ N, block by block.
    """
    skeleton, W = at.skeleton, between.W
    point = end_poses(at, between.first, between.second).S.p
    to_second, to_first = (ancestors(skeleton, end.body) for end in (between.second, between.first))
    for k in sorted(to_second ^ to_first):
        link, place = skeleton.links[k], at.placements[k]
        turn, slide = place.P[:3, :], place.P[3:, :]
        r = point - place.pose.p
        for i in range(place.P.shape[1]):
            seen = W.T @ ca.vertcat(turn[:, i], slide[:, i] + ca.cross(turn[:, i], r))
            columns[link.v.start + i] = columns[link.v.start + i] + (seen if k in to_second else -seen)
    first, second = (_inward_markers(skeleton, end) for end in (between.first, between.second))
    for sign, path, other in ((1, second, first), (-1, first, second)):
        _add_elastic_columns(at, sign * W, point, [step for step in path if step not in other], columns)


def _inward_markers(skeleton: Skeleton, end: End) -> list[tuple[int, str]]:
    """For each body from an end of the loop inward to the ground, its index and its marker at which the next outward
    body (or the end itself) is attached."""
    found, body, marker = [], end.body, end.marker
    while body >= 0:
        found.append((body, marker))
        body, marker = skeleton.links[body].parent, skeleton.links[body].parent_marker
    return found


def _add_elastic_columns(
    at: Snapshot, W: Matrix, point: Matrix, path: list[tuple[int, str]], columns: list[Matrix]
) -> None:
    """Add the contributions of the elastic coordinates of the bodies on one side of a loop to the columns of the
    Jacobian. `path` lists these bodies, each with its marker at which the next outward body is attached. W are the
    constraint wrenches of the cut joint, taken at `point`."""
    for body, marker in path:
        link = at.skeleton.links[body]
        if link.reduced.elastic:
            seen = W.T @ marker_deformation_twists(at.skeleton, at.placements, body, marker, point)
            for i in range(link.reduced.elastic):
                columns[link.eta_rate.start + i] = columns[link.eta_rate.start + i] + seen[:, i]


def convective_gamma(at: Snapshot, interactions: Interactions) -> Matrix:
    """Right-hand side γ = −(Wᵀ ṫ + Ẇᵀ t) of one constraint without prescribed values, with the constraint wrenches W
    and the relative twist t; only W and the weights of efforts are differentiated symbolically."""
    now = interactions(at)
    changes = time_derivatives(at, lambda other: [_weights(one) for one in interactions(other)])
    total = ca.DM(0, 1)
    for one, change in zip(now, changes, strict=True):
        if isinstance(one, EffortInteraction):
            part = change.T * at.v[at.skeleton.links[one.link].v][one.component]
        else:
            ends = end_twist_rates(at, one.first, one.second)
            part = one.W.T @ ends.twist_rate + change.T @ ends.twist
        total = part if total.is_empty() else total + part
    return -total


def _weights(one: Interaction) -> Matrix:
    return one.weight if isinstance(one, EffortInteraction) else one.W


def time_derivatives(at: Snapshot, build: Callable[[Snapshot], list[Matrix]]) -> list[Matrix]:
    """Time derivatives Σ ∂/∂q q̇ of the matrices that `build` returns, which depend only on the position; symbolic or
    numeric like `at`."""
    from multiloop.kinematics.snapshot import Snapshot

    if isinstance(at.q, ca.SX):
        return [_directional_derivative(part, at.q, at.q_rate) for part in build(at)]
    q, v = (ca.SX.sym(letter, x.shape[0]) for letter, x in (("q", at.q), ("v", at.v)))
    moved = Snapshot(at.skeleton, q, v, at.t, at.x)
    rates = [ca.densify(ca.SX(_directional_derivative(part, q, moved.q_rate))) for part in build(moved)]
    return list(ca.Function("rates", [q, v], rates).call([ca.DM(at.q), ca.DM(at.v)]))


def _directional_derivative(part: Matrix, q: Matrix, q_rate: Matrix) -> Matrix:
    return ca.sparsify(ca.jtimes(ca.SX(part), q, q_rate)) if isinstance(part, ca.SX) else ca.DM(*part.shape)


@dataclass(frozen=True, eq=False)
class RowSet:
    """An ordered set of constraints, whose residuals, Jacobians and right-hand sides are stacked in this order."""

    constraints: tuple[Constraint, ...] = ()

    def __add__(self, other: RowSet) -> RowSet:
        return RowSet((*self.constraints, *other.constraints))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of all constraints, in order."""
        return tuple(row for constraint in self.constraints for row in constraint.rows)

    @property
    def count(self) -> int:
        """Number of constraint rows."""
        return len(self.rows)

    @cached_property
    def value_count(self) -> int:
        """Number of prescribed values of all constraints."""
        return sum(constraint.value_count for constraint in self.constraints)

    @property
    def rheonomic(self) -> bool:
        """Whether one of the constraints depends explicitly on time or requires nonzero rates."""
        return any(constraint.rheonomic for constraint in self.constraints)

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """For each constraint, the slice of its rows among all rows."""
        return _slices([len(constraint.rows) for constraint in self.constraints])

    @cached_property
    def _value_slices(self) -> tuple[slice, ...]:
        return _slices([constraint.value_count for constraint in self.constraints])

    @cached_property
    def position_slices(self) -> tuple[slice, ...]:
        """For each constraint, the slice of its position rows among all rows that constrain positions."""
        return _slices([sum(not row.rate_only for row in c.rows) for c in self.constraints])

    @cached_property
    def position_rows(self) -> list[int]:
        """Indices of the rows that constrain positions."""
        return [k for k, row in enumerate(self.rows) if not row.rate_only]

    def row_order(self, first: Sequence[int]) -> list[int]:
        """Indices of all rows, where the rows of the constraints with indices `first` come first, in this order."""
        others = [k for k in range(len(self.constraints)) if k not in set(first)]
        return [row for k in (*first, *others) for row in range(self.slices[k].start, self.slices[k].stop)]

    def scale(self, length: float) -> np.ndarray:
        """Scale factor of each row: the reciprocal of the characteristic length `length` for lengths, otherwise 1."""
        return np.where([row.is_length for row in self.rows], 1 / length, 1.0)

    # residuals, Jacobian and right-hand sides at an instant ------------------------------------------

    def position_residual(self, at: Snapshot, s: Matrix) -> Matrix:
        """Residuals Φ(q, s) of all rows that constrain positions; s are the prescribed values of all constraints."""
        parts = [
            c.position_residual(at, s[place])
            for c, place in zip(self.constraints, self._value_slices, strict=True)
        ]
        return ca.vertcat(ca.DM(0, 1), *parts)

    def jacobian(self, at: Snapshot) -> Matrix:
        """Jacobian J of all constraints, rows × joint rates."""
        blocks = [constraint_jacobian(at, c.interactions(at), len(c.rows)) for c in self.constraints]
        return ca.vertcat(ca.DM(0, at.skeleton.rates), *blocks)

    def bias(self, at: Snapshot, given: Prescribed) -> Matrix:
        """Right-hand side b of the velocity constraints J v = b."""
        parts = [
            c.bias(at, given.subset(place))
            for c, place in zip(self.constraints, self._value_slices, strict=True)
        ]
        return ca.vertcat(ca.DM(0, 1), *parts)

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        """Right-hand side γ of the acceleration constraints J a = γ."""
        parts = [
            c.gamma(at, given.subset(place))
            for c, place in zip(self.constraints, self._value_slices, strict=True)
        ]
        return ca.vertcat(ca.DM(0, 1), *parts)

    def prescribed_for(self, given: Prescribed, number: int) -> Prescribed:
        """The prescribed values of the constraint with index `number`, taken from those of all constraints."""
        return given.subset(self._value_slices[number])


def _slices(sizes: list[int]) -> tuple[slice, ...]:
    ends = np.cumsum([0, *sizes]).tolist()
    return tuple(slice(begin, end) for begin, end in pairwise(ends))
