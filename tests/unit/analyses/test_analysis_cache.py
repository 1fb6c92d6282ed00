"""A recent analysis is found in the cache by its complete arguments only."""

import numpy as np
import pytest
from laws.closed_positions import built

from multiloop.analyses import analysis_cache as remembered
from multiloop.analyses.analysis_cache import cached_assembly_mode, cached_plan


@pytest.fixture
def answers(monkeypatch):
    """All results that are actually computed."""
    found = []
    monkeypatch.setattr(remembered, "choose_assembly_mode", lambda *asked: found.append(asked) or object())
    remembered._compute.cache_clear()
    yield found
    remembered._compute.cache_clear()


def test_equal_arguments_are_computed_once(answers):
    free = built("four-bar").without_drives()
    first = cached_assembly_mode(free, {"A": 1.0}, {"coupler.b": [0.8, 0.7]}, 0.0)
    assert cached_assembly_mode(free.replace(), {"A": 1.0}, {"coupler.b": [0.8, 0.7]}, 0.0) is first
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("start", "guess", "t"),
    [
        ({"A": 1}, None, 0.0),
        ({"A": True}, None, 0.0),
        ({"A": "1.0"}, None, 0.0),
        ({"A": (1.0,)}, None, 0.0),
        ({"A": np.array([1.0])}, None, 0.0),
        ({"A": np.array([1])}, None, 0.0),
        ({"A": None}, None, 0.0),
        (None, {"A": 1.0}, 0.0),
        ({"A": 1.0}, {}, 0.0),
        ({"A": 1.0}, None, 0.1),
    ],
)
def test_different_arguments_are_another_analysis(start, guess, t, answers):
    free = built("four-bar").without_drives()
    cached_assembly_mode(free, {"A": 1.0}, None, 0.0)
    cached_assembly_mode(free, start, guess, t)
    assert len(answers) == 2


def test_arguments_that_cannot_be_compared_are_computed_anew(answers):
    free = built("four-bar").without_drives()
    for _ in range(2):
        cached_assembly_mode(free, {"A": {1.0}}, None, 0.0)
    assert len(answers) == 2


def test_a_plan_belongs_to_its_position():
    free = built("four-bar").without_drives()
    here, there = (cached_assembly_mode(free, {"A": angle}, None, 0.0) for angle in (0.5, 0.6))
    assert cached_plan(here) is cached_plan(here)
    assert cached_plan(here) is not cached_plan(there)
    assert cached_plan(here) is not cached_plan(here, ["C"])
