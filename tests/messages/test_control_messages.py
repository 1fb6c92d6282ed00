"""Messages for control laws and paths that cannot be followed."""

import numpy as np
import pytest
from zoo.paths import five_bar
from zoo.plain import pinned_body

import multiloop as ml


def arm():
    return pinned_body(
        ml.rod("link", length=1.0, mass=3.0),
        drives=[ml.Motion("A", ml.motion_laws.cycloidal(0, 1, duration=1))],
    )


def error_of(ask, kind=ml.SolveError):
    with pytest.raises(kind) as refused:
        ask()
    return refused.value


def asked(control, **how):
    return lambda: ml.simulate(arm(), control=control, until=1.0, **how)


def test_a_python_controller_that_returns_nan(texts):
    free, start = arm().without_drives(), {"A": 0.0}

    def control(t, q, v):
        return {"A": 0.0 if t < 0.25 else float("nan")}

    def ask():
        return ml.simulate(free, start=start, control=control, sample=0.25, until=1.0)

    texts.fault(error_of(ask), "S03", "control", "nan", "'A'", "t = 0.25 s")


@pytest.mark.parametrize(
    ("law", "where", "how"),
    [
        (ml.PD, "effort at 'A'", {}),
        (ml.PD, "effort at 'A'", {"target": "interpreter"}),
        (ml.ComputedTorque, "desired motion of 'A'", {}),
        (ml.ComputedTorque, "desired motion of 'A'", {"sample": 0.01}),
    ],
)
def test_a_law_that_has_no_value(law, where, how, texts):
    """The desired motion ends at 0.5 s: the root of a negative number."""
    ended = {"A": ml.expr.sqrt(0.5 - ml.time) ** 3}
    error = error_of(asked(law(ended, kp=10.0, kd=1.0), **how))
    texts.fault(
        error, "S03", where, "t = 0.5", "sqrt(0.5 - time)", hide=[r"(?<=t = 0\.5)\d*", r"-[\d.]+e-\d+"]
    )


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: ml.simulate(arm().without_drives(), control=ml.PD(kp=1.0), until=1.0), ("S03", "control")),
        (asked(ml.PD(kp={"B": 10.0})), ("S03", "control", "'B'")),
        (asked(ml.PD(ml.Motion("link.b", x=1.0), kp=1.0)), ("S03", "control", "'link.b'")),
        (
            asked(ml.ComputedTorque(ml.Motion("link.b", x=1.0), kp=1.0, kd=1.0), start={"A": 0.1}),
            ("S05", "control"),
        ),
        (asked(ml.PD(kp=1.0), efforts={"A": 1.0}), ("S03", "control", "'A'", "`efforts`")),
        (asked(ml.ComputedTorque(kp=1.0, kd=1.0, model=ml.examples.four_bar())), ("S03", "control", "'B'")),
        (asked(ml.PD(kp=1.0), delay=0.1), ("S09", "delay", "0.1 s")),
        (asked(ml.PD(kp=1.0), sample=0.1, delay=0.15), ("S09", "delay", "0.15 s", "1.5", "0.1 s")),
        (asked(5), ("S09", "control", "5")),
    ],
)
def test_laws_that_cannot_be_used(ask, message, texts):
    texts.fault(error_of(ask), *message)


@pytest.mark.parametrize(
    ("law", "message"),
    [
        (lambda: ml.PD(kp=-10.0), ("PD", "kp", "-10.0")),
        (lambda: ml.PID(kp=1.0, ki=ml.time), ("PID", "ki")),
        (lambda: ml.PD(5, kp=1.0), ("PD", "5")),
        (lambda: ml.PD(kp=1.0, feed_forward="mass"), ("PD", "feed_forward", "'mass'")),
        (lambda: ml.DH("q1", ml.Body("link"), kind="ball"), ("'q1'", "'ball'")),
    ],
)
def test_invalid_control_laws_are_refused(law, message, texts):
    texts(error_of(law, ValueError), *message)


def test_a_path_out_of_reach_is_named_with_where_and_when(texts):
    far = five_bar(ml.line((0.1, 0.45), (0.1, 0.8), ml.motion_laws.cycloidal(0, 1, duration=1.0)))
    error = error_of(lambda: ml.inverse(far, t=np.linspace(0, 1, 21)), ml.AssemblyError)
    digits = [r"(?<=0\.597411)\d+"]
    texts.fault(error, "K06", "drive of 'left rod.b'", "(0.1, 0.597411", "t = 0.460383 s", hide=digits)
    for control in (None, ml.ComputedTorque(kp=100.0, kd=20.0)):
        error = error_of(lambda: ml.simulate(far, until=1.0, control=control))  # noqa: B023
        texts.fault(error, "S07", "t = 0.460383 s", "'left rod.b'", "(0.1, 0.597411)", hide=digits)
