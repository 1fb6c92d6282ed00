"""Places along a flexible link at which quantities are requested, and the largest magnitudes over places and instants.

Errors for quantities that a link does not have are defined here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from multiloop.flexible.beams.section_forces import BLOCK
from multiloop.model import Fault, SolveError, short_repr, suggestion
from multiloop.model.beams.beam_line import COINCIDENCE

if TYPE_CHECKING:
    from multiloop.analyses.results.histories.link_history import LinkHistory


@dataclass(frozen=True, eq=False)
class Places:
    """Places ξ along a link, as an array; `single` states that the place was given as a scalar."""

    xi: np.ndarray
    single: bool

    def shaped(self, found: np.ndarray) -> np.ndarray:
        """Values as instants × places × …; without the axis of places if the place was given as a scalar."""
        return found[:, 0] if self.single else found


def places_on(mechanism: str, link: str, length: float, s: Any) -> Places:
    """Places in metres from marker `a`, which must lie on the link."""
    try:
        given = np.asarray(s, float)
    except (TypeError, ValueError):
        given = np.array(np.nan)
    if given.ndim > 1 or not given.size or not np.isfinite(given).all():
        remedy = "Give the distance from its marker 'a' in metres, a number or a list of numbers."
        raise link_error(mechanism, link, f"the position s is {short_repr(s)}.", remedy)
    xi = np.atleast_1d(given) / length
    off = np.flatnonzero((xi < -COINCIDENCE) | (xi > 1 + COINCIDENCE))
    if off.size:
        what = f"s = {length * xi[off[0]]:g} m is outside the link."
        raise link_error(mechanism, link, what, f"Give a value within its length, 0 to {length:g} m.")
    return Places(np.clip(xi, 0.0, 1.0), given.ndim == 0)


def no_centreline_error(mechanism: str, link: str) -> SolveError:
    """The error for a link whose modes are known at its markers only."""
    what = "it is described by modal integrals, so that its mode shapes are known at its markers only."
    remedy = "Describe it as a `beam`, or use `result.marker` at its markers."
    return link_error(mechanism, link, what, remedy)


def no_fibre_error(mechanism: str, link: str, axis: str) -> SolveError:
    """The error for a section that does not define its outer fibres."""
    across = {"y": "Iz", "z": "Iy"}[axis]
    what = f"its section does not define the distance of the outer fibres along {axis}, or its {across}."
    remedy = f"Give Section(…, {across}=…, {axis}=…), or use a rectangle or tube."
    return link_error(mechanism, link, what, remedy)


def no_axial_mode_error(mechanism: str, link: str) -> SolveError:
    """The error for a link without axial modes."""
    what = "it has no longitudinal modes, so that its length is constant."
    return link_error(mechanism, link, what, 'Add a longitudinal mode, modes={…, "x": 1}.')


def link_error(mechanism: str, link: str, what: str, remedy: str) -> SolveError:
    """The error for a quantity that a link does not have."""
    return SolveError(f"mechanism '{mechanism}'", [Fault("R08", f"link '{link}'", what, remedy)])


SAMPLED_INSTANTS = 128
"""Number of evaluated instants where all would take too long: half evenly spaced, half with the largest values."""

NEAR_MARKER = 1e-6
"""Fraction of a link's length within which a place is reported as that of the marker."""

Magnitudes = tuple[np.ndarray, dict[str, np.ndarray | SolveError]]
"""Places, and magnitudes there by quantity, instants × places, or the error that explains why there are none."""

Link = TypeVar("Link", bound="LinkHistory")
MagnitudeFunction = Callable[[Link, tuple[str, ...]], Magnitudes]


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


def peaks_of_blocks(link: Link, look: MagnitudeFunction[Link], units: Mapping[str, str]) -> tuple[Peak, ...]:
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
    """The place of the marker instead of one just before it, if the quantity is continuous there."""
    behind = min(n + 1, len(places) - 1)
    beside = places[behind] - places[n] <= NEAR_MARKER * (places[-1] - places[0])
    return behind if beside and values[behind] >= (1 - NEAR_MARKER) * values[n] else n


def sampled_instants(sizes: np.ndarray) -> np.ndarray:
    """Indices of some instants, chosen by the size of a quantity at each."""
    even = np.linspace(0, len(sizes) - 1, SAMPLED_INSTANTS // 2).round().astype(int)
    return np.union1d(even, np.argsort(sizes)[-SAMPLED_INSTANTS // 2 :])


def largest_of_blocks(
    link: Link, look: MagnitudeFunction[Link], units: Mapping[str, str], what: str
) -> np.ndarray:
    """At every instant the largest value over all places."""
    if what not in units:
        remedy = suggestion(what, units)
        raise link_error(link.mechanism, link.name, f"it has no quantity '{what}'.", remedy)
    found = [np.zeros(0)]
    for _, (_, sizes) in _blocks(link, look, (what,)):
        values = sizes[what]
        if isinstance(values, SolveError):
            raise values
        found.append(values.max(axis=1))
    return np.concatenate(found)


def _blocks(
    link: Link, look: MagnitudeFunction[Link], whats: tuple[str, ...]
) -> Iterator[tuple[int, Magnitudes]]:
    for begin in range(0, len(link.eta), BLOCK):
        yield begin, look(link.at(slice(begin, begin + BLOCK)), whats)
