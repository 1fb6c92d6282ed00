"""User-defined state variables: quantities that are integrated together with the motion."""

from __future__ import annotations

from dataclasses import dataclass

from multiloop.model.expressions import Scalar
from multiloop.model.markers import scalar


@dataclass(frozen=True)
class Integral:
    """A state whose rate is an expression.

        ẋ = of(t, positions, rates, parameters, integrals),      x = start at the beginning

    Expressions refer to it as `integral("name")`, also in `of` itself, so that filters can be written. If `of` is a
    control error, it is the integral part of a PI controller.
    """

    name: str
    of: Scalar
    start: Scalar = 0.0

    def __post_init__(self) -> None:
        for entry in ("of", "start"):
            object.__setattr__(self, entry, scalar(getattr(self, entry)))
