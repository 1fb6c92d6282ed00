"""Where and when does a link bend most, and what does it bear most? Block by block of the instants, none left out."""

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
"""Instants that are looked at where all would take too long: half evenly spread, half where something is largest."""

BESIDE = 1e-6
"""Part of a link's length within which two places are told as one, the marker's."""

Sizes = tuple[np.ndarray, dict[str, np.ndarray | SolveError]]
"""Places, and magnitudes there by what they are of, instants × places, or why there are none."""

Link = TypeVar("Link", bound="LinkHistory")
Look = Callable[[Link, tuple[str, ...]], Sizes]


@dataclass(frozen=True)
class Peak:
    """A largest magnitude: of what, how much, where along the link, in metres from `a`, and when.

    Of a solid `place` is the number of the node. `instant` is the number of the instant, `time` its second.
    """

    what: str
    value: float
    unit: str
    place: float
    instant: int
    time: float


def peaks_of_blocks(link: Link, look: Look[Link], units: Mapping[str, str]) -> tuple[Peak, ...]:
    """The largest of all places and instants, of every magnitude that the link has."""
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
    """The place behind one that lies just before a marker, where nothing jumps there."""
    behind = min(n + 1, len(places) - 1)
    beside = places[behind] - places[n] <= BESIDE * (places[-1] - places[0])
    return behind if beside and values[behind] >= (1 - BESIDE) * values[n] else n


def looked_instants(sizes: np.ndarray) -> np.ndarray:
    """Numbers of some instants, from how large something is at each."""
    even = np.linspace(0, len(sizes) - 1, LOOKS // 2).round().astype(int)
    return np.union1d(even, np.argsort(sizes)[-LOOKS // 2 :])


def largest_of_blocks(link: Link, look: Look[Link], units: Mapping[str, str], what: str) -> np.ndarray:
    """At every instant the largest of all places."""
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
