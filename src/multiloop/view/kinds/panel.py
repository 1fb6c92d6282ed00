"""What a kind of picture hands over: panels of curves over the motion, and diagrams of points in a plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

Some = TypeVar("Some", bound="Drawable")


@dataclass(frozen=True, eq=False)
class Line:
    """One curve, in SI: values at all instants, or points of a plane (instants × 2) in a diagram.

    `of` is the joint, marker or sum that it belongs to and has its colour from; `part` tells the coordinates or
    components of one thing apart; `strong` ones are named; what equilibrium alone does not determine is `doubtful`.
    `sizes` are those of vectors in space whose points are drawn in a plane.
    """

    of: str
    label: str
    values: np.ndarray
    part: int = 0
    strong: bool = True
    doubtful: bool = False
    sizes: np.ndarray | None = None

    @property
    def largest(self) -> float:
        """The largest magnitude."""
        return float(np.abs(self.values).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class Drawable:
    """Lines of one quantity under one name.

    `words` say what is drawn. At or below `floor` a line is round-off of something larger. `note` is written above.
    """

    name: str
    words: str
    quantity: str
    lines: Sequence[Line]
    floor: float = 0.0
    note: str = ""

    @property
    def quantities(self) -> tuple[str, ...]:
        """What its axes count besides the motion."""
        return (self.quantity,)

    @property
    def largest(self) -> float:
        """The largest magnitude of all lines."""
        return max((line.largest for line in self.lines), default=0.0)

    @property
    def seen(self) -> bool:
        """Whether anything in it is more than round-off."""
        return self.largest > self.floor

    def flat(self: Some) -> Some:
        """The same with round-off as zero."""
        lines = [
            replace(line, values=np.where(np.abs(line.values) > self.floor, line.values, 0.0))
            for line in self.lines
        ]
        return replace(self, lines=lines)


@dataclass(frozen=True, eq=False)
class Panel(Drawable):
    """Curves over the motion.

    Magnitudes start at zero and are named at their peaks (`peaks`); signed ones may want the line at zero (`zero`).
    Of some the lines that are zero tell something too, and all stay (`whole`).
    """

    peaks: bool = False
    zero: bool = False
    whole: bool = False


@dataclass(frozen=True, eq=False)
class Diagram(Drawable):
    """Curves in a plane, both axes of one scale: `across` and `up` say what they count.

    With `origin` the point (0, 0) belongs to the picture.
    """

    across: str = "x"
    up: str = "y"
    origin: bool = False


@dataclass(frozen=True, eq=False)
class Profile(Diagram):
    """Curves along a link, points (place, value), each axis with its own scale.

    `bounds` are places, and the least and the largest values there over all instants.
    """

    bounds: tuple[np.ndarray, np.ndarray, np.ndarray] = field(
        default_factory=lambda: (np.zeros(1), np.zeros(1), np.zeros(1))
    )

    @property
    def quantities(self) -> tuple[str, ...]:
        """Those of both axes."""
        return (self.quantity, "length")

    @property
    def largest(self) -> float:
        """The largest magnitude of all values, at any instant."""
        return max(float(np.abs(bound).max(initial=0.0)) for bound in self.bounds[1:])
