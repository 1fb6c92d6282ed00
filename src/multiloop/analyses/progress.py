"""Progress display of long computations on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

DELAY = 2.0
"""Seconds until progress is first shown, and between two lines of text if the output is not a terminal."""


@contextmanager
def progress_display(
    begin: float, end: float, wanted: bool | None = None, unit: str = "s", doing: str = "simulating"
) -> Iterator[Callable[[float], None]]:
    """A function that displays the progress of a computation when it is called with the value reached.

    The value increases from `begin` to `end`, in the unit `unit`; `doing` names the computation.

    On a terminal a bar appears once the computation takes long. With `wanted=True` progress is shown at once, as lines
    of text if the output is not a terminal; with `wanted=False` it is never shown.
    """
    since, bar, line = time.monotonic(), None, 0.0

    def reached(t: float) -> None:
        nonlocal bar, line
        now = time.monotonic()
        if wanted and bar is None and not _on_terminal():
            if now > line:
                line = now + DELAY
                print(f"{doing}: {_amount_done(t - begin, end - begin, unit)}", file=sys.stderr, flush=True)
            return
        late = wanted or (wanted is None and now - since > DELAY and sys.stderr.isatty())
        if bar is None and late:
            bar = _bar(doing)
            bar.add_task("run", total=end - begin, words="")
            bar.start()
        if bar is not None:
            bar.update(bar.task_ids[0], completed=t - begin, words=_amount_done(t - begin, end - begin, unit))

    try:
        yield reached
    finally:
        if bar is not None:
            bar.stop()


def _amount_done(done: float, total: float, unit: str) -> str:
    """The amount done and the total amount as text: seconds to three digits, other units as whole numbers."""
    return f"{done:.3g} of {total:.3g} s" if unit == "s" else f"{done:.0f} of {total:.0f} {unit}"


def _on_terminal() -> bool:
    from rich.console import Console

    return Console(stderr=True).is_terminal


def _bar(doing: str) -> Progress:
    """A progress bar that disappears from the terminal when it ends."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(doing), BarColumn(), TextColumn("{task.fields[words]}"), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
