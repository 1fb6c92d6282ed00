"""Springs and dampers between two points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from multiloop.model.expressions import Scalar, depends_on_state, depends_on_time
from multiloop.model.faults import Fault
from multiloop.model.loads.load import Load
from multiloop.model.markers import value_of
from multiloop.model.names import body_of

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class Spring(Load):
    """A spring, a damper or both between the origins of two markers, with a force along their connecting line.

        F = preload + stiffness (L − length) + damping L̇,      tension positive

    `length` is the free length. Preload and damping may depend on time and state, so that an actuated strut can be
    described as a Spring.
    """

    first: str
    second: str
    stiffness: Scalar = field(default=0.0, kw_only=True)
    length: Scalar | None = field(default=None, kw_only=True)
    preload: Scalar = field(default=0.0, kw_only=True)
    damping: Scalar = field(default=0.0, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("stiffness", "length")
    varying: ClassVar[tuple[str, ...]] = ("preload", "damping")
    unsigned: ClassVar[tuple[str, ...]] = ("stiffness", "damping", "length")

    @property
    def dissipates(self) -> bool:
        """True if its preload is constant; a varying preload may drive the mechanism."""
        return not (depends_on_time(self.preload) or depends_on_state(self.preload))

    @property
    def markers(self) -> tuple[str, ...]:
        return (self.first, self.second)

    @property
    def span(self) -> tuple[str, str] | None:
        return (self.first, self.second)

    @property
    def needs_distance(self) -> bool:
        slack_at = self.length if self.stiffness != 0.0 else 0.0
        return (slack_at, self.preload, self.damping) != (0.0, 0.0, 0.0)

    def faults_in(self, where: str, mechanism: Mechanism) -> Iterator[Fault]:
        """Error unless it connects two bodies, or two markers of a flexible body as the string of a bow."""
        body = body_of(self.first)
        if body != body_of(self.second):
            return
        bends = any(one.name == body and one.elastic for one in mechanism.bodies)
        if not bends or self.first == self.second:
            what = f"connects body '{body}' with itself."
            yield Fault("L02", where, what, "Give markers of two different bodies.")

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from sign_faults(where, self)
        if (self.stiffness, self.preload, self.damping) == (0.0, 0.0, 0.0):
            yield Fault("L07", where, "does nothing.", "Give stiffness=, damping= or preload=.")
        elif self.stiffness != 0.0 and self.length is None:
            remedy = "Give length=, where it is slack; 0.0 for one that pulls its ends together."
            yield Fault("L07", where, "has a stiffness but no free length.", remedy)


def sign_faults(where: str, load: Load, *names: str) -> Iterator[Fault]:
    """Errors of negative values among the fields `names`, by default among all `unsigned` fields."""
    for name in names or load.unsigned:
        value = value_of(getattr(load, name))
        if value is not None and value < 0:
            remedy = f"Give a positive {name}: its force is against the motion by itself."
            remedy = "Give the free length in metres, zero or more." if name == "length" else remedy
            yield Fault("L06", where, f"its {name} is {value:g}.", remedy)
