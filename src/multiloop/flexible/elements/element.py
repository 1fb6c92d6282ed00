"""Straight two-node beam element in space: displacement and strain of its line as functions of nodal coordinates.

Over s = 0 … 1 of an element of length h, in its x–y plane (and likewise in its x–z plane, with −θ_y for θ_z):

    w = N(s) (w₁, θ₁, w₂, θ₂),   θ = M(s) (…),   γ = w' − θ = const,      Φ = 12 E I / (κ G A h²)

These are Hermite's cubics where Φ = 0 and sections stay normal to the line. With Φ they are the exact shape functions
of a Timoshenko beam, so that no element locks. Stretching and torsion are linear. Bubble functions 4 s (1 − s) belong
to one element; those of bending are used only with shear.

Source: Timoshenko beam element, [przemieniecki]; the bubble functions are derived here.
"""

from __future__ import annotations

import numpy as np

BUBBLES = (0, 3, 1, 2, 4, 5)
"""Axes of the bubble coordinates of an element: stretching and torsion; the others are used only with shear."""

OWN = 12 + len(BUBBLES)
"""Number of coordinates of an element: x, y, z, rx, ry, rz of both ends, and its bubbles."""

SHEARED = {5: (1, -1.0), 4: (2, 1.0)}
"""Shear strain to which a rotation contributes, with its sign: γ_y = y' − θ_z and γ_z = z' + θ_y."""

SIGN = np.array([1.0, -1.0, 1.0, -1.0])
"""Signs of w, θ of both ends in the x–z plane, where w' = −θ_y."""


def element_motion(s: np.ndarray, h: float, shear: tuple[float, float]) -> np.ndarray:
    """Displacement and rotation (t, θ) at places per unit of each coordinate, element axes; places × 6 × 18.

    `shear` are Φ for bending along y and along z.
    """
    found = np.zeros((len(s), 6, OWN))
    for axis in (0, 3):
        found[:, axis, axis], found[:, axis, 6 + axis] = 1 - s, s
    for k, axis in enumerate(BUBBLES, start=12):
        found[:, axis, k] = 4 * s * (1 - s)
    for line, turn, sign, phi in ((1, 5, 1.0, shear[0]), (2, 4, -1.0, shear[1])):
        at = [line, turn, 6 + line, 6 + turn]
        scale = np.ones(4) if sign > 0 else SIGN
        found[:, line, at] = _deflections(s, h, phi).T * scale
        found[:, turn, at] = sign * _slopes(s, h, phi).T * scale
    return found


def element_strain(s: np.ndarray, h: float, shear: tuple[float, float]) -> np.ndarray:
    """Strains (ε, γ_y, γ_z, κ_x, κ_y, κ_z) at places per unit of each coordinate, places × 6 × 18."""
    found = np.zeros((len(s), 6, OWN))
    for axis in (0, 3):
        found[:, axis, axis], found[:, axis, 6 + axis] = -1 / h, 1 / h
    for k, axis in enumerate(BUBBLES, start=12):
        found[:, axis, k] = 4 * (1 - 2 * s) / h
        if axis in SHEARED:
            row, sign = SHEARED[axis]
            found[:, row, k] = sign * 4 * s * (1 - s)
    for line, turn, sign, phi in ((1, 5, 1.0, shear[0]), (2, 4, -1.0, shear[1])):
        at = [line, turn, 6 + line, 6 + turn]
        scale = np.ones(4) if sign > 0 else SIGN
        found[:, line, at] = -phi / (1 + phi) * np.array([1 / h, 0.5, -1 / h, 0.5]) * scale
        found[:, turn, at] = sign * _curvatures(s, h, phi).T * scale
    return found


def _deflections(s: np.ndarray, h: float, phi: float) -> np.ndarray:
    rows = [
        1 - 3 * s**2 + 2 * s**3 + phi * (1 - s),
        h * (s - 2 * s**2 + s**3 + phi / 2 * (s - s**2)),
        3 * s**2 - 2 * s**3 + phi * s,
        h * (s**3 - s**2 - phi / 2 * (s - s**2)),
    ]
    return np.array(rows) / (1 + phi)


def _slopes(s: np.ndarray, h: float, phi: float) -> np.ndarray:
    rows = [
        6 * (s**2 - s) / h,
        1 - 4 * s + 3 * s**2 + phi * (1 - s),
        6 * (s - s**2) / h,
        3 * s**2 - 2 * s + phi * s,
    ]
    return np.array(rows) / (1 + phi)


def _curvatures(s: np.ndarray, h: float, phi: float) -> np.ndarray:
    rows = [6 * (2 * s - 1) / h, -4 + 6 * s - phi, 6 * (1 - 2 * s) / h, 6 * s - 2 + phi]
    return np.array(rows) / (h * (1 + phi))
