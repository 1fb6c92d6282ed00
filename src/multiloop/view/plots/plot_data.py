"""Data of a plot: lines, panels, diagrams and profiles, and the joints, markers and links selected for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from multiloop.analyses import Result
from multiloop.model import UnknownNameError, short_repr, suggestion
from multiloop.view.figure import drawing_error

Some = TypeVar("Some", bound="Drawable")


@dataclass(frozen=True, eq=False)
class Line:
    """One curve in SI units: values at all instants, or points of a plane (instants × 2) in a diagram.

    `of` is the joint, marker or sum whose colour it has; `part` distinguishes the coordinates or components of one
    object. Lines with `is_named` are labelled. Forces that equilibrium does not determine are `undetermined`. `sizes`
    are the magnitudes of spatial vectors that are drawn in a plane.
    """

    of: str
    label: str
    values: np.ndarray
    part: int = 0
    is_named: bool = True
    undetermined: bool = False
    sizes: np.ndarray | None = None

    @property
    def largest(self) -> float:
        """The largest magnitude."""
        return float(np.abs(self.values).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class Drawable:
    """Lines of one quantity under one name.

    `title` is the title. A line with values up to `floor` is round-off. `note` is written above the lines.
    """

    name: str
    title: str
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
    def is_significant(self) -> bool:
        """Whether any line exceeds round-off."""
        return self.largest > self.floor

    def without_round_off(self: Some) -> Some:
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


MOST_SHOWN = 6
"""Largest number of objects in a panel without a selection."""


@dataclass(frozen=True)
class Selection:
    """Names selected by the user; None where the plot itself selects what it shows."""

    joints: tuple[str, ...] | None = None
    markers: tuple[str, ...] | None = None
    frame: str | None = None
    links: tuple[str, ...] | None = None
    over: str | None = None  # abscissa of the curves


def selection_of(result: Result, of: Any, frame: str | None, over: str | None = None) -> Selection:
    """The selection of the joints, markers and flexible bodies that `of` names.

    The name of a `Pin` selects all its revolute joints. An unknown name raises an UnknownNameError.
    """
    if frame is not None and frame not in result.poses:
        raise UnknownNameError(result.mechanism.name, "body", str(frame), suggestion(frame, result.poses))
    joints: dict[str, None] = {}
    markers: dict[str, None] = {}
    links: dict[str, None] = {}
    for name in as_names(result, "of", of):
        of_pin = [joint for joint in result.joints if joint.startswith(f"{name}/")]
        if name in result.joints or of_pin:
            joints |= dict.fromkeys([name] if name in result.joints else of_pin)
        elif name.partition(".")[0] in result.poses and "." in name:
            result.marker(name)  # raises if the marker does not exist
            markers[name] = None
        elif name in result.links:
            links[name] = None
        else:
            known = [*result.joints, *result.links, *_markers(result)]
            kind = "joint, marker or flexible body" if result.links else "joint or marker"
            remedy = suggestion(name, known)
            if name in result.poses:
                bends = f" Flexible bodies: {', '.join(result.links)}." if result.links else ""
                remedy = f"It is a rigid body: name one of its markers, e.g. '{name}.origin'.{bends}"
            raise UnknownNameError(result.mechanism.name, kind, name, remedy)
    return Selection(tuple(joints) or None, tuple(markers) or None, frame, tuple(links) or None, over)


def as_names(result: Result, what: str, given: Any) -> list[str]:
    """A list of names from one name or several; other values are refused."""
    if isinstance(given, str):
        return [given]
    names = list(given) if isinstance(given, Sequence | set | dict) else [given]
    for name in names:
        if not isinstance(name, str):
            raise drawing_error(
                result.mechanism, "V01", what, f"contains {short_repr(name)}.", "Give a list of names."
            )
    return names


def _markers(result: Result) -> list[str]:
    bodies = result.mechanism.all_bodies
    return [f"{body.name}.{marker}" for body in bodies for marker in body.marker_names]
