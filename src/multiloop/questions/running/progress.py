"""How far a long run is, for whoever waits in front of a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds before anything is shown."""


@contextmanager
def advancing(
    begin: float, end: float, wanted: bool | None = None, unit: str = "s", doing: str = "simulating"
) -> Iterator[Callable[[float], None]]:
    """A function to be told how far the work is; on a terminal it draws a bar once it takes long.

    `wanted` True shows it at once, False never. Seconds are shown with decimals, anything else is counted.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (
        TextColumn(doing),
        BarColumn(),
        TextColumn(
            "{task.completed:.3f} s" if unit == "s" else f"{{task.completed:.0f}} of {end:.0f} {unit}"
        ),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task("run", total=end - begin)
    since = time.monotonic()

    def reached(t: float) -> None:
        late = wanted or (wanted is None and console.is_terminal and time.monotonic() - since > PATIENCE)
        if late and not bar.live.is_started:
            bar.start()
        bar.update(task, completed=t - begin)

    try:
        yield reached
    finally:
        if bar.live.is_started:
            bar.stop()
