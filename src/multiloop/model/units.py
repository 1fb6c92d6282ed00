"""Other units at the door: what a data sheet says in rpm, degrees and millimetres, in rad/s, rad and m."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np

from multiloop.model.brief import brief
from multiloop.model.expressions.expression import Expression, finite_number
from multiloop.model.faults import Fault, ModelError


def rpm(speed: Any) -> Any:
    """Revolutions per minute in rad/s: ω = 2π n / 60."""
    return _converted("rpm", speed, lambda x: x * (pi / 30))


def deg(angle: Any) -> Any:
    """Degrees in radians."""
    return _converted("deg", angle, lambda x: x * (pi / 180))


def mm(length: Any) -> Any:
    """Millimetres in metres: `mm(57)` is the number 0.057 itself, since it is divided and not multiplied."""
    return _converted("mm", length, lambda x: x / 1000)


def _converted(unit: str, value: Any, convert: Callable[[Any], Any]) -> Any:
    """A number, an expression or parameter, an array, or a tuple or list of these, each as it came."""
    if isinstance(value, Expression):
        return convert(value)
    if isinstance(value, tuple | list):
        return type(value)(_converted(unit, entry, convert) for entry in value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu" and np.isfinite(value).all():
        return convert(value)
    number = finite_number(value)
    if number is None:
        remedy = "Give a number, an expression, or several in a tuple, a list or an array."
        raise ModelError(f"`{unit}`", [Fault("M12", unit, f"is given {brief(value)}.", remedy)])
    return convert(number)
