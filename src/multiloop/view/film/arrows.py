"""Which forces and torques are shown as arrows, where do they act, and how long are they on the page?"""

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
"""What arrows may stand for: forces in the joints, efforts of the drives, loads of the description."""


@dataclass(frozen=True, eq=False)
class Arrow:
    """A force or a torque at n instants: where it acts, n×3, and what it is there, n×3.

    `turning` tells a torque from a force; a force that is `pushing` ends where it acts, others begin there. An effort
    that is `known` is no motor's: the description gives it.
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
        """Its largest size in newtons or newton metres."""
        return float(np.linalg.norm(self.vector, axis=1).max(initial=0.0))


def arrows_of(result: Result, course: Course, wanted: Sequence[str]) -> list[Arrow]:
    """The arrows of all kinds, joints and loads that are named; what is nothing but round-off is left out.

    A force in a joint is that on its second body, on the first where the second is the ground: on what moves.
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
    """Refuse a word that is neither a kind of arrow nor a joint or load."""
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
    """Where the force in a joint acts, n×3: at the marker of the body that moves, or where a wheel touches its road."""
    joint, planar = result.mechanism.connection(name), result.mechanism.planar
    history = result.joints[name]
    if isinstance(history, ContactHistory):
        return _resampled(result, course, history.contact)
    if isinstance(joint, RollingContact | Skate):
        return np.array([contact_of(course.site(joint, k), planar) for k in range(len(course))])
    return course.path(joint.first if joint.second.partition(".")[0] == GROUND else joint.second)


def _efforts(result: Result, course: Course) -> Iterator[Arrow]:
    """Efforts as vectors, on the same body as the force in the joint."""
    known = {site.joint.name for site in course.first.sites if site.given}
    for name in dict.fromkeys(history.joint for history in efforts_of(result)):
        joint = result.joints[name]
        sign = -1.0 if joint.second.partition(".")[0] == GROUND else 1.0
        at, (force, moment) = _place(result, course, name), _effort_vectors(result, course, name)
        yield Arrow(name, "efforts", at, sign * force, known=name in known)
        yield Arrow(name, "efforts", at, sign * moment, turning=True, known=name in known)


def _effort_vectors(result: Result, course: Course, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment of an effort, n×3; of a joint with several coordinates what couplings exert is among them."""
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
    """What it exerts at both ends; in tension they are drawn together."""
    force = _resampled(result, course, result.loads[load.name].force[:, None])[:, :1]
    a, b = course.path(load.first), course.path(load.second)
    way = (b - a) / np.maximum(np.linalg.norm(b - a, axis=1, keepdims=True), 1e-12)
    for reference, at, sign in ((load.first, a, 1.0), (load.second, b, -1.0)):
        if reference.partition(".")[0] != GROUND:
            yield Arrow(load.name, "loads", at, sign * force * way)


def _contact(result: Result, course: Course, load: Contact) -> Iterator[Arrow]:
    """What the plane exerts on the point or ball."""
    force = _resampled(result, course, result.loads[load.name].force)
    yield Arrow(load.name, "loads", course.path(load.first), force, pushing=True)


def _resampled(result: Result, course: Course, values: np.ndarray) -> np.ndarray:
    """Vectors with three components at the instants of the film; a number is about z."""
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
"""A new kind of load is one function here; one without is not shown as an arrow."""
