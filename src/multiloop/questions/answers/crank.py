"""The crank of a machine: the first revolute joint that a drive turns, whose angle identifies instants of a cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from multiloop.model import Mechanism

if TYPE_CHECKING:
    from multiloop.questions.answers.result import Result


def crank_of(mechanism: Mechanism) -> str:
    """The first driven joint whose single coordinate is an angle; empty if there is none."""
    turning = (
        motion.of
        for motion in mechanism.drives
        if not motion.on_marker and mechanism.joint(motion.of).turning(mechanism.planar) == (True,)
    )
    return next(turning, "")


def crank_angle(result: Result) -> np.ndarray:
    """The crank angle over time, 0 if there is no crank."""
    crank = crank_of(result.mechanism)
    angle: np.ndarray = result[crank].position if crank else np.zeros(len(result.time))
    return angle
