"""Flexible mechanisms of the literature: a slider-crank, a four-bar, and a cantilever in a spin-up manoeuvre.

Data: [simeon] (slider-crank); a four-bar of aluminium strips; [kane_ryan_banerjee], [simo_vu_quoc] (spin-up). Both
linkages start undeformed, with the rates of the rigid mechanism, without gravity.
"""

from __future__ import annotations

import numpy as np
from zoo.plain import crank_slider, pinned_body

import multiloop as ml

TAU = 2 * np.pi
STRIP = {"E": 71e9, "density": 2710.0, "section": ml.Section(A=4.064e-5, Iz=8.66987e-12)}
STEEL = {"E": 2e11, "density": 7870.0, "section": ml.rectangle(0.008, 0.008)}
SPAR = {"length": 10.0, "E": 2.8e7, "density": 1.2, "section": ml.Section(A=1.0, Iz=5e-4)}
"""E A = 2.8e7, E I = 1.4e4, ρ A = 1.2, ρ I = 6e-4."""

SHEAR = 1e7
"""G A, which only the other program uses."""

LOW, RISE = 35.6047, 0.5
"""Speed of the four-bar's crank, and when it is reached."""

SPIN, SPUN = 6.0, 15.0
"""Speed of the cantilever, and when it is reached."""


def slider_crank(modes: object = 2, **more: object) -> ml.Mechanism:
    """A rigid crank at 150 rad/s, a flexible rod, and a slider."""
    rod = ml.beam("rod", length=0.30, modes=modes, markers={"middle": 0.15}, **STEEL, **more)
    return crank_slider(
        ml.rod("crank", length=0.15, mass=0.36),
        rod,
        ml.Body("slider", mass=0.075552, inertia=1e-4),
        "elastic slider-crank",
        pins=("A", "B", "C", "D"),
        gravity=(0, 0),
        drives=[ml.Motion("A", 150 * ml.time)],
        guess={"D": 0.45},
    )


def run_up(speed: float, duration: float) -> ml.Expression:
    """An angle whose rate rises to `speed`, as t/T − sin(2πt/T)/2π, and is then constant."""
    within, beyond = ml.expr.minimum(ml.time, duration), ml.expr.maximum(ml.time, duration)
    wave = (duration / TAU) ** 2 * (ml.expr.cos(TAU / duration * within) - 1)
    return speed / duration * (within**2 / 2 + wave) + speed * (beyond - duration)


def four_bar(modes: object = 2, **more: object) -> ml.Mechanism:
    """A rigid crank in a spin-up, a flexible coupler and a flexible follower."""

    def strip(name: str, length: float) -> ml.Beam:
        return ml.beam(name, length=length, modes=modes, markers={"middle": length / 2}, **STRIP, **more)

    return ml.Mechanism(
        "elastic four-bar",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(A=(0, 0), D=(0.254, 0)),
            ml.rod("crank", length=0.108, mass=0.1),
            strip("coupler", 0.2794),
            strip("follower", 0.2705),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "coupler.a"),
            ml.Revolute("C", "coupler.b", "follower.b"),
            ml.Revolute("D", "ground.D", "follower.a"),
        ],
        drives=[ml.Motion("A", run_up(LOW, RISE))],
        guess={"coupler.b": (0.25, 0.25)},
    )


def cantilever(modes: object = 3, **more: object) -> ml.Mechanism:
    """A spar on a shaft that accelerates to 6 rad/s in 15 s."""
    return pinned_body(
        ml.beam("spar", modes=modes, frame="a", **SPAR, **more),
        "spin-up",
        joint="shaft",
        gravity=(0, 0),
        drives=[ml.Motion("shaft", run_up(SPIN, SPUN))],
    )


def sag(a: np.ndarray, middle: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Distance of the middle of a link from the line through its ends, positive to the left from a to b."""
    along = b - a
    left = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
    return ((middle - (a + b) / 2) * left).sum(axis=1)


def sag_of(run: ml.Result, link: str) -> np.ndarray:
    """The same of one of our links."""
    return sag(*(run.marker(f"{link}.{place}") for place in ("a", "middle", "b")))


def lag_of(run: ml.Result) -> tuple[np.ndarray, np.ndarray]:
    """Displacement of the tip along and across the line of the undeformed spar."""
    return tip_beside(run.time, run.marker("spar.b"))


def tip_beside(time: np.ndarray, tip: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same from the positions of the tip."""
    within, beyond = np.minimum(time, SPUN), np.maximum(time, SPUN)
    wave = (SPUN / TAU) ** 2 * (np.cos(TAU / SPUN * within) - 1)
    angle = SPIN / SPUN * (within**2 / 2 + wave) + SPIN * (beyond - SPUN)
    along, across = np.stack([np.cos(angle), np.sin(angle)]), np.stack([-np.sin(angle), np.cos(angle)])
    return np.sum(along.T * tip, axis=1) - SPAR["length"], np.sum(across.T * tip, axis=1)
