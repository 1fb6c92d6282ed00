"""The scale of every entry of a run's state, from which its absolute tolerances follow.

    atol = rtol · unit · (0.02 ν)^power,      ν = max(|v|/unit, √(|v̇|/unit), 0.1/span)

ν is the characteristic rate of the run in 1/s: the largest rate and the root of the largest acceleration at its start,
in radians and characteristic lengths, at least a tenth of one over its duration, and from the first larger rate on that
one. So a run of any size, mass and pace is computed with the same relative accuracy.

An elastic coordinate of natural frequency ω above 0.02 ν counts by what an acceleration of that size deflects it,
(0.02 ν/ω)², and its rate by 0.02 ν/ω: forces go with ω² η and are to be as accurate as positions.

Source: ours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FINER = 0.02
"""The part of ν by which rates are measured: a run is mostly slower than its largest rate and acceleration suggest."""

SLOWEST = 0.1
"""The least ν of a run, over its duration: where it starts at rest and in balance."""


def slowest(span: float) -> float:
    """The least ν of a run that lasts `span` seconds; 0 where that is not known."""
    return SLOWEST / span if span > 0 else 0.0


UNKNOWN = -1
"""The power of a state whose dimension is not known: a user-defined integral or state of a load."""


@dataclass(frozen=True, eq=False)
class StateSizes:
    """Of every entry of the state: its unit, the power of ν in it (or UNKNOWN), and its natural frequency, or 0."""

    unit: np.ndarray
    power: np.ndarray
    omega: np.ndarray

    def pace(self, y: np.ndarray, rate: np.ndarray, span: float) -> float:
        """ν of a run that starts in the state y with the rate ẏ and lasts `span` seconds; 0 where nothing moves."""
        return max(float(self.paces(y, rate).max(initial=0.0)), slowest(span))

    def paces(self, y: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """What every entry contributes to ν in the state y with the rate ẏ, in 1/s; 0 where it does not count."""
        moves, found = self.rate_units > 0, np.zeros(len(y))
        unit = self.unit[moves]
        own = np.array([np.abs(y[moves]) / unit, np.sqrt(np.abs(rate[moves]) / unit)])
        found[moves] = np.where(np.isfinite(own), own, 0.0).max(axis=0)
        return found

    def at(self, pace: float, y: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """The size of every entry. One of unknown dimension is as large as it is at the start, or as its rate makes it
        in a time 1/ν; where both are 0 it is 1."""
        own = np.maximum(np.abs(y), np.abs(rate) / pace)
        own, pace = np.where(np.isfinite(own) & (own > 0), own, 1.0), FINER * pace
        slow = np.where(self.omega > pace, pace / np.where(self.omega > 0, self.omega, 1.0), 1.0)
        # products in place of powers, which `pow` does not round as these are
        found = self.unit * np.select([self.power == 2, self.power == 1], [pace * pace, pace], 1.0)
        found = found * np.select([self.power == 1, self.power == 0], [slow, slow * slow], 1.0)
        sizes: np.ndarray = np.where(self.power == UNKNOWN, own, found)
        return sizes

    def growth(self, pace: float) -> np.ndarray:
        """The power of ν with which every size grows once the run becomes faster than it began."""
        stiff = self.omega > FINER * pace
        return np.where(stiff, 2, np.maximum(self.power, 0)).astype(np.int_)

    @property
    def rate_units(self) -> np.ndarray:
        """The units of all rates that count for ν, 0 of every other entry."""
        return np.where((self.power == 1) & (self.omega == 0), self.unit, 0.0)
