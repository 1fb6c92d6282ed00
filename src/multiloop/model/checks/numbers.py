"""Checks of numbers: finite values, numbers of components, and expressions of parameters only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from multiloop.model.brief import brief
from multiloop.model.checks.names import usable_faults
from multiloop.model.expressions import Expression, depends_on_state, depends_on_time
from multiloop.model.expressions.expression import is_number
from multiloop.model.expressions.text import number_text, shown
from multiloop.model.faults import Fault
from multiloop.model.markers import LARGEST, finite_value_of, scalar, value_of
from multiloop.model.parameter_substitution import parameters_in

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

__all__ = ["gravity_faults", "parameter_faults", "scalar_faults", "value_of", "values_of"]


def values_of(vector: Any, length: int = 3) -> list[float] | None:
    """The values of a vector padded with zeros to `length`; None if one of them is unknown."""
    numbers = [number for number in map(value_of, vector) if number is not None]
    if len(numbers) < len(vector) or len(numbers) > length:
        return None
    return numbers + [0.0] * (length - len(numbers))


def scalar_faults(where: str, what: str, value: Any) -> Iterator[Fault]:
    """Errors of one value, which may be a number or an expression of parameters."""
    if isinstance(value, Expression):
        if depends_on_time(value) or depends_on_state(value):
            yield Fault(
                "M07",
                where,
                f"{what} is {shown(value)}, which changes as the mechanism moves.",
                "Geometry, inertia and gravity take numbers and parameters only.",
            )
        elif finite_value_of(value) is None:
            yield Fault(
                "M05",
                where,
                f"{what} is {shown(value)}, which has no finite value.",
                "Change the values of its parameters.",
            )
        else:
            yield from _size_faults(where, what, value)
    else:
        yield from number_faults(where, what, value, "a number or a Parameter")


def number_faults(where: str, what: str, value: Any, wanted: str) -> Iterator[Fault]:
    """Errors of one plain number; `wanted` describes the valid values."""
    if not is_number(value):
        yield Fault("M05", where, f"{what} is {brief(value)}, which is not a number.", f"Give {wanted}.")
    elif finite_value_of(value) is None:
        yield Fault("M05", where, f"{what} is {scalar(value)}.", "Give a finite number.")
    else:
        yield from _size_faults(where, what, value)


def _size_faults(where: str, what: str, value: Any) -> Iterator[Fault]:
    """Error of a number that is too large in any unit."""
    number = finite_value_of(value)
    if number is not None and abs(number) > LARGEST:
        said = f"{what} is {number:g}, too large to compute with."
        yield Fault("M05", where, said, "Give it in SI units: metres, kilograms, seconds.")


def gravity_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of gravity, which has two components in the plane and three in space."""
    expected = 2 if mechanism.planar else 3
    gravity = mechanism.gravity or ()
    faults = [
        fault
        for axis, component in zip("xyz", gravity, strict=False)
        for fault in scalar_faults("gravity", f"its {axis} component", component)
    ]
    yield from faults
    if len(gravity) != expected and not faults:
        yield Fault(
            "M06",
            "gravity",
            f"has {counted(len(gravity), 'component')} in a {space(mechanism)} mechanism.",
            f"Give {expected}.",
        )


def parameter_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of parameters with invalid names, or with several values for one name."""
    values: dict[str, set[float]] = {}
    for parameter in parameters_in(mechanism):
        values.setdefault(parameter.name, set()).add(parameter.value)
    for name, found in values.items():
        yield from usable_faults("parameter", name, forbidden="")
        if len(found) > 1:
            yield Fault(
                "M01",
                f"parameter '{name}'",
                f"stands with the values {' and '.join(map(number_text, sorted(found)))}.",
                "Make one Parameter and use it everywhere, or give them different names.",
            )


def counted(count: int, thing: str) -> str:
    """A number with its noun."""
    return f"{count} {thing}{'' if count == 1 else 's'}"


def one_of(names: Sequence[str]) -> str:
    """A choice among names as text."""
    return names[0] if len(names) == 1 else f"one of {', '.join(names)}"


def space(mechanism: Mechanism) -> str:
    """The adjective for the dimension of a mechanism, "planar" or "spatial"."""
    return "planar" if mechanism.planar else "spatial"
