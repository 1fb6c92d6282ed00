"""Single loops of links with twisted axes: Bennett and Bricard, which move by their proportions, and RCCC."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import asin, atan2, cos, radians, sin, tan

from multiloop import Body, Cylindrical, Marker, Mechanism, Motion, Revolute, ground, marker
from multiloop.model import constant_speed
from zoo.entry import Entry, swinging

BRICARD_START = (-0.8, 2.737, 1.242)
"""Angles of the first three revolutes; the other three repeat them."""


def twisted(name: str, length: float, twist: float, *, offset: float = 0.0, mass: float = 1.0) -> Body:
    """A link between two axes by Denavit and Hartenberg's numbers: its axes are z of `a` and z of `b`.

    x runs along the common normal from `a` to `b`; `offset` shifts `b` along its own axis. It is a uniform
    bar along the normal, 20 mm thick.
    """
    across = mass * length**2 / 12
    return Body(
        name,
        mass=mass,
        com=(length / 2, 0, 0),
        inertia=(mass * 0.01**2 / 2, across, across),
        markers=_axes(length, twist, offset),
        outline=("a", "b"),
    )


def bennett() -> Mechanism:
    """Four revolutes in space: opposite links alike, and lengths in proportion to the sines of the twists.

        a / sin α = b / sin β,   tan(θ/2) tan(φ/2) = sin((α + β)/2) / sin((α − β)/2)

    Source: [bennett].
    """
    a, alpha, b = 0.30, radians(30), 0.45
    beta = asin(b / a * sin(alpha))
    theta = 0.8
    phi = 2 * atan2(sin((alpha + beta) / 2), sin((alpha - beta) / 2) * tan(theta / 2))
    return Mechanism(
        "Bennett linkage",
        bodies=[
            ground(_axes(a, alpha, 0.0)),
            twisted("near", b, beta, mass=1.2),
            twisted("middle", a, alpha, mass=0.8),
            twisted("far", b, beta, mass=1.2),
        ],
        joints=_ring(["ground", "near", "middle", "far"], "BCDA"),
        drives=[Motion("B", constant_speed(5.0, start=theta))],
        guess={"B": round(theta, 3), "C": round(phi, 3), "D": round(-theta, 3), "A": round(-phi, 3)},
    )


def bennett_typed() -> Mechanism:
    """The Bennett linkage with four digits, as a user types it, which is not exactly one."""
    exact = bennett()
    return exact.replace(name="Bennett linkage, typed", bodies=[_typed(body) for body in exact.bodies])


def bricard() -> Mechanism:
    """Six revolutes whose second half repeats the first, turned over about a line: Bricard's symmetric case.

        a₁₂ = a₄₅, a₂₃ = a₅₆, a₃₄ = a₆₁, and likewise for twists and offsets

    Source: [bricard].
    """
    half = [(0.30, radians(70), 0.00), (0.22, radians(100), 0.04), (0.26, radians(55), -0.03)]
    links = ["first", "second", "third", "fourth", "fifth"]
    numbers = (half + half)[1:]
    return Mechanism(
        "Bricard linkage",
        bodies=[
            ground(_axes(*half[0])),
            *(twisted(name, *row[:2], offset=row[2]) for name, row in zip(links, numbers, strict=True)),
        ],
        joints=_ring(["ground", *links], [f"J{k}" for k in (2, 3, 4, 5, 6, 1)]),
        drives=[Motion("J2", swinging(BRICARD_START[0], 0.3))],
        guess=dict(zip(["J2", "J3", "J4", "J5", "J6", "J1"], BRICARD_START * 2, strict=True)),
    )


def rccc() -> Mechanism:
    """One revolute and three cylindrical joints: the general four-link loop in space."""
    lengths, twists = (0.20, 0.10, 0.30, 0.25), tuple(map(radians, (65, 25, 60, 55)))
    links = ["crank", "coupler", "rocker"]
    bodies = [twisted(name, *row) for name, *row in zip(links, lengths[1:], twists[1:], strict=True)]
    first, *others = _ring(["ground", *links], "BCDA")
    return Mechanism(
        "RCCC",
        bodies=[ground(_axes(lengths[0], twists[0], 0.0)), *bodies],
        joints=[first, *(Cylindrical(joint.name, joint.first, joint.second) for joint in others)],
        drives=[Motion("B", constant_speed(6.0, start=0.5))],
        guess={"B": 0.5, "C": (-2.71, 0.19), "D": (-1.226, -0.074), "A": (-2.392, 0.221)},
    )


def _axes(length: float, twist: float, offset: float) -> dict[str, Marker]:
    z = (0, -sin(twist), cos(twist))
    far = (length, offset * z[1], offset * z[2])
    return {"a": marker((0, 0, 0), z=(0, 0, 1), x=(1, 0, 0)), "b": marker(far, z=z, x=(1, 0, 0))}


def _ring(bodies: list[str], names: Iterable[str]) -> list[Revolute]:
    """A revolute from each body's `b` to the next one's `a`, and back to the first."""
    following = bodies[1:] + bodies[:1]
    return [Revolute(name, f"{p}.b", f"{n}.a") for name, p, n in zip(names, bodies, following, strict=True)]


def _typed(body: Body) -> Body:
    def four(vector: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(round(component, 4) for component in vector)

    held = {name: marker(four(m.point), z=four(m.z), x=four(m.x)) for name, m in body.markers}
    return replace(body, markers=tuple(held.items()))


FAMILY = (
    Entry("bennett", bennett, 3, 1, count=-2, mobility=1, redundant=3, turns=True, source="bennett"),
    Entry("bricard", bricard, 5, 1, count=0, mobility=1, redundant=1, source="bricard"),
    Entry("RCCC", rccc, 3, 1, count=1, mobility=1, turns=True),
)

NEARLY = (Entry("bennett-typed", bennett_typed, 3, 1, count=-2, mobility=1, redundant=3),)
