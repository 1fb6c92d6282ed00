"""The mechanisms of `tests/published/elastic` modelled in Exudyn, and the deflections of their links."""

from __future__ import annotations

from typing import Any

import numpy as np
from published.elastic.linkages import (
    LOW,
    RISE,
    SHEAR,
    SPIN,
    SPUN,
    TAU,
    cantilever,
    four_bar,
    sag,
    slider_crank,
    tip_beside,
)

import multiloop as ml
from benchmarks.peers.exudyn_elastic import Elastic

Curves = tuple[np.ndarray, dict[str, np.ndarray], float]
"""Times, deflections by name, and seconds of processor time."""


def slider_crank_there(elements: int, step: float, every: float, until: float) -> Curves:
    """Distance of the middle of the rod from its chord."""
    made, ours = Elastic(), slider_crank()
    crank, foot, tip = made.crank(0.15, ours.body("crank").mass, 150.0)
    rod = made.strip([(0.15, 0), (0.45, 0)], (0, 22.5), -75.0, ours.body("rod"), elements)
    slider = made.system.AddNode(made.items.NodePoint2D(referenceCoordinates=[0.45, 0]))
    made.system.AddObject(made.items.MassPoint2D(physicsMass=ours.body("slider").mass, nodeNumber=slider))
    made.pin(made.on(made.ground, (0, 0)), foot)
    made.pin(tip, made.at(rod[0]))
    made.pin(made.at(rod[-1]), made.at(slider))
    made.hold(slider, 1)
    made.hold(crank, 2, velocityLevel=True, offset=150.0)
    return _sags(made, {"rod": rod}, step, every, until)


def four_bar_there(elements: int, step: float, every: float, until: float) -> Curves:
    """Distances of the middles of coupler and follower from their chords."""
    made, ours = Elastic(), four_bar()
    joint = ml.assemble(ours).marker("coupler.b")
    crank, foot, tip = made.crank(0.108, ours.body("crank").mass, 0.0)
    links = {
        "coupler": made.strip([(0.108, 0), joint], (0, 0), 0.0, ours.body("coupler"), elements),
        "follower": made.strip([(0.254, 0), joint], (0, 0), 0.0, ours.body("follower"), elements),
    }
    made.pin(made.on(made.ground, (0, 0)), foot)
    made.pin(tip, made.at(links["coupler"][0]))
    made.pin(made.at(links["coupler"][-1]), made.at(links["follower"][-1]))
    made.pin(made.on(made.ground, (0.254, 0)), made.at(links["follower"][0]))
    made.drive(crank, 2, *_run_up(LOW, RISE))
    return _sags(made, links, step, every, until)


def cantilever_there(elements: int, step: float, every: float, until: float) -> Curves:
    """The tip along and across the line of the undeformed spar, which has shear deformation too."""
    made, beam = Elastic(), cantilever().body("spar")
    spar = made.exact_strip(beam, SHEAR, elements)
    for k in (0, 1):
        made.hold(spar[0], k)
    made.drive(spar[0], 2, *_run_up(SPIN, SPUN))
    sensor = made.watch(spar[-1])
    took = made.solve(until, step, every)
    times, tip = made.places(sensor)
    along, across = tip_beside(times, tip)
    return times, {"along": along, "across": across}, took


def _run_up(speed: float, duration: float) -> Any:
    def angle(s: Any, t: Any) -> Any:
        wave = (duration / TAU) ** 2 * (s.cos(TAU / duration * t) - 1)
        first = speed / duration * (t * t / 2 + wave)
        return s.IfThenElse(t < duration, first, speed * (t - duration / 2))

    def rate(s: Any, t: Any) -> Any:
        first = speed / duration * (t - duration / TAU * s.sin(TAU / duration * t))
        return s.IfThenElse(t < duration, first, s.Real(speed))

    return angle, rate


def _sags(made: Elastic, links: dict[str, list[int]], step: float, every: float, until: float) -> Curves:
    watched = {
        name: [made.watch(nodes[k]) for k in (0, len(nodes) // 2, -1)] for name, nodes in links.items()
    }
    took = made.solve(until, step, every)
    found = {name: sag(*(made.places(one)[1] for one in three)) for name, three in watched.items()}
    times = made.places(next(iter(watched.values()))[0])[0]
    return times, found, took
