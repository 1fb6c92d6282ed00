"""How long does one evaluation take? All programs are timed in alternation, so that the machine is in the same state.

Time is that of the thread, which excludes other processes; batches with several threads are timed by the wall clock.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

SLICE = 0.01
"""Seconds that one program runs at a time."""

Loop = Callable[[int], None]
"""Takes the number of times to go through the states."""


@dataclass(frozen=True)
class Timing:
    """Microseconds per evaluation: median over all rounds, quartiles, and the fastest."""

    median: float
    low: float
    high: float
    least: float

    def __str__(self) -> str:
        return f"{self.median:.3g} ({self.low:.3g}–{self.high:.3g})"


@dataclass(frozen=True, eq=False)
class Contestant:
    """A program with its settings: its preparation, its loop, and the number of evaluations per repetition."""

    loop: Loop
    evaluations: int
    ready: Callable[[], None] = lambda: None
    clock: Callable[[], float] = time.thread_time


def interleaved(
    contestants: Mapping[str, Contestant], rounds: int, slice_: float = SLICE
) -> dict[str, Timing]:
    """Time every contestant once per round, in an order that changes from round to round, all on one processor.

    Those timed by the wall clock use several processors; they belong in a separate comparison.
    """
    if all(contestant.clock is time.thread_time for contestant in contestants.values()):
        with pinned():
            return _rounds(contestants, rounds, slice_)
    return _rounds(contestants, rounds, slice_)


def _rounds(contestants: Mapping[str, Contestant], rounds: int, slice_: float) -> dict[str, Timing]:
    repeats = {name: _repeats(contestant, slice_) for name, contestant in contestants.items()}
    spent: dict[str, list[float]] = {name: [] for name in contestants}
    names = list(contestants)
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            contestant = contestants[name]
            contestant.ready()
            contestant.loop(1)
            spent[name].append(_time(contestant, repeats[name]) / (repeats[name] * contestant.evaluations))
    return {name: _timing(1e6 * np.array(times)) for name, times in spent.items()}


def quick(contestant: Contestant, tries: int = 3) -> float:
    """Approximate seconds per evaluation: the least of a few short runs, to select settings."""
    contestant.ready()
    repeats = _repeats(contestant, SLICE / 2)
    return min(_time(contestant, repeats) for _ in range(tries)) / (repeats * contestant.evaluations)


@contextmanager
def pinned() -> Iterator[None]:
    """Stay on one processor for a while."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _time(contestant: Contestant, repeats: int) -> float:
    began = contestant.clock()
    contestant.loop(repeats)
    return contestant.clock() - began


def _repeats(contestant: Contestant, slice_: float) -> int:
    contestant.ready()
    contestant.loop(1)
    repeats = 1
    while (took := _time(contestant, repeats)) < slice_ / 2:
        repeats = max(2 * repeats, int(repeats * slice_ / max(took, 1e-7) / 1.5))
    return max(1, round(repeats * slice_ / took))


def _timing(times: np.ndarray) -> Timing:
    low, median, high = np.percentile(times, [25, 50, 75])
    return Timing(float(median), float(low), float(high), float(times.min()))
