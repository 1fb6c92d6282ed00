"""Full texts of errors, warnings, results and help pages, kept in snapshot files: one file per package of `src`.

A test asserts the code, the place and the values of an error, and hands its text to the fixture `texts`, which compares
it with the snapshot. `make texts` rewrites the snapshots and removes texts that no test asks for any more:

    def test_a_negative_mass(texts):
        with pytest.raises(ml.ModelError) as caught:
            ml.Mechanism(…)
        texts.fault(caught.value, "M03", "body 'rocker'", "-0.4 kg")  # an error with one fault: code, place, values
        texts.warnings(result, ("W50", "A", "12 N m"))                # all warnings of a result: code, place, values
        texts(shown, "'rocker'")                                      # any other text: names and numbers in it

An error belongs to the package of its code. Any other text belongs to the package that `tests/unit/<package>/` mirrors;
elsewhere to the package that the test module names, `TEXTS = "view"`, or else to `RESULTS`.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Sequence
from math import isclose
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "messages" / "texts"
ROOT = Path(__file__).parent.parent
HEAD = "# Written by `make texts`: test, then the text it found. Review the difference before a commit."
HINT = "review, then run make texts"
INDENT = "    "

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
CLOSE = 1e-3
"""Relative difference of decimal numbers in texts: snapshots are of words, the tests assert the numbers."""

HIDDEN = (r"\b\d\.\d+e-\d\d+\b|\b0\.0e\+00\b", r"(?<= at )0x[0-9a-f]+")
"""Small numbers such as 1.7e-06, of which round-off decides the digits, and addresses: # stands for them."""

RESULTS = "analyses"
"""The package whose results most tests read."""

PACKAGES = dict.fromkeys(("M", "D", "L", "P", "G", "T0"), "model") | dict.fromkeys(("S", "R", "E"), RESULTS)
PACKAGES |= {"T": "topology", "K": "kinematics", "F": "io", "V": "view"}
"""The package of an error, by the first two letters of its code, or else by the first."""


def read_texts(path: Path) -> dict[str, str]:
    """Texts of one snapshot file, by test."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in path.read_bytes().decode("utf-8").split("\n") if path.exists() else ():
        if line.startswith("#"):
            continue
        if line and not line.startswith(INDENT):
            lines = found[line] = []
        else:
            lines.append(line.removeprefix(INDENT))
    return {test: "\n".join(text[:-1]) for test, text in found.items()}


def write_texts(path: Path, texts: dict[str, str]) -> None:
    """One snapshot file, sorted by test; without texts it is removed."""
    if not texts:
        path.unlink(missing_ok=True)
        return
    entries = [HEAD + "\n"]
    for test in sorted(texts, key=in_order):
        lines = [INDENT + line if line else "" for line in texts[test].split("\n")]
        entries.append("\n".join([test, *lines, ""]))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes("\n".join(entries).encode("utf-8"))


def all_texts(folder: Path = FOLDER) -> dict[str, dict[str, str]]:
    """Texts of all snapshot files, by package and test."""
    return {path.stem: read_texts(path) for path in sorted(folder.glob("*.txt"))}


def in_order(entry: str) -> tuple[str, int]:
    """By test, then by the number of the text."""
    number = re.search(r" #(\d+)$", entry)
    return owner(entry), int(number[1]) if number else 1


def owner(entry: str) -> str:
    """The test that an entry belongs to: its second text and those after it are numbered."""
    return re.sub(r" #\d+$", "", entry)


def same_text(expected: str, found: str) -> bool:
    """Whether the words are equal, and the numbers between them up to digits that round-off may decide."""
    if NUMBER.sub("\0", expected) != NUMBER.sub("\0", found):
        return False
    pairs = zip(NUMBER.findall(expected), NUMBER.findall(found), strict=True)
    return all(
        one == other or ("." in one and isclose(float(one), float(other), rel_tol=CLOSE))
        for one, other in pairs
    )


def difference(expected: str, found: str) -> str:
    """The changed lines."""
    lines = difflib.unified_diff(
        expected.split("\n"), found.split("\n"), "snapshot", "now", lineterm="", n=1000
    )
    return "\n".join(lines)


def unframed(text: str) -> str:
    """The words of an error on the command line, without the usage and the frame that the option parser adds."""
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", text).split()).rpartition("Error")[2].lstrip(" :")


def progress_words(printed: str) -> str:
    """The words of a progress bar at its beginning and at its end, without bar, times and colours."""
    plain = re.sub(r"\x1b\[[?\d;]*[a-zA-Z]", " ", printed)
    found = re.findall(r"[a-z][a-z ]*|of [\d.]+ [a-z%]+", plain)
    return "\n".join(dict.fromkeys(word.strip() for word in found if word.strip()))


class TextBook:
    """The plugin that holds the snapshots of a run and, with --write-texts, writes the texts of the tests."""

    def __init__(self, config: pytest.Config) -> None:
        self.writing: bool = config.getoption("--write-texts")
        self.worker = hasattr(config, "workerinput")
        self.config = config
        self.known = all_texts()
        self.found: dict[str, dict[str, str]] = {}
        self.collected: set[str] = set()
        self.passed: set[str] = set()

    def check(self, package: str, entry: str, text: str) -> None:
        """Compare a text with its snapshot, or record it."""
        __tracebackhide__ = True
        expected = self.known.get(package, {}).get(entry)
        if self.writing:
            kept = expected is not None and same_text(expected, text)
            self.found.setdefault(package, {})[entry] = str(expected) if kept else text
            return
        where = f"tests/messages/texts/{package}.txt"
        if expected is None:
            pytest.fail(f"{where} has no text for {entry}: {HINT}\n{text}")
        if not same_text(expected, text):
            pytest.fail(f"the text differs from {where}: {HINT}\n{difference(expected, text)}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Tests without texts do not run when texts are written."""
        self.collected = {item.nodeid for item in items}
        if self.writing:
            without = [item for item in items if "texts" not in getattr(item, "fixturenames", ())]
            self.config.hook.pytest_deselected(items=without)
            items[:] = [item for item in items if "texts" in getattr(item, "fixturenames", ())]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Only a test that passes loses its former texts."""
        if report.when == "call" and report.passed:
            self.passed.add(report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Collect the texts of a worker of pytest-xdist."""
        output = getattr(node, "workeroutput", {})
        self.collected |= set(output.get("collected", ()))
        for package, texts in output.get("texts", {}).items():
            self.found.setdefault(package, {}).update(texts)

    def pytest_sessionfinish(self) -> None:
        """Hand the texts to the main process, or write them."""
        if self.worker:
            self.config.workeroutput["collected"] = sorted(self.collected)  # type: ignore[attr-defined]
            self.config.workeroutput["texts"] = self.found  # type: ignore[attr-defined]
        elif self.writing:
            whole_files = not any("::" in argument for argument in self.config.args)
            merged = merge(self.known, self.found, self.passed, self.collected if whole_files else set())
            for package, texts in merged.items():
                write_texts(FOLDER / f"{package}.txt", texts)


def merge(
    known: dict[str, dict[str, str]],
    found: dict[str, dict[str, str]],
    passed: set[str],
    collected: set[str],
) -> dict[str, dict[str, str]]:
    """Former and new texts, without those that a test no longer produces, or whose test or test file is removed.

    `collected` holds all tests of the files that were collected as a whole.
    """
    files = {test.partition("::")[0] for test in collected}

    def stays(entry: str) -> bool:
        test = owner(entry)
        file = test.partition("::")[0]
        gone = (file in files and test not in collected) or not (ROOT / file).exists()
        return not gone and test not in passed

    packages = sorted(set(known) | set(found))
    kept = {
        package: {entry: text for entry, text in known.get(package, {}).items() if stays(entry)}
        for package in packages
    }
    again = {entry for texts in found.values() for entry in texts}
    return {
        package: {entry: text for entry, text in kept[package].items() if entry not in again}
        | found.get(package, {})
        for package in packages
    }


class Texts:
    """The fixture of one test."""

    def __init__(self, book: TextBook, test: str, package: str, folder: str | None) -> None:
        self.book = book
        self.test = test
        self.package = package
        self.folder = folder
        self.count = 0

    def __call__(self, said: Any, *values: object, hide: Iterable[str] = ()) -> None:
        """Assert that a text, an error or a warning has these names and numbers; compare it with its snapshot.

        `hide` lists regular expressions of what differs from machine to machine: # stands for it in the snapshot.
        """
        __tracebackhide__ = True
        missing = [str(value) for value in values if str(value) not in str(said)]
        assert not missing, f"{missing} not in\n{said}"
        code = said.faults[0].code if getattr(said, "faults", ()) else ""
        package = PACKAGES.get(code[:2]) or PACKAGES.get(code[:1]) or self.package
        text = str(said)
        if self.folder:
            relative = os.path.relpath(self.folder)  # a clone in /tmp shares the first folder of the path
            shorter = f"|{re.escape(relative)}" if relative.startswith("../") else ""
            text = re.sub(rf"(?:\.\.)?(?:/\.\.)*{re.escape(self.folder)}{shorter}", "TMP", text)
        for pattern in (*hide, *HIDDEN):
            text = re.sub(pattern, "#", text)
        self.count += 1
        entry = self.test if self.count == 1 else f"{self.test} #{self.count}"
        self.book.check(package, entry, text)

    def lines(self, said: Any, *values: object, hide: Iterable[str] = ()) -> None:
        """Compare those lines of a long text that have one of these names and numbers; each is in one of them."""
        __tracebackhide__ = True
        found = [line for line in str(said).splitlines() if any(str(value) in line for value in values)]
        self("\n".join(found), *values, hide=hide)

    def warnings(self, result: Any, *expected: Sequence[object], hide: Iterable[str] = ()) -> None:
        """Assert all warnings of a result, each by its code, its place and the numbers in its text; compare the status
        with its snapshot."""
        __tracebackhide__ = True
        found = [(warning.code, warning.place) for warning in result.warnings]
        assert found == [(code, place) for code, place, *_ in expected], result.status
        for warning, (_, _, *values) in zip(result.warnings, expected, strict=True):
            missing = [str(value) for value in values if str(value) not in warning.text]
            assert not missing, f"{missing} not in\n{warning.text}"
        self(result.status, hide=hide)

    def fault(self, error: Any, code: str, *values: object, hide: Iterable[str] = ()) -> Any:
        """Assert that an error has one fault, with this code, place and values; compare its text."""
        __tracebackhide__ = True
        self.faults(error, (code, *values), hide=hide)
        return error.faults[0]

    def faults(self, error: Any, *expected: Sequence[object], hide: Iterable[str] = ()) -> None:
        """Assert the faults of an error, each by its code, its place and its values; compare its text."""
        __tracebackhide__ = True
        assert [fault.code for fault in error.faults] == [code for code, *_ in expected], str(error)
        for fault, (_, *values) in zip(error.faults, expected, strict=True):
            told = f"{error.subject}\n{fault.where}\n{fault.what}\n{fault.remedy}"
            missing = [str(value) for value in values if str(value) not in told]
            assert not missing, f"{missing} not in\n{error}"
        self(error, hide=hide)


def package_of(path: Path, module: Any) -> str:
    """The package whose texts a test module reads."""
    parts = path.parts
    unit = parts.index("unit") + 1 if "unit" in parts else len(parts)
    mirrored = parts[unit] if unit < len(parts) - 1 else RESULTS
    return str(getattr(module, "TEXTS", mirrored))


@pytest.fixture
def texts(request: pytest.FixtureRequest) -> Texts:
    """Compares texts of this test with the snapshot files."""
    folder = str(request.getfixturevalue("tmp_path")) if "tmp_path" in request.fixturenames else None
    book = request.config.pluginmanager.get_plugin("text book")
    return Texts(book, request.node.nodeid, package_of(request.path, request.module), folder)
