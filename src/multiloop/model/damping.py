"""Damping of links that bend, in proportion to their mass and their stiffness."""

from __future__ import annotations

from dataclasses import dataclass

from multiloop.model.expressions import Scalar
from multiloop.model.markers import scalar


@dataclass(frozen=True)
class Rayleigh:
    """D = α M + β K on elastic coordinates: a shape of frequency ω has α/(2 ω) + β ω/2 of critical damping.

    `alpha` is in 1/s, `beta` in s; numbers may be expressions of parameters.
    """

    alpha: Scalar = 0.0
    beta: Scalar = 0.0

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            object.__setattr__(self, name, scalar(getattr(self, name)))
