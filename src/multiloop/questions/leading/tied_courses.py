"""Speeds and periods of joints that relations and gears couple to driven joints."""

from __future__ import annotations

from dataclasses import replace
from math import tau
from typing import TYPE_CHECKING

import numpy as np

from multiloop.model import Relation
from multiloop.model.expressions import Position, depends_on_time, nodes_of
from multiloop.model.expressions.periods import STANDING, Course
from multiloop.model.expressions.text import shown

if TYPE_CHECKING:
    from multiloop.questions.leading.cycle import Cycle

Key = tuple[str, int]
"""A joint, and the index of one of its coordinates."""


def tie_joints(cycle: Cycle) -> None:
    """Add joints that couplings connect to joints of known speed: first one after another, then all remaining at
    once.
    """
    equations = ((one.name, one.equation_in(cycle.mechanism)) for one in cycle.mechanism.couplings)
    relations = [Relation(name, equation) for name, equation in equations if equation is not None]
    waiting = [one for one in relations if not one.holds_rates]
    while tied := next((one for one in waiting if len(_open_joints(cycle, one)) == 1), None):
        waiting.remove(tied)
        (key,) = _open_joints(cycle, tied)
        _add(cycle, key, _tied_course(cycle, tied, key), tied.name)
    for key, course in _tied_together(cycle, waiting).items():
        names = [one.name for one in waiting if key in _open_joints(cycle, one)]
        _add(cycle, key, course, names[0] if names else "")
    for relation in relations:
        if depends_on_time(relation.equation):
            going = cycle.course(relation.equation)
            cycle.add(f"the relation '{relation.name}'", going, 0.0, f": {shown(relation.equation)}")


def _add(cycle: Cycle, key: Key, course: Course | None, tie: str) -> None:
    """Add the speed and periods of a joint."""
    if course is not None:
        cycle.joints[key] = course
        if cycle.mechanism.joint(key[0]).turning(cycle.mechanism.planar)[key[1]]:
            cycle.add(f"joint '{key[0]}', tied by '{tie}',", course, tau)


def _open_joints(cycle: Cycle, relation: Relation) -> set[Key]:
    """Coordinates in a relation whose speed and periods are not known."""
    read = {
        (node.joint, node.component) for node in nodes_of(relation.equation) if isinstance(node, Position)
    }
    return read - set(cycle.joints)


def _course_with(cycle: Cycle, relation: Relation, speeds: dict[Key, float]) -> Course | None:
    """Speed and periods of a relation if unknown joints turned at given speeds."""
    known = {**cycle.joints, **{key: Course(speed) for key, speed in speeds.items()}}
    return replace(cycle, joints=known, periods=[], cycles=[]).course(relation.equation)


def _tied_course(cycle: Cycle, relation: Relation, key: Key) -> Course | None:
    """Speed and periods of the last unknown coordinate of a relation that is linear in it, so that the equation
    holds.
    """
    still, turning = (_course_with(cycle, relation, {key: speed}) for speed in (0.0, 1.0))
    if still is None or turning is None:
        return None
    slope = turning.speed - still.speed
    return Course(-still.speed / slope, turning.periods) if slope else None


def _tied_together(cycle: Cycle, waiting: list[Relation]) -> dict[Key, Course]:
    """Speeds and periods of several coordinates that are coupled by as many equations, as in a planetary gear train."""
    keys = sorted({key for one in waiting for key in _open_joints(cycle, one)})
    rest = dict.fromkeys(keys, 0.0)
    slopes, still, periods = [], [], STANDING.periods
    for one in waiting:
        courses = [_course_with(cycle, one, rest | {key: 1.0}) for key in keys]
        begin = _course_with(cycle, one, rest)
        if begin is not None and all(courses):
            slopes.append([course.speed - begin.speed for course in courses if course])
            still.append(begin.speed)
            periods = periods | begin.periods
    if not keys or not slopes or np.linalg.matrix_rank(slopes) < len(keys):
        return {}
    speeds = np.linalg.lstsq(np.array(slopes), -np.array(still), rcond=None)[0]
    return {key: Course(float(speed), periods) for key, speed in zip(keys, speeds, strict=True)}
