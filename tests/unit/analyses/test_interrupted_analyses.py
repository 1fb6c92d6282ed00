"""Ctrl-C while `inverse` solves, or while a run is recorded, keeps the completed instants, and reports it."""

import os
import signal
import sys
from itertools import count

import numpy as np
import pytest
from laws.closed_positions import built
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.analyses.prescribed_motion import driven_motion as driven
from multiloop.analyses.prescribed_motion.driven_instants import DrivenInstants
from multiloop.analyses.prescribed_motion.driven_motion import DrivenMotion
from multiloop.analyses.results import recorder
from multiloop.analyses.simulation import run_result as recording
from multiloop.dynamics.outputs import RecordedOutputs

result_module = sys.modules["multiloop.analyses.prescribed_motion.driven_result"]
"""The module; the package has the function under the same name."""


def press():
    """Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)


def pressed_at(call, function, press=press):
    """The function, with Ctrl-C in its call of this number."""
    calls = count(1)

    def pressed(*given, **named):
        if next(calls) == call:
            press()
        return function(*given, **named)

    return pressed


def tear():
    raise KeyboardInterrupt


def test_inverse_keeps_what_is_found(monkeypatch, texts):
    whole = ml.inverse(built("four-bar"), cycle=65)
    monkeypatch.setattr(driven, "BLOCK", 16)
    monkeypatch.setattr(DrivenInstants, "instants_from", pressed_at(3, DrivenInstants.instants_from))
    result = ml.inverse(built("four-bar"), cycle=65)
    assert len(result.time) == 32
    texts.warnings(result, ("W32", "four-bar", "32", "65"))
    assert result["A"].effort == pytest.approx(whole["A"].effort[:32], rel=1e-9)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_one_by_one_it_does_so_too(monkeypatch, texts):
    monkeypatch.setattr(DrivenMotion, "_driven_instants", None)
    monkeypatch.setattr(driven, "advance_to", pressed_at(21, driven.advance_to))
    result = ml.inverse(built("four-bar"), cycle=65)
    texts.warnings(result, ("W32", "four-bar", "20", "65"))


def test_inverse_keeps_what_is_loaded(monkeypatch, texts):
    monkeypatch.setattr(driven, "BLOCK", 16)
    monkeypatch.setattr(DrivenInstants, "loads", pressed_at(3, DrivenInstants.loads))
    result = ml.inverse(built("four-bar"), cycle=65)
    assert len(result.time) == 32
    texts.warnings(result, ("W32", "four-bar", "32", "65"))


def test_inverse_keeps_what_is_read_off(monkeypatch, texts):
    monkeypatch.setattr(recorder, "BLOCK", 16)
    monkeypatch.setattr(RecordedOutputs, "evaluate", pressed_at(2, RecordedOutputs.evaluate))
    result = ml.inverse(built("four-bar"), cycle=65)
    texts(result.status, "32", "65")


@pytest.mark.parametrize(
    ("room", "limit"), [(driven, "SOLVE_TIME"), (result_module, "READOUT_TIME")], ids=["solving", "reading"]
)
def test_what_takes_too_long_after_a_press_is_left(room, limit, monkeypatch, texts):
    """With a time limit of zero, two blocks of three are still solved and recorded: the first does not count."""
    whole = ml.inverse(built("four-bar"), cycle=65)
    monkeypatch.setattr(driven, "BLOCK", 16)
    monkeypatch.setattr(recorder, "BLOCK", 16)
    monkeypatch.setattr(room, limit, 0.0)
    monkeypatch.setattr(DrivenInstants, "instants_from", pressed_at(4, DrivenInstants.instants_from))
    result = ml.inverse(built("four-bar"), cycle=65)
    texts.warnings(result, ("W32", "four-bar", "32", "65"))
    assert result["A"].effort == pytest.approx(whole["A"].effort[:32], rel=1e-9)
    assert len(ml.inverse(built("four-bar"), cycle=17).time) == 17, "without a press nothing is left"


def test_before_the_first_instant_there_is_nothing_to_keep(monkeypatch):
    monkeypatch.setattr(DrivenInstants, "loads", pressed_at(1, DrivenInstants.loads))
    with pytest.raises(KeyboardInterrupt):
        ml.inverse(built("four-bar"), cycle=65)


def pendulum_run(**options):
    pendulum = pinned_body(ml.rod("p", length=1.0, mass=1.0), name="pendulum")
    return ml.simulate(pendulum, until=0.64, samples=65, start={"A": 1.0}, **options)


@pytest.mark.parametrize(("how", "kept"), [(press, 32), (tear, 16)])
def test_a_run_keeps_what_is_recorded(how, kept, monkeypatch, texts):
    """After an interrupt the current block is completed; if it is aborted itself, the previous ones are kept."""
    whole = pendulum_run()
    monkeypatch.setattr(recording, "BLOCK", 16)
    monkeypatch.setattr(recording, "_record", pressed_at(2, recording._record, how))
    run = pendulum_run()
    assert len(run.time) == kept
    texts.warnings(run, ("W32", "pendulum", f"{run.time[-1]:.9g} s"))
    assert np.array_equal(run["A"].force, whole["A"].force[:kept])
    assert np.array_equal(run.work, whole.work[:kept])


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_a_run_keeps_what_is_read_off(target, monkeypatch, texts):
    monkeypatch.setattr(recorder, "BLOCK", 16)
    monkeypatch.setattr(RecordedOutputs, "evaluate", pressed_at(2, RecordedOutputs.evaluate))
    run = pendulum_run(target=target)
    assert len(run.time) == 32
    texts(run.status, "t = 0.31 s")


def test_one_of_many_runs_is_read_whole_or_not_at_all(monkeypatch):
    length = ml.Parameter("l", 1.0)
    pendulum = pinned_body(ml.rod("p", length=length, mass=1.0), name="pendulum")
    runs = ml.simulate(pendulum, until=0.1, start={"A": 1.0}, parameters={"l": np.array([1.0, 2.0])})
    monkeypatch.setattr(recording, "BLOCK", 100)
    monkeypatch.setattr(recording, "_record", pressed_at(3, recording._record, tear))
    with pytest.raises(KeyboardInterrupt):
        runs[0]
    assert len(runs[0].time) == 501
