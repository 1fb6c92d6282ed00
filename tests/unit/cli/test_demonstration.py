"""A demonstration says what it found and whether that is what is known."""

from zoo import ZOO

import multiloop as ml
from multiloop.cli.demonstration import checks, demonstrate
from multiloop.io import load


def test_checks_tell_agreement_from_difference():
    lines = checks({"a": 1.0, "b": 2.0}, {"a": (1.0, 1e-9, "N"), "b": (2.1, 1e-9, "N")})
    assert lines == ["Check, a: 1 N, known 1 N: agrees.", "Check, b: 2 N, known 2.1 N: DIFFERS."]


def test_demonstration_leaves_a_picture_and_a_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    mechanism = ZOO["four-bar"].build()
    result = ml.inverse(mechanism, cycle=5)
    demonstrate(
        "four_bar",
        mechanism,
        solve=lambda: result,
        results=lambda: {"load": 1.0},
        expected={"load": (1.0, 0.0, "N")},
        figure=result.plot,
        answer=lambda: "It does.",
    )
    said = capsys.readouterr().out
    assert (tmp_path / "build" / "demo" / "four_bar.png").exists()
    assert load(tmp_path / "build" / "demo" / "four_bar.yaml") == mechanism
    assert str(result.extremes()) in said
    assert "\nIt does.\n" in said
    assert (
        said.count("explain build/demo/four_bar.yaml") == said.count("inverse build/demo/four_bar.yaml") == 1
    )
