"""How far a long run is, for whoever waits in front of a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 2.0
"""Seconds before anything is shown."""


@contextmanager
def advancing(
    begin: float, end: float, wanted: bool | None = None, unit: str = "s", doing: str = "simulating"
) -> Iterator[Callable[[float], None]]:
    """A function to be told how far the work is; on a terminal it draws a bar once it takes long.

    `wanted` True shows it at once, False never. Seconds are shown with decimals, anything else is counted.
    """
    since, bar = time.monotonic(), None

    def reached(t: float) -> None:
        nonlocal bar
        late = wanted or (wanted is None and time.monotonic() - since > PATIENCE and sys.stderr.isatty())
        if bar is None and late:
            bar = _bar(end, unit, doing)
            bar.add_task("run", total=end - begin)
            bar.start()
        if bar is not None:
            bar.update(bar.task_ids[0], completed=t - begin)

    try:
        yield reached
    finally:
        if bar is not None:
            bar.stop()


def _bar(end: float, unit: str, doing: str) -> Progress:
    """A bar on the terminal, gone when it ends."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    counted = "{task.completed:.3f} s" if unit == "s" else f"{{task.completed:.0f}} of {end:.0f} {unit}"
    columns = (TextColumn(doing), BarColumn(), TextColumn(counted), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
