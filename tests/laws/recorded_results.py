"""Short results of any test model, by inverse dynamics where the drives determine the motion, otherwise by a
simulation."""

from __future__ import annotations

import pytest

import multiloop as ml


def short_result(mechanism: ml.Mechanism) -> ml.Result:
    """A result of three instants; the test is skipped where the drives do not determine the motion of a mechanism."""
    if not mechanism.drives or any(body.elastic for body in mechanism.all_bodies):
        start = {} if mechanism.drives else ml.analyse(mechanism).assembly.coordinates()
        known = {joint: x for joint, x in start.items() if len(x)}
        return ml.simulate(mechanism, until=0.01, samples=3, start=known)
    try:
        return ml.inverse(mechanism, t=[0.0, 0.03, 0.05])
    except ml.SolveError:
        pytest.skip("no inverse dynamics: the mechanism has fewer drives than degrees of freedom")
