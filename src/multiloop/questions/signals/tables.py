"""Curves of time that are evaluated outside the kernels, so that their length costs nothing.

Z are their values at t.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

Pieces = tuple[np.ndarray, np.ndarray, bool]
"""Breaks, coefficients (degree + 1, pieces) and whether the curve is periodic."""


class Tables:
    """All curves of one run in the order in which they were added, and the symbols for their values."""

    def __init__(self) -> None:
        self.curves: list[Pieces] = []
        self._symbols: list[ca.SX] = []

    def symbol(self, curve: Pieces) -> ca.SX:
        """The symbol for a curve's value at t."""
        self.curves.append(curve)
        self._symbols.append(ca.SX.sym(f"z{len(self._symbols)}"))
        return self._symbols[-1]

    @property
    def z(self) -> ca.SX:
        """The symbols of all curves."""
        return ca.vertcat(ca.SX(0, 1), *self._symbols)

    def read(self, times: np.ndarray) -> np.ndarray:
        """z at all times, curves × times."""
        if not self.curves:
            return np.zeros((0, len(times)))
        z = []
        for curve, (breaks, _, periodic) in zip(self._polynomials, self.curves, strict=True):
            span = breaks[-1] - breaks[0]
            turns = np.floor((times - breaks[0]) / span) if periodic else 0.0
            z.append(curve(times - span * turns))
        return np.array(z).reshape(len(z), len(times))

    @cached_property
    def _polynomials(self) -> list[Any]:
        from scipy.interpolate import PPoly  # takes a fifth of a second to import

        return [PPoly(coefficients, breaks) for breaks, coefficients, _ in self.curves]
