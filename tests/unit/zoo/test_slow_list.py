"""Which cases belong to `make test-slow`."""

from __future__ import annotations

from slow_list import to_list


def test_the_quickest_case_of_every_test_stays() -> None:
    """However slow it is; and so does a test without cases."""
    took = {
        "tests/laws/test_one.py::test_law[four-bar]": 0.7,
        "tests/laws/test_one.py::test_law[scraper]": 0.9,
        "tests/laws/test_one.py::test_other[four-bar]": 0.1,
        "tests/laws/test_one.py::test_other[scraper]": 0.4,
        "tests/laws/test_one.py::test_other[hexapod]": 1.4,
        "tests/laws/test_one.py::test_alone": 3.0,
    }
    assert to_list(took) == {
        "tests/laws/test_one.py::test_law[scraper]",
        "tests/laws/test_one.py::test_other[hexapod]",
    }


def test_what_readers_see_stays() -> None:
    """Messages and pages are tested at every change."""
    assert not to_list(
        {"tests/messages/test_one.py::test_a[1]": 2.0, "tests/messages/test_one.py::test_a[2]": 3.0}
    )
