"""The progress of a long analysis: the bar states the unit that it counts."""

from __future__ import annotations

import pytest
from laws.closed_positions import built
from texts import Texts, progress_words

import multiloop as ml
from multiloop.analyses.progress import progress_display


@pytest.mark.parametrize(
    ("asked", "number"),
    [((0.0, 2.0, True), "1.5 of 2 s"), ((0.0, 2.0, True, "designs", "asking"), "of 2 designs")],
)
def test_the_unit_is_shown(asked, number, capsys, monkeypatch, texts: Texts) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich then assumes a terminal
    monkeypatch.setenv("COLUMNS", "120")
    with progress_display(*asked) as shown:
        shown(1.5)
    told = capsys.readouterr().err
    assert number in told
    texts(progress_words(told), *asked[4:])


def test_progress_is_printed_in_lines_without_a_terminal(capsys, monkeypatch, texts: Texts) -> None:
    """A pipe or a log shows no bar."""
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    with progress_display(0.0, 2e-3, True) as shown:
        shown(0.5e-3)
        shown(1e-3)  # too soon for another line
    texts(capsys.readouterr().err, "0.0005", "0.002 s")
    with progress_display(0.0, 2e-3) as shown:
        shown(1e-3)
    assert not capsys.readouterr().err


def test_inverse_counts_its_instants(capsys, monkeypatch, texts: Texts) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    ml.inverse(built("four-bar"), cycle=20, progress=True)
    told = capsys.readouterr().err
    assert "20 of 20" in told
    texts(progress_words(told))
    ml.inverse(built("four-bar"), cycle=20)
    assert not capsys.readouterr().err
