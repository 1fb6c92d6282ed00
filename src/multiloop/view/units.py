"""Units of the axes of a plot: the requested ones, or SI units with prefix kilo for large values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from multiloop.model import Mechanism, UnknownNameError, suggestion
from multiloop.model.brief import brief
from multiloop.model.unit_table import UNITS, display_unit, find_unit, known_units
from multiloop.view.refusals import refused

UNKNOWN = "is not known."
"""Message for an unknown name that does not depend on the mechanism."""


@dataclass(frozen=True)
class Units:
    """The requested units, by quantity."""

    asked: Mapping[str, str] = field(default_factory=dict)

    def scale(self, quantity: str, largest: float = 0.0) -> tuple[float, str]:
        """The factor from SI and the unit; by default with prefix kilo for large values, and mm for small lengths."""
        unit = self.asked.get(quantity) or display_unit(quantity, largest)
        return 1 / UNITS[quantity][unit], unit


def units_of(mechanism: Mechanism, asked: Any) -> Units:
    """Units from one name, several names, or names by quantity; the quantity follows from the unit."""
    if asked is None:
        return Units()
    found: dict[str, str] = {}
    wishes: Iterable[tuple[Any, Any]]
    wishes = asked.items() if isinstance(asked, Mapping) else [(None, one) for one in _listed(asked)]
    for quantity, wish in wishes:
        measures, unit = _known(mechanism, wish)
        if quantity is not None and quantity not in UNITS:
            raise UnknownNameError(
                mechanism.name, "quantity", str(quantity), suggestion(quantity, UNITS), UNKNOWN
            )
        if quantity is not None and quantity != measures:
            what = f"is asked in {wish}, which is a unit of {measures}."
            raise refused(mechanism, "V01", f"units '{quantity}'", what, _choices(quantity))
        if measures in found and found[measures] != unit:
            what = f"are asked in {found[measures]} and in {unit}."
            raise refused(mechanism, "V01", f"units of {measures}", what, "Choose one of them.")
        found[measures] = unit
    return Units(found)


def require_fit(mechanism: Mechanism, units: Units, axes: Iterable[str], possible: Iterable[str]) -> None:
    """Refuse a unit that no axis uses; `axes` are the quantities of the plot, `possible` those that it might have."""
    there, known = list(dict.fromkeys(axes)), set(possible)
    for quantity, unit in units.asked.items():
        if quantity not in known.union(there):
            counts = ", ".join(f"{one} ({', '.join(UNITS[one])})" for one in there)
            what = f"it is a unit of {quantity}, and no axis counts that."
            raise refused(mechanism, "V01", f"unit '{unit}'", what, f"The axes are of: {counts}.")


def _listed(asked: Any) -> list[Any]:
    return [asked] if isinstance(asked, str) or not isinstance(asked, Iterable) else list(asked)


def _known(mechanism: Mechanism, wish: Any) -> tuple[str, str]:
    """The quantity and the standard spelling of a unit; variants of spaces, dots and powers are accepted."""
    if not isinstance(wish, str):
        remedy = 'Give names of units, such as units=["kN", "rpm"].'
        raise refused(mechanism, "V01", "units", f"hold {brief(wish)}.", remedy)
    found = find_unit(wish)
    if found is None:
        names = list(dict.fromkeys(unit for _, unit in known_units().values()))
        raise UnknownNameError(mechanism.name, "unit", wish, suggestion(wish, names), UNKNOWN)
    return found


def _choices(quantity: str) -> str:
    return f"Ask one of: {', '.join(UNITS[quantity])}."
