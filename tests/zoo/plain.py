"""Plain mechanisms of one to three bodies, to which tests add drives, loads and further parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import multiloop as ml

OPEN = {"coupler.b": (0.8, 0.7)}
"""End of the coupler of the four-bar while its crank is near the base: the open assembly mode."""


def pinned_body(link: ml.Body, name: str = "arm", joint: str = "A", **more: Any) -> ml.Mechanism:
    """One body on a pin at the ground's origin, by its marker a or by its own origin; planar by default."""
    return _one_link(link, name, ml.Revolute(joint, "ground.origin", _end(link)), more)


def clamped_body(link: ml.Body, name: str = "cantilever", joint: str = "wall", **more: Any) -> ml.Mechanism:
    """One body clamped to the ground by its marker a, or by its own origin; planar by default."""
    return _one_link(link, name, ml.Fixed(joint, "ground.origin", _end(link)), more)


def sliding_body(body: ml.Body, name: str, joint: str = "slide", **more: Any) -> ml.Mechanism:
    """One planar body that slides along the ground's x axis, by its own origin."""
    return _one_link(body, name, ml.Prismatic(joint, "ground.origin", f"{body.name}.origin"), more)


def free_body(body: ml.Body, name: str, joint: str = "floats", **more: Any) -> ml.Mechanism:
    """One body that moves freely, in space unless it is planar."""
    free = ml.Free(joint, "ground.origin", f"{body.name}.origin")
    return _one_link(body, name, free, {"planar": False} | more)


def _one_link(link: ml.Body, name: str, joint: Any, more: Mapping[str, Any]) -> ml.Mechanism:
    given = {"planar": True, "ground": ml.ground()} | dict(more)
    return ml.Mechanism(name, bodies=[given.pop("ground"), link], joints=[joint], **given)


def _end(link: ml.Body) -> str:
    return f"{link.name}.a" if "a" in link.marker_names else f"{link.name}.origin"


def double_pendulum(upper: ml.Body, lower: ml.Body, name: str = "arm", **more: Any) -> ml.Mechanism:
    """Two planar links, 'upper' on the pin A and 'lower' on the pin B."""
    joints = [ml.Revolute("A", "ground.origin", "upper.a"), ml.Revolute("B", "upper.b", "lower.a")]
    return ml.Mechanism(name, planar=True, bodies=[ml.ground(), upper, lower], joints=joints, **more)


def crank_slider(
    crank: ml.Body,
    rod: ml.Body,
    slider: ml.Body,
    name: str = "slider-crank",
    *,
    pins: Sequence[str] = ("A", "B", "C", "guide"),
    ground: ml.Body | None = None,
    **more: Any,
) -> ml.Mechanism:
    """A planar crank, a rod and a slider, which moves along the x axis through the pivot of the crank."""
    first, second, third, guide = pins
    joints = [
        ml.Revolute(first, "ground.origin", f"{crank.name}.a"),
        ml.Revolute(second, f"{crank.name}.b", f"{rod.name}.a"),
        ml.Revolute(third, f"{rod.name}.b", f"{slider.name}.origin"),
        ml.Prismatic(guide, "ground.origin", f"{slider.name}.origin"),
    ]
    return ml.Mechanism(
        name, planar=True, bodies=[ground or ml.ground(), crank, rod, slider], joints=joints, **more
    )


def two_shafts(
    one: ml.Body, two: ml.Body, distance: float = 0.3, name: str = "train", **more: Any
) -> ml.Mechanism:
    """Two planar bodies 'one' and 'two' that turn about A and B, at a distance along x."""
    joints = [ml.Revolute("A", "ground.A", "one.origin"), ml.Revolute("B", "ground.B", "two.origin")]
    bodies = [ml.ground(A=(0, 0), B=(distance, 0)), one, two]
    return ml.Mechanism(name, planar=True, bodies=bodies, joints=joints, **more)


def lift(name: str = "lift", **more: Any) -> ml.Mechanism:
    """A table in space that turns about the vertical and rises along it, by one joint with two coordinates."""
    table = ml.Body("table", mass=3.0, inertia=(0.3, 0.3, 0.5))
    joint = ml.Cylindrical("C", "ground.origin", "table.origin")
    return ml.Mechanism(name, bodies=[ml.ground(), table], joints=[joint], **more)


def four_bar_pins() -> list[ml.Revolute]:
    """The joints of every four-bar: A and D at the ground, B and C at the ends of the coupler."""
    return [
        ml.Revolute("A", "ground.A", "crank.a"),
        ml.Revolute("B", "crank.b", "coupler.a"),
        ml.Revolute("C", "coupler.b", "rocker.b"),
        ml.Revolute("D", "ground.D", "rocker.a"),
    ]


def planar_four_bar(
    lengths: Sequence[Any] = (0.3, 0.9, 0.8, 1.0),
    masses: Sequence[Any] = (1.0, 2.0, 1.5),
    name: str = "four-bar",
    *,
    links: Mapping[str, ml.Body] | None = None,
    base: Mapping[str, Any] | None = None,
    joints: Sequence[Any] = (),
    guess: Mapping[str, Any] | None = OPEN,
    **more: Any,
) -> ml.Mechanism:
    """A planar four-bar: lengths of crank, coupler, rocker and base, and masses of the three links.

    `links` replace rods by other bodies of the same name, `base` are further markers of the ground, `joints` follow
    the four pins.
    """
    *sizes, distance = lengths
    rods = {
        body: ml.rod(body, length=length, mass=mass)
        for body, length, mass in zip(("crank", "coupler", "rocker"), sizes, masses, strict=True)
    }
    return ml.Mechanism(
        name,
        planar=True,
        bodies=[ml.ground(A=(0, 0), D=(distance, 0), **(base or {})), *(rods | dict(links or {})).values()],
        joints=[*four_bar_pins(), *joints],
        guess=guess or {},
        **more,
    )
