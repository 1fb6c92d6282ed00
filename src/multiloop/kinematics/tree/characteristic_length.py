"""The characteristic length of a mechanism, by which lengths are divided in tolerances and in scaled equations.

Theory: docs/theory/01-notation.md, eq. (1.11).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations
from typing import Any

import casadi as ca
import numpy as np

from multiloop.model import GROUND, PAIRS, Marker, Mechanism, Resolve, nominal_value


def characteristic_length(mechanism: Mechanism) -> float:
    """The largest distance between two joints on one moving body, or between the markers of a pair, in m.

    Gaps of loops are measured relative to this length, and moments are divided by it for comparison with forces. If no
    body has two joints at different points, it is the largest distance between two markers of a body; if all markers of
    each body coincide, it is the largest of the radii of gyration, of the distances of mass centres from the body
    origins, and of the lengths and radii of loads; if all these are zero, it is 1 m. Parameters have their nominal
    values.
    """
    return float(resolved_length(mechanism, nominal_value))


def resolved_length(mechanism: Mechanism, resolve: Resolve) -> Any:
    """The characteristic length in m; `resolve` is a function that converts each number of the description, which may
    contain parameters, to a float or to an expression."""
    held: dict[str, set[tuple[Any, ...]]] = {body.name: set() for body in mechanism.moving}
    for joint in mechanism.connections:
        for reference in (joint.first, joint.second):
            body = reference.partition(".")[0]
            if body != GROUND:
                held[body].add(_marker_position(mechanism.marker(reference), resolve))
    every = [
        {_marker_position(body.marker(n), resolve) for n in body.marker_names} for body in mechanism.moving
    ]
    symbolic = () if resolve is nominal_value else (resolve,)  # user-defined types give nominal lengths only
    spanned = [pair.reach(*symbolic if isinstance(pair, PAIRS) else ()) for pair in mechanism.marker_pairs]
    for coupling in mechanism.couplings:
        spanned.append(coupling.reach_in(mechanism, *symbolic if isinstance(coupling, PAIRS) else ()))
    return _first_positive(
        lambda: reduce(ca.fmax, [*_distances(held.values()), *spanned], 0.0),
        lambda: reduce(ca.fmax, _distances(every), 0.0),
        lambda: reduce(ca.fmax, _fallback_lengths(mechanism, resolve), 0.0),
    )


def _first_positive(first: Callable[[], Any], *others: Callable[[], Any]) -> Any:
    """The first positive length that the functions return, in this order, or 1 m if no length is positive."""
    length = first()
    if not isinstance(length, ca.SX) and length > 0:
        return length
    fallback = _first_positive(*others) if others else 1.0
    return ca.if_else(length > 0, length, fallback) if isinstance(length, ca.SX) else fallback


def _fallback_lengths(mechanism: Mechanism, resolve: Resolve) -> Iterator[Any]:
    """Distances of mass centres from the body origins, radii of gyration, and lengths and radii of loads, in m."""
    for body in mechanism.moving:
        yield _norm([resolve(x) for x in body.com])
        mass, inertia = (
            resolve(body.mass),
            [ca.fabs(resolve(x)) for x in np.ravel(np.array(body.inertia, object))],
        )
        if isinstance(mass, ca.SX) or mass > 0:
            radius = ca.sqrt(reduce(ca.fmax, inertia, 0.0) / mass)
            yield ca.if_else(mass > 0, radius, 0.0) if isinstance(mass, ca.SX) else radius
    for load in mechanism.all_loads:
        given = (getattr(load, name, None) for name in ("length", "radius"))
        yield from (ca.fabs(resolve(value)) for value in given if value is not None)


def farthest_joint(mechanism: Mechanism) -> float:
    """The largest distance, in m, of a joint on the ground from the inertial origin."""
    references = {reference for joint in mechanism.connections for reference in (joint.first, joint.second)}
    grounded = [r for r in references if r.partition(".")[0] == GROUND]
    return max((float(np.linalg.norm(_marker_position(mechanism.marker(r)))) for r in grounded), default=0.0)


def _marker_position(marker: Marker, resolve: Resolve = nominal_value) -> tuple[Any, ...]:
    return tuple(resolve(component) for component in (*marker.point, 0.0, 0.0)[:3])


def _distances(groups: Iterable[set[tuple[Any, ...]]]) -> Iterator[Any]:
    """Distances between any two points of the same group."""
    return (_norm(np.subtract(a, b)) for group in groups for a, b in combinations(group, 2))


def _norm(vector: Sequence[Any] | np.ndarray) -> Any:
    if any(isinstance(component, ca.SX) for component in vector):
        return ca.norm_2(ca.densify(ca.vertcat(*vector)))
    return float(np.linalg.norm(vector))
