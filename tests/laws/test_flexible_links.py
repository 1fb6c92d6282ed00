"""Flexible links in loops of all types: methods, targets, cuts and both parts of a section agree."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from zoo.flexible import BENDING

import multiloop as ml
from multiloop.analyses.results.histories.link_history import LinkHistory
from multiloop.flexible.beams.section_forces import section_wrenches

METHODS = ("system", "slm", "sslm", "embedding", "virtual_work", "augmented")

HEAVY = ("bending RSSR", "bending rod on a planet", "bending bell crank", "bending four-bar in space")
SLOW = pytest.mark.slow


@cache
def run(name: str, **how: str) -> ml.Result:
    return ml.simulate(BENDING[name].build(), until=0.02, samples=4, **how)


def carried(link: LinkHistory, end: str = "b") -> np.ndarray:
    """The section forces at nine sections."""
    assert link.line is not None
    assert link.loading is not None
    return section_wrenches(link.line, link.loading, link.motion, np.linspace(0.0, 1.0, 9), end)


@pytest.mark.parametrize("name", BENDING)
def test_the_model_has_the_stated_properties(name: str) -> None:
    entry = BENDING[name]
    plan = ml.analyse(entry.build())
    assert (len(plan.mechanism.moving), plan.mobility) == (entry.moving, entry.mobility)


@pytest.mark.parametrize("name", BENDING)
def test_both_parts_of_a_section_agree(name: str) -> None:
    for link in run(name).links.values():
        one, other = carried(link), carried(link, "a")
        assert np.abs(one - other).max() <= 1e-10 * np.abs(one).max()


@pytest.mark.parametrize(
    "method", [pytest.param(one, marks=() if one in ("sslm", "augmented") else SLOW) for one in METHODS]
)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=SLOW if name in HEAVY else ()) for name in BENDING]
)
def test_methods_agree_on_what_sections_carry(name: str, method: str) -> None:
    """Up to the error of the step, 1e-6 of the largest."""
    known, found = run(name), run(name, method=method)
    for body, link in known.links.items():
        size = np.abs(carried(link)).max()
        assert carried(found.link(body)) == pytest.approx(carried(link), abs=1e-6 * size)


@pytest.mark.parametrize("name", BENDING)
def test_energy_balances(name: str) -> None:
    assert run(name).energy_drift < 1e-8


def test_pins_carry_their_friction_and_springs() -> None:
    """The moment at C is that of friction on the coupler, that at D of the spring on the rocker."""
    found = run("bending four-bar")
    coupler, rocker = found.link("coupler"), found.link("rocker")
    size = np.abs(coupler.moment(0.45)).max()
    assert coupler.moment(0.0) == pytest.approx(0.0, abs=1e-10 * size)
    assert coupler.moment(0.9) == pytest.approx(-found["rubbing"].effort, abs=1e-10 * size)
    assert rocker.moment(0.0) == pytest.approx(-found["winding"].effort, abs=1e-10 * size)
    assert rocker.moment(0.8) == pytest.approx(found["rubbing"].effort, abs=1e-10 * size)
