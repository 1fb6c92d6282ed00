"""Mechanisms with flexible links for several tests: a column on two pins, and a bar in free flight."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import multiloop as ml
from multiloop.analyses.results.histories.link_history import LinkHistory
from multiloop.flexible.beams.section_forces import section_wrenches


def column(link: ml.Body, load: float) -> ml.Mechanism:
    """A link 'column' of unit length on two pins, one of them in a guide, compressed by a force."""
    return ml.Mechanism(
        "column",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(), link, ml.Body("head", mass=1e-3, inertia=1e-3)],
        joints=[
            ml.Revolute("foot", "ground.origin", "column.a"),
            ml.Revolute("top", "column.b", "head.origin"),
            ml.Prismatic("guide", "ground.origin", "head.origin"),
        ],
        loads=[ml.Force("press", "head.origin", (-load, 0))],
        guess={"guide": 1.0},
    )


def thrown_bar(bar: ml.Beam, eta: Sequence[float], eta_rates: Sequence[float]) -> ml.Result:
    """A deformed link 'bar' in free flight, positioned by its marker m, with loads all over it."""
    machine = ml.Mechanism(
        "thrown bar",
        bodies=[ml.ground(P=(0.2, -0.3, 0.4)), bar],
        joints=[ml.Free("away", "ground.origin", "bar.m")],
        loads=[
            ml.Force("push", "bar.a", (5.0, -3.0, 4.0)),
            ml.Torque("screw", "bar", (1.0, 2.0, -1.5)),
            ml.Spring("tether", "ground.P", "bar.b", stiffness=50.0, length=0.1),
        ],
    )
    start = {"away": (0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.5), "bar.eta": tuple(eta)}
    rates = {"away": (2.0, -3.0, 4.0, 0.5, -0.2, 0.1), "bar.eta": tuple(eta_rates)}
    return ml.simulate(machine, start=start, rates=rates, until=1e-3, samples=4)


def from_both_ends(link: LinkHistory) -> tuple[np.ndarray, np.ndarray]:
    """All section forces, computed from the part towards b and from that towards a."""
    assert link.line is not None
    motion, xi = link.motion, np.linspace(0.0, 1.0, 13)
    both = [section_wrenches(link.line, link.loading, motion, xi, end) for end in "ba"]
    return both[0], both[1]
