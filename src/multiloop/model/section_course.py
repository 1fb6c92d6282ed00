"""Section properties of a tapered beam along its length, as polynomials in ξ = x/L.

Sections with known outer dimensions are linear in these dimensions, those of a hole included:

    A = α (y z − y' z'),   Iz = β (y³ z − y'³ z'),   Iy = γ (y z³ − y' z'³),   J = δ (y² z² − y'² z'²)

This is exact for rectangles and for round bars and tubes, whose factors α, β, γ (and of round ones δ) are the same at
both ends; where the factors differ, they vary linearly. Sections given by areas and second moments alone are linear in
these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from multiloop.model.expressions import Expression, Scalar
from multiloop.model.markers import value_of
from multiloop.model.sections import Section

Polynomial = tuple[Any, ...]
"""Coefficients of 1, ξ, ξ², …"""

POWERS = {"A": (1, 1), "Iz": (3, 1), "Iy": (1, 3), "J": (2, 2)}
"""Powers of the half-dimensions y and z in each property."""

SMALLEST = 1e-70
"""Metres below which powers of a dimension underflow to zero."""

SAME = 1e-12
"""Relative difference below which two factors are equal."""


def section_course(at_a: Section, at_b: Section | None = None) -> dict[str, Polynomial]:
    """A, Iz, Iy, J, the shear area As = κ A, and the outer fibre distances y and z, as polynomials in ξ."""
    if at_b is None or at_b == at_a:
        found: dict[str, Polynomial] = {name: (getattr(at_a, name),) for name in (*POWERS, "y", "z")}
        return found | {"As": (at_a.shear_factor * at_a.A,)}
    if all(_has_dimensions(end) for end in (at_a, at_b)):
        found = {name: _by_dimensions(name, at_a, at_b) for name in POWERS}
    else:
        found = {name: _between(getattr(at_a, name), getattr(at_b, name)) for name in POWERS}
    found |= {name: _between(getattr(at_a, name), getattr(at_b, name)) for name in ("y", "z")}
    return found | {"As": _times(_between(at_a.shear_factor, at_b.shear_factor), found["A"])}


def _has_dimensions(section: Section) -> bool:
    """Whether the outer dimensions of a section are known and larger than those of its hole."""
    halves = [value_of(half) or 0.0 for half in (section.y, section.z)]
    hole = [value_of(half) or 0.0 for half in section.hole]
    return all(half > max(inner, SMALLEST) and inner >= 0 for half, inner in zip(halves, hole, strict=True))


def _by_dimensions(name: str, at_a: Section, at_b: Section) -> Polynomial:
    """One property along a beam whose dimensions vary linearly."""
    along_y, along_z = POWERS[name]

    def product(section: Section) -> Scalar:
        whole, *hole = (
            _power(y, along_y) * _power(z, along_z) for y, z in ((section.y, section.z), section.hole)
        )
        return whole - hole[0] if any(value_of(half) for half in section.hole) else whole

    def course(y: Polynomial, z: Polynomial) -> Polynomial:
        return _times(*(y,) * along_y, *(z,) * along_z)

    factor = _between(getattr(at_a, name) / product(at_a), getattr(at_b, name) / product(at_b))
    whole = course(_between(at_a.y, at_b.y), _between(at_a.z, at_b.z))
    if any(value_of(half) for half in (*at_a.hole, *at_b.hole)):
        hole = course(*(_between(one, other) for one, other in zip(at_a.hole, at_b.hole, strict=True)))
        whole = _sum(whole, tuple(-1.0 * c for c in hole))
    return _times(factor, whole)


def _power(base: Scalar, exponent: int) -> Scalar:
    return base if exponent == 1 else base**exponent


def _between(one: Scalar, other: Scalar) -> Polynomial:
    """The linear polynomial from one end to the other; a constant if both ends are equal."""
    if one == other:
        return (one,)
    numbers = [float(end) for end in (one, other) if not isinstance(end, Expression)]
    if len(numbers) == 2 and np.ptp(numbers) <= SAME * np.abs(numbers).max():
        return (one,)
    return (one, other - one)


def _times(*factors: Polynomial) -> Polynomial:
    found = factors[0]
    for factor in factors[1:]:
        size = len(found) + len(factor) - 1
        found = tuple(
            _added([found[i] * factor[k - i] for i in range(len(found)) if 0 <= k - i < len(factor)])
            for k in range(size)
        )
    return found


def _sum(one: Polynomial, other: Polynomial) -> Polynomial:
    size = max(len(one), len(other))
    return tuple(_added([p[k] for p in (one, other) if k < len(p)]) for k in range(size))


def _added(terms: Sequence[Scalar]) -> Scalar:
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total
