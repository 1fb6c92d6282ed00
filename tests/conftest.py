"""Settings of the tests: one thread per worker for small matrices, Ctrl-C enabled, Hypothesis with the same examples in
every run, and laws of large mechanisms and the tests of `slow.txt` in `make test-slow` only."""

import os
import signal

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # matrices are small, so that more threads are slower

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in background jobs of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from slow_list import Stopwatch, listed
from texts import TextBook, texts  # noqa: F401  the fixture
from zoo import LARGE

from multiloop.model import interrupts

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    max_examples=15,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.register_profile("search", max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("ci")

if hasattr(providers, "_get_local_constants"):
    # Hypothesis also draws constants that occur in imported modules: examples would then depend on which tests a
    # worker has run before
    providers._get_local_constants = providers.Constants


OF_THE_WHOLE_ZOO = ("tests/laws/", "tests/golden/", "tests/peers/")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of `make list-slow` and `make texts`."""
    parser.addoption("--list-slow", action="store_true", help="add cases that take long to tests/slow.txt")
    parser.addoption(
        "--write-texts", action="store_true", help="write the texts that tests find into tests/messages/texts"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Compare or write texts; time the run in the process that reports the tests, not in its workers."""
    config.pluginmanager.register(TextBook(config), "text book")
    if config.getoption("--list-slow") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Stopwatch())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark laws on large test models, and the listed tests, as slow."""
    slow = listed()
    for item in items:
        called = getattr(item, "callspec", None)
        large = item.nodeid.startswith(OF_THE_WHOLE_ZOO) and called and called.params.get("name") in LARGE
        if large or item.nodeid in slow:
            item.add_marker(pytest.mark.slow)
    everything = {argument.rstrip("/") for argument in config.args} <= {
        "tests",
        str(config.rootpath / "tests"),
    }
    chosen = config.getoption("--write-texts")  # only tests with texts are left
    if everything and not chosen and (gone := slow - {item.nodeid for item in items}):
        raise pytest.UsageError(f"slow.txt names tests that are not there: {', '.join(sorted(gone)[:5])}")


@pytest.fixture
def any_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """No warnings of implausible numbers: for tests of mechanics at sizes, masses and speeds of no real mechanism.

    `tests/unit/model/test_plausibility.py` tests these warnings.
    """
    for module in ("analyses.results.history_warnings", "kinematics.assembly.assembly_mode_search"):
        monkeypatch.setattr(f"multiloop.{module}.implausible_numbers", lambda mechanism: ())


@pytest.fixture(autouse=True)
def _no_earlier_press(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget interrupts of earlier tests: a second one within a second would stop without a result."""
    monkeypatch.setattr(interrupts, "_state", interrupts._InterruptState())
