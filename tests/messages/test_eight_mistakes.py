"""Eight mistakes that anyone may make, by name, and what is said of each: one clear message, word for word."""

import re
from math import pi

import pytest
from laws.cams import program, sliding
from zoo.paths import five_bar

import multiloop as ml

UP = pi / 2

NOISE = re.compile(r"(?<=0\.597411)\d+| \(closeness to singular \S+\)")
"""Digits that round-off and steps decide."""


def valve_train(**cam):
    return ml.Mechanism(
        "valve train",
        planar=True,
        bodies=[
            ml.ground(O=(0, 0), guide=ml.marker((0, 0), angle=UP)),
            ml.Body("cam", mass=0.5, inertia=1e-4),
            ml.Body("tappet", mass=0.1, inertia=1e-4, markers={"axis": ml.marker((0, 0), angle=UP)}),
        ],
        joints=[
            ml.Revolute("O", "ground.O", "cam.origin"),
            ml.Prismatic("guide", "ground.guide", "tappet.axis"),
        ],
        pairs=[ml.Cam("valve", "cam.origin", "tappet.origin", **cam)],
    )


def train(*pairs):
    return ml.Mechanism(
        "train",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), B=(0.3, 0)),
            ml.Body("one", mass=1.0, inertia=0.02),
            ml.Body("two", mass=2.0, inertia=0.08),
        ],
        joints=[ml.Revolute("A", "ground.A", "one.origin"), ml.Revolute("B", "ground.B", "two.origin")],
        pairs=pairs,
    )


def four_bar(load):
    return ml.examples.four_bar().without_drives().replace(loads=[load])


def off_its_cam():
    near = sliding("circle", "knife")
    beside = ml.ground(O=(0, 0), guide=ml.marker((0.2, 0), angle=UP))
    return near.replace(name="valve train", bodies=[beside, *near.bodies[1:]])


def contradicting():
    A, B = ml.position("A"), ml.position("B")
    return train(ml.Relation("one ratio", A - 3 * B), ml.Relation("other ratio", A - 2 * B))


def too_far():
    return five_bar(ml.line((0.1, 0.45), (0.1, 0.8), ml.cycloidal(0, 1, duration=1.0)))


def nan_from(t, q, v):
    return {"A": 0.0 if t < 0.25 else float("nan")}


MISTAKES = {
    "an undercut profile": (
        lambda: valve_train(lift=program(0.012), base=0.01),
        "mechanism 'valve train' has 1 fault:\n"
        "[P26] cam 'valve': its outline is undercut: at 90° of the cam angle its radius of curvature is -0.009643 m.\n"
        "       A face touches only what bulges. Raise `base` by more than 0.009643 m, or lift more slowly.",
    ),
    "a gear with no teeth": (
        lambda: train(ml.Gear("mesh", "one.origin", "two.origin")),
        "mechanism 'train' has 1 fault:\n"
        "[G04] gear 'mesh': has no teeth.\n"
        "       Give teeth=(20, 40), or the pitch radii, radii=(0.02, 0.04).",
    ),
    "a follower off its cam": (
        lambda: ml.inverse(off_its_cam(), cycle=5),
        "`inverse` of mechanism 'valve train' cannot be answered:\n"
        "[K01] cam 'valve': cannot be closed with O = 0.7: 0.16 m stay open, 5.3 of the mechanism's size.\n"
        "       Check where the follower stands: a face has the cam on the side of its marker's −y, an edge or the "
        "middle of a roller must be able to reach the outline; the error's `.best` holds the nearest position.",
    ),
    "friction without radius": (
        lambda: four_bar(ml.Friction("wear", "A", coefficient=0.1)),
        "mechanism 'four-bar' has 1 fault:\n"
        "[L08] load 'wear': has no radius, but joint 'A' is a Revolute: its friction is a moment.\n"
        "       Give radius=, that of the pin or of the thread, in metres.",
    ),
    "contradicting relations": (
        lambda: ml.assemble(contradicting(), {"A": 0.3}),
        "`assemble` of mechanism 'train' cannot be answered:\n"
        "[K01] relation 'other ratio': cannot be closed with A = 0.3: 0.0643 rad stay open.\n"
        "       Check its equation and the held values, and whether 'one ratio' contradicts it; the error's `.best` "
        "holds the nearest position.",
    ),
    "a path out of reach": (
        lambda: ml.inverse(too_far(), t=[0.0, 0.25, 0.5, 0.75, 1.0]),
        "`inverse` of mechanism 'five-bar' cannot be answered:\n"
        "[K06] drive of 'left rod.b': leads out of reach, or to a singular position, at left rod.b = (0.1, 0.597411) "
        "(t = 0.460383 s): joint 'D' would have to jump.\n"
        "       Keep the path within reach of the mechanism, or start in the assembly that passes.",
    ),
    "a spring of negative length": (
        lambda: four_bar(ml.Spring("pull", "coupler.b", "ground.A", stiffness=80.0, length=-0.3)),
        "mechanism 'four-bar' has 1 fault:\n"
        "[L06] load 'pull': its length is -0.3.\n"
        "       Give the free length in metres, zero or more.",
    ),
    "a controller that returns NaN": (
        lambda: ml.simulate(
            ml.examples.four_bar().without_drives(),
            start={"A": 0.0},
            control=nan_from,
            sample=0.25,
            until=1.0,
        ),
        "`simulate` of mechanism 'four-bar' cannot be answered:\n"
        "[S03] control: answered nan for 'A' at t = 0.25 s.\n"
        "       Let it give finite numbers.",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_one_clear_message(mistake):
    make, text = MISTAKES[mistake]
    with pytest.raises(ml.MultiloopError) as caught:
        make()
    assert NOISE.sub("", str(caught.value)) == text
    assert len(caught.value.faults) == 1


def test_a_path_that_begins_out_of_reach_says_which_marker_cannot_get_there():
    far = five_bar(ml.line((0.1, 2.0), (0.1, 3.0), ml.cycloidal(0, 1, duration=1.0)))
    for ask in (lambda: ml.inverse(far, t=[0.0, 1.0]), lambda: ml.simulate(far, until=1.0)):
        with pytest.raises(ml.AssemblyError) as caught:
            ask()
        assert caught.value.faults[0].remedy == (
            "Check the lengths, and whether 'left rod.b' can get there; the error's `.best` holds the nearest position."
        )


@pytest.mark.parametrize("answer", [float("nan"), float("inf"), None, "much"])
def test_a_controller_is_held_to_numbers_from_its_first_answer_on(answer):
    free = ml.examples.four_bar().without_drives()
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(free, start={"A": 0.0}, control=lambda t, q, v: {"A": answer}, until=0.1)
    assert caught.value.faults[0].what == f"answered {answer!r} for 'A' at t = 0 s."
