"""Base classes of unilateral constraints: a contact mode for each side, restitution, and the slowest rebound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.loads.load import Load
from multiloop.model.markers import value_of


@dataclass(frozen=True)
class Holding(Load):
    """A load with switching contact modes: a force and a mode for each of its sides."""

    @property
    def modes(self) -> tuple[str, ...]:
        return ("mode",)

    @property
    def states(self) -> Mapping[str, Scalar]:
        """For each side its mode, and the force from which statically undetermined forces are distributed."""
        return dict.fromkeys((*self.modes, *self.shares), 0.0)

    @property
    def strengths(self) -> int:
        return len(self.modes)


@dataclass(frozen=True)
class OneSided(Holding):
    """A unilateral constraint with one force x ≥ 0, which acts only while its gap is closed.

    After an impact the rate of the gap is −`restitution` times its rate before (Newton's law of impact). A rebound with
    less than a millionth of the largest impact energy of the simulation is suppressed; if a `speed` is given, a rebound
    slower than that, in m/s or rad/s.
    """

    restitution: Scalar = field(default=0.0, kw_only=True)
    speed: Scalar | None = field(default=None, kw_only=True)

    unsigned: ClassVar[tuple[str, ...]] = ("restitution", "speed")
    steady: ClassVar[tuple[str, ...]] = ("restitution", "speed")


def restitution_faults(where: str, restitution: Scalar | None, speed: Scalar | None) -> Iterator[Fault]:
    """Errors of a restitution outside 0 … 1, and of a rebound speed that is not positive."""
    e, slow = (None if value is None else value_of(value) for value in (restitution, speed))
    if e is not None and not 0 <= e <= 1:
        yield Fault("L06", where, f"its restitution is {e:g}.", "Give a number from 0 (dead) to 1 (elastic).")
    if slow is not None and slow <= 0:
        remedy = "Give a positive speed in m/s or rad/s, below which it does not bounce."
        yield Fault("L06", where, f"its speed is {slow:g}.", remedy)
