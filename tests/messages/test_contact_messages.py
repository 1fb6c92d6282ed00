"""Messages for invalid descriptions and uses of contacts, stops, ropes, freewheels and stiction."""

import numpy as np
import pytest

import multiloop as ml


def drop(*loads, drives=()):
    """A weight on a vertical guide, with another beside it."""
    upright = ml.marker((0, 0), angle=np.pi / 2)
    return ml.Mechanism(
        "drop",
        planar=True,
        bodies=[ml.ground(foot=upright), ml.Body("weight", mass=2.0, markers={"m": upright})],
        joints=[ml.Prismatic("guide", "ground.foot", "weight.m")],
        loads=list(loads),
        drives=list(drives),
    )


FLOOR = ml.Stop("floor", "guide", low=0.0, restitution=0.5)

MESSAGES = {
    "a hard stop that is soft": (
        lambda: drop(ml.Stop("floor", "guide", low=0.0, restitution=0.5, stiffness=1e5)),
        ("L07", "load 'floor'"),
    ),
    "a restitution above one": (
        lambda: drop(ml.Stop("floor", "guide", low=0.0, restitution=1.5)),
        ("L06", "load 'floor'", "1.5"),
    ),
    "a rope of no length": (
        lambda: drop(ml.Rope("tie", "ground.foot", "weight.m")),
        ("L06", "load 'tie'", "0"),
    ),
    "a contact with itself": (
        lambda: drop(ml.Contact("rub", "weight.m", "weight.origin")),
        ("L02", "load 'rub'", "'weight'"),
    ),
    "a freewheel free sideways": (
        lambda: drop(ml.Freewheel("ratchet", "guide", free="up")),
        ("L08", "load 'ratchet'", "'up'"),
    ),
    "friction of a kind that is not known": (
        lambda: drop(ml.Friction("rub", "guide", effort=1.0, stiction="hard")),
        ("L08", "load 'rub'", "'hard'"),
    ),
    "a start below the floor": (
        lambda: ml.simulate(drop(FLOOR), start={"guide": -0.2}, until=1.0),
        ("S17", "load 'floor'", "-0.2 m", "0 s"),
    ),
    "a drive against a stop": (
        lambda: ml.simulate(drop(FLOOR, drives=[ml.Motion("guide", 0.5 - ml.time)]), until=1.0),
        ("S17", "load 'floor'", "0.5 s"),
    ),
    "forward in an impact": (
        lambda: ml.forward(drop(FLOOR), {"guide": 0.0}, rates={"guide": -2.0}),
        ("S17", "load 'floor'", "2 m/s"),
    ),
    "a start beyond a stop of an angle": (
        lambda: ml.simulate(
            ml.examples.four_bar()
            .without_drives()
            .replace(loads=[ml.Stop("wall", "A", low=1.0, restitution=0)]),
            start={"A": 0.9},
            until=1.0,
        ),
        ("S17", "load 'wall'", "-0.1 rad", "0 s"),
    ),
    "an equilibrium on a stop": (
        lambda: ml.equilibrium(drop(FLOOR), start={"guide": 0.0}),
        ("E05", "load 'floor'"),
    ),
    "an equilibrium on a contact": (
        lambda: ml.equilibrium(
            drop(ml.Contact("foot", "weight.origin", "ground.origin", coefficient=0.3, stiction="smooth")),
            start={"guide": 0.0},
        ),
        ("E05", "load 'foot'"),
    ),
    "the interpreter": (
        lambda: ml.simulate(drop(FLOOR), start={"guide": 1.0}, until=1.0, target="interpreter"),
        ("S08", "simulate", "'floor'"),
    ),
    "many designs": (
        lambda: ml.simulate(
            drop(ml.Stop("floor", "guide", low=ml.Parameter("low", 0.0), restitution=0.5)),
            start={"guide": 1.0},
            until=1.0,
            parameters={"low": np.array([0.0, 0.1])},
        ),
        ("S09", "parameters", "'floor'"),
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_the_message(name, texts):
    ask, expected = MESSAGES[name]
    with pytest.raises(ml.MultiloopError) as caught:
        ask()
    texts.fault(caught.value, *expected)


PASSED = {
    "a stop": (FLOOR, ("'floor'", "t = 0.8 s", "0.5 m")),
    "a rope": (
        ml.Rope("tie", "ground.origin", "weight.m", length=0.4),
        ("'tie'", "t = 0 s", "0.1 m"),
    ),
    "a floor": (ml.Contact("rest", "weight.m", "ground.origin"), ("'rest'", "t = 0.8 s", "0.5 m")),
    "a freewheel": (ml.Freewheel("ratchet", "guide"), ("'ratchet'", "t = 0 s", "1 m/s")),
}


@pytest.mark.parametrize("name", PASSED)
def test_a_prescribed_motion_that_passes_its_stop_is_reported(name, texts):
    load, values = PASSED[name]
    moved = drop(load, drives=[ml.Motion("guide", 0.5 - ml.time)])
    found = ml.inverse(moved, t=[0.0, 0.4, 0.8, 1.0])
    texts.warnings(found, ("W66", load.name, *values))
    assert ml.inverse(drop(drives=[ml.Motion("guide", 0.5 - ml.time)]), t=[0.0, 1.0]).status == "ok"


def test_a_prescribed_motion_within_its_stops_is_in_order():
    moved = drop(FLOOR, drives=[ml.Motion("guide", 0.5 - 0.5 * ml.time)])
    assert ml.inverse(moved, t=[0.0, 0.5, 1.0]).status == "ok"


def test_a_freewheel_that_engages_at_a_dead_centre(texts):
    """The rocker reverses while the crank moves on: the freewheel has no lever arm on the crank there."""
    four_bar = ml.examples.four_bar().without_drives()
    held = four_bar.replace(
        loads=[ml.Freewheel("ratchet", "D", free="forward"), ml.Torque("push", "crank", 30.0)]
    )
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(held, until=2.0, start={"A": 1.0})
    texts.fault(caught.value, "S17", "load 'ratchet'", "t = 0.188346 s")
