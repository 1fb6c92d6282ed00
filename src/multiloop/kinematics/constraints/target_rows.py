"""Prescribed coordinates of joints and markers (targets), and their rows Φ = value − s(t).

A drive, a held start value and a guess each prescribe values of a target.

Theory: docs/theory/03-constraints.md, eqs. (3.15), (3.16).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import casadi as ca

from multiloop.kinematics.constraints.constraint import (
    Constraint,
    EffortInteraction,
    End,
    Interaction,
    Prescribed,
    Row,
    WrenchInteraction,
)
from multiloop.kinematics.constraints.relative_motion import end_poses
from multiloop.kinematics.tree import LENGTH_COMPONENTS, NamedCoordinates, Skeleton
from multiloop.model import Mechanism, is_elastic_name
from multiloop.model.expressions import Scalar
from multiloop.model.profiles.orientations import unit_quaternion
from multiloop.spatial import Matrix, quaternion_matrix, unskew

if TYPE_CHECKING:
    from multiloop.kinematics.snapshot import Snapshot


@dataclass(frozen=True)
class Target:
    """Coordinates of one joint, elastic body or marker whose values are prescribed.

    `of` is a tree joint, the elastic coordinates "body.eta" of a body, or a marker "body.marker" in the inertial
    frame. `components` are the coordinates, or among x, y, z, angle, turn of a marker ("turn": its orientation as a
    quaternion, in space). An orientation takes four values and gives three rows; every other component one of each.
    """

    of: str
    components: tuple[str, ...]

    @property
    def on_marker(self) -> bool:
        """Whether the target is a marker and not a joint or an elastic body."""
        return "." in self.of and not is_elastic_name(self.components[0])

    def value_count(self) -> int:
        """Number of prescribed values."""
        return sum(4 if component == "turn" else 1 for component in self.components)

    def row_count(self) -> int:
        """Number of constraint rows."""
        return sum(3 if component == "turn" else 1 for component in self.components)

    def value_lengths(self) -> list[bool]:
        """For each prescribed value, whether it is a length."""
        return [c in LENGTH_COMPONENTS for c in self.components for _ in range(4 if c == "turn" else 1)]

    def rate_units(self) -> list[str]:
        """Units of the rates of prescribed values; the four numbers of an orientation have the unit 1/s."""
        turns = "turn" in self.components
        return ["m/s" if length else "1/s" if turns else "rad/s" for length in self.value_lengths()]


@dataclass(frozen=True)
class DrivenTarget:
    """The target of a Motion, with a profile in time for every value that it prescribes."""

    target: Target
    profiles: tuple[Scalar, ...]


@lru_cache(maxsize=64)
def driven_targets(mechanism: Mechanism) -> tuple[DrivenTarget, ...]:
    """Targets and profiles of the mechanism's Motions, in order."""
    found = []
    for motion in mechanism.drives:
        named = motion.named()
        if list(named) == [""]:
            named = {mechanism.joint(motion.of).components(mechanism.planar)[0]: named[""]}
        turn = unit_quaternion(motion.orientation) if motion.orientation is not None else ()
        components = (*named, *(("turn",) if turn else ()))
        found.append(DrivenTarget(Target(motion.of, components), (*named.values(), *turn)))
    return tuple(found)


def drive_targets(mechanism: Mechanism) -> tuple[Target, ...]:
    """The coordinates that the mechanism's Motions prescribe, in order."""
    return tuple(driven.target for driven in driven_targets(mechanism))


def drive_profiles(mechanism: Mechanism) -> tuple[Scalar, ...]:
    """The profiles of all Motions of the mechanism, in order."""
    return tuple(profile for driven in driven_targets(mechanism) for profile in driven.profiles)


def target_lengths(target: Target) -> tuple[bool, ...]:
    """For each row, whether it is a length."""
    found: list[bool] = []
    for component in target.components:
        found += [False] * 3 if component == "turn" else [component in LENGTH_COMPONENTS]
    return tuple(found)


GROUND_END = End(-1, "origin")
ANGULAR_ROWS, LINEAR_ROWS = {"x": 0, "y": 1, "z": 2, "angle": 2}, {"x": 3, "y": 4, "z": 5}
"""Rows of a twist that are components of the angular velocity, and of the velocity of a marker."""


class TargetRows(Constraint):
    """Constraint rows of one target: an orientation has four values and three rows, any other component one of each."""

    target: Target
    skeleton: Skeleton

    @property
    def name(self) -> str:
        return self.target.of

    @property
    def value_count(self) -> int:
        return self.target.value_count()

    @property
    def rows(self) -> tuple[Row, ...]:
        found: list[Row] = []
        for component in self.target.components:
            names = [f"turn_{axis}" for axis in "xyz"] if component == "turn" else [component]
            found += [Row(name, component in LENGTH_COMPONENTS) for name in names]
        return tuple(found)

    def bias(self, at: Snapshot, given: Prescribed) -> Matrix:
        return self._by_component(
            lambda place: given.rate[place],
            lambda turn: quaternion_angular_velocity(given.s[turn], given.rate[turn]),
        )

    def gamma(self, at: Snapshot, given: Prescribed) -> Matrix:
        """Right-hand side γ: s̈, or for an orientation the angular acceleration 2 G(e) ë, since G(ė) ė = 0."""
        asked = self._by_component(
            lambda place: given.second_rate[place],
            lambda turn: quaternion_angular_velocity(given.s[turn], given.second_rate[turn]),
        )
        return asked + self._convective(at, given)

    def _convective(self, at: Snapshot, given: Prescribed) -> Matrix:
        return ca.DM(len(self.rows), 1)

    def _by_component(self, plain: Callable[[int], Matrix], turn: Callable[[slice], Matrix]) -> Matrix:
        """Rows of all components in order; each receives the index of its prescribed value."""
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
    def _coordinates(self) -> NamedCoordinates:
        return self.skeleton.coordinates[self.target.of]

    @property
    def _link(self) -> int:
        carrier = self.skeleton.link_of_joint.get(self.target.of)
        return self.skeleton.index[carrier.body if carrier is not None else self.target.of.partition(".")[0]]

    def position_residual(self, at: Snapshot, s: Matrix) -> Matrix:
        own, link = self._coordinates, self.skeleton.links[self._link]
        components = iter(c for c in self.target.components if c != "turn")
        return self._by_component(
            lambda place: at.q[own.q.start + own.names.index(next(components))] - s[place],
            lambda turn: rotation_residual(
                link.joint.pose(at.q[link.q], self.skeleton.planar).R @ quaternion_matrix(s[turn]).T
            ),
        )

    def interactions(self, at: Snapshot) -> tuple[Interaction, ...]:
        own, unit = self._coordinates, ca.DM.eye(len(self.rows))
        first = (
            own.v.start - self.skeleton.links[self._link].v.start
        )  # elastic coordinates follow the coordinates of the joint
        return tuple(
            EffortInteraction(self._link, first + own.names.index(row.name), unit[k, :])
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
        from multiloop.kinematics.tree import ancestors

        return tuple(sorted(ancestors(self.skeleton, self.end.body)))

    def position_residual(self, at: Snapshot, s: Matrix) -> Matrix:
        pose = end_poses(at, GROUND_END, self.end).S
        components = iter(c for c in self.target.components if c != "turn")

        def plain(place: int) -> Matrix:
            component = next(components)
            if component != "angle":
                return pose.p["xyz".index(component)] - s[place]
            c, sn = ca.cos(s[place]), ca.sin(s[place])  # angles are compared on the unit circle
            return ca.atan2(pose.R[1, 0] * c - pose.R[0, 0] * sn, pose.R[0, 0] * c + pose.R[1, 0] * sn)

        return self._by_component(
            plain, lambda turn: rotation_residual(pose.R @ quaternion_matrix(s[turn]).T)
        )

    def interactions(self, at: Snapshot) -> tuple[WrenchInteraction]:
        places = []
        for row in self.rows:
            turns = row.name.removeprefix("turn_") if row.name.startswith("turn_") else ""
            places.append(
                ANGULAR_ROWS[turns or row.name] if turns or row.name == "angle" else LINEAR_ROWS[row.name]
            )
        return (WrenchInteraction(GROUND_END, self.end, ca.DM.eye(6)[:, places]),)

    def _convective(self, at: Snapshot, given: Prescribed) -> Matrix:
        return super(TargetRows, self).gamma(at, given)


def target_rows(skeleton: Skeleton, target: Target) -> TargetRows:
    """The constraint of a target along a tree."""
    return MarkerTarget(target, skeleton) if target.on_marker else JointTarget(target, skeleton)


def quaternion_angular_velocity(e: Matrix, e_rate: Matrix) -> Matrix:
    """ω = 2 G(e) ė in the fixed frame, G = [−ε, e₀ 1 + ε̃], of a quaternion of unit length."""
    return 2 * (e[0] * e_rate[1:4] - e_rate[0] * e[1:4] + ca.cross(e[1:4], e_rate[1:4]))


def rotation_residual(D: Matrix) -> Matrix:
    """Three rows that vanish only where the rotation D is the identity, and lead Newton's method there from any D.

        Φ = 4 tan(θ/4) a = 4 ε / (1 + e₀),   e = [e₀; ε] the quaternion of D with e₀ ≥ 0

    For a small rotation it is the rotation vector θ a. At a half turn, where the skew part sin θ a vanishes, it is 4 a
    with one of the two signs of a. Φ/4 are the modified Rodrigues parameters of D.
    """
    e = _unnormalised_quaternion(D)
    sign = ca.if_else(e[0] < 0, -1, 1)
    return 4 * sign * e[1:4] / (ca.norm_2(e) + sign * e[0])


def _unnormalised_quaternion(D: Matrix) -> Matrix:
    """A column of 4 e eᵀ, which is linear in D: the first column up to 120°, above it the largest of the others."""
    t, twice = ca.trace(D), 2 * unskew(D)
    S = D + D.T + (1 - t) * ca.DM.eye(3)
    x, y, z = (ca.vertcat(twice[k], S[:, k]) for k in range(3))
    across = ca.if_else(S[1, 1] > S[2, 2], y, z)
    largest = ca.if_else(S[0, 0] > ca.fmax(S[1, 1], S[2, 2]), x, across)
    return ca.if_else(t >= 0, ca.vertcat(1 + t, twice), largest)
