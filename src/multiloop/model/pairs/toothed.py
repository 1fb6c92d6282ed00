"""Base class of gears with two toothed wheels: numbers of teeth or pitch radii, and the pressure angle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import pi
from typing import Any

from multiloop.model.brief import brief
from multiloop.model.expressions import Scalar
from multiloop.model.expressions.expression import is_number
from multiloop.model.expressions.text import number_text
from multiloop.model.faults import Fault, ModelError
from multiloop.model.markers import Vector, value_of
from multiloop.model.pairs.gearing import Gearing

WHOLE = "Give two whole numbers above zero, e.g. teeth=(20, 40)."


@dataclass(frozen=True)
class Toothed(Gearing):
    """Two toothed wheels, whose pitch radii follow from the ratio of the teeth, or of `radii`, and the centre distance.

    `teeth` alone are therefore sufficient: gears with profile shift roll on the pitch circles given by their centre
    distance. If `radii` are given and do not fit the centre distance, an error is reported.
    """

    teeth: tuple[int, ...] | None = field(default=None, kw_only=True)
    radii: Vector | None = field(default=None, kw_only=True)
    pressure_angle: Scalar = field(default=pi / 9, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "teeth", counted_teeth(self.teeth))

    @property
    def sizes(self) -> tuple[Any, Any]:
        """Numbers in the ratio of the pitch radii."""
        return two_numbers(self, self.teeth if self.teeth is not None else self.radii or (1, 1))

    @property
    def pushes_apart(self) -> bool:
        return value_of(self.pressure_angle) != 0.0

    @property
    def lengths(self) -> Mapping[str, Any]:
        pair = isinstance(self.radii, tuple) and len(self.radii) == 2
        return dict(zip(("first radius", "second radius"), self.radii or (), strict=True)) if pair else {}

    @property
    def angles(self) -> Mapping[str, tuple[Any, float, float]]:
        return {"pressure angle": (self.pressure_angle, 0.0, pi / 2)}

    def number_faults(self, where: str) -> Iterator[Fault]:
        """Errors unless either two numbers of teeth or two radii are given, all positive."""
        teeth, radii = self.teeth, self.radii
        if teeth is None and radii is None:
            remedy = "Give teeth=(20, 40), or the pitch radii, radii=(0.02, 0.04)."
            yield Fault("G04", where, "has no teeth.", remedy)
        elif teeth is not None and radii is not None:
            yield Fault("G04", where, "has teeth and radii.", "Give one of them; the other follows.")
        elif teeth is not None and not two_whole(teeth):
            yield Fault("G04", where, f"its teeth are {listed(teeth)}.", WHOLE)
        elif teeth is None and not self.lengths:
            remedy = "Give two pitch radii in metres, e.g. radii=(0.02, 0.04)."
            yield Fault("G04", where, f"its radii are {listed(radii)}.", remedy)


def two_numbers(gearing: Gearing, numbers: Any) -> tuple[Any, Any]:
    """The teeth or radii of both wheels; raises `ModelError` if there are not two."""
    if isinstance(numbers, tuple) and len(numbers) == 2:
        return numbers
    where = f"{gearing.called} '{gearing.name}'"
    raise ModelError(where, gearing.number_faults(where))


def counted_teeth(teeth: Any) -> Any:
    """Numbers of teeth as integers where they are integral; invalid values are left for the checks."""
    if isinstance(teeth, tuple) and all(isinstance(n, float) and n.is_integer() for n in teeth):
        return tuple(int(n) for n in teeth)
    return teeth


def two_whole(teeth: Any) -> bool:
    """Whether these are two positive integers."""
    return (
        isinstance(teeth, tuple)
        and len(teeth) == 2
        and all(is_number(n) and float(n).is_integer() and n > 0 for n in teeth)
    )


def listed(numbers: Any) -> str:
    """Numbers as text, in the notation of the user."""
    if not isinstance(numbers, tuple) or not all(is_number(n) for n in numbers):
        return brief(numbers)
    inside = ", ".join(number_text(float(n)) for n in numbers)
    return f"({inside}{',' * (len(numbers) == 1)})"
