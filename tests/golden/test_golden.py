"""No kernel takes more operations than recorded, and no number has changed."""

import json
from pathlib import Path

import pytest
from zoo import ZOO

from golden.numbers import numbers
from golden.operation_counts import counts

FOLDER = Path(__file__).parent
COUNTS, NUMBERS = (
    json.loads((FOLDER / f"{what}.json").read_text(encoding="utf-8"))
    for what in ("operation_counts", "numbers")
)
QUICK = {
    "four-bar",
    "slider-crank",
    "scraper-C",
    "3-RRR",
    "RSSR",
    "planetary",
    "cam-flat",
    "rolling-disc",
    "screw-jack",
}
"""Mechanisms of every type whose kernels are traced quickly; the others are counted in `make test-slow`."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in ZOO if name in COUNTS],
)
def test_no_kernel_takes_more_operations(name):
    found = counts(ZOO[name].build())
    assert found.keys() >= COUNTS[name].keys()
    more = {kernel: (n, found[kernel]) for kernel, n in COUNTS[name].items() if found[kernel] > n}
    assert not more, "operations (before, now)"


@pytest.mark.parametrize("name", [name for name in ZOO if name in NUMBERS])
def test_every_number_is_the_same(name):
    """Up to the round-off of other orders of summation: some test models are badly conditioned.

    Efforts are compared with the largest load: where no effort is needed they are round-off of it.
    """
    found = numbers(ZOO[name].build())
    assert found.keys() == NUMBERS[name].keys()
    sizes = {what: _largest(by_joint) for what, by_joint in NUMBERS[name].items()}
    for what, by_joint in NUMBERS[name].items():
        size = max(sizes[what], sizes["load"] if what == "effort" else 0.0)
        for joint, value in by_joint.items():
            assert _each(found[what][joint]) == pytest.approx(_each(value), rel=1e-9, abs=1e-9 * size), joint


def _largest(by_joint):
    return max((abs(x) for value in by_joint.values() for x in _each(value)), default=0.0)


def _each(value):
    return value if isinstance(value, list) else [value]
