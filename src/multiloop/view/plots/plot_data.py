"""Data of a plot: lines, panels, diagrams and profiles, and the joints, markers and bodies that the user selects."""

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
    """One curve in SI units: values at all instants, or points in a plane (instants × 2) for a diagram.

    `of` is the joint, marker or sum to which the curve belongs and whose colour it has; `part` is the index of the
    coordinate or component. The curve is labelled if `is_named`. It is `undetermined` if equilibrium does not determine
    the force. `sizes` are the magnitudes of spatial vectors that are drawn in a plane.
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
        """Largest magnitude of the values of the curve."""
        return float(np.abs(self.values[np.isfinite(self.values)]).max(initial=0.0))


@dataclass(frozen=True, eq=False)
class Drawable:
    """One part of a plot: several lines of one quantity, with a name, a title and a note that is written above.

    A line whose values do not exceed `floor` counts as round-off.
    """

    name: str
    title: str
    quantity: str
    lines: Sequence[Line]
    floor: float = 0.0
    note: str = ""

    @property
    def quantities(self) -> tuple[str, ...]:
        """Quantities on the axes, except time or the joint coordinate on the horizontal axis."""
        return (self.quantity,)

    @property
    def largest(self) -> float:
        """Largest magnitude of the values of all lines."""
        return max((line.largest for line in self.lines), default=0.0)

    @property
    def is_significant(self) -> bool:
        """Whether any line exceeds round-off."""
        return self.largest > self.floor

    def without_round_off(self: Some) -> Some:
        """The same part of a plot with values at the level of round-off set to zero."""
        lines = [
            replace(line, values=np.where(np.abs(line.values) > self.floor, line.values, 0.0))
            for line in self.lines
        ]
        return replace(self, lines=lines)


@dataclass(frozen=True, eq=False)
class Panel(Drawable):
    """Curves over time or a joint coordinate.

    With `peaks`, the lines are magnitudes, the vertical axis starts at zero and the lines are labelled at their peaks.
    With `zero`, the zero line is drawn. With `keeps_zero_lines`, lines that are zero are not omitted.
    """

    peaks: bool = False
    zero: bool = False
    keeps_zero_lines: bool = False


@dataclass(frozen=True, eq=False)
class Diagram(Drawable):
    """Curves in a plane with equal scales on both axes; `across` and `up` are the labels of the axes.

    With `origin`, the point (0, 0) is inside the axes.
    """

    across: str = "x"
    up: str = "y"
    origin: bool = False


@dataclass(frozen=True, eq=False)
class Profile(Diagram):
    """Curves along a flexible beam, as points (position, value), with different scales on the axes.

    `bounds` are positions along the beam, and the smallest and largest values there over all instants.
    """

    bounds: tuple[np.ndarray, np.ndarray, np.ndarray] = field(
        default_factory=lambda: (np.zeros(1), np.zeros(1), np.zeros(1))
    )

    @property
    def quantities(self) -> tuple[str, ...]:
        """Quantities on both axes."""
        return (self.quantity, "length")

    @property
    def largest(self) -> float:
        """Largest magnitude of the values of the profile at all instants."""
        return max(float(np.abs(bound).max(initial=0.0)) for bound in self.bounds[1:])


MOST_SHOWN = 6
"""Largest number of joints, markers or bodies in a panel if the user does not select them."""


@dataclass(frozen=True)
class Selection:
    """Names of the joints, markers and flexible bodies (`links`) that the user selects for a plot.

    Each is None if the plot itself selects the objects. `frame` is the body along whose axes components of vectors are
    shown, None for the default of the plot.
    """

    joints: tuple[str, ...] | None = None
    markers: tuple[str, ...] | None = None
    frame: str | None = None
    links: tuple[str, ...] | None = None
    over: str | None = None  # horizontal axis: "time" or a joint


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
            result.marker(name)  # raises an error if the marker does not exist
            markers[name] = None
        elif name in result.links:
            links[name] = None
        else:
            known = [*result.joints, *result.links, *_markers(result)]
            kind = "joint, marker or flexible body" if result.links else "joint or marker"
            if name in result.poses:
                bends = f" Flexible bodies: {', '.join(result.links)}." if result.links else ""
                remedy = f"Name one of its markers, e.g. '{name}.origin'.{bends}"
                what = "is a rigid body; plots show joints, markers and flexible bodies."
                raise UnknownNameError(result.mechanism.name, "body", name, remedy, what)
            remedy = suggestion(name, known)
            raise UnknownNameError(result.mechanism.name, kind, name, remedy)
    return Selection(tuple(joints) or None, tuple(markers) or None, frame, tuple(links) or None, over)


def as_names(result: Result, what: str, given: Any) -> list[str]:
    """Convert one name or several names to a list; raise an error for other values.

    `what` is the name of the argument in the error message.
    """
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
