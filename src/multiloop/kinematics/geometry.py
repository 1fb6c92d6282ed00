"""Characteristic length of a mechanism, and substitution of its parameters by symbols."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import numpy as np

from multiloop.model import GROUND, Expression, Marker, Mechanism
from multiloop.model.expressions import trace
from multiloop.model.geometry import Resolve, at_values
from multiloop.spatial import Matrix


def resolver(names: tuple[str, ...], symbols: Matrix) -> Resolve:
    """A function that returns numbers unchanged and turns expressions of parameters into expressions of the symbols."""
    parameters = {name: symbols[k] for k, name in enumerate(names)}
    return lambda value: trace(value, parameters=parameters) if isinstance(value, Expression) else value


def characteristic_length(mechanism: Mechanism) -> float:
    """The largest distance between two joints on one moving body, or between the markers of a pair, in m.

    Loop closure is judged relative to it, and moments are divided by it when they are compared with forces. Where no
    body has two joints, all markers count; where these coincide, radii of gyration, distances of mass centres, and
    the lengths and radii of loads; where none of these is given it is 1 m.
    """
    held: dict[str, set[tuple[float, ...]]] = {body.name: set() for body in mechanism.moving}
    for joint in mechanism.connections:
        for reference in (joint.first, joint.second):
            body = reference.partition(".")[0]
            if body != GROUND:
                held[body].add(_place(mechanism.marker(reference)))
    every = [{_place(body.marker(name)) for name in body.marker_names} for body in mechanism.moving]
    spanned = [pair.reach() for pair in mechanism.marker_pairs]
    spanned += [coupling.reach_in(mechanism) for coupling in mechanism.couplings]
    return max(_widest(held.values()), *spanned, 0.0) or _widest(every) or _other_lengths(mechanism) or 1.0


def _other_lengths(mechanism: Mechanism) -> float:
    """The largest length among mass centres, radii of gyration, and the lengths and radii of loads, in m."""
    found = [0.0]
    for body in mechanism.moving:
        mass, inertia = (
            at_values(body.mass),
            np.array([at_values(x) for x in np.ravel(np.array(body.inertia, object))]),
        )
        found.append(float(np.linalg.norm([at_values(x) for x in body.com])))
        found.append(float(np.sqrt(np.abs(inertia).max(initial=0.0) / mass)) if mass > 0 else 0.0)
    for load in mechanism.all_loads:
        given = (getattr(load, name, None) for name in ("length", "radius"))
        found += [abs(at_values(value)) for value in given if value is not None]
    return max(found)


def farthest_joint(mechanism: Mechanism) -> float:
    """The largest distance of a joint on the ground from the inertial origin."""
    references = {reference for joint in mechanism.connections for reference in (joint.first, joint.second)}
    grounded = [r for r in references if r.partition(".")[0] == GROUND]
    return max((float(np.linalg.norm(_place(mechanism.marker(r)))) for r in grounded), default=0.0)


def _place(marker: Marker) -> tuple[float, ...]:
    return tuple(at_values(component) for component in (*marker.point, 0.0, 0.0)[:3])


def _widest(groups: Iterable[set[tuple[float, ...]]]) -> float:
    return max(
        (float(np.linalg.norm(np.subtract(a, b))) for g in groups for a, b in combinations(g, 2)), default=0.0
    )
