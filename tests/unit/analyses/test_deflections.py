"""Deflections and deflection rates of flexible bodies, and distances from singularity in their simulations."""

from __future__ import annotations

import numpy as np
import pytest
from zoo.flexible import bending_four_bar, bending_rssr

import multiloop as ml


@pytest.fixture(scope="module", params=[bending_four_bar, bending_rssr], ids=["in the plane", "in space"])
def run(request):
    mechanism = request.param()
    return ml.simulate(mechanism, until=0.01, samples=201)


def flexible_markers(run):
    for body, link in run.links.items():
        marker = run.mechanism.body(body).marker_names[-1]
        yield body, marker, link


def test_deflection_of_an_end_is_that_of_the_centreline(run):
    found = 0
    for body in run.links:
        for marker, place in run.links[body].line.places.items():
            try:
                deflection = run.output(f"{body}.{marker}.deflection")
            except ml.SolveError:
                continue
            s, found = place * run.links[body].line.length, found + 1
            assert deflection == pytest.approx(run.links[body].deflection(s), abs=1e-13)
            rate = run.output(f"{body}.{marker}.deflection_rate")
            assert rate == pytest.approx(run.links[body].deflection_rate(s), rel=1e-9, abs=1e-12)
    assert found


def test_deflection_rates_are_differences_of_deflections(run):
    """Central differences over the samples; their error is of the order h² of the interval h."""
    for body, link in run.links.items():
        s = link.line.length / 2
        slopes = np.gradient(link.deflection(s), run.time, axis=0, edge_order=2)
        rates = link.deflection_rate(s)
        assert np.abs(rates).max() > 0
        assert np.abs(slopes - rates)[2:-2].max() < 0.02 * np.abs(rates).max(), body


def test_distances_of_nearly_rigid_links_are_those_of_rigid_ones(run):
    """The links deflect by less than a thousandth of their lengths."""
    rigid = run.mechanism.replace(bodies=[getattr(b, "rigid", lambda b=b: b)() for b in run.mechanism.bodies])
    name = "mechanism.type_2_singularity_distance"
    expected = ml.inverse(rigid, t=run.time[::100]).output(name)
    assert run.output(name)[::100] == pytest.approx(expected, rel=2e-2)
    assert (run.output(name) > 0).all()
