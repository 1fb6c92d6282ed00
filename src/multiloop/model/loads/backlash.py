"""Backlash of a joint, a gear or a coupling: no force within the clearance, elastic contact of the flanks beyond it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

from multiloop.model.expressions import Expression, Position, Scalar, joints_of, nodes_of
from multiloop.model.expressions.expression import is_number
from multiloop.model.expressions.expression_text import shortened_text
from multiloop.model.expressions.nodes import StateVariable, Time
from multiloop.model.faults import Fault
from multiloop.model.loads.load import Load, sign_faults
from multiloop.model.markers import value_of

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

EXAMPLE = 'along=0.02 * position("A") + 0.06 * position("B")'


@dataclass(frozen=True)
class Backlash(Load):
    """Backlash of a joint coordinate, `Backlash("play", "A", play=0.01, stiffness=2e3)`, or of a sum of several.

        δ = x − rest ∓ play/2 beyond either flank,   F = max(0, k δ + c δ̇) against δ, zero within the backlash

    x is the coordinate, or the expression `along` of positions that rigid teeth would keep constant, as in a
    Relation. For gears with pitch radii r₁ and r₂ it is r₁ θ₁ + r₂ θ₂, the displacement along the pitch circles, and
    F is the tooth force. It acts along every coordinate by ∂x/∂q, on the second body of the joint and opposite on the
    first. Without `play` it models the compliance of the teeth alone.
    """

    joint: str = ""
    component: str = ""
    along: Scalar | None = field(default=None, kw_only=True)
    play: Scalar = field(default=0.0, kw_only=True)
    rest: Scalar = field(default=0.0, kw_only=True)
    stiffness: Scalar = field(default=0.0, kw_only=True)
    damping: Scalar = field(default=0.0, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("play", "rest", "stiffness", "damping")
    varying: ClassVar[tuple[str, ...]] = ("along",)
    unsigned: ClassVar[tuple[str, ...]] = ("play", "stiffness", "damping")

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        return ((self.joint, self.component),) if self.along is None else ()

    @property
    def joints(self) -> tuple[str, ...]:
        return joints_of(self.along) if isinstance(self.along, Expression) else super().joints

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from sign_faults(where, self)
        play = value_of(self.play)
        if play is not None and play < 0:
            yield Fault(
                "L06", where, f"its play is {play:g}.", "Give the whole way from flank to flank, or 0."
            )
        if self.stiffness == 0.0:
            yield Fault("L07", where, "holds nothing.", "Give stiffness=, that of its flanks.")
        if self.along is not None and (isinstance(self.along, Expression) or _finite(self.along)):
            yield from self._reading_faults(where, self.along)

    def _reading_faults(self, where: str, along: Scalar) -> Iterator[Fault]:
        """Errors of an `along` that reads anything but joint positions; invalid numbers are reported elsewhere."""
        if self.joint or self.component:
            remedy = "Give one of them: the name of a joint, or an expression of positions."
            yield Fault("L09", where, f"acts at joint '{self.joint}' and has an `along`.", remedy)
        leaves = [node for node in nodes_of(along) if isinstance(node, StateVariable | Time)]
        if not leaves:
            what = f"its `along` is {shortened_text(along)}, which reads no joint."
            yield Fault("L09", where, what, f"Read positions of joints: {EXAMPLE}.")
        elif not all(isinstance(leaf, Position) for leaf in leaves):
            what = f"its `along` is {shortened_text(along)}, which reads more than positions."
            yield Fault("L09", where, what, f"Read positions of joints alone: {EXAMPLE}.")

    def faults_in(self, where: str, mechanism: Mechanism) -> Iterator[Fault]:
        """Errors of coordinates that are components of a quaternion."""
        for node in nodes_of(self.along) if isinstance(self.along, Expression) else ():
            joint = mechanism.joints_by_name.get(node.joint) if isinstance(node, Position) else None
            if joint is None or not isinstance(node, Position):
                continue
            positions, rates = joint.positions(mechanism.planar), joint.degrees_of_freedom(mechanism.planar)
            if positions != rates and positions > node.component >= positions - 4:
                what = f"reads {shortened_text(node)}, which is part of a quaternion."
                yield Fault("L09", where, what, "Read slides, or angles of a joint that turns about axes.")


def _finite(value: Any) -> bool:
    return is_number(value) and isfinite(value)
