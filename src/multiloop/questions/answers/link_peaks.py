"""Where and when does a link bend most, and what does it carry most: peaks of its deflection, moment and stress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from multiloop.flexible.lines import Line, looked_places
from multiloop.model import SolveError
from multiloop.questions.answers.link_truncation import PLACES, looked_instants

if TYPE_CHECKING:
    from multiloop.questions.answers.links import LinkHistory

UNITS = {"deflection": "m", "moment": "N m", "stress": "Pa"}
"""Of which peaks are told."""

Sizes = Callable[["LinkHistory", np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Peak:
    """A largest magnitude: of what, how much, at which instant, and where along the link, in metres from `a`.

    Of a solid `place` is the number of the node.
    """

    what: str
    value: float
    unit: str
    place: float
    instant: int


def line_peaks(link: LinkHistory, line: Line) -> tuple[Peak, ...]:
    """Of a link that has a line: the place where it is worst at some instants, and there the worst of all instants.

    What its section does not tell, as a stress without outer fibres, is left out.
    """
    some = link.at(looked_instants(np.abs(line.bending(link.eta, line.nodes)).max(axis=(1, 2), initial=0.0)))
    s = line.length * looked_places(line, PLACES)
    found = []
    for what, unit in UNITS.items():
        try:
            worst = s[SIZES[what](some, s).max(axis=0).argmax()]
            values = SIZES[what](link, np.array([worst]))[:, 0]
        except SolveError:
            continue
        k = int(values.argmax())
        found.append(Peak(what, float(values[k]), unit, float(worst), k))
    return tuple(found)


def largest_along(link: LinkHistory, line: Line, what: str) -> np.ndarray:
    """At every instant the largest magnitude along a link that has a line."""
    found: np.ndarray = SIZES[what](link, line.length * looked_places(line, PLACES)).max(axis=1)
    return found


def _norm(link: LinkHistory, values: np.ndarray) -> np.ndarray:
    """Sizes of moments, which are numbers in the plane."""
    return np.asarray(np.abs(values) if link.planar else np.linalg.norm(values, axis=-1))


SIZES: dict[str, Sizes] = {
    "deflection": lambda link, s: np.asarray(np.linalg.norm(link.deflection(s), axis=-1)),
    "moment": lambda link, s: _norm(link, link.moment(s)),
    "stress": lambda link, s: link.stress(s),
}
"""Magnitudes along a link, instants × places."""
