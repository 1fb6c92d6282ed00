"""Ctrl-C in the middle of a run: what was computed is kept."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interruptible(*, at_once: bool = False) -> Iterator[Callable[[], bool]]:
    """Within it, Ctrl-C only makes the given function answer True, so that nothing is torn in the middle.

    A second Ctrl-C is a KeyboardInterrupt as ever, and so is the first with `at_once`, for work that is torn by
    nothing else. In other threads, or where somebody else listens for Ctrl-C, nothing is changed.
    """
    asked = False

    def heard(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        again, asked = asked, True
        if again or at_once:
            raise KeyboardInterrupt

    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: asked
        return
    signal.signal(signal.SIGINT, heard)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
