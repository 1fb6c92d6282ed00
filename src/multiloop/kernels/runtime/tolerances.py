"""Tolerances of a simulation: open loops, singular configurations, and the absolute tolerance of each entry of the
state.

    atol = rtol · unit · (0.02 ν)^power,      ν = max(|v|/unit, √(|v̇|/unit), 0.1/span)

atol is the absolute and rtol the relative tolerance, v are the rates. `unit` is 1 for angles and the characteristic
length of the mechanism for lengths; `power` is 0 for positions, 1 for rates and 2 for energies. ν is the characteristic
rate of the run in 1/s: the largest rate or the square root of the largest acceleration at the start, in these units,
and at least a tenth of the inverse of the duration `span`. It increases if larger rates occur later. Mechanisms of any
size, mass and speed are therefore simulated with the same relative accuracy.

The tolerance of an elastic coordinate η of natural frequency ω above 0.02 ν is multiplied by (0.02 ν/ω)², and that of
its rate by 0.02 ν/ω, because elastic forces are proportional to ω² η and must be as accurate as positions.

Derived here.

Theory: docs/theory/07-time-integration.md, eqs. (7.6)–(7.9).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

OPEN_LIMIT = 1e-8
"""Residual of the loop-closure equations, relative to the size of the mechanism, above which a simulation ends."""

SINGULAR_LIMIT = 1e-7
"""Distance from singularity (dimensionless) below which a configuration counts as singular. All methods except
`augmented` stop at such a configuration."""

ROUNDS = 8
"""Largest number of Newton steps of the projection of positions onto the constraints. After these steps, loops with a
residual above `OPEN_LIMIT` count as open."""

CLOSE = 3e-8
"""Residual of the position constraints, relative to the size of the mechanism, below which the current Newton step is
the last one: after this step the residual is about the square of its former value, at the level of round-off."""

CLOSED = 1e-11
"""Residual of the position constraints, relative to the size of the mechanism, below which the Newton iteration ends as
soon as the residual does not decrease any more."""


RATE_FRACTION = 0.02
"""Fraction of the characteristic rate ν that is used in tolerances, because most of a motion is slower than its largest
rate and acceleration suggest."""

LEAST_RATE = 0.1
"""Smallest value of the characteristic rate ν times the duration of a run. It determines ν of a run that starts at rest
in equilibrium."""


def least_characteristic_rate(span: float) -> float:
    """Smallest characteristic rate ν (1/s) of a run that lasts `span` seconds; 0 if its duration is unknown."""
    return LEAST_RATE / span if span > 0 else 0.0


UNKNOWN_DIMENSION = -1
"""Value of `power` for a state whose physical dimension is unknown: a user-defined state variable or a load's state."""


@dataclass(frozen=True, eq=False)
class StateScales:
    """Data from which the absolute tolerance of each entry of the state follows.

    For each entry, `unit` is its unit, `power` the power of the characteristic rate ν in its tolerance (or
    UNKNOWN_DIMENSION), and `omega` the natural frequency (rad/s) of an elastic coordinate, 0 for other entries.
    """

    unit: np.ndarray
    power: np.ndarray
    omega: np.ndarray

    def characteristic_rate(self, y: np.ndarray, rate: np.ndarray, span: float) -> float:
        """Characteristic rate ν (1/s) of a run that starts in the state y with the time derivative ẏ, `rate`.

        `span` is its duration (s) or 0 if unknown. Returns 0 if nothing moves and the duration is unknown.
        """
        return max(float(self.entry_rates(y, rate).max(initial=0.0)), least_characteristic_rate(span))

    def entry_rates(self, y: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Contribution (1/s) of each entry of the state y to the characteristic rate ν; 0 for entries that are no
        rates.

        `rate` is the time derivative of y.
        """
        moves, found = self.rate_units > 0, np.zeros(len(y))
        unit = self.unit[moves]
        own = np.array([np.abs(y[moves]) / unit, np.sqrt(np.abs(rate[moves]) / unit)])
        found[moves] = np.where(np.isfinite(own), own, 0.0).max(axis=0)
        return found

    def scales(self, pace: float, y: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Scale of each entry of the state, that is its absolute tolerance divided by rtol.

        `pace` is the characteristic rate ν. The scale of an entry of unknown dimension is its initial value, or its
        change in the time 1/ν if that is larger, or 1 if both are 0.
        """
        own = np.maximum(np.abs(y), np.abs(rate) / pace)
        own, pace = np.where(np.isfinite(own) & (own > 0), own, 1.0), RATE_FRACTION * pace
        slow = np.where(self.omega > pace, pace / np.where(self.omega > 0, self.omega, 1.0), 1.0)
        # Products are rounded correctly, powers by `pow` not always: with products, a change of the unit of time by a
        # power of two does not change the digits of the results.
        found = self.unit * np.select([self.power == 2, self.power == 1], [pace * pace, pace], 1.0)
        found = found * np.select([self.power == 1, self.power == 0], [slow, slow * slow], 1.0)
        sizes: np.ndarray = np.where(self.power == UNKNOWN_DIMENSION, own, found)
        return sizes

    def growth(self, pace: float) -> np.ndarray:
        """Power of the characteristic rate ν with which the absolute tolerance of each entry grows if ν increases.

        `pace` is ν at the start of the run.
        """
        stiff = self.omega > RATE_FRACTION * pace
        return np.where(stiff, 2, np.maximum(self.power, 0)).astype(np.int_)

    @property
    def rate_units(self) -> np.ndarray:
        """Unit of each entry that is a rate and contributes to the characteristic rate ν; 0 for all other entries of
        the state."""
        return np.where((self.power == 1) & (self.omega == 0), self.unit, 0.0)
