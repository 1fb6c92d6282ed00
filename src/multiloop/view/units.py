"""In which units do the axes of a picture count: those that were asked for, else SI with thousands as kilo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import pi
from typing import Any

from multiloop.model import Mechanism, UnknownNameError, suggestion
from multiloop.model.brief import brief
from multiloop.view.refusals import refused

LARGE = 20_000.0
"""From this number on an axis without a wish counts in thousands."""

SMALL = {"length": (0.02, "mm")}
"""Below this number in SI an axis without a wish counts in that unit."""

TURN = 2 * pi

UNKNOWN = "is not known."
"""Said of a word that means nothing here, whatever the mechanism."""

UNITS: dict[str, dict[str, float]] = {
    "time": {"s": 1.0, "ms": 1e-3, "min": 60.0},
    "angle": {"°": TURN / 360, "rad": 1.0, "rev": TURN},
    "length": {"m": 1.0, "cm": 1e-2, "mm": 1e-3},
    "angular speed": {"rad/s": 1.0, "°/s": TURN / 360, "rpm": TURN / 60, "rev/s": TURN},
    "speed": {"m/s": 1.0, "mm/s": 1e-3, "m/min": 1 / 60, "km/h": 1 / 3.6},
    "angular acceleration": {"rad/s²": 1.0, "°/s²": TURN / 360},
    "acceleration": {"m/s²": 1.0, "mm/s²": 1e-3},
    "force": {"N": 1.0, "kN": 1e3, "MN": 1e6, "mN": 1e-3},
    "moment": {"N·m": 1.0, "kN·m": 1e3, "N·mm": 1e-3, "N·cm": 1e-2},
    "stress": {"MPa": 1e6, "Pa": 1.0, "kPa": 1e3, "GPa": 1e9, "N/mm²": 1e6},
    "energy": {"J": 1.0, "kJ": 1e3, "mJ": 1e-3},
    "power": {"W": 1.0, "kW": 1e3, "mW": 1e-3},
}
"""By quantity, the size of each unit in SI; the first is the one that axes have where nobody asks."""

OTHER_WORDS = {"degrees": "°", "degree": "°", "deg": "°", "1/min": "rpm", "turns": "rev", "turn": "rev"}


@dataclass(frozen=True)
class Units:
    """The units that were asked for, by quantity."""

    asked: Mapping[str, str] = field(default_factory=dict)

    def scale(self, quantity: str, largest: float = 0.0) -> tuple[float, str]:
        """What to multiply SI with, and the unit then; where nothing is asked thousands, and mm of small lengths."""
        known = UNITS[quantity]
        unit = self.asked.get(quantity, next(iter(known)))
        if quantity not in self.asked and abs(largest) >= LARGE and f"k{unit}" in known:
            unit = f"k{unit}"
        if quantity not in self.asked and quantity in SMALL and 0.0 < abs(largest) < SMALL[quantity][0]:
            unit = SMALL[quantity][1]
        return 1 / known[unit], unit


def units_of(mechanism: Mechanism, asked: Any) -> Units:
    """Units from what was asked: one, several, or by quantity; a unit tells itself what it measures."""
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
    """Refuse a unit that fits no axis: `axes` are the quantities of the picture, `possible` those it might have."""
    there, known = list(dict.fromkeys(axes)), set(possible)
    for quantity, unit in units.asked.items():
        if quantity not in known.union(there):
            counts = ", ".join(f"{one} ({', '.join(UNITS[one])})" for one in there)
            what = f"it is a unit of {quantity}, and no axis counts that."
            raise refused(mechanism, "V01", f"unit '{unit}'", what, f"The axes are of: {counts}.")


def _listed(asked: Any) -> list[Any]:
    return [asked] if isinstance(asked, str) or not isinstance(asked, Iterable) else list(asked)


def _known(mechanism: Mechanism, wish: Any) -> tuple[str, str]:
    """What a unit measures, and how it is written; spaces, dots and powers may be written in any way."""
    if not isinstance(wish, str):
        remedy = 'Give names of units, such as units=["kN", "rpm"].'
        raise refused(mechanism, "V01", "units", f"hold {brief(wish)}.", remedy)
    known = {_spelled(unit): (quantity, unit) for quantity, units in UNITS.items() for unit in units}
    spelled = _spelled(wish)
    if spelled not in known:
        names = [unit for _, unit in known.values()]
        raise UnknownNameError(mechanism.name, "unit", wish, suggestion(wish, names), UNKNOWN)
    return known[spelled]


def _choices(quantity: str) -> str:
    return f"Ask one of: {', '.join(UNITS[quantity])}."


def _spelled(unit: str) -> str:
    for word, sign in OTHER_WORDS.items():
        unit = unit.replace(word, sign)
    for sign, plain in (("²", "2"), ("^", ""), ("·", ""), ("*", ""), (" ", "")):
        unit = unit.replace(sign, plain)
    return unit
