"""Known facts of a test model, with which tests compare the library."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from multiloop import Expression, Mechanism, time
from multiloop.model.expressions.functions import sin


@dataclass(frozen=True)
class Entry:
    """One mechanism of the zoo with the facts that hold of it.

    name       under which it stands in ZOO
    build      makes the mechanism, with its drives and with a guess that chooses the assembly mode
    moving     number of moving bodies
    loops      independent loops: joints and pairs − moving bodies
    count      mobility by counting, d n − Σ (d − f) less what relations take, d = 3 in the plane and 6 in space
    mobility   true mobility
    redundant  rows of all joints − their rank = mobility − count
    idle       bodies whose spin about themselves moves nothing else
    turns      whether its drive can go a full turn
    source     citation key of its data, or "chosen"
    massless   whether some of its links have no mass
    rates_alone  constraints that hold rates and no position; it has as many more ways of being placed than of moving
    """

    name: str
    build: Callable[[], Mechanism]
    moving: int
    loops: int
    count: int
    mobility: int
    redundant: int = 0
    idle: tuple[str, ...] = ()
    turns: bool = False
    source: str = "chosen"
    massless: bool = False
    rates_alone: int = 0


def by_name(*families: Iterable[Entry]) -> dict[str, Entry]:
    """All entries under their names, in the order of the families."""
    return {entry.name: entry for family in families for entry in family}


def swinging(middle: float, amplitude: float, speed: float = 6.0) -> Expression:
    """A drive that swings about `middle`: middle + amplitude sin(speed t)."""
    return middle + amplitude * sin(speed * time)
