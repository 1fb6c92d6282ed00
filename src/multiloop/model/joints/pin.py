"""Three or more links on one pin, described once."""

from __future__ import annotations

from dataclasses import dataclass

from multiloop.model.joints.revolute import Revolute


@dataclass(frozen=True)
class Pin:
    """One pin through several links: each of `others` turns on it relative to the `carrier`.

    It stands for one revolute per other link, named "pin/body". Which link is the carrier changes how the
    pin's force is shared out among these revolutes, not the force on any link.
    """

    name: str
    carrier: str
    others: tuple[str, ...]

    def __post_init__(self) -> None:
        if isinstance(self.others, list):
            object.__setattr__(self, "others", tuple(self.others))

    def revolutes(self) -> tuple[Revolute, ...]:
        """The revolutes it stands for, in the order of `others`."""
        bodies = [other.partition(".")[0] for other in self.others]
        return tuple(
            Revolute(f"{self.name}/{body}", self.carrier, other)
            for body, other in zip(bodies, self.others, strict=True)
        )
