"""Fattah's spatial manipulator with three legs R–R–S: position and velocity of its platform with given deflections.

Printed: [fattah], Tables 6.2 and 6.3. The base is not printed: its nine numbers are fitted to the 36 of the tables, all
of which are reproduced with it. The thesis rotates the tip of a link by its chord, atan(deflection/length), with a
matrix (6.14a) that is no rotation, and takes its rate (6.23) along the axes of the link, without the twist A between;
both are used here as printed. So its twist is not the derivative of its configuration. The library rotates a tip by its
slope, exp(Φ_r η); `test_printed_tables` computes these numbers by the library.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import fsolve

LENGTHS, SIDES = (2.109, 2.470, 2.700), {(0, 1): 2.0, (0, 2): 3.0, (1, 2): 2.0}
BASE = np.array([(1.5644, 0, -1.8224), (1.7323, 0, 3.0335), (-3.1907, 0, -0.2894)])
TURNED = (-3.5550, 0.2196, -1.0598)
"""b of the legs: X₀ = (sin b, 0, cos b), Y₀ = Y."""

ANGLES, RATES = np.array([2.570, 2.732, 2.027]), np.array([1.047, 0.523, -1.047])
TIPS = {"rigid": np.zeros((2, 2)), "flexible": np.array([(0.14, 0.07), (1.40, 0.35)])}
"""Deflections of the tip along y and z of every link, and their rates."""

ELBOWS = {"rigid": (-0.88, 0.15, 1.19), "flexible": (-1.20, 0.12, 1.19)}
"""θ₄, θ₅, θ₆ to begin with."""

TABLES = {
    "rigid": (
        (0.05, 2.35, -1.55),
        ((-0.200, 0.588, -0.784), (-0.266, -0.802, -0.533), (-0.943, 0.102, 0.317)),
        (-1.46, -3.05, -0.49),
        (-0.76, 1.60, 1.92),
    ),
    "flexible": (
        (0.03, 2.11, -1.72),
        ((-0.248, 0.405, -0.880), (-0.337, -0.889, -0.313), (-0.908, 0.219, 0.356)),
        (-1.20, -3.92, -1.02),
        (-0.37, 1.33, 0.29),
    ),
}
"""c (m), R_C, ċ (m/s) and ω_C (rad/s)."""


def about_z(angle: float) -> np.ndarray:
    """Q of (6.12)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def axes(i: int, angle: float, elbow: float, bent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """R of both links of a leg by (6.11)–(6.14)."""
    b, alpha = TURNED[i], np.radians(25.0)
    x, y = np.array([np.sin(b), 0, np.cos(b)]), np.array([0, 1.0, 0])
    R = np.column_stack([x, y, np.cross(x, y)]) @ about_z(angle)
    g2, g3 = np.arctan(bent / LENGTHS[i])
    F = np.array([[1, -g2, g3], [g2, 1, 0], [-g3, 0, 1]])
    A = np.array([[1, 0, 0], [0, np.cos(alpha), -np.sin(alpha)], [0, np.sin(alpha), np.cos(alpha)]])
    return R, R @ A @ F @ about_z(elbow)


def tips(elbows: np.ndarray, bent: np.ndarray) -> np.ndarray:
    """O₇, O₈, O₉ by (6.9)."""
    legs = [axes(i, ANGLES[i], elbows[i], bent) for i in range(3)]
    return np.array([BASE[i] + (R + S) @ np.array([LENGTHS[i], *bent]) for i, (R, S) in enumerate(legs)])


def closed(kind: str) -> np.ndarray:
    """The elbows with which the sides of the platform have their lengths, (6.15)."""

    def gaps(elbows: np.ndarray) -> list[float]:
        r = tips(elbows, TIPS[kind][0])
        return [float(np.sum((r[j] - r[i]) ** 2) - side**2) for (i, j), side in SIDES.items()]

    elbows, _, ok, told = fsolve(gaps, ELBOWS[kind], full_output=True, xtol=1e-13)
    assert ok == 1, told
    return np.asarray(elbows)


def tip_rates(elbows: np.ndarray, bent: np.ndarray, bending: np.ndarray) -> np.ndarray:
    """Velocities of O₇, O₈, O₉ by (6.21)–(6.24)."""
    free, along = [], []
    for i, length in enumerate(LENGTHS):
        R, S = axes(i, ANGLES[i], elbows[i], bent)
        local, rate = np.array([length, *bent]), np.array([0, *bending])
        first = RATES[i] * R[:, 2]
        turning = R @ np.array([0, -bending[1], bending[0]]) / length  # (6.23)
        free.append(np.cross(first, R @ local) + np.cross(first + turning, S @ local) + (R + S) @ rate)
        along.append(np.cross(S[:, 2], S @ local))
    r, v, z = tips(elbows, bent), np.array(free), np.array(along)
    rows, right = np.zeros((3, 3)), np.zeros(3)
    for k, (i, j) in enumerate(SIDES):
        side = r[j] - r[i]
        rows[k, i], rows[k, j], right[k] = -side @ z[i], side @ z[j], -side @ (v[j] - v[i])
    return v + np.linalg.solve(rows, right)[:, None] * z


def frame(r: np.ndarray) -> np.ndarray:
    """R_C of (6.18), (6.19)."""
    x = (r[2] - r[0]) / np.linalg.norm(r[2] - r[0])
    z = np.cross(x, r[1] - r[0])
    z /= np.linalg.norm(z)
    return np.column_stack([x, np.cross(z, x), z])


def turning_of(r: np.ndarray, v: np.ndarray) -> np.ndarray:
    """ω_C by (6.26)–(6.29)."""
    P, Q = (r - r.mean(axis=0)).T, (v - v.mean(axis=0)).T
    vect = np.array([Q[2, 1] - Q[1, 2], Q[0, 2] - Q[2, 0], Q[1, 0] - Q[0, 1]]) / 2
    return np.linalg.solve((np.trace(P) * np.eye(3) - P) / 2, vect)


@pytest.mark.parametrize("kind", TABLES)
def test_the_tables_come_out(kind: str) -> None:
    """c, ċ and ω_C to their last digit, R_C to one unit of it."""
    elbows, (bent, bending) = closed(kind), TIPS[kind]
    r, v = tips(elbows, bent), tip_rates(elbows, bent, bending)
    c, R, c_rate, omega = TABLES[kind]
    assert r.mean(axis=0) == pytest.approx(c, abs=5e-3)
    assert frame(r) == pytest.approx(np.array(R), abs=1.1e-3)
    assert v.mean(axis=0) == pytest.approx(c_rate, abs=5e-3)
    assert turning_of(r, v) == pytest.approx(omega, abs=5e-3)
