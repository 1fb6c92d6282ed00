"""How far a long question is: the bar says what is counted."""

from __future__ import annotations

import pytest
from laws.placing import built

import multiloop as ml
from multiloop.questions.running.progress import advancing


@pytest.mark.parametrize(
    ("asked", "words"),
    [((0.0, 2.0, True), "1.500 s"), ((0.0, 2.0, True, "designs", "asking"), "of 2 designs")],
)
def test_the_unit_is_shown(asked, words, capsys, monkeypatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # a terminal, for rich
    monkeypatch.setenv("COLUMNS", "120")
    with advancing(*asked) as shown:
        shown(1.5)
    told = capsys.readouterr().err
    assert words in told
    assert ("asking" if "asking" in asked else "simulating") in told


def test_inverse_counts_its_instants(capsys, monkeypatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    ml.inverse(built("four-bar"), cycle=20, progress=True)
    told = capsys.readouterr().err
    assert "solving" in told
    assert "of 20 instants" in told
    ml.inverse(built("four-bar"), cycle=20)
    assert not capsys.readouterr().err
