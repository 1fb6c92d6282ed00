"""A cycle ends when all are periodic: drives, the shafts that they turn, known efforts and loads."""

from math import pi, tau

import numpy as np
import pytest
from zoo.plain import planar_four_bar

import multiloop as ml
from multiloop.analyses.prescribed_motion.cycle import cycle_time

SPEED = 100.0
STROKES = np.array([0, 20, 60, 180, 360, 540, 660, 700, 720])
PRESSED = np.array([34.3, 25.0, 8.0, 1.0, 0.2, 0.2, 2.0, 20.0, 34.3]) * 1e3
GAS = ml.table(np.radians(STROKES), -PRESSED, of=ml.position("O"), periodic=True, kind="monotone")
"""Gas force over the two turns of a four-stroke engine, fired at the first dead centre."""


def engine(effort=GAS, **changes):
    described = {
        "planar": True,
        "bodies": [
            ml.ground(O=(0, 0)),
            ml.rod("crank", length=0.05, mass=1.2),
            ml.rod("rod", length=0.20, mass=0.4),
            ml.Body("piston", mass=0.5),
        ],
        "joints": [
            ml.Revolute("O", "ground.O", "crank.a"),
            ml.Revolute("P", "crank.b", "rod.a"),
            ml.Revolute("wrist", "rod.b", "piston.origin"),
            ml.Prismatic("bore", "ground.O", "piston.origin"),
        ],
        "drives": [ml.Motion("O", ml.motion_laws.constant_speed(SPEED, start=pi))],
        "actuators": [ml.Actuator("O"), ml.Actuator("bore", effort=effort)] if effort is not None else [],
        "guess": {"bore": 0.2},
    }
    return ml.Mechanism("engine", **(described | changes))


def shafts(equation, turns=SPEED, **changes):
    """Two shafts, connected by a relation."""
    return ml.Mechanism(
        "shafts",
        planar=True,
        bodies=[ml.ground(A=(0, 0), B=(1, 0)), *(ml.rod(f"arm {x}", length=0.1, mass=1.0) for x in "AB")],
        joints=[ml.Revolute(x, f"ground.{x}", f"arm {x}.a") for x in "AB"],
        pairs=[ml.Relation("gear", equation)],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(turns))],
        **changes,
    )


def test_a_four_stroke_engine_covers_two_turns():
    """The engine fires at the beginning of the first turn only; a cycle of one turn from half way would not contain
    it."""
    found = ml.inverse(engine(), cycle=361)
    assert found.time[-1] == pytest.approx(2 * tau / SPEED, rel=1e-14)
    assert len(found.time) == 361
    explicit = ml.inverse(engine(), t=np.linspace(0.0, 2 * tau / SPEED, 361))
    for joint in ("O", "P", "wrist", "bore"):
        assert found[joint].load.max() == explicit[joint].load.max()
    one_turn = ml.inverse(engine(), cycle=46, turns=1)
    assert one_turn.time[-1] == pytest.approx(tau / SPEED, rel=1e-14)
    assert one_turn["O"].load.max() < 0.5 * found["O"].load.max()
    assert found["O"].effort[-1] == pytest.approx(found["O"].effort[0], rel=1e-9)


def test_turns_are_taken_as_they_are_asked_for():
    assert ml.inverse(engine(), cycle=11, turns=3).time[-1] == pytest.approx(3 * tau / SPEED)
    assert ml.inverse(engine(), cycle=11, turns=0.5).time[-1] == pytest.approx(0.5 * tau / SPEED)


@pytest.mark.parametrize(
    ("effort", "turns"),
    [
        (5.0, 1),
        (None, 1),
        (GAS, 2),
        (ml.expr.sin(0.5 * SPEED * ml.time), 2),
        (3.0 * ml.expr.cos(SPEED / 3 * ml.time) * ml.expr.sin(0.5 * ml.position("O")), 6),
        (ml.rate("O") * ml.position("bore"), 1),
        (ml.table([0.0, 1.0, 2.5], [0.0, 1.0, 0.0], of=SPEED / tau * ml.time, periodic=True), 5),
        (ml.expr.sin(ml.position("P")), 1),  # undriven: at most one turn in a cycle
        (ml.expr.sin(0.5 * ml.position("P")), 2),
        (-0.5 * ml.position("wrist"), 1),
        (ml.expr.sin(0.3 * ml.position("O") - 0.3 * SPEED * ml.time), 1),
    ],
)
def test_the_common_period(effort, turns):
    assert cycle_time(engine(effort)) == pytest.approx(turns * tau / SPEED, rel=1e-12)


@pytest.mark.parametrize(
    ("equation", "turns"),
    [
        (ml.position("A") - 3 * ml.position("B"), 3),
        (2 * ml.position("A") + 3 * ml.position("B") - 1.0, 3),
        (ml.position("A") / 2 - ml.position("B"), 2),
        (ml.position("B") - 0.3 * ml.expr.sin(ml.position("A")), 1),
        (ml.position("B") - ml.position("A") - 0.1 * ml.expr.sin(SPEED / 4 * ml.time), 4),
    ],
)
def test_a_cycle_includes_the_turns_of_geared_shafts(equation, turns):
    assert cycle_time(shafts(equation)) == pytest.approx(turns * tau / SPEED, rel=1e-12)


def test_a_cycle_over_several_turns_ends_as_it_began():
    """The driven gear is unbalanced: the effort repeats after three turns, and not before."""
    found = ml.inverse(shafts(ml.position("A") - 3 * ml.position("B"), 10.0), cycle=13)
    assert found["A"].effort[-1] == pytest.approx(found["A"].effort[0], rel=1e-9)
    assert abs(found["A"].effort[4] - found["A"].effort[0]) > 0.05


def test_loads_count_as_well():
    gas = ml.Force("gas", "piston.origin", (1e4 * ml.expr.sin(SPEED / 2 * ml.time), 0))
    assert cycle_time(engine(None, loads=[gas])) == pytest.approx(2 * tau / SPEED)


def refusal(mechanism, **asked):
    with pytest.raises(ml.SolveError) as caught:
        ml.inverse(mechanism, **({"cycle": 9} | asked))
    (fault,) = caught.value.faults
    return str(fault)


def test_periods_that_do_not_fit(texts):
    load = ml.Force("gas", "piston.origin", (ml.expr.sin(43.21 * ml.time), 0))
    texts(
        refusal(engine(None, loads=[load])),
        "[S02]",
        "'gas'",
        "0.14541 s",
        "'O'",
        "0.0628319 s",
        "t=",
        "turns=",
    )
    swinging = ml.Motion("O", ml.motion_laws.constant_speed(1.0) + ml.expr.sin(pi * ml.time))
    texts(refusal(engine(None, drives=[swinging])), "[S02]", "'O'", "6.28319 s", "2 s", "t=")


def test_what_does_not_repeat_is_named(texts):
    texts(
        refusal(engine(0.1 * ml.position("O"))),
        "[S02]",
        "'bore'",
        '`0.1 * position("O")`',
        "t=",
        "'O'",
        "turns=",
    )
    spring = ml.JointSpring("hinge", "O", stiffness=3.0)
    texts(refusal(engine(None, loads=[spring])), "[S02]", "'hinge'", "'O'", "t=", "turns=")
    texts(
        refusal(shafts(ml.position("A") - 1.2345678 * ml.position("B"))),
        "[S02]",
        "'B'",
        "'gear'",
        "0.0775702 s",
        "'A'",
        "0.0628319 s",
        "t=",
        "turns=",
    )


@pytest.mark.parametrize("turns", [0, -1, float("inf"), float("nan"), "2", True])
def test_invalid_numbers_of_turns_are_refused(turns, texts):
    texts(refusal(engine(), turns=turns), "turns=", "2")


def test_turns_go_with_a_cycle(texts):
    texts(refusal(engine(), cycle=None, t=[0.0], turns=2), "[S02]", "`t`", "`cycle`")


def test_designs_have_one_cycle(texts):
    """A parameter may change the magnitude of an effort, but not the length of a cycle."""
    size, pace = ml.Parameter("size", 1.0), ml.Parameter("pace", 0.5)
    gas = ml.expr.sin(pace * SPEED * ml.time)
    sized, paced = engine(size * ml.expr.sin(0.5 * SPEED * ml.time)), engine(gas)
    assert ml.batch(sized, {"size": [1.0, 2.0]}, cycle=5).time[-1] == pytest.approx(2 * tau / SPEED)
    with pytest.raises(ml.SolveError) as caught:
        ml.batch(paced, {"pace": [0.25, 0.5]}, cycle=5)
    texts.fault(caught.value, "S10", "0.125664", "0.251327 s", "'pace'", "t=")


def test_periods_that_come_together_too_seldom(texts):
    sines = 0.2 * ml.expr.sin(25 * ml.time) + 0.1 * ml.expr.sin(26 * ml.time)
    texts(
        refusal(engine(None, drives=[ml.Motion("O", 1 + sines)])),
        "[S02]",
        "'O'",
        "0.251327 s",
        "0.241661 s",
        "6.28319 s",
    )


def drag_link(**changes):
    """Both cranks make full turns."""
    return planar_four_bar(
        lengths=(0.8, 0.9, 0.7, 0.2),
        name="drag link",
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(1.0))],
        guess={"A": 0.0, "coupler.b": (0.25, 0.7)},
        **changes,
    )


def test_a_cycle_that_does_not_repeat_has_a_warning(texts):
    """A spring at the second crank is wound up by a turn in every cycle; one at the coupler is not."""
    wound = drag_link(loads=[ml.JointSpring("s", "D", stiffness=5.0)])
    found = ml.inverse(wound, cycle=73)
    first, last = found["A"].effort[[0, -1]]
    texts.warnings(found, ("W45", "A", f"{first:.4g}", f"{last:.4g}", "'D'", "1"))
    assert ml.inverse(wound, cycle=73, turns=1).status == "ok"
    assert ml.inverse(drag_link(loads=[ml.JointSpring("s", "B", stiffness=5.0)]), cycle=73).status == "ok"
    assert ml.inverse(drag_link(), cycle=73).status == "ok"
