"""Constraint rows of targets: coordinates of a joint or a marker that have prescribed values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.chart import LENGTHS
from multiloop.kinematics.constraints.constraint import (
    Along,
    Between,
    Constraint,
    End,
    Interaction,
    Prescribed,
    Row,
)
from multiloop.kinematics.constraints.ends import placed_ends
from multiloop.kinematics.coordinates import Coordinates
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.targets import Target
from multiloop.spatial import Matrix, quaternion_matrix, unskew

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot

GROUND = End(-1, "origin")
TURNING, SLIDING = {"x": 0, "y": 1, "z": 2, "angle": 2}, {"x": 3, "y": 4, "z": 5}
"""Rows of a twist that are components of the angular velocity, and of the velocity of a marker."""


class TargetRows(Constraint):
    """Rows of one target: an orientation has four values and three rows, any other component one of each."""

    target: Target
    skeleton: Skeleton

    @property
    def name(self) -> str:
        return self.target.of

    @property
    def values(self) -> int:
        return self.target.values()

    @property
    def rows(self) -> tuple[Row, ...]:
        found: list[Row] = []
        for component in self.target.components:
            names = [f"turn_{axis}" for axis in "xyz"] if component == "turn" else [component]
            found += [Row(name, component in LENGTHS) for name in names]
        return tuple(found)

    def bias(self, at: Snapshot, given: Prescribed) -> Matrix:
        return self._each(
            lambda place: given.rate[place], lambda turn: turning_rate(given.s[turn], given.rate[turn])
        )

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        """s̈; of an orientation the angular acceleration 2 G(e) ë, since G(ė) ė = 0."""
        asked = self._each(
            lambda place: given.second[place], lambda turn: turning_rate(given.s[turn], given.second[turn])
        )
        return asked + self._convective(at, given)

    def _convective(self, at: Snapshot, given: Prescribed) -> Matrix:
        return ca.DM(len(self.rows), 1)

    def _each(self, plain: Callable[[int], Matrix], turn: Callable[[slice], Matrix]) -> Matrix:
        """Rows component by component, each from the place of its value."""
        found, at = [], 0
        for component in self.target.components:
            if component == "turn":
                found.append(turn(slice(at, at + 4)))
                at += 4
            else:
                found.append(plain(at))
                at += 1
        return ca.vertcat(ca.DM(0, 1), *found)

    @abstractmethod
    def interactions(self, at: Snapshot) -> tuple[Interaction, ...]: ...


@dataclass(frozen=True)
class JointTarget(TargetRows):
    """Coordinates of a tree joint or of an elastic body have prescribed values."""

    target: Target
    skeleton: Skeleton

    @property
    def links(self) -> tuple[int, ...]:
        return (self._link,)

    @property
    def _own(self) -> Coordinates:
        return self.skeleton.coordinates[self.target.of]

    @property
    def _link(self) -> int:
        carrier = self.skeleton.carrier.get(self.target.of)
        return self.skeleton.index[carrier.body if carrier is not None else self.target.of.partition(".")[0]]

    def position(self, at: Snapshot, s: Matrix) -> Matrix:
        own, link = self._own, self.skeleton.links[self._link]
        components = iter(c for c in self.target.components if c != "turn")
        return self._each(
            lambda place: at.q[own.q.start + own.names.index(next(components))] - s[place],
            lambda turn: rotation_between(
                link.joint.pose(at.q[link.q], self.skeleton.planar).R @ quaternion_matrix(s[turn]).T
            ),
        )

    def interactions(self, at: Snapshot) -> tuple[Interaction, ...]:
        own, unit = self._own, ca.DM.eye(len(self.rows))
        first = (
            own.v.start - self.skeleton.links[self._link].v.start
        )  # elastic coordinates follow the joint's
        return tuple(
            Along(self._link, first + own.names.index(row.name), unit[k, :])
            for k, row in enumerate(self.rows)
        )


@dataclass(frozen=True)
class MarkerTarget(TargetRows):
    """A marker has a prescribed position or orientation in the inertial frame."""

    target: Target
    skeleton: Skeleton

    @property
    def end(self) -> End:
        """The marker."""
        body, _, marker = self.target.of.partition(".")
        return End(self.skeleton.index[body], marker)

    @property
    def links(self) -> tuple[int, ...]:
        from multiloop.kinematics.constraints.rates import ancestors

        return tuple(sorted(ancestors(self.skeleton, self.end.body)))

    def position(self, at: Snapshot, s: Matrix) -> Matrix:
        pose = placed_ends(at, GROUND, self.end).S
        components = iter(c for c in self.target.components if c != "turn")

        def plain(place: int) -> Matrix:
            component = next(components)
            if component != "angle":
                return pose.p["xyz".index(component)] - s[place]
            c, sn = ca.cos(s[place]), ca.sin(s[place])  # compared on the circle
            return ca.atan2(pose.R[1, 0] * c - pose.R[0, 0] * sn, pose.R[0, 0] * c + pose.R[1, 0] * sn)

        return self._each(plain, lambda turn: rotation_between(pose.R @ quaternion_matrix(s[turn]).T))

    def interactions(self, at: Snapshot) -> tuple[Between]:
        places = []
        for row in self.rows:
            turns = row.name.removeprefix("turn_") if row.name.startswith("turn_") else ""
            places.append(TURNING[turns or row.name] if turns or row.name == "angle" else SLIDING[row.name])
        return (Between(GROUND, self.end, ca.DM.eye(6)[:, places]),)

    def _convective(self, at: Snapshot, given: Prescribed) -> Matrix:
        return super(TargetRows, self).gamma(at, given)


def target_rows(skeleton: Skeleton, target: Target) -> TargetRows:
    """The constraint of a target along a tree."""
    return MarkerTarget(target, skeleton) if target.on_marker else JointTarget(target, skeleton)


def turning_rate(e: Matrix, e_rate: Matrix) -> Matrix:
    """ω = 2 G(e) ė in the fixed frame, G = [−ε, e₀ 1 + ε̃], of a quaternion of unit length."""
    return 2 * (e[0] * e_rate[1:4] - e_rate[0] * e[1:4] + ca.cross(e[1:4], e_rate[1:4]))


def rotation_between(D: Matrix) -> Matrix:
    """Three rows that vanish only where the rotation D is the identity, and lead Newton's method there from any D.

        Φ = 4 tan(θ/4) a = 4 ε / (1 + e₀),   e = [e₀; ε] the quaternion of D with e₀ ≥ 0

    For a small rotation it is the rotation vector θ a. At a half turn, where the skew part sin θ a vanishes, it is 4 a
    with one of the two signs of a. Φ/4 are the modified Rodrigues parameters of D.
    """
    e = _quaternion_along(D)
    sign = ca.if_else(e[0] < 0, -1, 1)
    return 4 * sign * e[1:4] / (ca.norm_2(e) + sign * e[0])


def _quaternion_along(D: Matrix) -> Matrix:
    """A column of 4 e eᵀ, which is linear in D: the first column up to 120°, above it the largest of the others."""
    t, twice = ca.trace(D), 2 * unskew(D)
    S = D + D.T + (1 - t) * ca.DM.eye(3)
    x, y, z = (ca.vertcat(twice[k], S[:, k]) for k in range(3))
    across = ca.if_else(S[1, 1] > S[2, 2], y, z)
    largest = ca.if_else(S[0, 0] > ca.fmax(S[1, 1], S[2, 2]), x, across)
    return ca.if_else(t >= 0, ca.vertcat(1 + t, twice), largest)
