"""Libraries are unloaded with the last object that refers to them; no resource grows with the number of mechanisms."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path

import casadi as ca
import numpy as np
import pytest
from unit.kernels.cache_entries import Filling
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.kernels import Kernel, Recipe, library_cache as cache
from multiloop.symbols import Traced

PAGE = os.sysconf("SC_PAGE_SIZE")

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/maps").exists(), reason="the system does not list mappings"
)


def mappings(folder: Path) -> int:
    """Mappings of this process from files in a folder."""
    return Path("/proc/self/maps").read_text().count(str(folder))


def scaled(number: float) -> Kernel:
    x = ca.SX.sym("x", 2)
    return Kernel(Recipe(lambda: Traced("f", {"x": x}, {"y": ca.sin(x) * number})))


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """No recent library is kept."""
    monkeypatch.setattr(cache, "_open_entry", cache._open_entry.__wrapped__)


def test_only_the_last_libraries_stay(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache._open_entry.cache_info().maxsize == cache.LOADED_LIBRARIES == 64
    monkeypatch.setattr(cache, "_open_entry", lru_cache(maxsize=2)(cache._open_entry.__wrapped__))
    for k in range(4):
        scaled(k + 0.5)
    one = mappings(here) // 2
    assert 0 < one <= 3
    assert mappings(here) == 2 * one


def test_a_library_is_unloaded_with_its_kernel(here: Path, forgetful: None) -> None:
    kernels = [scaled(k + 0.5) for k in range(3)]
    assert mappings(here) <= 3 * 3
    np.testing.assert_allclose(kernels[2].batch(np.ones((2, 4)))[0], 2.5 * np.sin(1.0), rtol=1e-15)
    kernels.clear()
    assert mappings(here) == 0
    np.testing.assert_allclose(scaled(1.5)([1.0, 1.0]), 1.5 * np.sin(1.0), rtol=1e-15)
    assert mappings(here) == 0


def test_a_function_keeps_its_library(here: Path, forgetful: None) -> None:
    function = cache.find_or_build_entry("seven", Filling()).library.function(
        ctypes.CFUNCTYPE(ctypes.c_int), "seven"
    )
    assert mappings(here) > 0
    assert function() == 7
    del function
    assert mappings(here) == 0


def test_two_kernels_of_one_library_leave_one_after_the_other(here: Path, forgetful: None) -> None:
    first, second = scaled(1.5), scaled(1.5)
    del first
    np.testing.assert_allclose(second([1.0, 1.0]), 1.5 * np.sin(1.0), rtol=1e-15)
    del second
    assert mappings(here) == 0


# thousands of mechanisms ----------------------------------------------------------------------------------


def pendulum(number: int) -> ml.Mechanism:
    """A pendulum that differs from all others."""
    return pinned_body(ml.rod("rod", length=0.5 + 1e-6 * number, mass=1.0), name=f"pendulum {number}")


def compiled(number: int) -> None:
    run = ml.simulate(pendulum(number), start={"A": 0.1}, until=0.1, samples=2)
    assert run.status == "ok"


def interpreted(number: int) -> None:
    kernels = ml.compile(pendulum(number), target="interpreter")
    gravity, length = 9.81, 0.5 + 1e-6 * number
    np.testing.assert_allclose(kernels.forward(np.zeros(1), 0.0, 0.0), -1.5 * gravity / length, rtol=1e-12)


def held() -> tuple[float, int, int]:
    """Resident megabytes, mappings and open files of this process."""
    gc.collect()
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1e6
    lines = Path("/proc/self/maps").read_text().count("\n")
    return resident, lines, len(os.listdir("/proc/self/fd"))


@pytest.mark.slow
@pytest.mark.parametrize(("ask", "times"), [(compiled, 1000), (interpreted, 10_000)])
def test_nothing_grows_with_the_number_of_mechanisms(
    here: Path, ask: Callable[[int], None], times: int
) -> None:
    numbers: Iterator[int] = count()
    for _ in range(times // 5):  # everything that is kept for a few is kept by now
        ask(next(numbers))
    before = held()
    for _ in range(times - times // 5):
        ask(next(numbers))
    resident, lines, files = held()
    print(f"{ask.__name__}: {before} → {(resident, lines, files)}")
    assert resident - before[0] < 30.0  # megabytes; the C library returns memory with a delay
    assert lines - before[1] < 50
    assert files == before[2]
