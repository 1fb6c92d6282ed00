"""Selection of joints, markers and links for a plot, and of the body in whose axes forces are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from multiloop.model import UnknownNameError, suggestion
from multiloop.model.brief import brief
from multiloop.questions import Result
from multiloop.view.refusals import refused

MOST = 6
"""Largest number of objects in a panel without a selection."""


@dataclass(frozen=True)
class Chosen:
    """Selected names; None where the plot selects its objects."""

    joints: tuple[str, ...] | None = None
    markers: tuple[str, ...] | None = None
    frame: str | None = None
    links: tuple[str, ...] | None = None
    over: str | None = None  # abscissa of the curves


def chosen_by(result: Result, of: Any, frame: str | None, over: str | None = None) -> Chosen:
    """The joints, markers and flexible links among names; the name of a pin selects all its joints."""
    if frame is not None and frame not in result.poses:
        raise UnknownNameError(result.mechanism.name, "body", str(frame), suggestion(frame, result.poses))
    joints: dict[str, None] = {}
    markers: dict[str, None] = {}
    links: dict[str, None] = {}
    for name in listed(result, "of", of):
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
            kind = "joint, marker or link that bends" if result.links else "joint or marker"
            remedy = suggestion(name, known)
            if name in result.poses:
                bends = f" Those that bend: {', '.join(result.links)}." if result.links else ""
                remedy = f"It is a rigid body: name its markers, '{name}.origin' or its like.{bends}"
            raise UnknownNameError(result.mechanism.name, kind, name, remedy)
    return Chosen(tuple(joints) or None, tuple(markers) or None, frame, tuple(links) or None, over)


def listed(result: Result, what: str, given: Any) -> list[str]:
    """A list of names from one name or several; other values are refused."""
    if isinstance(given, str):
        return [given]
    names = list(given) if isinstance(given, Sequence | set | dict) else [given]
    for name in names:
        if not isinstance(name, str):
            raise refused(result.mechanism, "V01", what, f"holds {brief(name)}.", "Give names, in a list.")
    return names


def _markers(result: Result) -> list[str]:
    bodies = result.mechanism.all_bodies
    return [f"{body.name}.{marker}" for body in bodies for marker in body.marker_names]
