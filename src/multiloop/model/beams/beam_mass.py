"""Mass, mass centre and inertia of a beam from its centreline, density, cross sections and point masses.

    m = ρ L ∫ A dξ + Σ m_k,    c = ∫ r dm / m,    S = ∫ r rᵀ dm,    I = tr(S) 1 − S

m is the mass, c the mass centre and I the inertia about the body's origin; ρ is the density, L the length, A the area
of the cross section, ξ the distance along the centreline divided by L, m_k are the point masses, r is the position of a
mass element relative to the body's origin, and 1 the unit matrix. The rotary inertia of the cross sections is included.
All numbers may be expressions of parameters, except for the points of the centreline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.model.beams.beam_fields import Masses
from multiloop.model.beams.beam_line import line_corners, piece_axes
from multiloop.model.beams.sections import Polynomial, Section, section_properties
from multiloop.model.expressions import Scalar
from multiloop.model.markers import Markers, Vector, are_pairs, value_of, vector

Points = Sequence[Sequence[float]]


@dataclass(frozen=True)
class MassProperties:
    """Mass (kg), mass centre (m), and 3×3 inertia about the body's origin (kg m²), in the body's axes."""

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
    """Mass properties of a beam with point masses.

    `corners` are the points of the centreline divided by `length`, `axes` contains for each straight piece its axes as
    the columns of a 3×3 matrix, `course` the section properties as polynomials in ξ, the distance along the centreline
    divided by `length`, and `masses` pairs of position (m) and point mass (kg).
    """
    places = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
    line = density * length
    mass = line * _integral(course["A"], np.array([1.0]), 0.0, 1.0)
    first: list[Any] = [0.0] * 3
    second: list[list[Any]] = [[0.0] * 3 for _ in range(3)]
    for k, R in enumerate(axes):
        begin, end, way = places[k], places[k + 1], R[:, 0]
        base = corners[k] - begin * way  # point of this piece at ξ, divided by the length: base + ξ way
        across = [(course["Iz"], np.outer(R[:, 1], R[:, 1])), (course["Iy"], np.outer(R[:, 2], R[:, 2]))]
        for i in range(3):
            first[i] = _add_integral(first[i], line * length, course["A"], [base[i], way[i]], begin, end)
            for j in range(i, 3):
                square = np.polynomial.polynomial.polymul([base[i], way[i]], [base[j], way[j]])
                second[i][j] = _add_integral(second[i][j], line * length**2, course["A"], square, begin, end)
                for about, tensor in across:
                    second[i][j] = _add_integral(second[i][j], line, about, [tensor[i, j]], begin, end)
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


def _add_integral(
    total: Scalar, factor: Scalar, polynomial: Polynomial, weight: Sequence[float], begin: float, end: float
) -> Scalar:
    numbers = np.asarray(weight, float)
    if np.abs(numbers).max() < 1e-15:
        return total
    return _sum(total, factor * _integral(polynomial, numbers, begin, end))


def _integral(polynomial: Polynomial, weight: np.ndarray, begin: float, end: float) -> Scalar:
    """The integral ∫ polynomial × weight dξ from `begin` to `end`; both factors are polynomials in ξ, given by
    coefficients."""
    total: Scalar = 0.0
    for k, c in enumerate(polynomial):
        share = sum(
            float(w) * (end ** (k + j + 1) - begin ** (k + j + 1)) / (k + j + 1) for j, w in enumerate(weight)
        )
        total = _sum(total, c * float(share))
    return total


def _sum(one: Scalar, other: Scalar) -> Scalar:
    """The sum one + other; `other` alone if `one` is 0.0, so that expressions do not contain a term 0.0."""
    return other if isinstance(one, float) and one == 0.0 else one + other


def beam_mass_properties(
    markers: Markers,
    points: tuple[Vector, ...],
    length: Scalar,
    density: Scalar,
    sections: tuple[Section, Section | None],
    masses: Masses,
) -> dict[str, Any]:
    """Values of the fields `mass`, `com`, `inertia` and `inertia_at` of a beam, from the values of its other fields.

    For a uniform straight beam these are the values of a slender rod plus the rotary inertia of the cross section. The
    mapping is empty if a number is invalid; the checks report the invalid number.
    """
    if not all(map(_is_number, (length, density, *(mass for _, mass in masses)))) or not value_of(length):
        return {}
    if not all(_is_number(number) for one in sections if one for number in (one.A, one.Iz, one.Iy)):
        return {}
    section = sections[0]
    if not points and sections[1] is None and not masses:
        line = density * section.A
        about = (density * length * section.Iy, density * length * section.Iz)
        turning = line * length**3 / 12
        inertia = (about[0] + about[1], turning + about[0], turning + about[1])
        return {"mass": line * length, "com": vector(length / 2), "inertia": inertia, "inertia_at": "com"}
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    if points:
        corners = line_corners(points) / float(length)
    axes = np.array([piece_axes(way) for way in np.diff(corners, axis=0)])
    known = {name: marker.point for name, marker in markers} if are_pairs(markers) else {}
    sitting = [((*known[name], 0.0, 0.0)[:3], mass) for name, mass in masses if name in known]
    found = beam_mass(corners, axes, length, density, section_properties(*sections), sitting)
    held = [known[name] for name, _ in masses if name in known]
    size = max(len(point) for point in (*points, *held, (0,)))
    return {"mass": found.mass, "com": found.com[:size], "inertia": found.inertia, "inertia_at": "origin"}


def _is_number(value: Any) -> bool:
    return value_of(value) is not None
