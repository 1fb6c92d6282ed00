"""Planar mechanisms with slides: slider-crank and Scotch yoke."""

from __future__ import annotations

from math import pi

import numpy as np

from multiloop import (
    Body,
    Contact,
    Freewheel,
    Friction,
    Mechanism,
    Motion,
    Prismatic,
    Revolute,
    Rope,
    Stop,
    ground,
    marker,
    rod,
)
from multiloop.model import constant_speed
from zoo.body_poses import assembled, between
from zoo.entry import Entry


def slider_crank() -> Mechanism:
    """Crank 0.05 and connecting rod 0.20; the slider's mass centre is beside its pin."""
    mechanism = Mechanism(
        "slider-crank",
        planar=True,
        bodies=[
            ground(O=(0, 0)),
            rod("crank", length=0.05, mass=0.6, inertia=6e-4, com=0.02),
            rod("connecting rod", length=0.20, mass=0.9, inertia=4e-3, com=0.07),
            Body("slider", mass=0.5, com=(0.012, 0.004), inertia=1e-4, markers={"pin": (0, 0)}),
        ],
        joints=[
            Revolute("A", "ground.O", "crank.a"),
            Revolute("B", "crank.b", "connecting rod.a"),
            Revolute("C", "connecting rod.b", "slider.pin"),
            Prismatic("guide", "ground.O", "slider.pin"),
        ],
        drives=[Motion("A", constant_speed(20.0, start=0.5))],
    )
    pin = 0.05 * np.array([np.cos(0.5), np.sin(0.5)])
    slider = (pin[0] + np.sqrt(0.20**2 - pin[1] ** 2), 0.0)
    poses = {"crank": (0, 0, 0.5), "connecting rod": between(pin, slider), "slider": (*slider, 0)}
    return assembled(mechanism, poses)


def worn_slider_crank() -> Mechanism:
    """The same with reaction-dependent friction in the crank's pin and the guide, and a seal with friction."""
    worn = [
        Friction("pin", "A", coefficient=0.2, radius=0.01, speed=0.5),
        Friction("bore", "guide", coefficient=0.15, length=0.04, speed=0.1),
        Friction("seal", "B", effort=0.03, viscous=0.002, speed=0.5),
    ]
    return slider_crank().replace(name="worn slider-crank", loads=worn)


def striking_slider_crank() -> Mechanism:
    """The same with exact friction and unilateral constraints: a stop, a rope, a wall, a freewheel that overruns."""
    holding = [
        Friction("bore", "guide", coefficient=0.15, stiction="exact"),
        Stop("end", "guide", low=0.1, high=0.3, restitution=0.5),
        Rope("tether", "ground.O", "connecting rod.com", length=0.5),
        Contact("wall", "slider.com", "ground.wall", radius=0.01, coefficient=0.3),
        Freewheel("ratchet", "A"),
    ]
    wall = marker((0.4, 0), angle=pi / 2)
    plain = slider_crank()
    bodies = [ground(O=(0, 0), wall=wall), *plain.bodies[1:]]
    return plain.replace(name="striking slider-crank", bodies=bodies, loads=holding)


def scotch_yoke() -> Mechanism:
    """A crank pin in a block that slides across the yoke, which itself slides to and fro."""
    mechanism = Mechanism(
        "Scotch yoke",
        planar=True,
        bodies=[
            ground(O=(0, 0)),
            rod("crank", length=0.10, mass=0.8),
            Body(
                "block",
                mass=0.2,
                inertia=5e-5,
                markers={"pin": (0, 0), "guide": marker((0, 0), angle=pi / 2)},
            ),
            Body(
                "yoke", mass=1.6, com=(0.15, 0), inertia=0.02, markers={"slot": marker((0, 0), angle=pi / 2)}
            ),
        ],
        joints=[
            Revolute("O", "ground.O", "crank.a"),
            Revolute("pin", "crank.b", "block.pin"),
            Prismatic("slot", "yoke.slot", "block.guide"),
            Prismatic("guide", "ground.O", "yoke.origin"),
        ],
        drives=[Motion("O", constant_speed(12.0, start=0.6))],
    )
    pin = 0.10 * np.array([np.cos(0.6), np.sin(0.6)])
    return assembled(mechanism, {"crank": (0, 0, 0.6), "block": (*pin, 0), "yoke": (pin[0], 0, 0)})


FAMILY = (
    Entry("slider-crank", slider_crank, 3, 1, count=1, mobility=1, turns=True, source="saha"),
    Entry("slider-crank-worn", worn_slider_crank, 3, 1, count=1, mobility=1, turns=True),
    Entry("slider-crank-striking", striking_slider_crank, 3, 1, count=1, mobility=1, turns=True),
    Entry("scotch-yoke", scotch_yoke, 3, 1, count=1, mobility=1, turns=True),
)
