"""Ctrl-C during a function takes effect, even if another library clears its exception."""

# ruff: noqa: PT012  (where the exception is raised is part of what is tested)

from __future__ import annotations

import _thread
import signal
import threading
import time

import pytest

import multiloop as ml
from multiloop.model import checks, interrupts
from multiloop.model.interrupts import (
    accept_partial_result,
    guard_interrupts,
    interruptible,
    partial_result_clock,
)


def press_in_vain() -> None:
    """An interrupt whose exception is cleared, as CasADi clears it."""
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        return
    pytest.fail("it is not raised")


def until_interrupted(seconds: float = 10.0) -> float:
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        while time.monotonic() - begin < seconds:
            time.sleep(0.001)
    return time.monotonic() - begin


def test_a_lost_press_is_repeated_within_a_second() -> None:
    with pytest.raises(KeyboardInterrupt), guard_interrupts():
        press_in_vain()
        for _ in range(2):
            assert until_interrupted() < 2.0  # 0.4 s on an idle machine
        raise KeyboardInterrupt
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_lost_press_is_raised_at_the_end() -> None:
    reached = False
    with pytest.raises(KeyboardInterrupt), guard_interrupts():
        press_in_vain()
        reached = True
    assert reached


def test_an_error_that_a_lost_press_has_caused_is_no_error() -> None:
    with pytest.raises(KeyboardInterrupt) as caught, guard_interrupts():
        press_in_vain()
        raise NotImplementedError("wrong number or type of arguments")
    assert isinstance(caught.value.__cause__, NotImplementedError)


def test_errors_without_a_press_are_themselves() -> None:
    with pytest.raises(ValueError, match="as it was"), guard_interrupts():
        raise ValueError("as it was")


def test_a_function_that_polls_is_not_interrupted() -> None:
    with interruptible() as asked:
        assert not asked()
        signal.raise_signal(signal.SIGINT)
        assert asked()
        time.sleep(0.6)
        assert asked()  # still set, and the interrupt is not repeated


def test_an_interrupt_that_is_not_polled_is_raised() -> None:
    with pytest.raises(KeyboardInterrupt), interruptible():
        signal.raise_signal(signal.SIGINT)
        assert until_interrupted() < 2.0
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt), interruptible():
        interrupts._state.last = -1e9
        signal.raise_signal(signal.SIGINT)  # the work is done before the function has polled


def test_the_second_press_within_a_second_is_raised_in_the_next_function_too() -> None:
    with interruptible() as asked:
        signal.raise_signal(signal.SIGINT)
        assert asked()
    with pytest.raises(KeyboardInterrupt), guard_interrupts():
        try:
            with interruptible():
                signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            accept_partial_result()
        pytest.fail("a part is kept")
    interrupts._state.last -= 2.0
    with guard_interrupts():  # later it counts as a first one again
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            accept_partial_result()


@pytest.mark.parametrize("ended", [False, True], ids=["in time", "interrupted"])
def test_a_press_while_a_function_ends_is_raised_once(monkeypatch: pytest.MonkeyPatch, ended: bool) -> None:
    """It arrives in the call that restores Python's own handler; CPython then runs the earlier handler first."""
    install = signal.signal

    def pressed(number: int, handler: object) -> object:
        if handler is signal.default_int_handler:
            signal.raise_signal(signal.SIGINT)
        return install(number, handler)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(interrupts.signal, "signal", pressed)
        with pytest.raises(KeyboardInterrupt), guard_interrupts():
            if ended:
                raise KeyboardInterrupt
    restored = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    assert restored is signal.default_int_handler
    time.sleep(0.6)  # the interrupt is not repeated


def test_a_press_is_not_repeated_after_the_function_it_interrupts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that repeats it is slow: it has found the press pending, and interrupts after the function ends."""
    deciding, interrupt_main = threading.Event(), _thread.interrupt_main

    def slowly() -> None:
        deciding.set()
        time.sleep(0.2)
        interrupt_main()

    monkeypatch.setattr(interrupts._thread, "interrupt_main", slowly)
    with pytest.raises(KeyboardInterrupt), guard_interrupts():
        press_in_vain()
        assert deciding.wait(5.0)
    repeated = False
    try:
        time.sleep(0.4)
    except KeyboardInterrupt:
        repeated = True
    assert not repeated


def test_other_handlers_are_left_alone() -> None:
    heard = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        with interruptible() as asked:
            signal.raise_signal(signal.SIGINT)
            assert not asked()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT]


def test_the_clock_of_a_hurry_runs_after_a_press_that_keeps_a_part() -> None:
    with guard_interrupts():
        late = partial_result_clock()
        assert late() == 0.0
        time.sleep(0.02)
        assert late() == 0.0  # no interrupt
        press_in_vain()
        accept_partial_result()
        assert late() == 0.0  # the first piece does not count
        time.sleep(0.02)
        assert late() >= 0.02
    assert partial_result_clock()() == 0.0
    with guard_interrupts():
        assert partial_result_clock()() == 0.0
        time.sleep(0.01)
        assert partial_result_clock()() == 0.0


def test_a_press_lost_while_a_description_is_checked_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(_: object) -> tuple[()]:
        press_in_vain()
        return ()

    monkeypatch.setattr(checks, "CHECKS", (check,))
    with pytest.raises(KeyboardInterrupt):
        ml.Mechanism("pendulum", planar=True, bodies=[ml.ground()], joints=[])
