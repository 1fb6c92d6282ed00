"""After which time is a drive back where it was?"""

from __future__ import annotations

from multiloop.model.expressions import Scalar, depends_on_state
from multiloop.model.expressions.periods import common_period, course_of


def period_of(profile: Scalar, turn: float) -> float | None:
    """The time after which a drive is back where it was, or whole turns on; None when there is none.

    A steady drive needs |turn / speed|. One that swings besides, by sines, cosines and periodic tables, comes back
    when all of them do.

    Args:
        profile: an expression of time; parameters count at their own values.
        turn: what one turn of the joint measures, 2π for an angle in rad; 0 for a slide.
    """
    course = course_of(profile) if not depends_on_state(profile) else None
    if course is None or (course.speed and not turn):
        return None
    own = {abs(turn / course.speed)} if course.speed else set()
    return common_period(course.periods | own) or None
