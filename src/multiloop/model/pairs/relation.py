"""Coordinates of joints tied to each other by an equation: a gearbox, a differential, a law of motion."""

from __future__ import annotations

from dataclasses import dataclass

from multiloop.model.expressions import Expression, Scalar, joints_of
from multiloop.model.markers import scalar


@dataclass(frozen=True)
class Relation:
    """An expression of joints' positions, and of time if need be, that stays zero.

        Φ(q, t) = 0,   e.g.  Relation("gearbox", position("A") - 3 * position("B"))

    It exerts an effort along every coordinate that it reads, ∂Φ/∂q λ, and does no work unless it depends on time.
    """

    name: str
    equation: Scalar

    def __post_init__(self) -> None:
        object.__setattr__(self, "equation", scalar(self.equation))

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that it ties together."""
        return joints_of(self.equation) if isinstance(self.equation, Expression) else ()
