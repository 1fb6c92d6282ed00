"""Coordinates of joints tied to each other by an equation: a gearbox, a differential, a law of motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from multiloop.model.expressions import Expression, Scalar, joints_of
from multiloop.model.markers import scalar
from multiloop.model.pairs.coupling import Coupling

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class Relation(Coupling):
    """An expression of joints' positions, and of time if need be, that stays zero.

        Φ(q, t) = 0,   e.g.  Relation("gearbox", position("A") - 3 * position("B"))

    It exerts an effort along every coordinate that it reads, ∂Φ/∂q λ, and does no work unless it depends on time.
    """

    equation: Scalar

    called: ClassVar[str] = "relation"

    def __post_init__(self) -> None:
        object.__setattr__(self, "equation", scalar(self.equation))

    def equation_in(self, mechanism: Mechanism) -> Scalar | None:
        return self.equation

    @property
    def joints(self) -> tuple[str, ...]:
        return joints_of(self.equation) if isinstance(self.equation, Expression) else ()
