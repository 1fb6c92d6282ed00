"""Stops at the ends of a joint's stroke: elastic stops (buffers) or rigid stops with restitution."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.loads.one_sided import Holding, restitution_faults
from multiloop.model.loads.spring import sign_faults
from multiloop.model.markers import value_of


@dataclass(frozen=True)
class Stop(Holding):
    """Stops at the ends of a joint's stroke: `Stop("end", "slide", high=0.3, stiffness=1e6, damping=200.0)`.

        δ = q − high or low − q,   effort = max(0, k δ + c δ̇)  against δ if δ > 0, else 0

    It pushes and never pulls. `component` names the coordinate of a joint with several. With a `restitution` e the stop
    is rigid: an impact multiplies the rate by −e instantaneously, by impulses through all joints. A rebound with less
    than a millionth of the largest impact energy of the simulation is suppressed; if a `speed` is given, a rebound
    slower than that.
    """

    joint: str
    component: str = ""
    low: Scalar | None = field(default=None, kw_only=True)
    high: Scalar | None = field(default=None, kw_only=True)
    stiffness: Scalar = field(default=0.0, kw_only=True)
    damping: Scalar = field(default=0.0, kw_only=True)
    restitution: Scalar | None = field(default=None, kw_only=True)
    speed: Scalar | None = field(default=None, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("low", "high", "stiffness", "damping", "restitution", "speed")
    unsigned: ClassVar[tuple[str, ...]] = ("stiffness", "damping", "restitution", "speed")

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        return ((self.joint, self.component),)

    @property
    def modes(self) -> tuple[str, ...]:
        """Contact modes, one for each end of a rigid stop."""
        if self.restitution is None:
            return ()
        ends = {"low": self.low, "high": self.high}
        return tuple(f"{name} mode" for name, end in ends.items() if end is not None)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from sign_faults(where, self)
        yield from restitution_faults(where, self.restitution, self.speed)
        soft = self.stiffness != 0.0 or self.damping != 0.0
        if self.restitution is not None and soft:
            what = "has a restitution and a stiffness or damping."
            yield Fault("L07", where, what, "Give restitution= for a hard stop, or stiffness= for a buffer.")
        if not (soft or self.restitution is not None) or (self.low is None and self.high is None):
            remedy = "Give stiffness= or restitution=, and low=, high= or both."
            yield Fault("L07", where, "stops nothing.", remedy)
        low, high = value_of(self.low), value_of(self.high)
        if low is not None and high is not None and low >= high:
            what = f"its low end is {low:g} and its high end {high:g}."
            yield Fault("L06", where, what, "Give the lower end of the stroke as low, the upper one as high.")
