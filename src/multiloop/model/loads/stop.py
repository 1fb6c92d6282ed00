"""The end of a stroke: a buffer that a joint runs against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.loads.load import Load
from multiloop.model.loads.spring import sign_faults
from multiloop.model.markers import value_of


@dataclass(frozen=True)
class Stop(Load):
    """Buffers at the ends of a joint's stroke: `Stop("end", "slide", high=0.3, stiffness=1e6, damping=200.0)`.

        δ = q − high or low − q,   effort = max(0, k δ + c δ̇)  against δ where δ > 0, else nothing

    It pushes and never pulls. `component` names the coordinate of a joint with several.
    """

    joint: str
    component: str = ""
    low: Scalar | None = field(default=None, kw_only=True)
    high: Scalar | None = field(default=None, kw_only=True)
    stiffness: Scalar = field(default=0.0, kw_only=True)
    damping: Scalar = field(default=0.0, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("low", "high", "stiffness", "damping")
    unsigned: ClassVar[tuple[str, ...]] = ("stiffness", "damping")

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        return ((self.joint, self.component),)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from sign_faults(where, self)
        if self.stiffness == 0.0 or (self.low is None and self.high is None):
            yield Fault("L07", where, "stops nothing.", "Give stiffness=, and low=, high= or both.")
        low, high = value_of(self.low), value_of(self.high)
        if low is not None and high is not None and low >= high:
            what = f"its low end is {low:g} and its high end {high:g}."
            yield Fault("L06", where, what, "Give the lower end of the stroke as low, the upper one as high.")
