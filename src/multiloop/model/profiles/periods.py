"""Period of a drive."""

from __future__ import annotations

from multiloop.model.expressions import Scalar, depends_on_state
from multiloop.model.expressions.periods import common_period, course_of


def period_of(profile: Scalar, turn: float) -> float | None:
    """The time after which a drive has the same value again, up to whole turns; None if it is not periodic.

    For a constant speed it is |turn / speed|. With sines, cosines and periodic tables it is the common period of all.

    Args:
        profile: an expression of time; parameters have their default values.
        turn: value of one full turn of the joint, 2π for an angle in rad; 0 for a displacement.
    """
    course = course_of(profile) if not depends_on_state(profile) else None
    if course is None or (course.speed and not turn):
        return None
    own = {abs(turn / course.speed)} if course.speed else set()
    return common_period(course.periods | own) or None
