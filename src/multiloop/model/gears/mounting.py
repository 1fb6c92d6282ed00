"""The carrier of a gear pair, and the bearings that connect its wheels to the carrier.

The bearings of a wheel are the revolute joints whose axis goes through its centre. They connect the wheel to the
carrier directly, or through other bodies that rotate about the same axis: for a sun wheel and a planet carrier that
both have bearings on the ground, the bearings of the sun wheel on the planet carrier are these two joints.

Theory: docs/theory/03-constraints.md, eq. (3.11).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from multiloop.model.faults import Fault
from multiloop.model.joints import Joint, Prismatic, Revolute
from multiloop.model.marker_poses import Resolve, marker_pose, nominal_value
from multiloop.model.markers import body_of
from multiloop.spatial import Matrix, Pose, numeric
from multiloop.spatial.rotation import IDENTITY

if TYPE_CHECKING:
    from multiloop.model.gears.gearing import Gearing
    from multiloop.model.mechanism import Mechanism

TOLERANCE = 1e-6
"""Relative difference below which lengths are taken as equal and lines as coincident; also the angle (rad) below which
directions are taken as parallel."""

Path = tuple[str, ...]
"""Names of the joints that connect a wheel to its carrier, beginning at the wheel."""


@dataclass(frozen=True)
class Axis:
    """The axis of a wheel on its carrier, in the carrier's frame: centre p of the wheel and unit vector a.

    The wheel rotates about the axis a through p; a rack, with `turns` False, slides along a.
    """

    p: Matrix
    a: Matrix
    turns: bool = True

    def twist(self, point: Matrix) -> Matrix:
        """Twist [ω; v] of the wheel relative to the carrier, at `point`, per unit of its angle or displacement."""
        if not self.turns:
            return ca.vertcat(ca.DM(3, 1), self.a)
        return ca.vertcat(self.a, ca.cross(self.a, point - self.p))


@dataclass(frozen=True)
class WheelBearings:
    """The bearings of one wheel, from the wheel to the carrier.

    `joints` contains the name of each joint and the sign with which its angle adds to the angle of the wheel.
    """

    wheel: str
    joints: tuple[tuple[str, int], ...]
    turns: bool

    @property
    def path(self) -> Path:
        """The names of the joints from the wheel to the carrier."""
        return tuple(name for name, _ in self.joints)


@dataclass(frozen=True)
class Mounting:
    """The carrier of a gear pair and the bearings of both wheels on it."""

    carrier: str
    seats: tuple[WheelBearings, WheelBearings]

    @property
    def joints(self) -> Path:
        """The names of the bearings of the first wheel, followed by those of the second."""
        return (*self.seats[0].path, *self.seats[1].path)

    def axes(self, mechanism: Mechanism, resolve: Resolve = nominal_value) -> tuple[Axis, Axis]:
        """The axes of both wheels in the carrier's frame, at zero joint angles."""
        found = []
        for seat in self.seats:
            frames, centre = _frames(mechanism, seat.path, seat.wheel, self.carrier, resolve)
            along = 0 if mechanism.planar and not seat.turns else 2
            found.append(Axis(centre.p, frames[-1].R[:, along], seat.turns))
        return found[0], found[1]


class NotMountedError(Exception):
    """Error: a gear pair has no carrier, or several possible carriers; `fault` has the details."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


@lru_cache(maxsize=64)
def mounting_of(mechanism: Mechanism, gearing: Gearing) -> Mounting:
    """The carrier and the bearings of a gear pair, cached; the mechanism must have no errors."""
    return find_mounting(mechanism, gearing)


def find_mounting(mechanism: Mechanism, gearing: Gearing) -> Mounting:
    """Find the carrier and the bearings of a gear pair.

    The carrier is the body on which both wheels have bearings: directly, otherwise through coaxial bodies. Raises
    NotMountedError if there is no such body, or more than one.
    """
    kinds = (Revolute, Prismatic if gearing.second_slides else Revolute)
    wheels = (gearing.first, gearing.second)
    paths = [_bearing_paths(mechanism, wheel, kind) for wheel, kind in zip(wheels, kinds, strict=True)]
    where = f"{gearing.called} '{gearing.name}'"
    for wheel, kind, found in zip(wheels, kinds, paths, strict=True):
        if not found:
            raise NotMountedError(_missing_bearing(mechanism, where, wheel, kind))
    own = {body_of(wheel) for wheel in wheels}
    common = [body for body in paths[0] if body in paths[1] and body not in own]
    carrier = _choose_carrier(where, gearing.carrier, common, paths, wheels)
    seats = [
        _wheel_bearings(mechanism, found[carrier], wheel, carrier, kind is Revolute)
        for wheel, found, kind in zip(wheels, paths, kinds, strict=True)
    ]
    return Mounting(carrier, (seats[0], seats[1]))


def _choose_carrier(
    where: str, given: str, common: list[str], paths: list[dict[str, Path]], wheels: tuple[str, str]
) -> str:
    """Choose the carrier among the bodies `common` on which both wheels have bearings.

    `given` is the user's name of the carrier, "" if none is given. `paths` maps, for each wheel, every body to the
    joints that connect the wheel to it; a body to which each wheel is connected by a single joint is preferred.
    """
    if given and given in common:
        return given
    names = " and ".join(f"'{body_of(wheel)}'" for wheel in wheels)
    direct = [body for body in common if all(len(path[body]) == 1 for path in paths)]
    if given or not common:
        what = f"'{given}' does not carry both {names}." if given else f"no body carries both {names}."
        remedy = "Connect both to one body, the carrier: a gear by a Revolute at its centre, a rack by a Prismatic."
        listed = " or ".join(f"'{body}'" for body in common)
        raise NotMountedError(Fault("G02", where, what, f"Write carrier={listed}." if listed else remedy))
    found = direct or common
    if len(found) > 1:
        listed = ", ".join(f"'{body}'" for body in found)
        raise NotMountedError(
            Fault("G03", where, f"{listed} all carry {names}.", f'Choose one: carrier="{found[0]}".')
        )
    return found[0]


def _missing_bearing(mechanism: Mechanism, where: str, wheel: str, kind: type[Joint]) -> Fault:
    """The error of a wheel without a bearing through its centre; its text names the joint whose axis is nearest."""
    if kind is Prismatic:
        remedy = "Connect it to the carrier by a Prismatic joint."
        return Fault("G01", where, f"'{body_of(wheel)}' has no Prismatic joint.", remedy)
    missed = {
        joint.name: _distance_from_axis(mechanism, end, wheel)
        for joint, end in _joints_at(mechanism, body_of(wheel), kind)
    }
    if not missed:
        remedy = "Connect it to the carrier by a Revolute joint through the centre of the wheel."
        return Fault("G01", where, f"'{body_of(wheel)}' has no bearing.", remedy)
    remedy = (
        "Put the marker on the axis of its bearing, or give the wheel a Revolute joint through the marker."
    )
    name = min(missed, key=lambda joint: missed[joint])
    return Fault("G01", where, f"'{wheel}' is {missed[name]:.6g} m off the axis of '{name}'.", remedy)


def _bearing_paths(mechanism: Mechanism, wheel: str, kind: type[Joint]) -> dict[str, Path]:
    """All bodies on which a wheel has bearings, each with the shortest sequence of joints from the wheel to it."""
    begin, found = body_of(wheel), dict[str, Path]()
    queue: deque[tuple[str, str, Path]] = deque([(begin, wheel, ())])
    while queue:
        body, marker, path = queue.popleft()
        for joint, end in _joints_at(mechanism, body, kind):
            far = joint.second if end == joint.first else joint.first
            beyond = body_of(far)
            if beyond == begin or beyond in found or joint.name in path:
                continue
            if kind is Revolute and not _coaxial(mechanism, marker, end, first=not path):
                continue
            found[beyond] = (*path, joint.name)
            if kind is Revolute:  # a rack has one prismatic joint, no chain of joints
                queue.append((beyond, far, found[beyond]))
    return found


def _joints_at(mechanism: Mechanism, body: str, kind: type[Joint]) -> Iterator[tuple[Joint, str]]:
    """Joints of one type at a body, each with its marker on this body.

    Joints with a drive, an actuator or a load come first, since these are joints of the spanning tree in any case.
    """
    taken = {motion.of for motion in mechanism.drives} | {actuator.joint for actuator in mechanism.actuators}
    taken |= {joint for load in mechanism.all_loads for joint in load.joints}
    for joint in sorted(mechanism.binary_joints, key=lambda joint: joint.name not in taken):
        if isinstance(joint, kind):
            yield from ((joint, end) for end in (joint.first, joint.second) if body_of(end) == body)


def _coaxial(mechanism: Mechanism, marker: str, bearing: str, first: bool) -> bool:
    """Whether two bearings of one body, at the markers `marker` and `bearing`, are coaxial.

    With `first`, the body is the wheel and `marker` its centre, not a bearing: then the result is whether the axis of
    `bearing` passes through this centre.
    """
    size = max(float(np.abs(_marker_values(mechanism, one)[1]).max()) for one in (marker, bearing))
    if _distance_from_axis(mechanism, bearing, marker) > TOLERANCE * max(size, 1e-3):
        return False
    z, other = (_marker_values(mechanism, one)[0][:, 2] for one in (marker, bearing))
    return first or float(np.linalg.norm(np.cross(z, other))) < TOLERANCE


def _distance_from_axis(mechanism: Mechanism, bearing: str, marker: str) -> float:
    """Distance (m) of a marker from the axis of a bearing on the same body."""
    (R, p), (_, point) = _marker_values(mechanism, bearing), _marker_values(mechanism, marker)
    return float(np.linalg.norm(np.cross(point - p, R[:, 2])))


def _marker_values(mechanism: Mechanism, reference: str) -> tuple[np.ndarray, np.ndarray]:
    pose = marker_pose(mechanism.marker(reference), nominal_value, mechanism.planar)
    return numeric(pose.R), numeric(pose.p).ravel()


def _wheel_bearings(mechanism: Mechanism, path: Path, wheel: str, carrier: str, turns: bool) -> WheelBearings:
    """The bearings of a wheel, each with the sign with which its joint angle adds to the angle of the wheel.

    `path` are the joints from the wheel to the carrier; `turns` is False for a rack, which slides.
    """
    frames, _ = _frames(mechanism, path, wheel, carrier, nominal_value)
    axes = [numeric(frame.R)[:, 2] for frame in reversed(frames)]
    body, senses = body_of(wheel), []
    for name, axis in zip(path, axes, strict=True):
        joint = mechanism.joint(name)
        outward = body_of(joint.second) == body
        body = body_of(joint.first if outward else joint.second)
        alike = not turns or float(axis @ axes[0]) > 0
        senses.append((name, 1 if outward == alike else -1))
    return WheelBearings(wheel, tuple(senses), turns)


def _frames(
    mechanism: Mechanism, path: Path, wheel: str, carrier: str, resolve: Resolve
) -> tuple[list[Pose], Pose]:
    """Poses of the bearings, from the carrier outwards, and pose of the wheel, in the carrier's frame at zero joint
    angles."""
    X, body, frames = IDENTITY, carrier, []

    def pose(reference: str) -> Pose:
        return marker_pose(mechanism.marker(reference), resolve, mechanism.planar)

    for name in reversed(path):
        joint = mechanism.joint(name)
        ends = joint.first, joint.second
        inner, outer = ends if body_of(joint.first) == body else ends[::-1]
        X, body = X @ pose(inner), body_of(outer)
        frames.append(X)
        X = X @ pose(outer).inverse()
    return frames, X @ pose(wheel)
