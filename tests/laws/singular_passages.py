"""Test models that are driven past singular positions, and the same with lengths changed by round-off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import Any

import numpy as np
from scipy.optimize import brentq
from zoo import ZOO, chains
from zoo.body_poses import along, assembled

import multiloop as ml


@dataclass(frozen=True)
class Passage:
    """A mechanism whose drive passes a singular position at t = 0, and the positions of its joints near it."""

    mechanism: ml.Mechanism
    guess: Callable[[float], dict[str, Any]]

    def at(self, t: float, **asked: Any) -> ml.Result:
        """The result of `inverse` at a time, which is also the distance t from the singular position."""
        return ml.inverse(self.mechanism, t=[t], guess=self.guess(t), **asked)


def flat(mechanism: ml.Mechanism, joint: str, angles: dict[str, tuple[float, float]]) -> Passage:
    """A linkage that folds flat when its joints are at the first of their angles and continue at the second's rate."""
    drives = [ml.Motion(joint, ml.motion_laws.constant_speed(1.0))]
    return Passage(
        mechanism.replace(drives=drives, guess={}),
        lambda t: {name: a + b * t for name, (a, b) in angles.items()},
    )


def dead_point(name: str, crank: str, driven: str, low: float, high: float) -> Passage:
    """A full-turn mechanism driven at its output, past the dead point between two crank angles at which that reverses.

    b(t) = b* + ½ b″ t², so that the crank goes on steadily.
    """
    mechanism = ZOO[name].build()
    led = mechanism.replace(drives=[ml.Motion(crank, ml.motion_laws.constant_speed(1.0))])
    turning = brentq(lambda t: float(ml.inverse(led, t=[t])[driven].rate[0]), low, high, xtol=1e-15)
    there = ml.inverse(led, t=[turning])
    b, bend = float(there[driven].position[0]), float(there[driven].acceleration[0])
    profile = b + 0.5 * bend * ml.time * ml.time

    def guess(t: float) -> dict[str, Any]:
        beside = ml.inverse(led, t=[turning + t]).final.positions
        return {name: q for name, q in beside.items() if len(q)}

    return Passage(mechanism.replace(drives=[ml.Motion(driven, profile)], guess={}), guess)


def _ladder(windows: int) -> Passage:
    angles = {f"P{k}": (0.0, 1.0) for k in range(windows + 1)}
    for k in range(1, windows + 1):
        angles |= {f"A{k}": (0.0, -1.0), f"B{k}": (0.0, 1.0)}
    return flat(chains.ladder(windows), "P0", angles)


def _sarrus() -> Passage:
    angles = {}
    for k in (1, 2):
        angles |= {f"base{k}": (0.0, 1.0), f"knee{k}": (np.pi, -2.0), f"top{k}": (-np.pi, 1.0)}
    return flat(ZOO["sarrus"].build(), "base1", angles)


def _parallelogram() -> Passage:
    angles = {"A": (0.0, 1.0), "B": (0.0, -1.0), "C": (0.0, 1.0), "D": (0.0, 1.0)}
    return flat(ZOO["parallelogram"].build(), "A", angles)


PASSAGES: dict[str, Callable[[], Passage]] = {
    "parallelogram": _parallelogram,
    "ladder of 2": lambda: _ladder(2),
    "ladder of 5": lambda: _ladder(5),
    "sarrus": _sarrus,
    "four-bar": lambda: dead_point("four-bar", "A", "D", 0.3, 2.0),
    "four-bar-space": lambda: dead_point("four-bar-space", "A", "D", 0.3, 2.0),
    "four-bar-rod": lambda: dead_point("four-bar-rod", "A", "D", 0.3, 2.0),
    "slider-crank": lambda: dead_point("slider-crank", "A", "guide", 2.0, 4.0),
    "scotch-yoke": lambda: dead_point("scotch-yoke", "O", "guide", 2.0, 4.0),
    "watt": lambda: dead_point("watt", "A", "D", 0.3, 2.0),
    "RSUR": lambda: dead_point("RSUR", "A", "D", 0.1, 0.5),
    "RSSR": lambda: dead_point("RSSR", "A", "D", 0.1, 0.5),
}


def three_ruu() -> ml.Mechanism:
    """Three arms rotate in vertical planes, their forearms have crossed hinges: the platform translates only."""
    base, arm, fore, platform, angle = 0.3, 0.35, 0.8, 0.08, 0.4
    out, down = base + arm * cos(angle), arm * sin(angle)
    drop = sqrt(fore**2 - (out - platform) ** 2)
    seats, tips, bodies, joints, poses = {}, {}, [], [], {}
    for k in range(3):
        e, across = _directions(2 * pi * k / 3)
        seats[f"g{k}"] = ml.marker(tuple(base * e), z=tuple(across), x=tuple(e))
        tips[f"p{k}"] = ml.marker(tuple(platform * e), x=tuple(across), z=(0, 0, 1))
        hinges = {"a": ml.marker((0, 0, 0), x=(0, 1, 0), z=(0, 0, 1))}
        hinges["b"] = ml.marker((fore, 0, 0), z=(0, 1, 0), x=(0, 0, 1))
        bar = (5e-4, fore**2 / 24, fore**2 / 24)
        bodies += [
            ml.rod(f"arm{k}", length=arm, mass=1.0, inertia=(1e-3, arm**2 / 12, arm**2 / 12)),
            ml.Body(f"fore{k}", mass=0.5, com=(fore / 2, 0, 0), inertia=bar, markers=hinges),
        ]
        joints += [
            ml.Revolute(f"R{k}", f"ground.g{k}", f"arm{k}.a"),
            ml.Universal(f"U{k}", f"arm{k}.b", f"fore{k}.a"),
            ml.Universal(f"V{k}", f"fore{k}.b", f"platform.p{k}"),
        ]
        up = np.array([0, 0, 1.0])
        poses[f"arm{k}"] = along(tuple(base * e), x=tuple(cos(angle) * e - sin(angle) * up), z=tuple(across))
        way = ((platform - out) * e - drop * up) / fore
        poses[f"fore{k}"] = along(tuple(out * e - down * up), x=tuple(way), z=tuple(across))
    bodies.append(ml.Body("platform", mass=2.0, inertia=(0.01, 0.01, 0.02), markers=tips))
    poses["platform"] = along((0, 0, -down - drop), x=(1, 0, 0), z=(0, 0, 1))
    bodies.insert(0, ml.ground(seats))
    return assembled(ml.Mechanism("3-RUU", gravity=(0, 0, -9.81), bodies=bodies, joints=joints), poses)


def _directions(angle: float) -> tuple[np.ndarray, np.ndarray]:
    """Outward and across, in the base's plane."""
    return np.array([cos(angle), sin(angle), 0]), np.array([-sin(angle), cos(angle), 0])


LENGTHS, AXES = ("markers", "length"), ("x", "y", "z", "angle")


def with_other_lengths(mechanism: ml.Mechanism, seed: int) -> ml.Mechanism:
    """The same mechanism, with every coordinate of its markers and every length changed by about its last digit."""
    rng = np.random.default_rng(seed)

    def changed(value: Any, inside: bool) -> Any:
        if isinstance(value, dict):
            return {k: changed(v, (inside and k not in AXES) or k in LENGTHS) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [changed(entry, inside) for entry in value]
        last_digit = rng.choice([-1, 1]) * np.finfo(float).eps
        return value * (1 + last_digit) if inside and isinstance(value, float) else value

    found = ml.from_data(changed(ml.to_data(mechanism), False))
    assert isinstance(found, ml.Mechanism)
    return found
