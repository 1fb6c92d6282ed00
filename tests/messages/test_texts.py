"""The snapshot files of texts: written texts are read again, a changed text fails, and texts of removed tests are
removed."""

from __future__ import annotations

from pathlib import Path

import pytest
from texts import HINT, ROOT, TextBook, Texts, all_texts, merge, owner, read_texts, same_text, write_texts

ODD = {
    "tests/a.py::test[one, #1]": "a text\n\n       with an empty line\n",
    "tests/a.py::test[one, #1] #2": "",
    "tests/a.py::test_b": "# no comment\r  \n    indented",
}


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    write_texts(tmp_path / "model.txt", ODD)
    assert read_texts(tmp_path / "model.txt") == ODD
    assert all_texts(tmp_path) == {"model": ODD}
    write_texts(tmp_path / "model.txt", {})
    assert all_texts(tmp_path) == {}


def book(config: pytest.Config, known: dict[str, dict[str, str]], writing: bool = False) -> TextBook:
    made = TextBook(config)
    made.known, made.writing = known, writing
    return made


def test_a_changed_text_fails_with_its_difference(pytestconfig: pytest.Config) -> None:
    known = book(pytestconfig, {"model": {"t": "mass is -1 kg.\nGive a positive mass."}})
    Texts(known, "t", "model", None)("mass is -1 kg.\nGive a positive mass.", "-1 kg")
    with pytest.raises(pytest.fail.Exception) as failed:
        Texts(known, "t", "model", None)("mass is -1 kg.\nGive a mass above zero.", "-1 kg")
    assert HINT in str(failed.value)
    assert "-Give a positive mass.\n+Give a mass above zero." in str(failed.value)
    with pytest.raises(AssertionError, match="-2 kg"):
        Texts(known, "t", "model", None)("mass is -1 kg.\nGive a positive mass.", "-2 kg")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("at t = 0.188346 s", "at t = 0.188347 s", True),
        ("at t = 0.188346 s", "at t = 0.188946 s", False),
        ("at t = 0.188346 s", "when t = 0.188346 s", False),
        ("2 of 3 joints", "2 of 4 joints", False),
        ("(x 1.5e-03, y -2)", "(x 1.5004e-03, y -2)", True),
        ("1.5", "1.5 1.5", False),
        ("relative distance #", "relative distance 3", False),
    ],
)
def test_round_off_does_not_change_a_text(one: str, other: str, same: bool) -> None:
    assert same_text(one, other) == same


def test_of_a_long_text_some_lines_are_compared(pytestconfig: pytest.Config) -> None:
    written = book(pytestconfig, {}, writing=True)
    Texts(written, "t", "view", None).lines("head\nA  98.1 N\nB  277.8 N\nfoot of A", "A")
    assert written.found == {"view": {"t": "A  98.1 N\nfoot of A"}}


def test_a_text_without_snapshot_fails(pytestconfig: pytest.Config) -> None:
    with pytest.raises(pytest.fail.Exception, match=HINT):
        Texts(book(pytestconfig, {}), "t", "model", None)("a text")


def test_what_is_hidden_may_differ(pytestconfig: pytest.Config) -> None:
    written = book(pytestconfig, {}, writing=True)
    Texts(written, "t", "model", "/tmp/x")(
        "in /tmp/x/a.yaml at 0.12345 s (relative distance 1.7e-06)", hide=[r"\d{5}"]
    )
    assert written.found == {"model": {"t": "in TMP/a.yaml at 0.# s (relative distance #)"}}


def test_texts_of_tests_that_are_gone_are_removed() -> None:
    here = "tests/messages/test_texts.py"
    known = {
        "model": {
            f"{here}::test_a": "former",
            f"{here}::test_a #2": "no longer asked for",
            f"{here}::test_failed": "stays",
            f"{here}::test_renamed": "goes",
            "tests/no_such_file.py::test_c": "goes",
            "tests/texts.py::test_of_another_file": "stays",
        }
    }
    collected = {f"{here}::test_a", f"{here}::test_failed"}
    merged = merge(known, {"view": {f"{here}::test_a": "new"}}, {f"{here}::test_a"}, collected)
    assert set(merged["model"].values()) == {"stays"}
    assert len(merged["model"]) == 2
    assert merged["view"] == {f"{here}::test_a": "new"}


def test_every_text_has_its_test(request: pytest.FixtureRequest) -> None:
    """For those test files that are collected as a whole."""
    if any("::" in argument for argument in request.config.args):
        pytest.skip("single tests are run")
    book = request.config.pluginmanager.get_plugin("text book")
    files = {test.partition("::")[0] for test in book.collected}
    entries = {owner(entry) for texts in all_texts().values() for entry in texts}
    gone = {test for test in entries if not (ROOT / test.partition("::")[0]).exists()}
    gone |= {test for test in entries - book.collected if test.partition("::")[0] in files}
    assert not gone, f"run make texts: no such tests, {sorted(gone)[:5]}"
