"""Conversion of rpm, degrees and millimetres to rad/s, radians and metres."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np

from multiloop.model.expressions.expression import Expression, finite_number
from multiloop.model.faults import Fault, ModelError
from multiloop.model.message_formatting import short_repr


def rpm(speed: Any) -> Any:
    """Convert revolutions per minute to rad/s: ω = 2π n / 60."""
    return _convert("rpm", speed, lambda x: x * (pi / 30))


def deg(angle: Any) -> Any:
    """Convert degrees to radians."""
    return _convert("deg", angle, lambda x: x * (pi / 180))


def mm(length: Any) -> Any:
    """Convert millimetres to metres: `mm(57)` is exactly 0.057, since the code divides instead of multiplying."""
    return _convert("mm", length, lambda x: x / 1000)


def _convert(unit: str, value: Any, convert: Callable[[Any], Any]) -> Any:
    """The converted number, expression or array, or a tuple or list of these; the type is preserved."""
    if isinstance(value, Expression):
        return convert(value)
    if isinstance(value, tuple | list):
        return type(value)(_convert(unit, entry, convert) for entry in value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu" and np.isfinite(value).all():
        return convert(value)
    number = finite_number(value)
    if number is None:
        remedy = "Give a number, an expression, or several in a tuple, a list or an array."
        raise ModelError(f"`{unit}`", [Fault("M12", unit, f"got {short_repr(value)}.", remedy)])
    return convert(number)
