"""Damping of flexible bodies: a ratio of critical damping for each mode, or Rayleigh damping."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.model.brief import brief
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.markers import scalar, value_of, vector

MOST = 1.0
"""Critical damping; a larger ratio was probably meant in percent."""


@dataclass(frozen=True)
class Rayleigh:
    """Rayleigh damping D = α M + β K: a mode of frequency ω has the damping ratio α/(2 ω) + β ω/2.

    `alpha` is in 1/s, `beta` in s; numbers may be expressions of parameters.
    """

    alpha: Scalar = 0.0
    beta: Scalar = 0.0

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            object.__setattr__(self, name, scalar(getattr(self, name)))


def as_damping(value: Any) -> Any:
    """Damping as a user may write it: a number, one number per mode in a list or an array, or `Rayleigh`."""
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1):
        return vector(value)
    return value if isinstance(value, Rayleigh) else scalar(value)


def damping_faults(code: str, where: str, damping: Any, modes: int) -> Iterator[Fault]:
    """Faults of damping ratios: they must be between 0 and 1, one for all modes or one for each."""
    if isinstance(damping, Rayleigh):
        for name in ("alpha", "beta"):
            value = getattr(damping, name)
            if not (value_of(value) or 0.0) >= 0 or value_of(value) is None:
                what = f"{name} of its Rayleigh damping is {brief(value)}."
                yield Fault(code, where, what, "Give a number, 0 or more: alpha in 1/s, beta in s.")
        return
    given = damping if isinstance(damping, tuple) else (damping,)
    parts = [value_of(part) for part in given]
    remedy = f"Give a part of critical, 0.01, or one for each of {modes} modes."
    count = len(damping) if isinstance(damping, tuple) else modes
    if count != modes or any(part is None or part < 0 for part in parts):
        yield Fault(code, where, f"its damping is {brief(damping)}.", remedy)
    elif any(part is not None and part > MOST for part in parts):
        what = f"its damping is {brief(damping)}: 1 is critical, and no shape swings beyond it."
        yield Fault(code, where, what, "Give a part of critical, 0.05 for 5 %, or `Rayleigh(alpha, beta)`.")
