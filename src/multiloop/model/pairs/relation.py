"""Equations between joint coordinates or rates: gearboxes, differentials and nonholonomic constraints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from multiloop.model.connection import Coupling
from multiloop.model.expressions import Expression, Rate, Scalar, joints_of, nodes_of
from multiloop.model.markers import scalar

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class Relation(Coupling):
    """An expression of joint positions, or an expression linear in joint rates, that is kept at zero.

        Φ(q, t) = 0,                  e.g.  Relation("gearbox", position("A") - 3 * position("B"))
        A(q, t) v + c(q, t) = 0,      e.g.  Relation("skate", sin(phi) * rate("S", 0) - cos(phi) * rate("S", 1))

    q are joint positions, v joint rates, A is the row of coefficients of the rates and c the term without rates; both
    equations may depend on time t. With the multiplier λ, the relation exerts the effort ∂Φ/∂q λ or Aᵀ λ at every
    coordinate that it contains. It does work only if it depends on time explicitly, with the power λ (−∂Φ/∂t) or
    λ (−c). An equation of rates does not constrain positions, unless it is integrable.
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

    @cached_property
    def holds_rates(self) -> bool:
        """Whether the relation is an equation of rates, which does not constrain positions."""
        return isinstance(self.equation, Expression) and any(
            isinstance(node, Rate) for node in nodes_of(self.equation)
        )
