"""A demonstration prints its result and whether it agrees with the expected one."""

from zoo import ZOO

import multiloop as ml
from multiloop.cli.demonstration import compare_results, demonstrate


def test_checks_distinguish_agreement_from_difference(texts):
    lines = compare_results({"a": 1.0, "b": 2.0}, {"a": (1.0, 1e-9, "N"), "b": (2.1, 1e-9, "N")})
    texts("\n".join(lines), "1 N", "2 N", "2.1 N")


def test_demonstration_leaves_a_picture_and_a_file(tmp_path, monkeypatch, capsys, texts):
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
    assert ml.load(tmp_path / "build" / "demo" / "four_bar.yaml") == mechanism
    assert str(result.extremes()) in said
    texts.lines(said, "It does.", "build/demo/four_bar", "1 N", hide=[r"\S+(?=/multiloop )"])
    assert (
        said.count("explain build/demo/four_bar.yaml") == said.count("inverse build/demo/four_bar.yaml") == 1
    )
