"""Pins that connect three or more links, described as one joint."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from multiloop.model.brief import brief
from multiloop.model.faults import Fault
from multiloop.model.joints.composite import Composite
from multiloop.model.joints.revolute import Revolute


@dataclass(frozen=True)
class Pin(Composite):
    """One pin through several links: each of `others` turns on it relative to the `carrier`.

    It stands for one revolute joint per other link, named "pin/body". The choice of the carrier affects how the force
    of the pin is distributed among these joints, not the force on any link.
    """

    carrier: str
    others: tuple[str, ...]

    def __post_init__(self) -> None:
        if isinstance(self.others, list):
            object.__setattr__(self, "others", tuple(self.others))

    def binary_joints(self, planar: bool) -> tuple[Revolute, ...]:
        return self.revolutes()

    def faults(self, where: str) -> Iterator[Fault]:
        others: Any = self.others
        named = isinstance(others, tuple) and all(isinstance(other, str) for other in others)
        if not (named and others):
            remedy = 'Give a list with one marker for each other link, e.g. ["crank.b", "rod.a"].'
            yield Fault("M12", where, f"its others are {brief(others)}.", remedy)

    def revolutes(self) -> tuple[Revolute, ...]:
        """The revolute joints for which it stands, in the order of `others`."""
        bodies = [other.partition(".")[0] for other in self.others]
        return tuple(
            Revolute(f"{self.name}/{body}", self.carrier, other)
            for body, other in zip(bodies, self.others, strict=True)
        )
