"""A slider-crank with a rough guide, written body by body and solved as a separate complementarity problem.

The unknowns are nine accelerations, the forces in three pins (on the outer body), the guide's force N and moment, and
its friction F along x. The guide pushes from above or from below, and the slider sticks or slides: the solutions are
those cases whose signs are all consistent.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from zoo.plain import crank_slider

import multiloop as ml

CRANK, ROD = 0.1, 0.3
MASSES, INERTIAS = (0.4, 0.6, 0.8), (5e-4, 4e-3, 1e-3)
GRAVITY = 9.81


def slider_crank(mu: float, torque: float, stiction: str = "exact") -> ml.Mechanism:
    """The same by the library; a torque acts on the crank."""
    (m1, m2, m3), (j1, j2, j3) = MASSES, INERTIAS
    return crank_slider(
        ml.rod("crank", length=CRANK, mass=m1, inertia=j1),
        ml.rod("rod", length=ROD, mass=m2, inertia=j2),
        ml.Body("slider", mass=m3, inertia=j3),
        "slider-crank",
        gravity=(0, -GRAVITY),
        loads=[
            ml.Friction("rough", "guide", coefficient=mu, stiction=stiction),
            ml.Torque("push", "crank", torque),
        ],
        guess={"slider.origin": (CRANK + ROD, 0)},
    )


@dataclass(frozen=True)
class Case:
    """A solution: acceleration of the crank and the slider, N, F."""

    crank: float
    slider: float
    normal: float
    friction: float


def dense_cases(angle: float, rate: float, mu: float, torque: float) -> list[Case]:
    """All solutions at an angle and a rate of the crank."""
    sine = -CRANK * np.sin(angle) / ROD
    rod = np.arcsin(sine)
    rod_rate = -CRANK * np.cos(angle) * rate / (ROD * np.cos(rod))
    slides = -CRANK * np.sin(angle) * rate - ROD * np.sin(rod) * rod_rate
    A, b = _equations(angle, rate, rod, rod_rate, torque)
    found = []
    for side, way in product((1.0, -1.0), (0.0,) if abs(slides) > 1e-12 else (0.0, 1.0, -1.0)):
        moves = np.sign(slides) if abs(slides) > 1e-12 else way
        row = np.zeros(18)
        if moves == 0.0:
            row[6] = 1.0  # it sticks: no acceleration
        else:
            row[17], row[15] = 1.0, moves * mu * side
        solved = np.linalg.solve(np.vstack([A, row]), np.append(b, 0.0))
        case = Case(solved[2], solved[6], solved[15], solved[17])
        if _agrees(case, side, moves, mu, abs(slides) > 1e-12):
            found.append(case)
    return found


def _agrees(case: Case, side: float, moves: float, mu: float, slides: bool) -> bool:
    if side * case.normal < 0:
        return False
    if moves == 0.0:
        return abs(case.friction) <= mu * abs(case.normal)
    return slides or moves * case.slider > 0


def _equations(
    angle: float, rate: float, rod: float, rod_rate: float, torque: float
) -> tuple[np.ndarray, np.ndarray]:
    """Nine equations of Newton and Euler and eight of the joints, for [a₁ a₂ a₃, fA, fB, fC, N, M, F]; 18 unknowns."""
    A, b = np.zeros((17, 18)), np.zeros(17)
    e1, e2 = np.array([np.cos(angle), np.sin(angle)]), np.array([np.cos(rod), np.sin(rod)])
    n1, n2 = np.array([-e1[1], e1[0]]), np.array([-e2[1], e2[0]])
    fA, fB, fC = slice(9, 11), slice(11, 13), slice(13, 15)
    for k in range(3):
        A[3 * k, 3 * k] = A[3 * k + 1, 3 * k + 1] = MASSES[k]
        A[3 * k + 2, 3 * k + 2] = INERTIAS[k]
        b[3 * k + 1] = -MASSES[k] * GRAVITY
    eye = np.eye(2)
    A[0:2, fA] -= eye
    A[0:2, fB] += eye
    A[3:5, fB] -= eye
    A[3:5, fC] += eye
    A[6:8, fC] -= eye
    A[7, 15] -= 1.0
    A[6, 17] -= 1.0
    A[2, fA] -= -CRANK / 2 * n1
    A[2, fB] += CRANK / 2 * n1
    A[5, fB] -= -ROD / 2 * n2
    A[5, fC] += ROD / 2 * n2
    A[8, 16] -= 1.0
    b[2] = torque
    # joints: accelerations of the two ends agree
    A[9:11, 0:2], A[9:11, 2] = eye, -CRANK / 2 * n1
    b[9:11] = -CRANK / 2 * rate**2 * e1
    A[11:13, 3:5], A[11:13, 5] = eye, -ROD / 2 * n2
    A[11:13, 0:2], A[11:13, 2] = -eye, -CRANK / 2 * n1
    b[11:13] = -CRANK / 2 * rate**2 * e1 - ROD / 2 * rod_rate**2 * e2
    A[13:15, 6:8] = eye
    A[13:15, 3:5], A[13:15, 5] = -eye, -ROD / 2 * n2
    b[13:15] = -ROD / 2 * rod_rate**2 * e2
    A[15, 7] = 1.0
    A[16, 8] = 1.0
    return A, b
