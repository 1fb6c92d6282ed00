"""Text of described numbers with their unit, plain or as expressions of parameters."""

from __future__ import annotations

from typing import Any

from multiloop.model.expressions import Expression
from multiloop.model.markers import value_of
from multiloop.model.messages.formatting import short_repr


def number_text(value: Any, unit: str = "") -> str:
    """A number with five digits and its unit; an expression at the described values of parameters."""
    number = value_of(value)
    if number is None:
        return f"{short_repr(value)}{unit}"
    return f"{number:.5g}{unit}" + (" by parameters" if isinstance(value, Expression) else "")


def percent_text(part: float) -> str:
    """A fraction in percent, with two digits: 0.57 %, 100 %."""
    share = 100 * part
    return f"{share:.0f} %" if share >= 99.5 else f"{share:.2g} %"


def product_text(values: Any) -> str:
    """Dimensions as a product: 0.9 × 0.02 × 0.01."""
    return " × ".join(map(number_text, values))
