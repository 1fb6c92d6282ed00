"""Where and when does a link bend most, and what does it bear most? Block by block of the instants, none left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from multiloop.model import SolveError, suggestion
from multiloop.questions.answers.link_places import refusal

if TYPE_CHECKING:
    from multiloop.questions.answers.links import LinkHistory

BLOCK = 512
"""Instants that are worked out together."""

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
            k, n = np.unravel_index(values.argmax(), values.shape)
            if what not in found or values[k, n] > found[what].value:
                instant = begin + int(k)
                place, when = places[n].item(), float(link.time[instant])
                found[what] = Peak(what, float(values[k, n]), units[what], place, instant, when)
    return tuple(found.values())


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
