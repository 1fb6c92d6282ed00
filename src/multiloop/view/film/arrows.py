"""Forces and torques that a film shows as arrows: their points of action and their vectors over time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.kinematics.chart import LENGTHS
from multiloop.model import (
    GROUND,
    Contact,
    Force,
    RollingContact,
    Rope,
    Skate,
    Spring,
    Torque,
    UnknownNameError,
    suggestion,
)
from multiloop.questions import Result
from multiloop.questions.answers.contact_history import ContactHistory
from multiloop.questions.answers.extremes import noise_floor
from multiloop.view.film.course import Course
from multiloop.view.film.timing import instants_of, straight_between
from multiloop.view.histories import efforts_of
from multiloop.view.pair_symbols import contact_of

KINDS = ("bearings", "efforts", "loads")
"""Kinds of arrows: joint forces, efforts of drives, loads of the description."""


@dataclass(frozen=True, eq=False)
class Arrow:
    """A force or a torque at n instants: its point of action `at`, n×3, and its vector, n×3.

    With `turning` it is a torque. The arrow of a `pushing` force ends at its point of action, others begin there. With
    `known` it is an effort given by the description, and not that of a motor.
    """

    name: str
    layer: str
    at: np.ndarray
    vector: np.ndarray
    turning: bool = False
    pushing: bool = False
    known: bool = False

    @property
    def largest(self) -> float:
        """Its largest magnitude in newtons or newton metres."""
        return float(np.linalg.norm(self.vector, axis=1).max(initial=0.0))


def arrows_of(result: Result, course: Course, wanted: Sequence[str]) -> list[Arrow]:
    """The arrows of the named kinds, joints and loads; arrows that are round-off are left out.

    A joint force is that on the second body, or on the first where the second is the ground.
    """
    check_wanted(result, wanted)
    floor = noise_floor(result)
    found = [*_bearings(result, course), *_efforts(result, course), *_loads(result, course)]
    return [
        arrow
        for arrow in found
        if (arrow.layer in wanted or arrow.name in wanted)
        and arrow.largest > floor["N m" if arrow.turning else "N"]
    ]


def check_wanted(result: Result, wanted: Sequence[str]) -> None:
    """Refuse a name that is neither a kind of arrow nor a joint or load."""
    known = [*KINDS, *result.joints, *result.loads]
    for name in wanted:
        if name not in known:
            raise UnknownNameError(
                result.mechanism.name, "kind of arrow, joint or load", name, suggestion(name, known)
            )


def driven_joints(result: Result, wanted: Sequence[str]) -> frozenset[str]:
    """The joints whose effort is shown as an arrow."""
    names = {history.joint for history in efforts_of(result)}
    return frozenset(name for name in names if "efforts" in wanted or name in wanted)


def _bearings(result: Result, course: Course) -> Iterator[Arrow]:
    for name, joint in result.joints.items():
        sign = -1.0 if joint.second.partition(".")[0] == GROUND else 1.0
        force = sign * _resampled(result, course, joint.force)
        yield Arrow(name, "bearings", _place(result, course, name), force)


def _place(result: Result, course: Course, name: str) -> np.ndarray:
    """The point of action of a joint force, n×3: the marker of the moving body, or the point of contact of a wheel."""
    joint, planar = result.mechanism.connection(name), result.mechanism.planar
    history = result.joints[name]
    if isinstance(history, ContactHistory):
        return _resampled(result, course, history.contact)
    if isinstance(joint, RollingContact | Skate):
        return np.array([contact_of(course.site(joint, k), planar) for k in range(len(course))])
    return course.path(joint.first if joint.second.partition(".")[0] == GROUND else joint.second)


def _efforts(result: Result, course: Course) -> Iterator[Arrow]:
    """Efforts as vectors, on the same body as the joint force."""
    known = {site.joint.name for site in course.first.sites if site.given}
    for name in dict.fromkeys(history.joint for history in efforts_of(result)):
        joint = result.joints[name]
        sign = -1.0 if joint.second.partition(".")[0] == GROUND else 1.0
        at, (force, moment) = _place(result, course, name), _effort_vectors(result, course, name)
        yield Arrow(name, "efforts", at, sign * force, known=name in known)
        yield Arrow(name, "efforts", at, sign * moment, turning=True, known=name in known)


def _effort_vectors(result: Result, course: Course, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment of an effort, n×3; for a joint with several coordinates including those of couplings."""
    history, joint, planar = result.joints[name], result.mechanism.connection(name), result.mechanism.planar
    parts = joint.components(planar)
    if len(parts) > 1:
        force, moment = (_resampled(result, course, v) for v in (history.effort_force, history.effort_moment))
        return force, moment
    along = _resampled(result, course, history.effort)[:, 2:] * course.axes(joint)
    none = np.zeros_like(along)
    return (along, none) if parts[0] in LENGTHS else (none, along)


def _loads(result: Result, course: Course) -> Iterator[Arrow]:
    for load in result.mechanism.all_loads:
        kind = type(load).__name__
        if kind in LOADED:
            yield from LOADED[kind](result, course, load)


def _force(result: Result, course: Course, load: Force) -> Iterator[Arrow]:
    force = _resampled(result, course, result.loads[load.name].force)
    yield Arrow(load.name, "loads", course.path(load.at), force, pushing=True)


def _torque(result: Result, course: Course, load: Torque) -> Iterator[Arrow]:
    torque = _resampled(result, course, result.loads[load.name].torque)
    yield Arrow(load.name, "loads", course.path(f"{load.body}.com"), torque, turning=True)


def _spring(result: Result, course: Course, load: Spring | Rope) -> Iterator[Arrow]:
    """Forces at both ends; in tension they point towards each other."""
    force = _resampled(result, course, result.loads[load.name].force[:, None])[:, :1]
    a, b = course.path(load.first), course.path(load.second)
    way = (b - a) / np.maximum(np.linalg.norm(b - a, axis=1, keepdims=True), 1e-12)
    for reference, at, sign in ((load.first, a, 1.0), (load.second, b, -1.0)):
        if reference.partition(".")[0] != GROUND:
            yield Arrow(load.name, "loads", at, sign * force * way)


def _contact(result: Result, course: Course, load: Contact) -> Iterator[Arrow]:
    """Force of the plane on the point or ball."""
    force = _resampled(result, course, result.loads[load.name].force)
    yield Arrow(load.name, "loads", course.path(load.first), force, pushing=True)


def _resampled(result: Result, course: Course, values: np.ndarray) -> np.ndarray:
    """Vectors with three components at the instants of the film; a scalar is the z component."""
    times, order = instants_of(result)
    asked = times if np.array_equal(times, course.times) else course.times
    found = straight_between(times, values[order], asked)
    if found.ndim == 1:
        return np.column_stack([np.zeros((len(found), 2)), found])
    return np.column_stack([found, np.zeros((len(found), 3 - found.shape[1]))])


LOADED: dict[str, Callable[[Result, Course, Any], Iterator[Arrow]]] = {
    "Force": _force,
    "Torque": _torque,
    "Spring": _spring,
    "Rope": _spring,
    "Contact": _contact,
}
"""A new load is one function here; a load without one is not shown as an arrow."""
