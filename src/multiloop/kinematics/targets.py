"""Targets: coordinates of a joint or a marker whose values a drive, a start or a guess prescribes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from multiloop.kinematics.chart import LENGTHS
from multiloop.kinematics.placing import Placed
from multiloop.kinematics.skeleton import Skeleton
from multiloop.model import GROUND, Mechanism
from multiloop.model.expressions import Scalar
from multiloop.model.names import is_elastic_name
from multiloop.model.orientation import quaternion_profiles
from multiloop.spatial import Matrix, Pose


@dataclass(frozen=True)
class Target:
    """Coordinates of one joint, elastic body or marker that are to have given values.

    `of` is a tree joint, the elastic coordinates "body.eta" of a body, or a marker "body.marker" in the inertial
    frame. `components` are the coordinates, or among x, y, z, angle, turn of a marker ("turn": its orientation as a
    quaternion, in space). An orientation takes four values and gives three rows; every other component one of each.
    """

    of: str
    components: tuple[str, ...]

    @property
    def on_marker(self) -> bool:
        """Whether it is a marker rather than a joint or an elastic body."""
        return "." in self.of and not is_elastic_name(self.components[0])

    def values(self) -> int:
        """Number of prescribed values."""
        return sum(4 if component == "turn" else 1 for component in self.components)

    def rows(self) -> int:
        """Number of constraint rows."""
        return sum(3 if component == "turn" else 1 for component in self.components)

    def value_lengths(self) -> list[bool]:
        """Whether each prescribed value is a length."""
        return [c in LENGTHS for c in self.components for _ in range(4 if c == "turn" else 1)]


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
        turn = quaternion_profiles(motion.orientation) if motion.orientation is not None else ()
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
    """Whether each row is a length."""
    found: list[bool] = []
    for component in target.components:
        found += [False] * 3 if component == "turn" else [component in LENGTHS]
    return tuple(found)


def marker_in_space(skeleton: Skeleton, reference: str, q: Matrix, placed: list[Placed]) -> Pose:
    """Pose of a marker in the inertial frame."""
    body, _, marker = reference.partition(".")
    if body == GROUND:
        return skeleton.ground.markers[marker]
    k = skeleton.index[body]
    link = skeleton.links[k]
    return placed[k].pose @ link.reduced.marker_pose(marker, placed[k].eta)


def coordinate_index(skeleton: Skeleton, joint: str, component: str) -> int:
    """Place in v of a coordinate of a tree joint or elastic body."""
    own = skeleton.coordinates[joint]
    start: int = own.v.start
    return start + own.names.index(component)
