"""What a user reads when something that strikes, sticks or lets go is described or asked wrongly: word for word."""

import numpy as np
import pytest

import multiloop as ml


def drop(*loads, drives=()):
    """A weight on an upright guide, with another beside it."""
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
        "[L07] load 'floor': has a restitution and a stiffness or damping.\n"
        "       Give restitution= for a hard stop, or stiffness= for a buffer.",
    ),
    "a restitution above one": (
        lambda: drop(ml.Stop("floor", "guide", low=0.0, restitution=1.5)),
        "[L06] load 'floor': its restitution is 1.5.\n       Give a number from 0 (dead) to 1 (elastic).",
    ),
    "a rope of no length": (
        lambda: drop(ml.Rope("tie", "ground.foot", "weight.m")),
        "[L06] load 'tie': its length is 0.\n       Give the length at which it is taut, in metres.",
    ),
    "a contact with itself": (
        lambda: drop(ml.Contact("rub", "weight.m", "weight.origin")),
        "[L02] load 'rub': is between body 'weight' and itself.\n       Give markers of two different bodies.",
    ),
    "a freewheel free sideways": (
        lambda: drop(ml.Freewheel("ratchet", "guide", free="up")),
        "[L08] load 'ratchet': it is free 'up'.\n       Write free=\"forward\" or free=\"backward\".",
    ),
    "friction of a kind that is not known": (
        lambda: drop(ml.Friction("rub", "guide", effort=1.0, stiction="hard")),
        "[L08] load 'rub': its stiction is 'hard'.\n"
        '       Write stiction="smooth", or stiction="exact" for a joint that sticks without creeping.',
    ),
    "a start below the floor": (
        lambda: ml.simulate(drop(FLOOR), start={"guide": -0.2}, until=1.0),
        "[S17] load 'floor': its gap is -0.2 m at t = 0 s: it begins beyond where it holds.\n"
        "       Start where the gap is open or closed, a rope no longer than it is; or move what it touches.",
    ),
    "a drive against a stop": (
        lambda: ml.simulate(drop(FLOOR, drives=[ml.Motion("guide", 0.5 - ml.time)]), until=1.0),
        "[S17] load 'floor': at t = 0.5 s a drive runs against it.\n"
        "       Let the drive end before, or drive by an effort instead of a motion.",
    ),
    "forward in an impact": (
        lambda: ml.forward(drop(FLOOR), {"guide": 0.0}, rates={"guide": -2.0}),
        "[S17] load 'floor': it strikes at 2 m/s: accelerations have no value in an impact.\n"
        "       Ask `simulate`, which finds the impulses and goes on; or give rates at which it opens or rests.",
    ),
    "a start beyond a stop of an angle": (
        lambda: ml.simulate(
            ml.examples.four_bar()
            .without_drives()
            .replace(loads=[ml.Stop("wall", "A", low=1.0, restitution=0)]),
            start={"A": 0.9},
            until=1.0,
        ),
        "[S17] load 'wall': its gap is -0.1 rad at t = 0 s: it begins beyond where it holds.",
    ),
    "an equilibrium on a stop": (
        lambda: ml.equilibrium(drop(FLOOR), start={"guide": 0.0}),
        "[E05] load 'floor': is set-valued at rest: a range of positions is in equilibrium, not one.\n"
        "       Give it a stiffness, or let `simulate` come to rest.",
    ),
    "an equilibrium on a contact": (
        lambda: ml.equilibrium(
            drop(ml.Contact("foot", "weight.origin", "ground.origin", coefficient=0.3, stiction="smooth")),
            start={"guide": 0.0},
        ),
        "[E05] load 'foot': is set-valued at rest: a range of positions is in equilibrium, not one.\n"
        "       Replace it with a Spring, or let `simulate` come to rest.",
    ),
    "the interpreter": (
        lambda: ml.simulate(drop(FLOOR), start={"guide": 1.0}, until=1.0, target="interpreter"),
        "[S08] simulate: load 'floor', which holds and lets go, needs machine code, and "
        'target="interpreter" builds none.\n       Leave `target` out.',
    ),
    "many designs": (
        lambda: ml.simulate(
            drop(ml.Stop("floor", "guide", low=ml.Parameter("low", 0.0), restitution=0.5)),
            start={"guide": 1.0},
            until=1.0,
            parameters={"low": np.array([0.0, 0.1])},
        ),
        "[S09] parameters: many designs at once have no impacts and no exact stiction, which 'floor' asks for.\n"
        "       Run design by design.",
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_the_message(name):
    ask, said = MESSAGES[name]
    with pytest.raises(ml.MultiloopError) as caught:
        ask()
    assert said in str(caught.value)


PASSED = {
    "a stop": (FLOOR, "stop 'floor' from t = 0.8 s on, by up to 0.5 m"),
    "a rope": (
        ml.Rope("tie", "ground.origin", "weight.m", length=0.4),
        "rope 'tie' from t = 0 s on, by up to 0.1 m",
    ),
    "a floor": (
        ml.Contact("rest", "weight.m", "ground.origin"),
        "contact 'rest' from t = 0.8 s on, by up to 0.5 m",
    ),
    "a freewheel": (
        ml.Freewheel("ratchet", "guide"),
        "freewheel 'ratchet' from t = 0 s on, by up to 1 m/s",
    ),
}


@pytest.mark.parametrize("name", PASSED)
def test_a_prescribed_motion_goes_through_what_should_hold_it(name):
    load, said = PASSED[name]
    moved = drop(load, drives=[ml.Motion("guide", 0.5 - ml.time)])
    status = ml.inverse(moved, t=[0.0, 0.4, 0.8, 1.0]).status
    assert status.startswith(f"the motion goes through {said}")
    assert ml.inverse(drop(drives=[ml.Motion("guide", 0.5 - ml.time)]), t=[0.0, 1.0]).status == "ok"


def test_a_prescribed_motion_within_its_stops_is_in_order():
    moved = drop(FLOOR, drives=[ml.Motion("guide", 0.5 - 0.5 * ml.time)])
    assert ml.inverse(moved, t=[0.0, 0.5, 1.0]).status == "ok"


def test_a_freewheel_that_engages_at_a_dead_centre():
    """The rocker turns back while the crank moves on: its freewheel has no lever on the crank there."""
    four_bar = ml.examples.four_bar().without_drives()
    held = four_bar.replace(
        loads=[ml.Freewheel("ratchet", "D", free="forward"), ml.Torque("push", "crank", 30.0)]
    )
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(held, until=2.0, start={"A": 1.0})
    (fault,) = caught.value.faults
    assert (fault.code, fault.where) == ("S17", "load 'ratchet'")
    assert "dead-centre position at t = 0.188346 s" in fault.what
