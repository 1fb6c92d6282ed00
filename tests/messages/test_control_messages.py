"""What is said of control laws and paths that cannot be followed, word for word."""

import numpy as np
import pytest
from zoo.paths import five_bar

import multiloop as ml


def arm():
    return ml.Mechanism(
        "arm",
        planar=True,
        bodies=[ml.ground(), ml.rod("link", length=1.0, mass=3.0)],
        joints=[ml.Revolute("A", "ground.origin", "link.a")],
        drives=[ml.Motion("A", ml.cycloidal(0, 1, duration=1))],
    )


def said(ask, kind=ml.SolveError):
    with pytest.raises(kind) as refused:
        ask()
    return str(refused.value)


def asked(control, **how):
    return lambda: ml.simulate(arm(), control=control, until=1.0, **how)


HEAD = "`simulate` of mechanism 'arm' cannot be answered:\n"


def test_a_python_controller_that_returns_nan():
    free, start = arm().without_drives(), {"A": 0.0}

    def control(t, q, v):
        return {"A": 0.0 if t < 0.25 else float("nan")}

    def ask():
        return ml.simulate(free, start=start, control=control, sample=0.25, until=1.0)

    assert said(ask) == (
        f"{HEAD}[S03] control: answered nan for 'A' at t = 0.25 s.\n       Let it give finite numbers."
    )


@pytest.mark.parametrize(
    ("law", "where", "how"),
    [
        (ml.PD, "effort at 'A'", {}),
        (ml.PD, "effort at 'A'", {"target": "interpreter"}),
        (ml.ComputedTorque, "desired motion of 'A'", {}),
        (ml.ComputedTorque, "desired motion of 'A'", {"sample": 0.01}),
    ],
)
def test_a_law_that_has_no_value(law, where, how):
    """What is desired ends at 0.5 s: the root of less than nothing."""
    ended = {"A": ml.functions.sqrt(0.5 - ml.time) ** 3}
    text = said(asked(law(ended, kp=10.0, kd=1.0), **how))
    assert text.startswith(f"{HEAD}[S03] {where}: has no value at t = 0.5")
    assert "sqrt(0.5 - time)" in text
    assert "has no finite value where" in text
    assert text.endswith("\n       Look at its range.")


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: ml.simulate(arm().without_drives(), control=ml.PD(kp=1.0), until=1.0),
            "[S03] control: no motion is desired.\n"
            '       Give the law one, {"A": profile}, or the mechanism drives.',
        ),
        (
            asked(ml.PD(kp={"B": 10.0})),
            "[S03] control: PD has a gain for 'B', whose motion is not desired.\n       Known are: A, A.angle.",
        ),
        (
            asked(ml.PD(ml.Motion("link.b", x=1.0), kp=1.0)),
            "[S03] control: PD acts joint by joint, but the motion of marker 'link.b' is desired.\n"
            "       Take ComputedTorque, or give what is desired of the joints.",
        ),
        (
            asked(ml.ComputedTorque(ml.Motion("link.b", x=1.0), kp=1.0, kd=1.0), start={"A": 0.1}),
            "[S05] control: the motion of a marker is desired, but there is no actuator to act.\n"
            "       Add an Actuator without effort for every coordinate that is desired.",
        ),
        (
            asked(ml.PD(kp=1.0), efforts={"A": 1.0}),
            "[S03] control: gives an effort at 'A', and so do the `efforts`.\n       Give it in one of them.",
        ),
        (
            asked(ml.ComputedTorque(kp=1.0, kd=1.0, model=ml.examples.four_bar())),
            "[S03] control: the plant has no Revolute 'B'.\n"
            "       Give a model with the same bodies, joints and pairs, and other numbers.",
        ),
        (
            asked(ml.PD(kp=1.0), delay=0.1),
            "[S09] delay: is 0.1 s without samples.\n       Give `sample` too.",
        ),
        (
            asked(ml.PD(kp=1.0), sample=0.1, delay=0.15),
            "[S09] delay: is 0.15 s, 1.5 samples of 0.1 s.\n       Give a whole number of samples.",
        ),
        (
            asked(5),
            "[S09] control: is 5.\n"
            "       Give a law as ml.PD, or a function (t, positions, rates) → efforts by joint name.",
        ),
    ],
)
def test_laws_that_cannot_be_used(ask, message):
    assert said(ask) == HEAD + message


@pytest.mark.parametrize(
    ("law", "message"),
    [
        (
            lambda: ml.PD(kp=-10.0),
            "PD: its kp is -10.0. Give a number, a Parameter, or numbers by joint.",
        ),
        (
            lambda: ml.PID(kp=1.0, ki=ml.time),
            "PID: its ki changes. Give a number, a Parameter, or numbers by joint.",
        ),
        (
            lambda: ml.PD(5, kp=1.0),
            'PD: its desired motion is 5. Give {"A": profile}, a Motion or a list of Motions.',
        ),
        (
            lambda: ml.PD(kp=1.0, feed_forward="mass"),
            "PD: its feed_forward is 'mass'. Choose among inertia, velocity, gravity.",
        ),
        (
            lambda: ml.DH("q1", ml.Body("link"), kind="ball"),
            "D-H row 'q1': its kind is 'ball'. Choose 'revolute' or 'prismatic'.",
        ),
    ],
)
def test_laws_that_are_none(law, message):
    assert said(law, ValueError) == message


def test_a_path_out_of_reach_is_named_with_where_and_when():
    far = five_bar(ml.line((0.1, 0.45), (0.1, 0.8), ml.cycloidal(0, 1, duration=1.0)))
    text = said(lambda: ml.inverse(far, t=np.linspace(0, 1, 21)), ml.AssemblyError)
    assert (
        "[K06] drive of 'left rod.b': leads out of reach, or to a singular position, at left rod.b = " in text
    )
    assert "(0.1, 0.597411" in text
    assert "(t = 0.460383 s)" in text
    place = (
        "[S07] t = 0.460383 s: the path of 'left rod.b' at (0.1, 0.597411) leads to a singular position or "
    )
    for control in (None, ml.ComputedTorque(kp=100.0, kd=20.0)):
        text = said(lambda: ml.simulate(far, until=1.0, control=control))  # noqa: B023
        assert place + "out of reach" in text
        assert text.endswith("\n       Keep the path within reach of the mechanism.")
