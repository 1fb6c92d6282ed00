"""How tests run: one thread a worker for small matrices, Ctrl-C heard, Hypothesis with the same examples every time,
and the laws of large mechanisms in `make test-slow`."""

import os
import signal

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # matrices are small: more threads only wait for each other

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell has it for what runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

import pytest
from hypothesis import HealthCheck, settings
from zoo import LARGE

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    max_examples=15,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.register_profile("search", max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("ci")


OF_THE_WHOLE_ZOO = ("tests/laws/", "tests/golden/", "tests/peers/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Laws that are run on the whole zoo are slow on its large members."""
    for item in items:
        called = getattr(item, "callspec", None)
        if called and item.nodeid.startswith(OF_THE_WHOLE_ZOO) and called.params.get("name") in LARGE:
            item.add_marker(pytest.mark.slow)
