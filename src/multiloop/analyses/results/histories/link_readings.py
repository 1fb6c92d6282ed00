"""Requested places along a flexible link, largest magnitudes over places and instants, and errors for quantities that
a link does not have."""

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
    """Places along a link as an array of ξ = s / length, from 0 to 1; `single` states that s was given as a scalar."""

    xi: np.ndarray
    single: bool

    def shaped(self, found: np.ndarray) -> np.ndarray:
        """The values `found`, instants × places × …, without the axis of places if the place was given as a scalar."""
        return found[:, 0] if self.single else found


def places_on(mechanism: str, link: str, length: float, s: Any) -> Places:
    """The Places for distances s from marker `a` (m); an error is raised if a place is not on the link."""
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
        raise link_error(
            mechanism, link, what, f"Give a value within the length of the link, 0 to {length:g} m."
        )
    return Places(np.clip(xi, 0.0, 1.0), given.ndim == 0)


def no_centreline_error(mechanism: str, link: str) -> SolveError:
    """The error for a quantity requested along the centreline of a link whose modes are known at its markers only."""
    what = "it is described by modal integrals, so that its mode shapes are known at its markers only."
    remedy = "Describe it as a `beam`, or use `result.marker` at its markers."
    return link_error(mechanism, link, what, remedy)


def no_fibre_error(mechanism: str, link: str, axis: str) -> SolveError:
    """The error for a stress requested of a link whose section does not define its outer fibres along `axis`."""
    across = {"y": "Iz", "z": "Iy"}[axis]
    what = f"its section does not define the distance of the outer fibres along {axis}, or its {across}."
    remedy = f"Give Section(…, {across}=…, {axis}=…), or use a rectangle or tube."
    return link_error(mechanism, link, what, remedy)


def no_axial_mode_error(mechanism: str, link: str) -> SolveError:
    """The error for a stretch requested of a link without axial modes."""
    what = "it has no longitudinal modes, so that its length is constant."
    return link_error(mechanism, link, what, 'Add a longitudinal mode, modes={…, "x": 1}.')


def link_error(mechanism: str, link: str, what: str, remedy: str) -> SolveError:
    """The error for a request that a link cannot fulfil, with the cause `what` and the remedy."""
    return SolveError(f"mechanism '{mechanism}'", [Fault("R08", f"link '{link}'", what, remedy)])


SAMPLED_INSTANTS = 128
"""Number of instants at which expensive quantities are evaluated: half of them evenly spaced, half those with the
largest values of a quantity that is cheap to evaluate."""

NEAR_MARKER = 1e-6
"""Fraction of a link's length within which a place next to a marker is reported as the place of the marker."""

Magnitudes = tuple[np.ndarray, dict[str, np.ndarray | SolveError]]
"""Places, and by the name of the quantity its magnitudes there (instants × places), or the error that explains why the
link does not have this quantity."""

Link = TypeVar("Link", bound="LinkHistory")
MagnitudeFunction = Callable[[Link, tuple[str, ...]], Magnitudes]


@dataclass(frozen=True)
class Peak:
    """The largest magnitude of a quantity of a flexible link over all places and instants, with its place and time.

    `what` is the name of the quantity. `place` is in metres along the link from marker `a`; for a solid it is the index
    of the node. `instant` is the index of the instant, `time` its time in seconds.
    """

    what: str
    value: float
    unit: str
    place: float
    instant: int
    time: float


def peaks_of_blocks(
    link: Link, magnitudes_of: MagnitudeFunction[Link], units: Mapping[str, str]
) -> tuple[Peak, ...]:
    """The largest magnitude, over all places and instants, of every quantity in `units` that the link has.

    The magnitudes are computed by `magnitudes_of`, block by block along the instants, to limit the memory used.
    """
    found: dict[str, Peak] = {}
    for begin, (places, sizes) in _blocks(link, magnitudes_of, tuple(units)):
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
    """The index n of a place, or n + 1 if that place is at a marker just behind it and the values are equal there."""
    behind = min(n + 1, len(places) - 1)
    beside = places[behind] - places[n] <= NEAR_MARKER * (places[-1] - places[0])
    return behind if beside and values[behind] >= (1 - NEAR_MARKER) * values[n] else n


def sampled_instants(sizes: np.ndarray) -> np.ndarray:
    """Indices of up to `SAMPLED_INSTANTS` instants: evenly spaced ones, and those with the largest `sizes`."""
    even = np.linspace(0, len(sizes) - 1, SAMPLED_INSTANTS // 2).round().astype(int)
    return np.union1d(even, np.argsort(sizes)[-SAMPLED_INSTANTS // 2 :])


def largest_of_blocks(
    link: Link, magnitudes_of: MagnitudeFunction[Link], units: Mapping[str, str], what: str
) -> np.ndarray:
    """The largest magnitude of the quantity `what` over all places, at every instant.

    The magnitudes are computed by `magnitudes_of`, block by block along the instants, to limit the memory used.
    """
    if what not in units:
        remedy = suggestion(what, units)
        raise link_error(link.mechanism, link.name, f"it has no quantity '{what}'.", remedy)
    found = [np.zeros(0)]
    for _, (_, sizes) in _blocks(link, magnitudes_of, (what,)):
        values = sizes[what]
        if isinstance(values, SolveError):
            raise values
        found.append(values.max(axis=1))
    return np.concatenate(found)


def _blocks(
    link: Link, magnitudes_of: MagnitudeFunction[Link], whats: tuple[str, ...]
) -> Iterator[tuple[int, Magnitudes]]:
    for begin in range(0, len(link.eta), BLOCK):
        yield begin, magnitudes_of(link.at(slice(begin, begin + BLOCK)), whats)
