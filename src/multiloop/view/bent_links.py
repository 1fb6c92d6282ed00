"""Drawn geometry of beams: the deformed centreline, brackets to joints off it, and exaggerated deflection."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from multiloop.flexible.lines import ElasticMotion
from multiloop.model import Mechanism
from multiloop.model.beam_line import SAME_PLACE
from multiloop.model.brief import brief
from multiloop.model.expressions.expression import is_number
from multiloop.model.joint_seats import joint_seats
from multiloop.model.markers import value_of
from multiloop.spatial.turns import moved_points
from multiloop.view.refusals import refused
from multiloop.view.solid_links import solid_marker_shift

PLACES = 25
"""Number of points through which the centreline of a link is drawn, besides its corners."""


@lru_cache(maxsize=64)
def line_of(mechanism: Mechanism, body: str) -> Any:
    """The centreline of a flexible body; None where it has none."""
    return mechanism.body(body).centreline()


@lru_cache(maxsize=64)
def bracket_markers(mechanism: Mechanism, body: str) -> tuple[str, ...]:
    """Markers of joints that are off the centreline of a body, on brackets."""
    line, still = line_of(mechanism, body), np.zeros((1, mechanism.body(body).elastic))
    found = []
    for name in joint_seats(mechanism, body):
        point = (*mechanism.body(body).marker(name).point, 0.0, 0.0)[:3]
        away = line.point(still, np.array([line.places[name]]))[0, 0] - [value_of(c) or 0.0 for c in point]
        if np.linalg.norm(away) > SAME_PLACE * line.length:
            found.append(name)
    return tuple(found)


def drawn_places(line: Any) -> np.ndarray:
    """ξ of the points through which a link is drawn, including its corners."""
    return np.unique(np.concatenate([np.linspace(0.0, 1.0, PLACES), line.corners]))


def bent_places(
    mechanism: Mechanism, body: str, poses: np.ndarray, eta: np.ndarray, scale: float
) -> np.ndarray:
    """The deformed centreline, instants × points × 3 in inertial axes; `poses` n × 3 × 4, `eta` n × e."""
    return _placed(mechanism, body, drawn_places(line_of(mechanism, body)), poses, eta, scale)


def bracket_feet(
    mechanism: Mechanism, body: str, poses: np.ndarray, eta: np.ndarray, scale: float
) -> np.ndarray:
    """Points at which brackets meet the centreline of a body, instants × brackets × 3 in inertial axes."""
    places = line_of(mechanism, body).places
    xi = np.array([places[name] for name in bracket_markers(mechanism, body)])
    return _placed(mechanism, body, xi, poses, eta, scale)


def _placed(
    mechanism: Mechanism, body: str, xi: np.ndarray, poses: np.ndarray, eta: np.ndarray, scale: float
) -> np.ndarray:
    local = line_of(mechanism, body).point(eta, xi) + _exaggeration(mechanism, body, eta, xi, scale)
    return moved_points(poses, local)


def marker_shift(
    mechanism: Mechanism,
    reference: str,
    poses: Mapping[str, np.ndarray],
    eta: Mapping[str, np.ndarray],
    scale: float,
) -> np.ndarray | float:
    """Displacement of a marker by the exaggeration of deflections, in inertial axes, at one instant or at many."""
    body, _, name = reference.partition(".")
    line = line_of(mechanism, body) if scale != 1.0 and body in eta else None
    if line is None:
        return solid_marker_shift(mechanism, reference, poses, eta, scale)
    bent, place = np.atleast_2d(eta[body]), np.array([line.places[name]])
    local = _exaggeration(mechanism, body, bent, place, scale)[:, 0]
    if name not in joint_seats(mechanism, body):
        local = local + (scale - 1.0) * _by_lever(line, name, bent)
    found: np.ndarray = np.einsum("...ij,...j->...i", poses[body][..., :3], local)
    return found if eta[body].ndim > 1 else found[0]


def _by_lever(line: Any, name: str, eta: np.ndarray) -> np.ndarray:
    """Displacement of a marker relative to its section of the centreline, as the section turns, instants × 3."""
    still, place = np.zeros((1, eta.shape[1])), np.array([line.places[name]])
    at, before = (line.marker_path(ElasticMotion(x, 0 * x, 0 * x), name)[0][:, 0] for x in (eta, still))
    found: np.ndarray = at - before - line.deflection(eta, place)[:, 0]
    return found


def _exaggeration(
    mechanism: Mechanism, body: str, eta: np.ndarray, xi: np.ndarray, scale: float
) -> np.ndarray:
    """(scale − 1) times the deflection minus its polynomial interpolation at the joints, so that these stay fixed."""
    line = line_of(mechanism, body)
    away: np.ndarray = line.deflection(eta, xi)
    seats = _apart(np.array([line.places[name] for name in joint_seats(mechanism, body)]))
    there = line.deflection(eta, seats) if len(seats) else away
    for k, place in enumerate(seats):
        others = np.delete(seats, k)
        share = np.prod((xi[:, None] - others) / (place - others), axis=1)
        away = away - share[None, :, None] * there[:, k : k + 1]
    return (scale - 1.0) * away


def _apart(places: np.ndarray) -> np.ndarray:
    """Places in ascending order without duplicates."""
    ordered = np.sort(places)
    found: np.ndarray = ordered[np.diff(ordered, prepend=-1.0) > SAME_PLACE]
    return found


def checked_scale(mechanism: Mechanism, scale: Any) -> float:
    """The scale of deflections as a number; an invalid one is refused."""
    if not is_number(scale) or not 0 <= scale < np.inf:
        remedy = "Give a number: 1 shows how links bend, 20 shows it twenty times."
        raise refused(mechanism, "V01", "scale", f"is {brief(scale)}.", remedy)
    return float(scale)
