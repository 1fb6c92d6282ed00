"""[saha], eqs. (30)–(33), (42)–(44): ratios, generalized inertia and convective term of four-bar and slider-crank.

Angles are those of crank, coupler and rocker (from D to B); all data are C of the examples. Errata: in (33) and (44)
r_θ² stands where r_θ′ is meant; h = +E a₁.
"""

from dataclasses import dataclass

import numpy as np

E = np.array([[0.0, -1.0], [1.0, 0.0]])


def unit(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def turned(angle, vector):
    return unit(angle) * vector[0] + E @ unit(angle) * vector[1]


def ratios(a1, columns, others):
    """r from J_D r = −h, and r′ from J_D r′ = a₁ + Σ r² a: eqs. (30), (31) and their derivative."""
    J_D = np.column_stack(columns)
    r = -np.linalg.solve(J_D, E @ a1)
    r_prime = np.linalg.solve(J_D, a1 + sum(ratio**2 * a for ratio, a in zip(r, others, strict=True)))
    return r, r_prime


@dataclass
class FourBar:
    """Closed forms of the four-bar."""

    psi: float
    theta: float
    phi: float

    m = (1.0, 2.0, 1.5)
    inertias = (0.0015, 0.018, 0.011)

    def __post_init__(self):
        self.a1, self.a2 = 0.10 * unit(self.psi), 0.28 * unit(self.theta)
        self.a3 = -0.24 * unit(self.phi)  # runs from B to D
        self.r1, self.r2 = turned(self.psi, (0.04, 0.01)), turned(self.theta, (0.13, 0.03))
        self.b3 = -turned(self.phi, (0.11, -0.02))  # from the rocker's mass centre to D
        columns = (E @ self.a2, E @ self.a3)
        (self.rt, self.rp), (self.rt_, self.rp_) = ratios(self.a1, columns, (self.a2, self.a3))

    @property
    def inertia(self):
        """Eq. (32)."""
        (m1, m2, m3), (I1, I2, I3) = self.m, self.inertias
        moved = self.a1 + self.rt * self.r2
        own = I1 + self.rt**2 * I2 + self.rp**2 * I3
        return own + m1 * self.r1 @ self.r1 + m2 * moved @ moved + m3 * self.rp**2 * self.b3 @ self.b3

    def convective(self, rate):
        """Eq. (33)."""
        (_, m2, m3), (_, I2, I3) = self.m, self.inertias
        rt, rp, rt_, rp_, a1, r2 = self.rt, self.rp, self.rt_, self.rp_, self.a1, self.r2
        return -rate * (
            rt * rt_ * (I2 + m2 * r2 @ r2)
            + m2 * rt_ * a1 @ r2
            + m2 * rt * (rt - 1) * a1 @ E @ r2
            + rp * rp_ * (I3 + m3 * self.b3 @ self.b3)
        )

    @property
    def complement(self):
        """u, with twists at the mass centres; [saha] prints Eᵀ as −E in its transposes."""
        coupler, rocker = E @ (self.a1 + self.rt * self.r2), -self.rp * E @ self.b3
        return np.concatenate([[1], E @ self.r1, [self.rt], coupler, [self.rp], rocker])

    @property
    def constraints(self):
        """A of eq. (21)."""
        r3 = -self.b3 + self.a3  # from B to the rocker's mass centre
        b1, b2 = self.a1 - self.r1, self.a2 - self.r2
        return pins((None, self.r1), (b1, self.r2), (b2, r3), (self.b3, None))


@dataclass
class SliderCrank:
    """Closed forms of the slider-crank."""

    psi: float
    theta: float

    m = (0.6, 0.9, 0.5)
    inertias = (6e-4, 4e-3)

    def __post_init__(self):
        self.i = np.array([1.0, 0.0])
        self.a1, self.a2 = 0.05 * unit(self.psi), 0.20 * unit(self.theta)
        self.r1, self.r2 = 0.02 * unit(self.psi), 0.07 * unit(self.theta)
        self.r3 = np.array([0.012, 0.004])
        columns = (E @ self.a2, -self.i)
        (self.rt, self.rs), (self.rt_, self.rs_) = ratios(self.a1, columns, (self.a2, np.zeros(2)))

    @property
    def inertia(self):
        """Eq. (43)."""
        (m1, m2, m3), (I1, I2) = self.m, self.inertias
        moved = self.a1 + self.rt * self.r2
        return I1 + m1 * self.r1 @ self.r1 + self.rt**2 * I2 + m2 * moved @ moved + m3 * self.rs**2

    def convective(self, rate):
        """Eq. (44)."""
        (_, m2, m3), (_, I2) = self.m, self.inertias
        rt, rt_, a1, r2 = self.rt, self.rt_, self.a1, self.r2
        moved = m2 * (rt_ * (a1 + rt * r2) @ r2 + rt * (rt - 1) * a1 @ E @ r2)
        return -rate * (I2 * rt * rt_ + moved + m3 * self.rs * self.rs_)

    @property
    def complement(self):
        """u of §4.2, with twists at the mass centres."""
        coupler = E @ (self.a1 + self.rt * self.r2)
        return np.concatenate([[1], E @ self.r1, [self.rt], coupler, [0], self.rs * self.i])

    @property
    def constraints(self):
        """A of eq. (37)."""
        joints = pins((None, self.r1), (self.a1 - self.r1, self.r2), (self.a2 - self.r2, self.r3))
        guide = np.zeros((2, 9))
        guide[0, 6] = guide[1, 8] = -1.0
        return np.vstack([joints, guide])


def pins(*arms):
    """Rows (20) of pins in a chain of three bodies: −E b of the body before, −E r of the body after the pin."""
    A = np.zeros((2 * len(arms), 9))
    for k, (b, r) in enumerate(arms):
        rows = slice(2 * k, 2 * k + 2)
        if b is not None:
            A[rows, 3 * k - 3], A[rows, 3 * k - 2 : 3 * k] = -E @ b, -np.eye(2)
        if r is not None:
            A[rows, 3 * k], A[rows, 3 * k + 1 : 3 * k + 3] = -E @ r, np.eye(2)
    return A
