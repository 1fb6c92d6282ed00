"""Data of a plot: lines in panels over the motion, in diagrams of a plane, and in profiles along a link."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

Some = TypeVar("Some", bound="Drawable")


@dataclass(frozen=True, eq=False)
class Line:
    """One curve in SI units: values at all instants, or points of a plane (instants × 2) in a diagram.

    `of` is the joint, marker or sum whose colour it has; `part` distinguishes the coordinates or components of one
    object. Lines with `strong` are labelled. Forces that equilibrium does not determine are `doubtful`. `sizes` are the
    magnitudes of spatial vectors that are drawn in a plane.
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

    `words` is the title. A line with values up to `floor` is round-off. `note` is written above the lines.
    """

    name: str
    words: str
    quantity: str
    lines: Sequence[Line]
    floor: float = 0.0
    note: str = ""

    @property
    def quantities(self) -> tuple[str, ...]:
        """Quantities of its axes, except the abscissa of the motion."""
        return (self.quantity,)

    @property
    def largest(self) -> float:
        """The largest magnitude of all lines."""
        return max((line.largest for line in self.lines), default=0.0)

    @property
    def seen(self) -> bool:
        """Whether any line exceeds round-off."""
        return self.largest > self.floor

    def flat(self: Some) -> Some:
        """The same with round-off set to zero."""
        lines = [
            replace(line, values=np.where(np.abs(line.values) > self.floor, line.values, 0.0))
            for line in self.lines
        ]
        return replace(self, lines=lines)


@dataclass(frozen=True, eq=False)
class Panel(Drawable):
    """Curves over the motion.

    With `peaks`, the lines are magnitudes that start at zero and are labelled at their peaks. With `zero`, the zero
    line is drawn. With `whole`, lines that are zero are kept.
    """

    peaks: bool = False
    zero: bool = False
    whole: bool = False


@dataclass(frozen=True, eq=False)
class Diagram(Drawable):
    """Curves in a plane with equal scales; `across` and `up` are the labels of the axes.

    With `origin` the point (0, 0) is included.
    """

    across: str = "x"
    up: str = "y"
    origin: bool = False


@dataclass(frozen=True, eq=False)
class Profile(Diagram):
    """Curves along a link, points (position, value), with independent scales.

    `bounds` are positions, and the smallest and largest values there over all instants.
    """

    bounds: tuple[np.ndarray, np.ndarray, np.ndarray] = field(
        default_factory=lambda: (np.zeros(1), np.zeros(1), np.zeros(1))
    )

    @property
    def quantities(self) -> tuple[str, ...]:
        """Quantities of both axes."""
        return (self.quantity, "length")

    @property
    def largest(self) -> float:
        """The largest magnitude of all values, at any instant."""
        return max(float(np.abs(bound).max(initial=0.0)) for bound in self.bounds[1:])
