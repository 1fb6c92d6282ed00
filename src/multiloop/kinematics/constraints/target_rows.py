"""Constraints Φ = value − s(t) that prescribe coordinates of joints or markers, which are called targets.

The values s(t) come from drives or start values. Guesses are expressed as values of targets too.

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
    """The coordinates of one joint, flexible body or marker whose values are prescribed.

    `of` names a joint, the elastic coordinates "body.eta" of a body, or a marker "body.marker", whose coordinates are
    relative to the inertial frame. `components` are names of coordinates; those of a marker are x, y, z, angle (in the
    plane) and turn (the orientation in space as a quaternion). An orientation has four values and three constraint
    rows, every other component one value and one row.
    """

    of: str
    components: tuple[str, ...]

    @property
    def on_marker(self) -> bool:
        """Whether the target is a marker and not a joint or a flexible body."""
        return "." in self.of and not is_elastic_name(self.components[0])

    def value_count(self) -> int:
        """Number of prescribed values."""
        return sum(4 if component == "turn" else 1 for component in self.components)

    def row_count(self) -> int:
        """Number of constraint rows."""
        return sum(3 if component == "turn" else 1 for component in self.components)

    def value_lengths(self) -> list[bool]:
        """Whether each prescribed value is a length."""
        return [c in LENGTH_COMPONENTS for c in self.components for _ in range(4 if c == "turn" else 1)]

    def rate_units(self) -> list[str]:
        """Units of the time derivatives of the prescribed values; those of a quaternion have the unit 1/s."""
        turns = "turn" in self.components
        return ["m/s" if length else "1/s" if turns else "rad/s" for length in self.value_lengths()]


@dataclass(frozen=True)
class DrivenTarget:
    """The target of a Motion, with a function of time (profile) for every prescribed value."""

    target: Target
    profiles: tuple[Scalar, ...]


@lru_cache(maxsize=64)
def driven_targets(mechanism: Mechanism) -> tuple[DrivenTarget, ...]:
    """Targets and profiles of all Motions of the mechanism, in the user's order."""
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
    """The targets of all Motions of the mechanism, in the user's order."""
    return tuple(driven.target for driven in driven_targets(mechanism))


def drive_profiles(mechanism: Mechanism) -> tuple[Scalar, ...]:
    """The functions of time that all Motions of the mechanism prescribe, in the user's order."""
    return tuple(profile for driven in driven_targets(mechanism) for profile in driven.profiles)


def target_lengths(target: Target) -> tuple[bool, ...]:
    """Whether each constraint row of a target is a length."""
    found: list[bool] = []
    for component in target.components:
        found += [False] * 3 if component == "turn" else [component in LENGTH_COMPONENTS]
    return tuple(found)


GROUND_END = End(-1, "origin")
ANGULAR_ROWS, LINEAR_ROWS = {"x": 0, "y": 1, "z": 2, "angle": 2}, {"x": 3, "y": 4, "z": 5}
"""Row of a twist [ω; v] for each component of the angular velocity of a marker, and for each component of its
velocity."""


class TargetRows(Constraint):
    """Constraint that prescribes the values of one target (coordinates of a joint, a flexible body or a marker).

    An orientation is prescribed by the four entries of a quaternion and gives three constraint rows; any other
    component is prescribed by one value and gives one row."""

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
        """Right-hand side γ of the acceleration constraints J a = γ, with the joint accelerations a.

        For a scalar component γ is the prescribed acceleration s̈, for an orientation the angular acceleration 2 G(e) ë
        of the prescribed quaternion e(t), with the matrix G of `quaternion_angular_velocity`. For a marker, its
        acceleration at zero joint accelerations is subtracted."""
        asked = self._by_component(
            lambda place: given.second_rate[place],
            lambda turn: quaternion_angular_velocity(given.s[turn], given.second_rate[turn]),
        )
        return asked + self._convective(at, given)

    def _convective(self, at: Snapshot, given: Prescribed) -> Matrix:
        return ca.DM(len(self.rows), 1)

    def _by_component(self, plain: Callable[[int], Matrix], turn: Callable[[slice], Matrix]) -> Matrix:
        """The rows of all components in order. `plain` returns the row of a scalar component from the index of its
        prescribed value, `turn` the three rows of an orientation from the slice of its four values."""
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
    """Constraint that prescribes coordinates of a tree joint or elastic coordinates of a flexible body."""

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
        # nonzero for elastic coordinates: the elastic rates of a link follow the rates of its joint
        first = own.v.start - self.skeleton.links[self._link].v.start
        return tuple(
            EffortInteraction(self._link, first + own.names.index(row.name), unit[k, :])
            for k, row in enumerate(self.rows)
        )


@dataclass(frozen=True)
class MarkerTarget(TargetRows):
    """Constraint that prescribes the position or orientation of a marker in the inertial frame."""

    target: Target
    skeleton: Skeleton

    @property
    def end(self) -> End:
        """The marker with the prescribed motion."""
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
            c, sn = ca.cos(s[place]), ca.sin(s[place])  # whole turns between the two angles are ignored
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
    """The constraint that prescribes the values of a target."""
    return MarkerTarget(target, skeleton) if target.on_marker else JointTarget(target, skeleton)


def quaternion_angular_velocity(e: Matrix, e_rate: Matrix) -> Matrix:
    """The angular velocity ω = 2 G(e) ė in the fixed frame of a unit quaternion e = [e₀; ε] with the rate ė.

    G = [−ε, e₀ 1 + ε̃],   1: unit matrix, ε̃: cross-product matrix of ε
    """
    return 2 * (e[0] * e_rate[1:4] - e_rate[0] * e[1:4] + ca.cross(e[1:4], e_rate[1:4]))


def rotation_residual(D: Matrix) -> Matrix:
    """Residual (3 entries) of the constraint that the rotation matrix D is the identity; it is zero for no other
    rotation, so that Newton's method can start from any D.

        Φ = 4 tan(θ/4) a = 4 ε / (1 + e₀),   e = [e₀; ε] the quaternion of D with e₀ ≥ 0

    a is the axis and θ the angle of the rotation. For a small rotation Φ is the rotation vector θ a. For a half turn,
    for which the skew-symmetric part sin θ a of D vanishes, Φ is 4 a with one of the two signs of a. Φ/4 are the
    modified Rodrigues parameters of D.
    """
    e = _unnormalised_quaternion(D)
    sign = ca.if_else(e[0] < 0, -1, 1)
    return 4 * sign * e[1:4] / (ca.norm_2(e) + sign * e[0])


def _unnormalised_quaternion(D: Matrix) -> Matrix:
    """A multiple of the quaternion e of a rotation matrix D: the first column of 4 e eᵀ (which is linear in D) for
    angles up to 120°, for larger angles the largest of the other columns."""
    t, twice = ca.trace(D), 2 * unskew(D)
    S = D + D.T + (1 - t) * ca.DM.eye(3)
    x, y, z = (ca.vertcat(twice[k], S[:, k]) for k in range(3))
    across = ca.if_else(S[1, 1] > S[2, 2], y, z)
    largest = ca.if_else(S[0, 0] > ca.fmax(S[1, 1], S[2, 2]), x, across)
    return ca.if_else(t >= 0, ca.vertcat(1 + t, twice), largest)
