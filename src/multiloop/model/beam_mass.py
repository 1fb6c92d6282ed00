"""Mass, mass centre and inertia of a beam: integrals over its line, and its point masses.

    m = ρ L ∫ A dξ + Σ m_k,    ∫ r dm,    S = ∫ r rᵀ dm,    I = tr S − S      about the body's origin

The rotary inertia of the sections is included. Numbers may be expressions; the points of the line are numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.model.expressions import Scalar
from multiloop.model.section_course import Polynomial

Points = Sequence[Sequence[float]]


@dataclass(frozen=True)
class MassProperties:
    """Mass, mass centre, and inertia about the body's origin, 3×3."""

    mass: Scalar
    com: tuple[Scalar, ...]
    inertia: tuple[tuple[Scalar, ...], ...]


def beam_mass(
    corners: np.ndarray,
    axes: np.ndarray,
    length: Scalar,
    density: Scalar,
    course: dict[str, Polynomial],
    masses: Sequence[tuple[tuple[Scalar, ...], Scalar]],
) -> MassProperties:
    """Mass properties of a beam through `corners` (relative to its length) with piece axes `axes`, and of point masses.

    `course` holds the polynomials of the section properties in ξ, `masses` pairs of point and mass.
    """
    places = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
    line = density * length
    mass = line * _weighted(course["A"], np.array([1.0]), 0.0, 1.0)
    first: list[Any] = [0.0] * 3
    second: list[list[Any]] = [[0.0] * 3 for _ in range(3)]
    for k, R in enumerate(axes):
        begin, end, way = places[k], places[k + 1], R[:, 0]
        base = corners[k] - begin * way  # r/L = base + ξ way
        across = [(course["Iz"], np.outer(R[:, 1], R[:, 1])), (course["Iy"], np.outer(R[:, 2], R[:, 2]))]
        for i in range(3):
            first[i] = _plus(first[i], line * length, course["A"], [base[i], way[i]], begin, end)
            for j in range(i, 3):
                square = np.polynomial.polynomial.polymul([base[i], way[i]], [base[j], way[j]])
                second[i][j] = _plus(second[i][j], line * length**2, course["A"], square, begin, end)
                for about, tensor in across:
                    second[i][j] = _plus(second[i][j], line, about, [tensor[i, j]], begin, end)
    for point, more in masses:
        mass = mass + more
        for i in range(3):
            if point[i] != 0.0:
                first[i] = _sum(first[i], more * point[i])
            for j in range(i, 3):
                if point[i] != 0.0 and point[j] != 0.0:
                    second[i][j] = _sum(second[i][j], more * point[i] * point[j])
    return MassProperties(mass, tuple(c if c == 0.0 else c / mass for c in first), _inertia(second))


def _inertia(second: list[list[Any]]) -> tuple[tuple[Scalar, ...], ...]:
    found: list[list[Any]] = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        j, k = (other for other in range(3) if other != i)
        found[i][i] = _sum(second[j][j], second[k][k])
        for j in range(i + 1, 3):
            S = second[i][j]
            found[i][j] = found[j][i] = 0.0 if isinstance(S, float) and S == 0.0 else -1.0 * S
    return tuple(tuple(row) for row in found)


def _plus(
    total: Scalar, factor: Scalar, polynomial: Polynomial, weight: Sequence[float], begin: float, end: float
) -> Scalar:
    numbers = np.asarray(weight, float)
    if np.abs(numbers).max() < 1e-15:
        return total
    return _sum(total, factor * _weighted(polynomial, numbers, begin, end))


def _weighted(polynomial: Polynomial, weight: np.ndarray, begin: float, end: float) -> Scalar:
    """∫ polynomial × weight dξ from begin to end; the coefficients of the weight are numbers."""
    total: Scalar = 0.0
    for k, c in enumerate(polynomial):
        share = sum(
            float(w) * (end ** (k + j + 1) - begin ** (k + j + 1)) / (k + j + 1) for j, w in enumerate(weight)
        )
        total = _sum(total, c * float(share))
    return total


def _sum(one: Scalar, other: Scalar) -> Scalar:
    """The sum, without a term 0.0 in expressions."""
    return other if isinstance(one, float) and one == 0.0 else one + other
