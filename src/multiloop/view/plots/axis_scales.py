"""Units of the axes of a plot, and the values on its horizontal axis: time or a joint coordinate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from multiloop.analyses import Result
from multiloop.model import Mechanism, UnknownNameError, count_text, short_repr, suggestion
from multiloop.model.expressions.units import UNITS, display_unit, find_unit, known_units
from multiloop.view.figure import drawing_error
from multiloop.view.plots.joint_histories import coordinate_histories, free_positions

UNKNOWN = "is not known."
"""End of the error message for an unknown unit, quantity or panel; its beginning is the name that the user gave."""


@dataclass(frozen=True)
class Units:
    """The units that the user requests, by quantity; other quantities have default units."""

    asked: Mapping[str, str] = field(default_factory=dict)

    def scale(self, quantity: str, largest: float = 0.0) -> tuple[float, str]:
        """The factor from the SI unit to the unit of a quantity, and the name of this unit.

        Without a request, the unit has the prefix kilo for large values, and is mm for small lengths; `largest` is the
        largest value in SI units. A quantity that is the name of a unit has this unit only.
        """
        if quantity not in UNITS:
            return 1.0, quantity
        unit = self.asked.get(quantity) or display_unit(quantity, largest)
        return 1 / UNITS[quantity][unit], unit


def units_of(mechanism: Mechanism, requested: Any) -> Units:
    """Requested units from one name, several names, or a mapping from quantities to names; raises an error if
    invalid."""
    if requested is None:
        return Units()
    found: dict[str, str] = {}
    wishes: Iterable[tuple[Any, Any]]
    wishes = (
        requested.items() if isinstance(requested, Mapping) else [(None, one) for one in _listed(requested)]
    )
    for quantity, wish in wishes:
        measures, unit = _find_unit(mechanism, wish)
        if quantity is not None and quantity not in UNITS:
            raise UnknownNameError(
                mechanism.name, "quantity", str(quantity), suggestion(quantity, UNITS), UNKNOWN
            )
        if quantity is not None and quantity != measures:
            what = f"are given in {wish}, which is a unit of {measures}."
            raise drawing_error(mechanism, "V01", f"units '{quantity}'", what, _choices(quantity))
        if measures in found and found[measures] != unit:
            what = f"are given in both {found[measures]} and {unit}."
            raise drawing_error(mechanism, "V01", f"units of {measures}", what, "Choose one of them.")
        found[measures] = unit
    return Units(found)


def require_units_used(
    mechanism: Mechanism, units: Units, axes: Iterable[str], omitted: Iterable[str]
) -> None:
    """Raise an error for a requested unit that no axis uses.

    `axes` are the quantities on the axes of the plot. `omitted` are quantities whose axes are not drawn for this
    result, because their values are round-off or the result has a single instant; their units raise no error.
    """
    there, known = list(dict.fromkeys(axes)), set(omitted)
    for quantity, unit in units.asked.items():
        if quantity not in known.union(there):
            counts = ", ".join(f"{one} ({', '.join(UNITS[one])})" for one in there)
            what = f"is a unit of {quantity}, which is on no axis of the plot."
            raise drawing_error(
                mechanism,
                "V01",
                f"unit '{unit}'",
                what,
                f"Give units of the quantities on the axes: {counts}.",
            )


def _listed(asked: Any) -> list[Any]:
    return [asked] if isinstance(asked, str) or not isinstance(asked, Iterable) else list(asked)


def _find_unit(mechanism: Mechanism, wish: Any) -> tuple[str, str]:
    """Quantity and standard spelling of a unit: ("moment", "N·m") for the `wish` "N m"."""
    if not isinstance(wish, str):
        remedy = 'Give names of units, such as units=["kN", "rpm"].'
        raise drawing_error(mechanism, "V01", "units", f"contain {short_repr(wish)}.", remedy)
    found = find_unit(wish)
    if found is None:
        names = list(dict.fromkeys(unit for _, unit in known_units().values()))
        raise UnknownNameError(mechanism.name, "unit", wish, suggestion(wish, names), UNKNOWN)
    return found


def _choices(quantity: str) -> str:
    return f"Use one of: {', '.join(UNITS[quantity])}."


TIME = "time"

PARTS = (45.0, 90.0, 180.0)
"""Intervals in degrees between neighbouring marks along a curve or axis of an angle, in the order in which they are
tried; intervals of whole turns are tried after these."""

MARKS = 5
"""Largest number of marks along a curve."""


@dataclass(frozen=True, eq=False)
class Abscissa:
    """Horizontal axis of a plot: values in the unit of the axis, label, unit and quantity."""

    values: np.ndarray
    label: str
    unit: str
    quantity: str = TIME

    @property
    def degrees(self) -> bool:
        """Whether the axis is an angle in degrees, with ticks at parts of a turn."""
        return self.unit == "°"

    def marks(self) -> list[tuple[int, str]]:
        """Indices of instants at a few evenly spaced values of the axis, with the values as text.

        If the values span whole turns, the end is omitted, because it coincides with the start.
        """
        x = self.values
        low, high = float(x.min()), float(x.max())
        if high == low:
            return [(0, self._format(low))]
        if self.degrees:
            step = angle_step(high - low, MARKS)
        else:
            steps = (10.0 ** np.floor(np.log10(high - low))) * np.array([0.1, 0.2, 0.5, 1, 2, 5])
            step = next((s for s in steps if (high - low) / s < MARKS), steps[-1])
        wanted = np.arange(np.ceil(low / step - 1e-6), np.floor(high / step + 1e-6) + 1) * step
        if self.degrees and len(wanted) > 1 and abs(wanted[-1] - wanted[0]) % 360.0 < 1e-6:
            wanted = wanted[:-1]
        return [(int(np.abs(x - value).argmin()), self._format(float(value))) for value in wanted]

    def _format(self, value: float) -> str:
        return f"{value + 0.0:.6g}{'' if self.degrees else ' '}{self.unit}".replace("-", "−")


def angle_step(span: float, most: float) -> float:
    """Smallest interval in degrees between two marks for which there are fewer than `most` intervals in `span` degrees.

    The intervals 45°, 90° and 180° are tried first, then 1, 2, 5, 10, … turns.
    """
    whole = (360.0 * count * 10.0**power for power in range(300) for count in (1, 2, 5))
    return next(step for step in chain(PARTS, whole) if span / step < most)


def abscissa_of(result: Result, over: str | None, units: Units) -> Abscissa:
    """Horizontal axis of a plot: time, or the coordinate of the joint `over`.

    By default it is the angle of the only drive, if that rotates in one direction and determines the motion, otherwise
    time.
    """
    joint = _turning_drive(result) if over is None else None if over == TIME else over
    if joint is None:
        factor, unit = units.scale("time")
        return Abscissa(factor * result.time, f"time ({unit})", unit)
    if joint not in result.joints:
        known = [TIME, *result.joints]
        raise UnknownNameError(result.mechanism.name, "joint", str(joint), suggestion(joint, known))
    found = coordinate_histories(result, joint)
    if len(found) != 1:
        what = f"has {count_text(len(found), 'coordinate')}."
        remedy = 'Choose a joint with one coordinate, or over="time".'
        raise drawing_error(result.mechanism, "V01", f"over '{joint}'", what, remedy)
    quantity = "length" if found[0].length else "angle"
    factor, unit = units.scale(quantity)
    words = "slide" if found[0].length else "angle"
    return Abscissa(factor * found[0].values, f"{words} of '{joint}' ({unit})", unit, quantity)


def _turning_drive(result: Result) -> str | None:
    drives, planar = result.mechanism.drives, result.mechanism.planar
    if len(drives) == 1 and not drives[0].on_marker and not free_positions(result):
        joint = result.mechanism.joint(drives[0].of)
        steps = np.diff(result[joint.name].position, axis=0)
        if joint.turning(planar) == (True,) and steps.size and ((steps > 0).all() or (steps < 0).all()):
            return joint.name
    return None
