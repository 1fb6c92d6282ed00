"""The abscissa of the plots of a result: time, or the coordinate of a joint."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from multiloop.model import UnknownNameError, suggestion
from multiloop.model.names import counted
from multiloop.questions import Result
from multiloop.view.histories import coordinates, positions_of
from multiloop.view.refusals import refused
from multiloop.view.units import Units

TIME = "time"

PARTS = (45.0, 90.0, 180.0)
"""Degrees between the marks of an angle, below a full turn."""

MARKS = 5
"""Most marks along a curve."""


@dataclass(frozen=True, eq=False)
class Abscissa:
    """Values in the unit of the axis, and the label of the axis (`words`)."""

    values: np.ndarray
    words: str
    unit: str
    quantity: str = TIME

    @property
    def degrees(self) -> bool:
        """Whether it is an angle in degrees, divided into parts of a turn."""
        return self.unit == "°"

    def marks(self) -> list[tuple[int, str]]:
        """Numbers of a few evenly spaced instants, with their values as text; the end of a whole turn is left out."""
        x = self.values
        low, high = float(x.min()), float(x.max())
        if high == low:
            return [(0, self._said(low))]
        if self.degrees:
            step = angle_step(high - low, MARKS)
        else:
            steps = (10.0 ** np.floor(np.log10(high - low))) * np.array([0.1, 0.2, 0.5, 1, 2, 5])
            step = next((s for s in steps if (high - low) / s < MARKS), steps[-1])
        wanted = np.arange(np.ceil(low / step - 1e-6), np.floor(high / step + 1e-6) + 1) * step
        if self.degrees and len(wanted) > 1 and abs(wanted[-1] - wanted[0]) % 360.0 < 1e-6:
            wanted = wanted[:-1]
        return [(int(np.abs(x - value).argmin()), self._said(float(value))) for value in wanted]

    def _said(self, value: float) -> str:
        return f"{value + 0.0:.6g}{'' if self.degrees else ' '}{self.unit}".replace("-", "−")


def angle_step(span: float, most: float) -> float:
    """Degrees between two marks such that there are fewer than `most`: parts of a turn, then 1, 2, 5, 10, … turns."""
    whole = (360.0 * count * 10.0**power for power in range(300) for count in (1, 2, 5))
    return next(step for step in chain(PARTS, whole) if span / step < most)


def abscissa_of(result: Result, over: str | None, units: Units) -> Abscissa:
    """Time or the joint `over`; by default the angle of a single revolute drive that turns one way, otherwise time."""
    joint = _turning(result) if over is None else None if over == TIME else over
    if joint is None:
        factor, unit = units.scale("time")
        return Abscissa(factor * result.time, f"time ({unit})", unit)
    if joint not in result.joints:
        known = [TIME, *result.joints]
        raise UnknownNameError(result.mechanism.name, "joint", str(joint), suggestion(joint, known))
    found = coordinates(result, joint)
    if len(found) != 1:
        what = f"has {counted(len(found), 'coordinate')}."
        remedy = 'Choose a joint with one, or over="time".'
        raise refused(result.mechanism, "V01", f"over '{joint}'", what, remedy)
    quantity = "length" if found[0].length else "angle"
    factor, unit = units.scale(quantity)
    words = "slide" if found[0].length else "angle"
    return Abscissa(factor * found[0].values, f"{words} of '{joint}' ({unit})", unit, quantity)


def _turning(result: Result) -> str | None:
    drives, planar = result.mechanism.drives, result.mechanism.planar
    if len(drives) == 1 and not drives[0].on_marker and not positions_of(result):
        joint = result.mechanism.joint(drives[0].of)
        steps = np.diff(result[joint.name].position, axis=0)
        if joint.turning(planar) == (True,) and steps.size and ((steps > 0).all() or (steps < 0).all()):
            return joint.name
    return None
