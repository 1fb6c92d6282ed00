"""Flexible twins: test models whose straight, uniform rods are replaced by beams."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from multiloop import Body, Mechanism, Section, beam, marker
from multiloop.model.marker_poses import nominal_value
from zoo import ZOO

E, DENSITY = 70e9, 2700.0
STIFF, GRAVITY = 500.0, 9.81
"""E I over m g L² of the heaviest link: its weight then deflects a link by some 1e-4 of its length."""

MIDDLE = "middle of it"
"""A marker that every twin has, halfway."""


def is_rod(body: Body) -> bool:
    """Whether a body is straight from `a` to `b` and uniform, with all its joints on its line."""
    if type(body) is not Body or not {"a", "b"} <= set(body.marker_names):
        return False
    points = {name: [nominal_value(x) for x in body.marker(name).point] for name in body.marker_names}
    length, mass = points["b"][0], nominal_value(body.mass)
    on_line = all(not any(p[1:]) and 0.0 <= p[0] <= length for p in points.values())
    return bool(
        on_line and mass > 0 and points["a"][0] == 0.0 and abs(points["com"][0] - length / 2) < 1e-9 * length
    )


def rods_of(mechanism: Mechanism) -> tuple[Body, ...]:
    """Its links that may be flexible."""
    return tuple(body for body in mechanism.moving if is_rod(body))


def softest(mechanism: Mechanism) -> float:
    """E I that is sufficient for the heaviest and longest of its rods, N m²."""
    return (
        STIFF
        * GRAVITY
        * max(nominal_value(r.mass) * nominal_value(r.marker("b").point[0]) ** 2 for r in rods_of(mechanism))
    )


def bent_rod(body: Body, I: float, times: float, **more: Any) -> Body:
    """A beam with the length, the mass and the markers of a rod."""
    length = body.marker("b").point[0]
    section = Section(A=body.mass / length / DENSITY, Iz=I, Iy=I, J=2 * I)
    made = beam(body.name, length=length, E=times * E, density=DENSITY, section=section, **more)
    return replace(made, markers=_markers(body))


def _markers(body: Body) -> tuple[Any, ...]:
    return (*body.markers, (MIDDLE, marker((body.marker("b").point[0] / 2,))))


def twin(name: str, times: float = 1.0, **more: Any) -> Mechanism:
    """A test model with all its rods flexible, of a material with a multiple of the smallest stiffness.

    Overconstrained ones have axial and torsional modes too: struts of fixed length share a load by buckling.
    """
    entry, mechanism = ZOO[name], ZOO[name].build()
    I, modes = softest(mechanism) / E, {"y": 2} if mechanism.planar else {"y": 2, "z": 2}
    if entry.redundant:
        modes |= {"x": 1} if mechanism.planar else {"x": 1, "twist": 1}
    for body in rods_of(mechanism):
        mechanism = mechanism.with_body(bent_rod(body, I, times, **{"modes": modes, **more}))
    return mechanism


def rigid_twin(name: str) -> Mechanism:
    """The test model with the same markers on rigid rods."""
    mechanism = ZOO[name].build()
    for body in rods_of(mechanism):
        mechanism = mechanism.with_body(replace(body, markers=_markers(body)))
    return mechanism


TWINS = tuple(name for name, entry in ZOO.items() if rods_of(entry.build()))
"""Test models with such rods."""
