"""Which tests are slow? Those that took long when they were timed, listed in `slow.txt`.

The fastest case of every parametrized test remains a fast test, and so does a test without cases: each law is tested by
`make test`, and on more mechanisms by `make test-slow`. `make list-slow` times the fast tests and lists more.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest

LIST = Path(__file__).parent / "slow.txt"
HEAD = "# Made by `make list-slow`: tests that `make test-slow` runs, of which quicker cases stay.\n"

SLOW = 0.5
"""Seconds from which a case is slow."""

STAYING = (
    "tests/unit/docs/",
    "tests/browser/",
    "tests/messages/",
    "tests/gallery/",
    "tests/golden/",
    "tests/support/",
)
"""Tests of documents, messages and reference values always belong to the fast tests."""


def listed() -> set[str]:
    """Names of tests that are slow."""
    return {
        line for line in LIST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")
    }


def to_list(durations: dict[str, float]) -> set[str]:
    """Names of slow cases, from the seconds that each took."""
    found = set()
    for _, cases in groupby(sorted(durations), key=lambda name: name.partition("[")[0]):
        quickest_first = sorted(cases, key=lambda name: durations[name])
        found |= {name for name in quickest_first[1:] if durations[name] >= SLOW}
    return {name for name in found if not name.startswith(STAYING)}


class Stopwatch:
    """A plugin of pytest that adds slow cases to the list when the run ends."""

    def __init__(self) -> None:
        self.durations: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """The duration of a test, without its fixtures."""
        if report.when == "call":
            self.durations[report.nodeid] = report.duration

    def pytest_sessionfinish(self) -> None:
        """Write the list."""
        names = sorted(listed() | to_list(self.durations))
        LIST.write_text(HEAD + "".join(f"{name}\n" for name in names), encoding="utf-8")
