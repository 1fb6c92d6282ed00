"""Handling of Ctrl-C during a computation: it takes effect within a second, and a second press always stops.

CasADi's Python layer clears exceptions that are raised while it converts arguments, the KeyboardInterrupt of a signal
handler among them: about one press in ten was lost. Therefore every press during a public function stays pending until
it has taken effect: the function raises KeyboardInterrupt, or its result is marked as interrupted. A press that is
still pending after `REPEAT_AFTER` is repeated from another thread, and at the end of the function it is raised in any
case. Then Python's own handler is restored. If another handler of SIGINT is installed, and in threads other than the
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

REPEAT_AFTER = 0.4
"""Seconds after which a press that is still pending is repeated."""

DOUBLE_PRESS = 1.0
"""Seconds within which a second press stops everything, without a partial result."""


@dataclass
class _InterruptState:
    """State of Ctrl-C handling in this process."""

    last: float = -inf  # time of the last press
    pending: bool = False  # whether a press has not taken effect yet
    twice: bool = False  # whether it was pressed twice within a second
    repeating: bool = False  # whether the next signal is a repetition from the other thread
    asking: bool = False  # whether presses are polled instead of raising an exception
    ending: bool = False  # whether the function is about to restore Python's handler
    kept: bool = False  # whether a partial result is being assembled after a press


_state = _InterruptState()

_repeat_lock = _thread.allocate_lock()
"""Held from the decision to repeat a press until the main thread has been interrupted."""


@contextmanager
def guard_interrupts() -> Iterator[None]:
    """A block in which no press of Ctrl-C is lost."""
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
        if _state.pending:  # the press may be the cause of the error
            raise KeyboardInterrupt from error
        raise
    finally:
        _state.ending = (
            True  # from here on presses are only recorded, so that the handler is restored in any case
        )
        with _repeat_lock:  # a repetition that is under way arrives here, not in the caller's code
            signal.signal(signal.SIGINT, signal.default_int_handler)
    if _state.pending:
        raise KeyboardInterrupt


@contextmanager
def interruptible(*, at_once: bool = False) -> Iterator[Callable[[], bool]]:
    """A block in which Ctrl-C makes the yielded function return True instead of raising an exception.

    The caller polls the function, ends early when it returns True, and marks the result as interrupted. If it does not
    poll in time, or a second press follows, KeyboardInterrupt is raised. With `at_once` the first press raises it.
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
    """Mark a press as handled by a partial result that is marked as interrupted; after two presses raise it again."""
    if _state.twice and _handles_interrupts():
        raise KeyboardInterrupt
    _state.pending, _state.kept = False, True


def partial_result_clock() -> Callable[[], float]:
    """A clock for assembling a partial result after Ctrl-C: seconds since its first reading, zero without Ctrl-C.

    The time to assemble a partial result is proportional to its size. The caller reads the clock after each piece and
    stops when it takes too long. The first piece is not counted, since it may build data that all pieces share.
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
    """Whether this module handles presses: in the main thread, within `guard_interrupts`."""
    ours = threading.current_thread() is threading.main_thread()
    return ours and signal.getsignal(signal.SIGINT) is _handle_signal


def _handle_signal(number: int, frame: FrameType | None) -> None:
    """Handle SIGINT."""
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
    )  # `threading` would acquire locks that this thread may hold
    if _state.twice or not _state.asking:
        raise KeyboardInterrupt


def _repeat_interrupt(press: float) -> None:
    """Repeat a press as long as it is pending and the last one."""
    while True:
        time.sleep(REPEAT_AFTER)
        with _repeat_lock:
            ours = signal.getsignal(signal.SIGINT) is _handle_signal
            if not _state.pending or _state.last != press or not ours:
                return
            _state.repeating = True
            _thread.interrupt_main()
