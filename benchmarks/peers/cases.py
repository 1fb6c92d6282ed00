"""The mechanisms of the comparison, the ways in which the other programs may open their loops, and the states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

import multiloop as ml
from benchmarks.peers.mechanisms import chain, four_bar, ladder, scraper, six_ups, three_rrr

Values = dict[str, np.ndarray]
"""Numbers of joints by name."""


@dataclass(frozen=True)
class Case:
    """One mechanism of the comparison.

    build     makes it, without drives, with a guess near a closed position
    openings  where the peers may cut the loops: each is tried, and the fastest counts
    driven    the joints whose efforts inverse dynamics finds, and which are held where a motion starts
    floating  a body that other programs may model by a free joint instead of its chain of joints
    spread    how far the states of the comparison are from the guess, in radians or metres
    speed     about how fast they move, in radians or metres a second
    known     where closed states are known beforehand: one at random, positions and rates of all joints
    """

    name: str
    build: Callable[[], ml.Mechanism]
    openings: tuple[tuple[str, ...], ...] = ((),)
    driven: tuple[str, ...] = ()
    floating: str = ""
    spread: float = 0.2
    speed: float = 1.0
    known: Callable[[np.random.Generator], tuple[Values, Values]] | None = None

    def for_peers(self) -> ml.Mechanism:
        """The mechanism with the Free joint of its floating body, which constrains nothing."""
        mechanism = self.build()
        if not self.floating:
            return mechanism
        free = ml.Free("floats", "ground.origin", f"{self.floating}.origin")
        return mechanism.replace(joints=[*mechanism.joints, free])


def _ladder_case(windows: int) -> Case:
    return Case(
        f"ladder {windows}",
        partial(ladder, windows),
        (tuple(f"B{k}" for k in range(1, windows + 1)), tuple(f"A{k}" for k in range(1, windows + 1))),
        ("P0",),
        known=lambda rng: (
            _leaning(windows, rng.uniform(-1.0, -0.1)),
            _leaning(windows, rng.uniform(-3.0, 3.0)),
        ),
    )


def _leaning(windows: int, angle: float) -> Values:
    """All uprights of a ladder at one angle, with horizontal rods between them, and consistent rates."""
    found = {"P0": angle}
    for k in range(1, windows + 1):
        found |= {f"A{k}": -angle, f"P{k}": angle, f"B{k}": angle}
    return {name: np.array([value]) for name, value in found.items()}


def _chain_case(links: int) -> Case:
    names = tuple(f"J{k}" for k in range(links))

    def bent(rng: np.random.Generator) -> tuple[Values, Values]:
        q, v = rng.uniform(-0.5, 0.5, (links, 1)), rng.uniform(-1.0, 1.0, (links, 1))
        return dict(zip(names, q, strict=True)), dict(zip(names, v, strict=True))

    return Case(f"chain {links}", partial(chain, links), driven=names, known=bent)


LOOPED = (
    Case("four-bar", four_bar, (("C",), ("B",)), ("A",)),
    Case(
        "scraper",
        scraper,
        (
            ("crank-coupler", "Q/coupler", "Q/link7"),
            ("rocker-coupler", "Q/coupler", "Q/link7"),
        ),
        ("crank pivot",),
    ),
    Case("3-RRR", three_rrr, (("C2", "C3"),), ("A1", "A2", "A3")),
    Case(
        "6-UPS",
        six_ups,
        (
            (*(f"S{k}" for k in range(2, 7)), "floats"),
            tuple(f"S{k}" for k in range(1, 7)),
        ),
        tuple(f"P{k}" for k in range(1, 7)),
        floating="platform",
        spread=0.05,
        speed=0.5,
    ),
    *(_ladder_case(windows) for windows in (5, 20, 80, 320)),
)
CHAINS = tuple(_chain_case(links) for links in (10, 100, 500, 1000))
CASES: dict[str, Case] = {case.name: case for case in (*LOOPED, *CHAINS)}
