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

from multiloop.kinematics.closure import closure_rows, cut_gamma, cut_rate, ends_of
from multiloop.kinematics.skeleton import Cut
from multiloop.kinematics.spins import Spin, spin_rate
from multiloop.kinematics.targets import Target, target_gamma, target_lengths, target_rate, target_rows
from multiloop.kinematics.trace import Trace
from multiloop.spatial import Matrix


class Source(Protocol):
    """Where rows come from."""

    rate_only: ClassVar[bool]

    @property
    def values(self) -> int:
        """How many prescribed values s it takes."""

    def lengths(self, trace: Trace) -> tuple[bool, ...]:
        """For every row whether it is a length (else an angle)."""

    def position(self, trace: Trace, s: Matrix) -> Matrix | None:
        """Φ(q, s); None where the rows hold rates alone."""

    def rate(self, trace: Trace) -> Matrix:
        """J v; at closed positions equal to the rate of Φ."""

    def gamma(self, trace: Trace) -> Matrix:
        """−J̇ v."""


@dataclass(frozen=True)
class CutRows:
    """A cut joint keeps its two markers together."""

    cut: Cut

    rate_only: ClassVar[bool] = False
    values: ClassVar[int] = 0

    def lengths(self, trace: Trace) -> tuple[bool, ...]:
        names = self.cut.joint.wrench_names(trace.skeleton.planar)
        return tuple(name.startswith("force") for name in names)

    def position(self, trace: Trace, s: Matrix) -> Matrix:
        return closure_rows(
            trace.skeleton, self.cut, ends_of(trace.skeleton, self.cut, trace.q, trace.placed)
        )

    def rate(self, trace: Trace) -> Matrix:
        ends = ends_of(trace.skeleton, self.cut, trace.q, trace.placed, trace.moving)
        return cut_rate(trace.skeleton, self.cut, ends)

    def gamma(self, trace: Trace) -> Matrix:
        ends = ends_of(trace.skeleton, self.cut, trace.q, trace.placed, trace.moving, trace.convective)
        return cut_gamma(trace.skeleton, self.cut, ends)


@dataclass(frozen=True)
class TargetRows:
    """A drive or a held start prescribes coordinates of a joint or a marker."""

    target: Target

    rate_only: ClassVar[bool] = False

    @property
    def values(self) -> int:
        return self.target.values()

    def lengths(self, trace: Trace) -> tuple[bool, ...]:
        return target_lengths(self.target)

    def position(self, trace: Trace, s: Matrix) -> Matrix:
        return target_rows(trace.skeleton, self.target, trace.q, trace.placed, s)

    def rate(self, trace: Trace) -> Matrix:
        return target_rate(trace, self.target)

    def gamma(self, trace: Trace) -> Matrix:
        return target_gamma(trace, self.target)


@dataclass(frozen=True)
class SpinRow:
    """An idle spin stands still: a rate-only row."""

    spin: Spin

    rate_only: ClassVar[bool] = True
    values: ClassVar[int] = 0

    def lengths(self, trace: Trace) -> tuple[bool, ...]:
        return (False,)

    def position(self, trace: Trace, s: Matrix) -> None:
        return None

    def rate(self, trace: Trace) -> Matrix:
        return spin_rate(trace.skeleton, self.spin, trace.q, trace.placed, trace.moving)

    def gamma(self, trace: Trace) -> Matrix:
        return -ca.jtimes(self.rate(trace), trace.q, trace.q_rate)
