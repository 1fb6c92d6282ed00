"""Freewheels: a joint moves freely in one direction and is locked in the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from multiloop.model.brief import brief
from multiloop.model.faults import Fault
from multiloop.model.loads.one_sided import Holding

WAYS = ("forward", "backward")
"""Values of `free`, the direction in which it overruns."""


@dataclass(frozen=True)
class Freewheel(Holding):
    """A clutch, ratchet or backstop along one coordinate of a joint: `Freewheel("clutch", "A")`.

        q̇ ≥ 0,      effort ≥ 0,      no effort while it overruns

    It overruns in the direction `free`, "forward" or "backward", and transmits any effort in the other direction.
    """

    joint: str
    component: str = ""
    free: str = field(default="forward", kw_only=True)

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        return ((self.joint, self.component),)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if self.free not in WAYS:
            what = f"it is free {brief(self.free)}."
            yield Fault("L08", where, what, 'Write free="forward" or free="backward".')
