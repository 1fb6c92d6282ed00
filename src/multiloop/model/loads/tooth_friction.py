"""Friction between the teeth of a worm and its wheel, proportional to the normal force of the teeth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from multiloop.model.brief import brief
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault, suggestion
from multiloop.model.loads.load import Load
from multiloop.model.markers import value_of

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class ToothFriction(Load):
    """Friction along the thread of a Worm: `ToothFriction("rub", "mesh", coefficient=0.06)`.

        force = −σ(v / speed) μ N      on the wheel along the teeth, opposite on the worm

    N is the normal force of the teeth at the pitch point and v their sliding velocity there. With the lead
    angle γ and the normal pressure angle α the worm needs F tan γ′, tan γ′ = (cos α tan γ + μ)/(cos α − μ tan γ), to
    push with F along its axis, and is self-locking if μ ≥ cos α tan γ. σ rises smoothly from −1 to 1 while v goes from
    −speed to speed; by default the speed is √(g ℓ)/3000, as for Friction.

    Source: [shigley], ch. 13, force analysis of worm gearing.
    """

    gear: str
    coefficient: Scalar | None = field(default=None, kw_only=True)
    speed: Scalar | None = field(default=None, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("speed",)
    varying: ClassVar[tuple[str, ...]] = ("coefficient",)
    unsigned: ClassVar[tuple[str, ...]] = ("coefficient", "speed")
    acts_by_states: ClassVar[bool] = False

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def states(self) -> Mapping[str, Scalar]:
        """Dissipated heat."""
        return {"heat": 0.0}

    @property
    def strengths(self) -> int:
        return 1

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if self.coefficient is None:
            yield Fault("L08", where, "has no coefficient.", "Give coefficient=, that of the teeth.")
        mu, speed = value_of(self.coefficient), value_of(self.speed)
        if mu is not None and mu < 0:
            remedy = "Give it without sign: friction is against the motion by itself."
            yield Fault("L06", where, f"its coefficient is {mu:g}.", remedy)
        if speed is not None and speed <= 0:
            yield Fault("L06", where, f"its speed is {speed:g}.", "Give a positive number of m/s.")

    def faults_in(self, where: str, mechanism: Mechanism) -> Iterator[Fault]:
        """Error unless its gear is a worm: teeth of other gears do not slide at the pitch point."""
        from multiloop.model.pairs import Gearing, Worm

        gears = {pair.name: pair for pair in mechanism.pairs if isinstance(pair, Gearing)}
        if not isinstance(self.gear, str) or self.gear not in gears:
            remedy = suggestion(str(self.gear), gears) if gears else "Name a Worm among the pairs."
            yield Fault("L08", where, f"there is no gear {brief(self.gear)}.", remedy)
        elif not isinstance(gears[self.gear], Worm):
            kind = type(gears[self.gear]).__name__
            what = f"'{self.gear}' is a {kind}, whose teeth do not slide at their pitch point."
            remedy = "Take a Worm, or a Friction of a given effort= at a bearing for what other teeth lose."
            yield Fault("L08", where, what, remedy)
