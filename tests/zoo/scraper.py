"""The carpet scraper of two of the sources: a four-bar that moves a pantograph over the carpet."""

from __future__ import annotations

from functools import partial

import numpy as np

from multiloop import Body, Mechanism, Motion, Pin, Revolute, ground, rod
from multiloop.model import constant_speed
from zoo.body_poses import assembled, between, meet
from zoo.entry import Entry

PAPER_CUTS = ("crank-coupler", "Q/coupler", "Q/link7")
"""The joints at which both papers open the three loops; the subsystems are I rocker and coupler, II crank, III
pantograph."""

SPEED = 45 * 2 * np.pi / 60
CRANK_PIVOT, ROCKER_PIVOT, PANTOGRAPH_PIVOT = (0.0, 0.0), (-0.089, 0.0), (0.038, 0.410)

SET_C = {
    "crank": (0.038, 1.5, 0.73e-3),
    "rocker": (0.115, 3.0, 13.30e-3),
    "coupler": (0.230, 5.0, 22.12e-3),
    "link4": (0.335, 4.2, 157e-3),
    "link5": (0.239, 3.0, 57e-3),
    "link6": (0.836, 10.5, 2449e-3),
    "link7": (0.239, 3.0, 57e-3),
}
"""Length, mass and inertia about the link's origin, the coupler's about its middle ([chaudhary], Table 1)."""

SET_K = {
    "crank": (0.038, 1.5, None),
    "rocker": (0.1152, 3.0, None),
    "coupler": (0.2304, 5.0, None),
    "link4": (0.3346, 4.2, None),
    "link5": (0.239, 3.0, None),
    "link6": (0.8365, 10.5, None),
    "link7": (0.239, 3.0, None),
}
"""Length and mass of slender rods ([koul], Table 1)."""


def scraper(data: str = "C") -> Mechanism:
    """Set "C" is that of Chaudhary and Saha, "K" that of Koul, Shah, Saha and Manivannan.

    The coupler's tip stands above the base and link 4 points down and to the right.
    """
    links = {"C": SET_C, "K": SET_K}[data]
    near, elbow = links["link4"][0] - 0.239, 0.239
    extra = {"coupler": {"m": links["coupler"][0] / 2}, "link4": {"m": near}, "link6": {"m": elbow}}
    mechanism = Mechanism(
        f"carpet scraper {data}",
        planar=True,
        bodies=[
            ground(rocker=ROCKER_PIVOT, crank=CRANK_PIVOT, pantograph=PANTOGRAPH_PIVOT),
            *(_link(name, *row, extra.get(name, {})) for name, row in links.items()),
        ],
        joints=[
            Revolute("rocker pivot", "ground.rocker", "rocker.a"),
            Revolute("rocker-coupler", "rocker.b", "coupler.m"),
            Revolute("crank pivot", "ground.crank", "crank.a"),
            Revolute("pantograph pivot", "ground.pantograph", "link4.a"),
            Revolute("link4-link5", "link4.m", "link5.a"),
            Revolute("link4-link6", "link4.b", "link6.a"),
            Revolute("link6-link7", "link6.m", "link7.a"),
            Revolute("crank-coupler", "crank.b", "coupler.a"),
            Pin("Q", carrier="link5.b", others=("coupler.b", "link7.b")),
        ],
        drives=[Motion("crank pivot", constant_speed(SPEED))],
    )
    return assembled(mechanism, _poses({name: row[0] for name, row in links.items()}, near, elbow))


def _link(name: str, length: float, mass: float, inertia: float | None, markers: dict[str, float]) -> Body:
    if inertia is None:
        return rod(name, length=length, mass=mass, markers=markers)
    about = "m" if name == "coupler" else "origin"
    return rod(name, length=length, mass=mass, inertia=inertia, inertia_at=about, markers=markers)


def _poses(length: dict[str, float], near: float, elbow: float) -> dict[str, tuple[float, float, float]]:
    """With the crank along the base: two circles for the four-bar, two for the pantograph."""
    pin, pivot = np.array([length["crank"], 0.0]), np.array(PANTOGRAPH_PIVOT)
    middle = meet(pin, length["coupler"] / 2, ROCKER_PIVOT, length["rocker"], left=False)
    tip = 2 * middle - pin
    fork = meet(pivot, near, tip, length["link5"], left=True)
    end = pivot + (fork - pivot) * length["link4"] / near
    knee = end + (tip - fork) * elbow / length["link5"]
    return {
        "crank": (0.0, 0.0, 0.0),
        "rocker": between(ROCKER_PIVOT, middle),
        "coupler": between(pin, tip),
        "link4": between(pivot, end),
        "link5": between(fork, tip),
        "link6": between(end, knee),
        "link7": between(knee, tip),
    }


FAMILY = (
    Entry("scraper-C", partial(scraper, "C"), 7, 3, count=1, mobility=1, turns=True, source="chaudhary"),
    Entry("scraper-K", partial(scraper, "K"), 7, 3, count=1, mobility=1, turns=True, source="koul"),
)
