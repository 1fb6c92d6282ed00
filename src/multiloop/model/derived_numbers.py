"""Derived numbers of a body, such as the mass of a beam: a file may contain them if they agree with other fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import zip_longest
from typing import Any

from pydantic import TypeAdapter, ValidationError

from multiloop.model.bodies import WEIGHT, Body
from multiloop.model.brief import brief
from multiloop.model.faults import Fault
from multiloop.model.markers import value_of
from multiloop.model.names import shown

SAME = 1e-6
"""Relative difference up to which a number in a file agrees with the derived one."""

NOT_SHOWN = ("inertia_at",)
"""Fields that have no meaning without another."""

UNITS = {"mass": " kg", "length": " m"}


def unread_fields(kind: type) -> set[str]:
    """Fields of a class that are computed and not read."""
    return {entry.name for entry in fields(kind) if not entry.init}


def derived_faults(body: Any, given: Mapping[str, Any]) -> Iterator[Fault]:
    """The fault of the first field in a file that contradicts the value derived from the other fields."""
    known = body.derived if isinstance(body, Body) else ()
    if not value_of(getattr(body, "mass", 0.0)):
        return  # the mass could not be derived; the checks report why
    held = [name for name in known if name in given and name not in NOT_SHOWN]
    for name in held:
        follows, said = getattr(body, name), _read(name, given[name])
        if not _agree(said, follows):
            unit, (code, source) = UNITS.get(name, ""), body.derived_from
            what = f"its {name} is {_shown(said)}{unit}, and by {source} it is {_shown(follows)}{unit}."
            others = [one for one in known if one in given]
            listed, follow = (
                ", ".join(f"`{one}`" for one in others),
                "it follows" if len(others) == 1 else "they follow",
            )
            remedy = f"Leave {listed} out: {follow} from these."
            yield Fault(code, f"body '{body.name}'", what, remedy, (name,))
            return


def _read(name: str, value: Any) -> Any:
    """A value of a file, converted as the field of a body is."""
    if name not in WEIGHT:
        return value
    try:
        return getattr(TypeAdapter(Body).validate_python({"name": "", name: value}), name)
    except ValidationError:
        return value


def _agree(one: Any, other: Any) -> bool:
    """Whether two numbers, vectors or tensors agree; a missing trailing component is zero."""
    if isinstance(one, str) and isinstance(other, str):
        return one == other
    some, others = list(_numbers(one)), list(_numbers(other))
    largest = max((abs(number) for number in others if number is not None), default=0.0)
    return all(
        a is not None and b is not None and abs(a - b) <= SAME * largest
        for a, b in zip_longest(some, others, fillvalue=0.0)
    )


def _numbers(value: Any) -> Iterator[float | None]:
    """All numbers of a scalar, a vector or a tensor."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from _numbers(part)
    else:
        yield value_of(value)


def _shown(value: Any) -> str:
    numbers = list(_numbers(value))
    known = [number for number in numbers if number is not None]
    return shown(known, 5) if known and len(known) == len(numbers) else brief(value)
