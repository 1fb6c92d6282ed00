"""Paths of markers in a drawing: checked arrays of points, with the name of their marker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.model import DrawingError, Mechanism
from multiloop.model.brief import brief
from multiloop.view.refusals import refused

Traces = Sequence[Any] | Mapping[str, Any]
"""Arrays of points, or arrays of points by the names of markers."""


@dataclass(frozen=True, eq=False)
class Trace:
    """A path in space, points × 3; `marker` is "body.marker" if known; drawn dotted or else dashed."""

    points: np.ndarray
    marker: str = ""
    dotted: bool = False


def traces_of(mechanism: Mechanism, given: Traces) -> list[Trace]:
    """Paths from arrays of points, or from arrays by the markers that they belong to."""
    if isinstance(given, str):
        raise _name_alone(mechanism, given)
    if isinstance(given, Mapping):
        for marker in given:
            mechanism.marker(marker)  # raises if it does not exist
        return [Trace(_in_space(mechanism, points, f"trace of '{m}'"), m) for m, points in given.items()]
    return [Trace(_in_space(mechanism, points, f"trace {k}")) for k, points in enumerate(given, start=1)]


def _name_alone(mechanism: Mechanism, name: str) -> DrawingError:
    """The error of a name without a path: a Mechanism or a State has no path of a marker."""
    what = f"'{name}' is a name, and a drawing does not know where it goes."
    remedy = (
        f'Give its path, traces={{"{name}": result.marker("{name}")}}, or ask `Result.plot`, which knows it.'
    )
    return refused(mechanism, "V03", "traces", what, remedy)


def _in_space(mechanism: Mechanism, points: Any, where: str) -> np.ndarray:
    """Points × 3 from points of the plane or of space; other values are refused."""
    if isinstance(points, str):
        raise _name_alone(mechanism, points)
    try:
        found = np.asarray(points, float)
    except (TypeError, ValueError):
        what = f"is {brief(points)}, which is no array of numbers."
        raise refused(mechanism, "V03", where, what, "Give points × 2 or 3 numbers.") from None
    if found.ndim != 2 or found.shape[1] not in (2, 3) or not len(found):
        what = f"has shape {found.shape}."
        raise refused(mechanism, "V03", where, what, "Give points × 2 or 3 numbers.")
    bad = np.flatnonzero(~np.isfinite(found).all(axis=1))
    if bad.size:
        what = f"has {len(bad)} of {len(found)} points that are no numbers, the first at place {bad[0]}."
        raise refused(mechanism, "V03", where, what, "Leave them out, or draw the pieces between as traces.")
    return np.column_stack([found, np.zeros(len(found))]) if found.shape[1] == 2 else found
