"""A question that was asked lately is recognised by its words, and by nothing less."""

import numpy as np
import pytest
from laws.placing import built

from multiloop.questions import remembered
from multiloop.questions.remembered import remembered_closure, remembered_plan


@pytest.fixture
def answers(monkeypatch):
    """Every answer that is really worked out."""
    found = []
    monkeypatch.setattr(remembered, "chosen_closure", lambda *asked: found.append(asked) or object())
    remembered._answer.cache_clear()
    yield found
    remembered._answer.cache_clear()


def test_the_same_words_are_answered_once(answers):
    free = built("four-bar").without_drives()
    first = remembered_closure(free, {"A": 1.0}, {"coupler.b": [0.8, 0.7]}, 0.0)
    assert remembered_closure(free.replace(), {"A": 1.0}, {"coupler.b": [0.8, 0.7]}, 0.0) is first
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
def test_other_words_are_another_question(start, guess, t, answers):
    free = built("four-bar").without_drives()
    remembered_closure(free, {"A": 1.0}, None, 0.0)
    remembered_closure(free, start, guess, t)
    assert len(answers) == 2


def test_what_cannot_be_recognised_is_answered_anew(answers):
    free = built("four-bar").without_drives()
    for _ in range(2):
        remembered_closure(free, {"A": {1.0}}, None, 0.0)
    assert len(answers) == 2


def test_a_plan_belongs_to_its_position():
    free = built("four-bar").without_drives()
    here, there = (remembered_closure(free, {"A": angle}, None, 0.0) for angle in (0.5, 0.6))
    assert remembered_plan(here) is remembered_plan(here)
    assert remembered_plan(here) is not remembered_plan(there)
    assert remembered_plan(here) is not remembered_plan(here, ["C"])
