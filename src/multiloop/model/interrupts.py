"""Handling of Ctrl-C during a computation: it takes effect within a second, and a second press always stops.

CasADi's Python layer clears exceptions that are raised while it converts arguments. Among them is the KeyboardInterrupt
of Python's signal handler: about one press of Ctrl-C in ten was lost. Therefore every press during a public function
stays pending until it has taken effect: the function raises KeyboardInterrupt, or its result is marked as interrupted.
A press that is still pending after `REPEAT_AFTER` seconds is repeated from another thread, and one that is pending at
the end of the function raises KeyboardInterrupt there. Then Python's own handler is restored. Nothing is changed if
another handler of SIGINT is installed, or in threads other than the main thread.
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

REPEAT_AFTER = 0.4
"""If the KeyboardInterrupt of a press of Ctrl-C has had no effect after this many seconds, it is raised again."""

DOUBLE_PRESS = 1.0
"""Seconds within which a second press of Ctrl-C stops the computation without a partial result."""


@dataclass
class _InterruptState:
    """State of the handling of Ctrl-C in this process."""

    last: float = -inf  # time of the last press of Ctrl-C in s, on the monotonic clock
    pending: bool = False  # whether a press has not taken effect yet
    twice: bool = False  # whether Ctrl-C was pressed twice within DOUBLE_PRESS
    repeating: bool = False  # whether the next signal repeats a press, from another thread
    asking: bool = False  # whether the computation polls for presses, which then raise nothing
    ending: bool = False  # whether Python's own handler is about to be restored
    kept: bool = False  # whether a partial result is being assembled after a press


_state = _InterruptState()

_repeat_lock = _thread.allocate_lock()
"""Lock that is held from the decision to repeat a press of Ctrl-C until the main thread has been interrupted."""


@contextmanager
def guard_interrupts() -> Iterator[None]:
    """Context manager in which no press of Ctrl-C is lost."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    _state.pending = _state.twice = _state.repeating = _state.asking = _state.ending = False
    _state.kept = False
    try:
        signal.signal(signal.SIGINT, _handle_signal)
        yield
    except Exception as error:
        if _state.pending:  # a press of Ctrl-C may be the cause of the error
            raise KeyboardInterrupt from error
        raise
    finally:
        _state.ending = (
            True  # from here on presses are only recorded, so that Python's handler is always restored
        )
        with _repeat_lock:  # a press being repeated raises KeyboardInterrupt here, not later
            signal.signal(signal.SIGINT, signal.default_int_handler)
    if _state.pending:
        raise KeyboardInterrupt


@contextmanager
def interruptible(*, at_once: bool = False) -> Iterator[Callable[[], bool]]:
    """Context manager in which Ctrl-C makes the yielded function return True instead of raising an exception.

    The caller polls the function, ends early when it returns True, and marks the result as interrupted.
    KeyboardInterrupt is raised if the function is not polled in time, or at a second press. With `at_once` it is raised
    at the first press, and the function returns True only if CasADi has cleared this exception.
    """
    with guard_interrupts():
        before, seen = _state.asking, False

        def asked() -> bool:
            nonlocal seen
            if _state.pending and not _state.twice and _handles_interrupts():
                _state.pending, _state.kept, seen = False, True, True
            return seen

        _state.asking = not at_once
        try:
            yield asked
        finally:
            _state.asking = before
        if _state.pending and _handles_interrupts():
            raise KeyboardInterrupt


def accept_partial_result() -> None:
    """Record that a partial result is returned after a press of Ctrl-C; raise KeyboardInterrupt after two presses."""
    if _state.twice and _handles_interrupts():
        raise KeyboardInterrupt
    _state.pending, _state.kept = False, True


def partial_result_clock() -> Callable[[], float]:
    """A function that returns the seconds since its first call, for assembling a partial result after Ctrl-C.

    The time to assemble a partial result is proportional to its size. The caller calls the function after each piece
    and stops when the assembly takes too long. The time of the first piece is not counted, since it may compute data
    that all pieces share. Without Ctrl-C the function returns 0.
    """
    began: float | None = None

    def seconds() -> float:
        nonlocal began
        if not (_state.kept and _handles_interrupts()):
            return 0.0
        now = time.monotonic()
        began = now if began is None else began
        return now - began

    return seconds


def _handles_interrupts() -> bool:
    """Whether this module handles Ctrl-C now: in the main thread, within `guard_interrupts`."""
    ours = threading.current_thread() is threading.main_thread()
    return ours and signal.getsignal(signal.SIGINT) is _handle_signal


def _handle_signal(number: int, frame: FrameType | None) -> None:
    """Handle the signal SIGINT: record the press of Ctrl-C, and raise KeyboardInterrupt unless presses are polled."""
    if _state.ending:
        _state.pending |= not _state.repeating
        return
    if _state.repeating:
        _state.repeating = False
        raise KeyboardInterrupt
    now = time.monotonic()
    _state.twice = now - _state.last < DOUBLE_PRESS
    _state.last, _state.pending = now, True
    _thread.start_new_thread(
        _repeat_interrupt, (now,)
    )  # `threading` would acquire locks that this thread may already hold
    if _state.twice or not _state.asking:
        raise KeyboardInterrupt


def _repeat_interrupt(press: float) -> None:
    """Repeat a press of Ctrl-C until it has taken effect or another press follows; `press` is its time."""
    while True:
        time.sleep(REPEAT_AFTER)
        with _repeat_lock:
            ours = signal.getsignal(signal.SIGINT) is _handle_signal
            if not _state.pending or _state.last != press or not ours:
                return
            _state.repeating = True
            _thread.interrupt_main()
