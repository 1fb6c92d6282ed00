"""Tolerances of a run: open loops, singular configurations, and the scale of each entry of the state.

    atol = rtol · unit · (0.02 ν)^power,      ν = max(|v|/unit, √(|v̇|/unit), 0.1/span)

ν is the characteristic rate of the run in 1/s: the largest rate and the root of the largest acceleration at its
start, in radians and characteristic lengths, and at least a tenth of the inverse of its duration. It grows with the
largest rate that occurs later. A run of any size, mass and speed is therefore computed with the same relative
accuracy.

An elastic coordinate of natural frequency ω above 0.02 ν is scaled by the deflection that an acceleration of that
size causes, (0.02 ν/ω)², and its rate by 0.02 ν/ω: forces are proportional to ω² η and are to be as accurate as
positions.

Derived here.

Theory: docs/theory/07-time-integration.md, eqs. (7.6)–(7.9).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

OPEN_LIMIT = 1e-8
"""Residual of the loop closure, relative to the size of the mechanism, above which a run ends."""

SINGULAR_LIMIT = 1e-7
"""Distance from singularity below which a configuration counts as singular, and all methods except `augmented` stop."""

ROUNDS = 8
"""Newton steps of the position projection after which the loops count as open."""

CLOSE = 3e-8
"""Residual whose square is at the level of round-off; one more Newton step then suffices."""

CLOSED = 1e-11
"""Residual at which the Newton iteration may stop without further decrease."""


RATE_FRACTION = 0.02
"""Part of ν by which rates are scaled: a run is mostly slower than its largest rate and acceleration suggest."""

LEAST_RATE = 0.1
"""Smallest ν of a run times its duration, for a run that starts at rest in equilibrium."""


def least_characteristic_rate(span: float) -> float:
    """Smallest ν of a run that lasts `span` seconds; 0 if its duration is unknown."""
    return LEAST_RATE / span if span > 0 else 0.0


UNKNOWN_DIMENSION = -1
"""Power of a state whose dimension is unknown: a user-defined integral or state of a load."""


@dataclass(frozen=True, eq=False)
class StateScales:
    """Unit, power of ν (or UNKNOWN), and natural frequency (or 0) of each entry of the state."""

    unit: np.ndarray
    power: np.ndarray
    omega: np.ndarray

    def characteristic_rate(self, y: np.ndarray, rate: np.ndarray, span: float) -> float:
        """ν of a run that starts in the state y with the rate ẏ and lasts `span` seconds; 0 if nothing moves."""
        return max(float(self.entry_rates(y, rate).max(initial=0.0)), least_characteristic_rate(span))

    def entry_rates(self, y: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Contribution of each entry to ν in the state y with the rate ẏ, in 1/s; 0 for entries that are not rates."""
        moves, found = self.rate_units > 0, np.zeros(len(y))
        unit = self.unit[moves]
        own = np.array([np.abs(y[moves]) / unit, np.sqrt(np.abs(rate[moves]) / unit)])
        found[moves] = np.where(np.isfinite(own), own, 0.0).max(axis=0)
        return found

    def scales(self, pace: float, y: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Scale of each entry.

        The scale of an entry of unknown dimension is its initial value, or its change in a time 1/ν if that is larger,
        or 1 if both are 0.
        """
        own = np.maximum(np.abs(y), np.abs(rate) / pace)
        own, pace = np.where(np.isfinite(own) & (own > 0), own, 1.0), RATE_FRACTION * pace
        slow = np.where(self.omega > pace, pace / np.where(self.omega > 0, self.omega, 1.0), 1.0)
        # products instead of powers, because `pow` rounds differently
        found = self.unit * np.select([self.power == 2, self.power == 1], [pace * pace, pace], 1.0)
        found = found * np.select([self.power == 1, self.power == 0], [slow, slow * slow], 1.0)
        sizes: np.ndarray = np.where(self.power == UNKNOWN_DIMENSION, own, found)
        return sizes

    def growth(self, pace: float) -> np.ndarray:
        """Power of ν with which each scale grows when ν increases during the run."""
        stiff = self.omega > RATE_FRACTION * pace
        return np.where(stiff, 2, np.maximum(self.power, 0)).astype(np.int_)

    @property
    def rate_units(self) -> np.ndarray:
        """Units of all rates that contribute to ν, 0 for all other entries."""
        return np.where((self.power == 1) & (self.omega == 0), self.unit, 0.0)
