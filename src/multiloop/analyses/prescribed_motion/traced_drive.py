"""Prescribed values of the drives at a time, evaluated from their trace, which is faster than their expressions."""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np

from multiloop.analyses.signals.signals import Signals
from multiloop.kinematics import CACHE_SIZE, Equations
from multiloop.kinematics.assembly import drive_of
from multiloop.model import MultiloopError
from multiloop.symbols import Traced


class TracedDrive:
    """All prescribed values as a function of time and order of derivative.

    An undefined value raises an error that names the drive.
    """

    def __init__(self, signals: Signals, p: np.ndarray) -> None:
        self.signals, self.p = signals, p
        self._last: tuple[float, list[np.ndarray]] = (np.nan, [])

    def __call__(self, t: float, order: int) -> np.ndarray:
        if t != self._last[0]:
            self._last = (t, self._at(t))
        return self._last[1][order]

    def _at(self, t: float) -> list[np.ndarray]:
        """Prescribed values s, ṡ, s̈ at a time."""
        try:
            self.signals.require_covered(t, t)
            found = self._traced(t=t, z=self.signals.tables.read(np.array([t])), p=self.p)
        except MultiloopError:
            found = [np.array([np.nan])]
        if all(np.isfinite(values).all() for values in found):
            return found
        by_expressions = drive_of(self.signals.equations)  # raises the error that describes the cause
        return [by_expressions(t, order) for order in range(3)]

    @cached_property
    def _traced(self) -> Traced:
        return prescribed_values(self.signals)


@lru_cache(maxsize=CACHE_SIZE)
def prescribed_values(signals: Signals) -> Traced:
    """(t, z, p) → s, ṡ, s̈."""
    inputs = {"t": signals.t, "z": signals.z, "p": signals.equations.skeleton.parameter_symbols}
    return Traced(
        "prescribed", inputs, {"s": signals.s, "s_rate": signals.s_rate, "s_second": signals.s_second}
    )


@lru_cache(maxsize=CACHE_SIZE)
def driven_signals(equations: Equations) -> Signals:
    """Prescribed motions and known efforts of the drives and actuators, traced once."""
    return Signals(equations)
