"""Instants of a driven motion that are found side by side are those that are found one by one, by other means.

Side by side, positions follow from Newton steps of normal equations, rates and loads from elimination; one by one, from
singular values and from other traces.
"""

import numpy as np
import pytest
from laws.placing import DRIVEN, built

import multiloop as ml
from multiloop.questions.leading.driven import DrivenMotion

INSTANTS = 25


def asked(mechanism, **options):
    """A stretch of the motion, and one back to its beginning."""
    there = np.linspace(0.0, 0.3, INSTANTS)
    return ml.inverse(mechanism, t=[*there, *there[::-3]], **options)


def apart(one, other):
    """The largest difference of two histories, relative to the largest number of its kind."""
    found = 0.0
    for kind in ("position", "rate", "acceleration", "force", "moment", "effort"):
        pairs = [(getattr(one[name], kind), getattr(other[name], kind)) for name in one]
        size = max([1e-3, *(np.abs(b).max(initial=0.0) for _, b in pairs)])
        found = max([found, *(np.abs(a - b).max(initial=0.0) / size for a, b in pairs)])
    return found


@pytest.mark.parametrize("name", DRIVEN)
def test_they_are_the_same(name, monkeypatch):
    together = asked(built(name))
    with monkeypatch.context() as patched:
        patched.setattr(DrivenMotion, "_side_by_side", None)
        one_by_one = asked(built(name))
    assert apart(together, one_by_one) < 1e-9  # round-off, times the condition of the positions
    assert together.status == one_by_one.status
    assert str(together.singularities) == str(one_by_one.singularities)
    for quantity in ("kinetic_energy", "potential_energy", "power"):
        a, b = getattr(together, quantity), getattr(one_by_one, quantity)
        assert np.abs(a - b).max() <= 1e-9 * max(1.0, np.abs(b).max())
