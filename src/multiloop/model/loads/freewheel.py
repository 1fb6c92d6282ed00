"""A freewheel: a joint that turns one way and holds the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from multiloop.model.brief import brief
from multiloop.model.faults import Fault
from multiloop.model.loads.one_sided import Holding

WAYS = ("forward", "backward")
"""Which way it is free."""


@dataclass(frozen=True)
class Freewheel(Holding):
    """A clutch, ratchet or backstop along one coordinate of a joint: `Freewheel("clutch", "A")`.

        q̇ ≥ 0,      effort ≥ 0,      no effort while it overruns

    It is free the way that `free` tells, "forward" or "backward", and holds the other way with whatever it takes.
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
