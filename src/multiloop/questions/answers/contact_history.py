"""Time history of a contact: normal and tangential force, contact point and pressure angle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from multiloop.kinematics.contacts import Touching
from multiloop.model.names import counted
from multiloop.questions.answers.joint_history import JointHistory

STANDS = 1e-9
"""A point whose speed is below this part of its largest is at rest and has no direction of motion."""


def _nothing() -> np.ndarray:
    return np.zeros(0)


@dataclass(frozen=True, eq=False, repr=False)
class ContactHistory(JointHistory):
    """A pair with contact over time.

    `normal` is the force along the normal, on the second body away from the first: negative values mean separation.
    `tangential` is the rest of the force, in the plane along the normal turned by +90°, in space its magnitude.
    `contact` is the contact point; `radius_of_curvature` that of the first body there, negative where it is concave;
    `pressure_angle` is the angle between the normal and the velocity of the driven point, from 0 to π/2. While that
    point is at rest, the direction of its last motion is used.
    """

    normal: np.ndarray = field(default_factory=_nothing)
    tangential: np.ndarray = field(default_factory=_nothing)
    contact: np.ndarray = field(default_factory=_nothing)
    radius_of_curvature: np.ndarray = field(default_factory=_nothing)
    pressure_angle: np.ndarray = field(default_factory=_nothing)
    two_sided: bool = False
    limit: float | None = None

    def __repr__(self) -> str:
        low, high = float(self.normal.min()), float(self.normal.max())
        steepest = float(np.degrees(self.pressure_angle.max()))
        return (
            f"Contact '{self.name}' over {counted(len(self.force), 'instant')}: normal force {low:.6g} to "
            f"{high:.6g} N, pressure angle up to {steepest:.3g}°."
        )


def contact_history(history: JointHistory, at: Touching) -> ContactHistory:
    """The history of a pair with the quantities of its contact."""
    d = history.force.shape[1]
    n = at.normal[:, :d]
    normal = np.einsum("ti,ti->t", history.force, n)
    rest = history.force - normal[:, None] * n
    along = rest[:, 1] * n[:, 0] - rest[:, 0] * n[:, 1] if d == 2 else np.linalg.norm(rest, axis=1)
    own: dict[str, Any] = {entry.name: getattr(history, entry.name) for entry in fields(history)}
    return ContactHistory(
        **own,
        normal=normal,
        tangential=along,
        contact=at.point[:, :d],
        radius_of_curvature=at.radius,
        pressure_angle=_angle_between(at.normal, at.velocity),
        two_sided=at.two_sided,
        limit=at.limit,
    )


def _angle_between(normal: np.ndarray, velocity: np.ndarray) -> np.ndarray:
    """The angle between normal and velocity; at rest, the last velocity is used."""
    speed = np.linalg.norm(velocity, axis=1)
    moves = np.flatnonzero(speed > STANDS * speed.max(initial=0.0))
    if not len(moves):
        return np.zeros(len(speed))
    last = moves[np.maximum(np.searchsorted(moves, np.arange(len(speed)), side="right") - 1, 0)]
    way = velocity[last] / speed[last, None]
    along = np.abs(np.einsum("ti,ti->t", normal, way))
    across = np.linalg.norm(np.cross(normal, way), axis=1)
    angle: np.ndarray = np.arctan2(across, along)
    return angle


def contact_doubts(joints: Mapping[str, JointHistory], time: np.ndarray) -> Iterator[tuple[str, str]]:
    """Warnings about contacts: the beginning of each text, and the whole text."""
    yield from _parted(joints, time)
    for name, one in joints.items():
        if isinstance(one, ContactHistory) and one.limit is not None:
            k = int(np.argmax(one.pressure_angle))
            if one.pressure_angle[k] > one.limit:
                begun = f"the pressure angle of '{name}'"
                angle, limit = np.degrees(one.pressure_angle[k]), np.degrees(one.limit)
                yield begun, f"{begun} is {angle:.3g}° at t = {time[k]:.6g} s, its limit {limit:.3g}°"


def _parted(joints: Mapping[str, JointHistory], time: np.ndarray) -> Iterator[tuple[str, str]]:
    """Warnings for contacts that would separate."""
    for name, one in joints.items():
        if not isinstance(one, ContactHistory) or one.two_sided:
            continue
        lost = np.flatnonzero(one.normal < -one.least)
        if len(lost):
            k = int(lost[0])
            when = f"at t = {time[0]:.6g} s"
            if k:  # an event on ml.normal(name) locates the zero between two instants
                when = f"between t = {time[k - 1]:.6g} s and {time[k]:.6g} s"
            begun = f"'{name}' loses contact"
            yield begun, f"{begun} {when}, where its normal force falls below zero"
