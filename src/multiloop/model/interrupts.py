"""Handling of Ctrl-C during a computation: it takes effect within a second, and a second press always stops.

CasADi's Python layer clears exceptions that are raised while it converts arguments, the KeyboardInterrupt of a signal
handler among them: about one press in ten was lost. Therefore every press during a public function stays pending until
it has taken effect: the function raises KeyboardInterrupt, or its result is marked as interrupted. A press that is
still pending after `PATIENCE` is repeated from another thread, and at the end of the function it is raised in any case.
Then Python's own handler is restored. If another handler of SIGINT is installed, and in threads other than the main
one, nothing is changed.
"""

from __future__ import annotations

import _thread
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from types import FrameType

PATIENCE = 0.4
"""Seconds after which a press that is still pending is repeated."""

TWICE = 1.0
"""Seconds within which a second press stops everything, without a partial result."""


@dataclass
class _Presses:
    """State of Ctrl-C handling in this process."""

    last: float = -inf  # time of the last press
    pending: bool = False  # whether a press has not taken effect yet
    twice: bool = False  # whether it was pressed twice within a second
    repeating: bool = False  # whether the next signal is a repetition from the other thread
    asking: bool = False  # whether presses are polled instead of raising an exception
    ending: bool = False  # whether the function is about to restore Python's handler
    kept: bool = False  # whether a partial result is being assembled after a press


_presses = _Presses()

_repeating = _thread.allocate_lock()
"""Held from the decision to repeat a press until the main thread has been interrupted."""


@contextmanager
def obeying_interrupts() -> Iterator[None]:
    """A block in which no press of Ctrl-C is lost."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    _presses.pending = _presses.twice = _presses.repeating = _presses.asking = _presses.ending = False
    _presses.kept = False
    try:
        signal.signal(signal.SIGINT, _pressed)
        yield
    except Exception as error:
        if _presses.pending:  # the press may be the cause of the error
            raise KeyboardInterrupt from error
        raise
    finally:
        _presses.ending = (
            True  # from here on presses are only recorded, so that the handler is restored in any case
        )
        with _repeating:  # a repetition that is under way arrives here, not in the caller's code
            signal.signal(signal.SIGINT, signal.default_int_handler)
    if _presses.pending:
        raise KeyboardInterrupt


@contextmanager
def interruptible(*, at_once: bool = False) -> Iterator[Callable[[], bool]]:
    """A block in which Ctrl-C makes the yielded function return True instead of raising an exception.

    The caller polls the function, ends early when it returns True, and marks the result as interrupted. If it does not
    poll in time, or a second press follows, KeyboardInterrupt is raised. With `at_once` the first press raises it.
    """
    with obeying_interrupts():
        before, seen = _presses.asking, False

        def asked() -> bool:
            nonlocal seen
            if _presses.pending and not _presses.twice and _here():
                _presses.pending, _presses.kept, seen = False, True, True
            return seen

        _presses.asking = not at_once
        try:
            yield asked
        finally:
            _presses.asking = before
        if _presses.pending and _here():
            raise KeyboardInterrupt


def keep_part() -> None:
    """Mark a press as handled by a partial result that is marked as interrupted; after two presses raise it again."""
    if _presses.twice and _here():
        raise KeyboardInterrupt
    _presses.pending, _presses.kept = False, True


def hurry() -> Callable[[], float]:
    """A clock for assembling a partial result after Ctrl-C: seconds since its first reading, zero without Ctrl-C.

    The time to assemble a partial result is proportional to its size. The caller reads the clock after each piece and
    stops when it takes too long. The first piece is not counted, since it may build data that all pieces share.
    """
    began: float | None = None

    def seconds() -> float:
        nonlocal began
        if not (_presses.kept and _here()):
            return 0.0
        now = time.monotonic()
        began = now if began is None else began
        return now - began

    return seconds


def _here() -> bool:
    """Whether this module handles presses: in the main thread, within `obeying_interrupts`."""
    ours = threading.current_thread() is threading.main_thread()
    return ours and signal.getsignal(signal.SIGINT) is _pressed


def _pressed(number: int, frame: FrameType | None) -> None:
    """Handle SIGINT."""
    if _presses.ending:
        _presses.pending |= not _presses.repeating
        return
    if _presses.repeating:
        _presses.repeating = False
        raise KeyboardInterrupt
    now = time.monotonic()
    _presses.twice = now - _presses.last < TWICE
    _presses.last, _presses.pending = now, True
    _thread.start_new_thread(_repeat, (now,))  # `threading` would acquire locks that this thread may hold
    if _presses.twice or not _presses.asking:
        raise KeyboardInterrupt


def _repeat(press: float) -> None:
    """Repeat a press as long as it is pending and the last one."""
    while True:
        time.sleep(PATIENCE)
        with _repeating:
            ours = signal.getsignal(signal.SIGINT) is _pressed
            if not _presses.pending or _presses.last != press or not ours:
                return
            _presses.repeating = True
            _thread.interrupt_main()
