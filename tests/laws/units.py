"""A system of units as numbers, so that one description can be written for mechanisms of any size, mass and time
scale."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Units:
    """What one unit of length, of mass and of time of a description is in metres, kilograms and seconds.

    A machine described by `0.3 * u.m`, `2 * u.kg`, `9.81 * u.m / u.s**2` is the same machine in any units. Where these
    are powers of 16, all products, quotients, square roots and fourth roots scale without any round-off.
    """

    m: float = 1.0
    kg: float = 1.0
    s: float = 1.0

    @property
    def rate(self) -> float:
        """1/s, of angles."""
        return 1 / self.s

    @property
    def speed(self) -> float:
        """m/s."""
        return self.m / self.s

    @property
    def g(self) -> float:
        """m/s²."""
        return self.m / self.s**2

    @property
    def N(self) -> float:
        """kg m/s²."""
        return self.kg * self.g

    @property
    def Nm(self) -> float:
        """N m, of moments and of energies."""
        return self.N * self.m

    @property
    def inertia(self) -> float:
        """kg m²."""
        return self.kg * self.m**2

    @property
    def Pa(self) -> float:
        """N/m²."""
        return self.N / self.m**2

    @property
    def density(self) -> float:
        """kg/m³."""
        return self.kg / self.m**3
