"""What loads have in common that hold one way alone: a mode for each side, a restitution, a speed to rest at."""

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
    """A load that holds and lets go: a force and a mode for each of its sides."""

    @property
    def modes(self) -> tuple[str, ...]:
        return ("mode",)

    @property
    def states(self) -> Mapping[str, Scalar]:
        """Whether it holds, for each of its sides, and from which force on it shares."""
        return dict.fromkeys((*self.modes, *self.shares), 0.0)

    @property
    def strengths(self) -> int:
        return len(self.modes)


@dataclass(frozen=True)
class OneSided(Holding):
    """A load with one force x ≥ 0, that is there where its gap is closed.

    After an impact the gap opens −`restitution` times as fast as it closed. A rebound of less than a millionth of the
    largest energy of an impact in the run is none; with a `speed`, one slower than that in m/s or rad/s.
    """

    restitution: Scalar = field(default=0.0, kw_only=True)
    speed: Scalar | None = field(default=None, kw_only=True)

    unsigned: ClassVar[tuple[str, ...]] = ("restitution", "speed")
    steady: ClassVar[tuple[str, ...]] = ("restitution", "speed")


def restitution_faults(where: str, restitution: Scalar | None, speed: Scalar | None) -> Iterator[Fault]:
    """A restitution is a part of a speed, and there is a speed at which bouncing ends."""
    e, slow = (None if value is None else value_of(value) for value in (restitution, speed))
    if e is not None and not 0 <= e <= 1:
        yield Fault("L06", where, f"its restitution is {e:g}.", "Give a number from 0 (dead) to 1 (elastic).")
    if slow is not None and slow <= 0:
        remedy = "Give a positive speed in m/s or rad/s, below which it does not bounce."
        yield Fault("L06", where, f"its speed is {slow:g}.", remedy)
