"""Ctrl-C while a question is computed: it is obeyed within a second, and a second one always stops.

CasADi's Python layer clears exceptions that are raised while it converts arguments, the KeyboardInterrupt of a signal
handler among them: about one press in ten was lost. Therefore every press within a verb stays pending until it has been
obeyed: the verb ends by KeyboardInterrupt, or its result is marked as interrupted. A press that is still pending after
`PATIENCE` is repeated from another thread, and at the end of the verb it is raised in any case; after that nothing is
repeated, and Python's own handler is in force again. Where somebody else handles SIGINT, and in other threads than the
main one, nothing is changed.
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
"""Seconds within which a second press stops everything: no part of a result is kept."""


@dataclass
class _Presses:
    """What is known of Ctrl-C in this process."""

    last: float = -inf  # when it was pressed
    pending: bool = False  # whether it has not been obeyed yet
    twice: bool = False  # whether it was pressed twice within a second
    repeating: bool = False  # whether the next signal is a repetition
    asking: bool = False  # whether a press is asked for, instead of raising
    ending: bool = False  # whether the function is about to restore Python's handler
    kept: bool = False  # whether it is obeyed by a part of the result, which is still being put together


_presses = _Presses()

_repeating = _thread.allocate_lock()
"""Held from the decision to repeat a press until the main thread has been interrupted."""


@contextmanager
def obeying_interrupts() -> Iterator[None]:
    """Within it, no press of Ctrl-C is lost."""
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
        if _presses.pending:  # which is perhaps the error's cause
            raise KeyboardInterrupt from error
        raise
    finally:
        _presses.ending = (
            True  # from here on presses are only noted: none keeps the handler from being restored
        )
        with _repeating:  # a repetition that has been decided on arrives here, not in the caller's code
            signal.signal(signal.SIGINT, signal.default_int_handler)
    if _presses.pending:
        raise KeyboardInterrupt


@contextmanager
def interruptible(*, at_once: bool = False) -> Iterator[Callable[[], bool]]:
    """Within it, Ctrl-C only makes the given function return True, so that no step is left unfinished.

    Whoever gets True ends early and marks the result as interrupted. Where nobody asks in time, or a second press
    follows, it is a KeyboardInterrupt as ever; so is the first with `at_once`, for work that nothing else interrupts.
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
    """Take a KeyboardInterrupt as obeyed by a result marked as interrupted; after two presses raise it again."""
    if _presses.twice and _here():
        raise KeyboardInterrupt
    _presses.pending, _presses.kept = False, True


def hurry() -> Callable[[], float]:
    """A clock for work in pieces after Ctrl-C: seconds since it was first read, zero where no part has to be kept.

    A part of a result is put together in time proportional to its size; whoever reads the clock after each piece keeps
    the smaller part that is ready. The first piece does not count, since it may have to build what all of them use.
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
    """Whether presses are ours to handle: in the main thread, within `obeying_interrupts`."""
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
    _thread.start_new_thread(_repeat, (now,))  # `threading` takes locks, which this thread may hold
    if _presses.twice or not _presses.asking:
        raise KeyboardInterrupt


def _repeat(press: float) -> None:
    """Repeat a press for as long as it is pending and the last one."""
    while True:
        time.sleep(PATIENCE)
        with _repeating:
            ours = signal.getsignal(signal.SIGINT) is _pressed
            if not _presses.pending or _presses.last != press or not ours:
                return
            _presses.repeating = True
            _thread.interrupt_main()
