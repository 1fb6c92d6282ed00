"""Eight common mistakes by name, each with one clear message."""

from math import pi

import pytest
from laws.cams import program, sliding
from zoo.paths import five_bar
from zoo.plain import two_shafts

import multiloop as ml

UP = pi / 2

NOISE = (r"(?<=0\.597411)\d+",)
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
    return two_shafts(
        ml.Body("one", mass=1.0, inertia=0.02), ml.Body("two", mass=2.0, inertia=0.08), pairs=pairs
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
    return five_bar(ml.line((0.1, 0.45), (0.1, 0.8), ml.motion_laws.cycloidal(0, 1, duration=1.0)))


def nan_from(t, q, v):
    return {"A": 0.0 if t < 0.25 else float("nan")}


MISTAKES = {
    "an undercut profile": (
        lambda: valve_train(lift=program(0.012), base=0.01),
        ("P26", "cam 'valve'", "90°", "-0.009643 m"),
    ),
    "a gear with no teeth": (
        lambda: train(ml.Gear("mesh", "one.origin", "two.origin")),
        ("G04", "gear 'mesh'"),
    ),
    "a follower off its cam": (
        lambda: ml.inverse(off_its_cam(), cycle=5),
        ("K01", "cam 'valve'", "0.7", "0.16 m", "5.3"),
    ),
    "friction without radius": (
        lambda: four_bar(ml.Friction("wear", "A", coefficient=0.1)),
        ("L08", "load 'wear'", "'A'"),
    ),
    "contradicting relations": (
        lambda: ml.assemble(contradicting(), {"A": 0.3}),
        ("K01", "relation 'other ratio'", "0.3", "0.0643 rad"),
    ),
    "a path out of reach": (
        lambda: ml.inverse(too_far(), t=[0.0, 0.25, 0.5, 0.75, 1.0]),
        ("K06", "drive of 'left rod.b'", "(0.1, 0.597411", "0.460383 s", "'D'"),
    ),
    "a spring of negative length": (
        lambda: four_bar(ml.Spring("pull", "coupler.b", "ground.A", stiffness=80.0, length=-0.3)),
        ("L06", "load 'pull'", "-0.3"),
    ),
    "a controller that returns NaN": (
        lambda: ml.simulate(
            ml.examples.four_bar().without_drives(),
            start={"A": 0.0},
            control=nan_from,
            sample=0.25,
            until=1.0,
        ),
        ("S03", "control", "nan", "'A'", "0.25 s"),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_one_clear_message(mistake, texts):
    make, text = MISTAKES[mistake]
    with pytest.raises(ml.MultiloopError) as caught:
        make()
    texts.fault(caught.value, *text, hide=NOISE)


def test_a_path_that_begins_out_of_reach_names_its_marker(texts):
    far = five_bar(ml.line((0.1, 2.0), (0.1, 3.0), ml.motion_laws.cycloidal(0, 1, duration=1.0)))
    for ask in (lambda: ml.inverse(far, t=[0.0, 1.0]), lambda: ml.simulate(far, until=1.0)):
        with pytest.raises(ml.AssemblyError) as caught:
            ask()
        texts(caught.value.faults[0].remedy, "'left rod.b'")


@pytest.mark.parametrize("answer", [float("nan"), float("inf"), None, "much"])
def test_every_return_value_of_a_controller_must_be_numbers(answer, texts):
    free = ml.examples.four_bar().without_drives()
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(free, start={"A": 0.0}, control=lambda t, q, v: {"A": answer}, until=0.1)
    texts.fault(caught.value, "S03", repr(answer), "'A'", "t = 0 s")
