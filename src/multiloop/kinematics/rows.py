"""The one contract for everything that constrains a motion.

A source of rows may hold positions, Φ(q, s) = 0, or rates alone (rolling, an idle spin). Explicit time enters
through the prescribed values s(t):

    Φ(q, s) = 0,      J v = ṡ,      J a = γ + s̈,      γ = −J̇ v

with J in the tangent space of q. Rate-only rows have no Φ and no s: J v = 0, J a = γ. A new kind of
constraint is one new source.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import casadi as ca

from multiloop.kinematics.closure import closure_rows, cut_gamma, cut_rate, ends_of, wrench_words
from multiloop.kinematics.skeleton import Cut
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spins import Spin, spin_rate
from multiloop.kinematics.targets import Target, target_gamma, target_lengths, target_rate, target_rows
from multiloop.spatial import Matrix


class Source(Protocol):
    """Where rows come from."""

    rate_only: ClassVar[bool]

    @property
    def values(self) -> int:
        """How many prescribed values s it takes."""

    def lengths(self, at: Snapshot) -> tuple[bool, ...]:
        """For every row whether it is a length (else an angle)."""

    def position(self, at: Snapshot, s: Matrix) -> Matrix | None:
        """Φ(q, s); None where the rows hold rates alone."""

    def rate(self, at: Snapshot) -> Matrix:
        """J v; at closed positions equal to the rate of Φ."""

    def gamma(self, at: Snapshot) -> Matrix:
        """−J̇ v."""


@dataclass(frozen=True)
class CutRows:
    """A cut joint keeps its two markers together."""

    cut: Cut

    rate_only: ClassVar[bool] = False
    values: ClassVar[int] = 0

    def lengths(self, at: Snapshot) -> tuple[bool, ...]:
        names = wrench_words(self.cut.joint, at.skeleton.planar)
        return tuple(name.startswith("force") for name in names)

    def position(self, at: Snapshot, s: Matrix) -> Matrix:
        return closure_rows(at.skeleton, self.cut, ends_of(at.skeleton, self.cut, at.q, at.placed))

    def rate(self, at: Snapshot) -> Matrix:
        ends = ends_of(at.skeleton, self.cut, at.q, at.placed, (at.v, at.moving))
        return cut_rate(at.skeleton, self.cut, ends)

    def gamma(self, at: Snapshot) -> Matrix:
        ends = ends_of(at.skeleton, self.cut, at.q, at.placed, (at.v, at.moving), at.convective)
        return cut_gamma(at.skeleton, self.cut, ends)


@dataclass(frozen=True)
class TargetRows:
    """A drive or a held start prescribes coordinates of a joint or a marker."""

    target: Target

    rate_only: ClassVar[bool] = False

    @property
    def values(self) -> int:
        return self.target.values()

    def lengths(self, at: Snapshot) -> tuple[bool, ...]:
        return target_lengths(self.target)

    def position(self, at: Snapshot, s: Matrix) -> Matrix:
        return target_rows(at.skeleton, self.target, at.q, at.placed, s)

    def rate(self, at: Snapshot) -> Matrix:
        return target_rate(at, self.target)

    def gamma(self, at: Snapshot) -> Matrix:
        return target_gamma(at, self.target)


@dataclass(frozen=True)
class SpinRow:
    """An idle spin stands still: a rate-only row."""

    spin: Spin

    rate_only: ClassVar[bool] = True
    values: ClassVar[int] = 0

    def lengths(self, at: Snapshot) -> tuple[bool, ...]:
        return (False,)

    def position(self, at: Snapshot, s: Matrix) -> None:
        return None

    def rate(self, at: Snapshot) -> Matrix:
        return spin_rate(at.skeleton, self.spin, at.q, at.placed, at.moving)

    def gamma(self, at: Snapshot) -> Matrix:
        return -ca.jtimes(self.rate(at), at.q, at.q_rate)
