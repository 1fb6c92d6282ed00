"""Elastic constants of two bodies in line contact, such as gear teeth or a cam and its follower, for Hertz pressures.

    1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂

E are Young's moduli and ν Poisson's ratios. Each is one number for both bodies, or a pair.

Source: [johnson], ch. 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from multiloop.model.faults import Fault, short_repr
from multiloop.model.markers import scalar, value_of

POISSON = 0.3
"""Poisson's ratio if none is given, that of steel."""


def as_elastic(value: Any) -> Any:
    """An elastic constant as a scalar, or as a tuple of scalars if a list or tuple is given."""
    return tuple(map(scalar, value)) if isinstance(value, list | tuple) else scalar(value)


def pair_of(value: Any) -> tuple[Any, Any]:
    """The values of an elastic constant for both bodies."""
    return value if isinstance(value, tuple) else (value, value)


def contact_modulus(E: tuple[Any, Any], nu: tuple[Any, Any]) -> Any:
    """The modulus E* of the contact of two bodies; numbers or symbols."""
    return 1 / sum((1 - n**2) / e for e, n in zip(E, nu, strict=True))


def elastic_faults(where: str, E: Any, nu: Any) -> Iterator[Fault]:
    """Errors of elastic constants: not one or two numbers, moduli that are not positive, Poisson's ratios outside of
    0 to 0.5."""
    for name, value, unit in (("E", E, " Pa"), ("nu", nu, "")):
        if isinstance(value, tuple) and len(value) != 2:
            remedy = f"Give one {name} for both bodies, or one for each."
            yield Fault("M12", where, f"its {name} is {short_repr(value)}.", remedy)
            continue
        for part in dict.fromkeys(pair_of(value)) if value is not None else ():
            number = value_of(part)
            if number is None or (number > 0 if name == "E" else 0 <= number <= 0.5):
                continue
            remedy = (
                "Give Young's modulus in Pa, above zero."
                if name == "E"
                else "Give a ratio between 0 and 0.5."
            )
            yield Fault("M13", where, f"its {name} is {number:g}{unit}.", remedy)
