"""Mechanisms driven open loop by the efforts that inverse dynamics found for a desired motion.

Source: [koul], §5: the scraper and the 3-RRR for 5 s, judged by how far the joints are from the desired motion.
Differs: the paper's table of torques is one of several here, and the exact torque stands beside it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from laws.closed_positions import built

import multiloop as ml
from multiloop.analyses.results.quantities import Deviation

FORCED = ("scraper-K", "3-RRR")
GRID = 0.01
"""Seconds between the instants at which a run is compared with the desired motion; the paper's table has them too."""


def instants(until: float, step: float = GRID) -> np.ndarray:
    """Times from 0 to `until`, `step` apart."""
    return np.linspace(0.0, until, round(until / step) + 1)


@cache
def desired(name: str, until: float, step: float = GRID) -> ml.Result:
    """The prescribed motion with the efforts it needs."""
    return ml.inverse(built(name), t=instants(until, step))


def exact_efforts(name: str) -> dict[str, Any]:
    """The efforts computed at every instant at which the integrator evaluates them."""
    return dict.fromkeys((motion.of for motion in built(name).drives), ml.RequiredEfforts(built(name)))


def tabled_efforts(name: str, until: float, step: float, kind: str) -> dict[str, Any]:
    """The efforts at instants `step` apart, with a curve through them."""
    known = desired(name, until, step)
    return {
        motion.of: ml.table(known.time, known[motion.of].effort, kind=kind) for motion in built(name).drives
    }


def forced_run(
    name: str, efforts: dict[str, Any], *, until: float, rtol: float = 1e-12, method: str = "sslm"
) -> ml.Result:
    """The mechanism released on the desired motion, under these efforts alone."""
    wanted = desired(name, until)
    start = {joint: float(wanted[joint].position[0]) for joint in efforts}
    rates = {joint: float(wanted[joint].rate[0]) for joint in efforts}
    return ml.simulate(
        built(name).without_drives(),
        start=start,
        rates=rates,
        efforts=efforts,
        until=until,
        samples=instants(until),
        rtol=rtol,
        method=method,
    )


def deviation_of(name: str, run: ml.Result) -> Deviation:
    """The deviation of a forced run from the desired motion."""
    return run.deviation_from(desired(name, float(run.time[-1])))
