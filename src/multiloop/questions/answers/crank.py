"""The crank of a machine: the first joint that a drive turns, by whose angle designers read a cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from multiloop.model import Mechanism

if TYPE_CHECKING:
    from multiloop.questions.answers.result import Result


def crank_of(mechanism: Mechanism) -> str:
    """The first driven joint whose one coordinate is an angle; no name where there is none."""
    turning = (
        motion.of
        for motion in mechanism.drives
        if not motion.on_marker and mechanism.joint(motion.of).turning(mechanism.planar) == (True,)
    )
    return next(turning, "")


def crank_angle(result: Result) -> np.ndarray:
    """Its angle over time, 0 where there is none."""
    crank = crank_of(result.mechanism)
    angle: np.ndarray = result[crank].position if crank else np.zeros(len(result.time))
    return angle
