"""Largest deflections and loads of a link over places and instants, evaluated block by block over all instants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from multiloop.flexible.section_forces import BLOCK
from multiloop.model import SolveError, suggestion
from multiloop.questions.answers.link_places import refusal

if TYPE_CHECKING:
    from multiloop.questions.answers.links import LinkHistory

LOOKS = 128
"""Number of evaluated instants where all would take too long: half evenly spaced, half with the largest values."""

BESIDE = 1e-6
"""Part of a link's length within which two places are reported as one, that of the marker."""

Sizes = tuple[np.ndarray, dict[str, np.ndarray | SolveError]]
"""Places, and magnitudes there by quantity, instants × places, or the error that explains why there are none."""

Link = TypeVar("Link", bound="LinkHistory")
Look = Callable[[Link, tuple[str, ...]], Sizes]


@dataclass(frozen=True)
class Peak:
    """A largest magnitude: quantity, value, place along the link in metres from `a`, and time.

    For a solid `place` is the index of the node. `instant` is the index of the instant, `time` its time in seconds.
    """

    what: str
    value: float
    unit: str
    place: float
    instant: int
    time: float


def peaks_of_blocks(link: Link, look: Look[Link], units: Mapping[str, str]) -> tuple[Peak, ...]:
    """The largest value over all places and instants, of every quantity that the link has."""
    found: dict[str, Peak] = {}
    for begin, (places, sizes) in _blocks(link, look, tuple(units)):
        for what, values in sizes.items():
            if isinstance(values, SolveError):
                continue
            k, largest = np.unravel_index(values.argmax(), values.shape)
            n = _at_marker(places, values[k], int(largest))
            if what not in found or values[k, n] > found[what].value:
                instant = begin + int(k)
                place, when = places[n].item(), float(link.time[instant])
                found[what] = Peak(what, float(values[k, n]), units[what], place, instant, when)
    return tuple(found.values())


def _at_marker(places: np.ndarray, values: np.ndarray, n: int) -> int:
    """The place of a marker in place of one just before it, if the quantity is continuous there."""
    behind = min(n + 1, len(places) - 1)
    beside = places[behind] - places[n] <= BESIDE * (places[-1] - places[0])
    return behind if beside and values[behind] >= (1 - BESIDE) * values[n] else n


def looked_instants(sizes: np.ndarray) -> np.ndarray:
    """Indices of some instants, chosen by the size of a quantity at each."""
    even = np.linspace(0, len(sizes) - 1, LOOKS // 2).round().astype(int)
    return np.union1d(even, np.argsort(sizes)[-LOOKS // 2 :])


def largest_of_blocks(link: Link, look: Look[Link], units: Mapping[str, str], what: str) -> np.ndarray:
    """At every instant the largest value over all places."""
    if what not in units:
        remedy = suggestion(what, units)
        raise refusal(link.mechanism, link.name, f"it has no largest '{what}'.", remedy)
    found = [np.zeros(0)]
    for _, (_, sizes) in _blocks(link, look, (what,)):
        values = sizes[what]
        if isinstance(values, SolveError):
            raise values
        found.append(values.max(axis=1))
    return np.concatenate(found)


def _blocks(link: Link, look: Look[Link], whats: tuple[str, ...]) -> Iterator[tuple[int, Sizes]]:
    for begin in range(0, len(link.eta), BLOCK):
        yield begin, look(link.at(slice(begin, begin + BLOCK)), whats)
