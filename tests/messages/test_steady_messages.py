"""What is said where there is no equilibrium, no steady motion, no constant model, no period."""

from __future__ import annotations

import pytest
from steadied import damped_four_bar, engine, governor, toggle

import multiloop as ml


def said(code: str, call) -> str:
    with pytest.raises(ml.MultiloopError) as caught:
        call()
    assert [fault.code for fault in caught.value.faults] == [code]
    return str(caught.value)


def falling() -> ml.Mechanism:
    return ml.Mechanism(
        "lift",
        planar=True,
        bodies=[
            ml.ground(A=ml.marker((0, 0), angle=1.5707963267948966)),
            ml.Body("cage", mass=200.0, inertia=1.0),
        ],
        joints=[ml.Prismatic("shaft", "ground.A", "cage.origin")],
    )


def test_no_equilibrium():
    text = said("E01", lambda: ml.equilibrium(falling(), start={"shaft": 1.0}))
    assert text.startswith(
        "`equilibrium` of mechanism 'lift' cannot be answered:\n"
        "[E01] equilibrium: none was found from here: at best, 'shaft' lacks 1.96e+03 N "
        "(a part 1.0e+00 of what acts) at shaft "
    )
    assert text.endswith(
        "Begin nearer to it, start={...}; see whether anything holds the mechanism against its loads; or follow it "
        "there from smaller ones, along={...}."
    )


def test_a_state_that_is_no_equilibrium():
    assert said("E02", lambda: ml.linearise(damped_four_bar(), {"A": -0.9})) == (
        "`linearise` of mechanism 'four-bar on a spring' cannot be answered:\n"
        "[E02] the State: 'A' is out of balance by 7.1 N·m: it is no equilibrium and no steady motion.\n"
        "       Find one, ml.equilibrium(mechanism, start=...), and give its state."
    )


def test_a_model_that_varies():
    """A wheel that turns past a spring: in balance at every angle, but not equally stiff."""
    angle = ml.position("spin")
    wheel = ml.Mechanism(
        "wheel",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(O=(0, 0)),
            ml.Body("disc", mass=1.0, inertia=0.1),
            ml.Body("bob", mass=1.0, inertia=0.1),
        ],
        joints=[ml.Revolute("spin", "ground.O", "disc.origin"), ml.Revolute("arm", "ground.O", "bob.origin")],
        drives=[ml.Motion("spin", ml.constant_speed(3.0))],
        actuators=[ml.Actuator("arm", effort=-(2 + ml.functions.sin(angle)) * ml.position("arm"))],
    )
    assert said("E03", lambda: ml.linearise(wheel, {"arm": 0.0})) == (
        "`linearise` of mechanism 'wheel' cannot be answered:\n"
        "[E03] linearise: the linear model varies along the motion, in which 'spin' goes on: how 'arm rate' depends on "
        "'arm' by 37 %.\n"
        "       There is no constant A. Ask ml.periodic, whose multipliers tell whether such a motion is stable."
    )


def test_a_motion_that_is_not_steady():
    assert said("E04", lambda: ml.equilibrium(ml.examples.slider_crank())) == (
        "`equilibrium` of mechanism 'slider-crank' cannot be answered:\n"
        "[E04] steady motion: there is none that stays: the kinetic energy has changed by 13 % once 'O', 'wrist pin' "
        "has gone on.\n"
        "       Where drives turn the mechanism through itself ask ml.periodic, or hold them: held=True."
    )


def test_drives_that_accelerate():
    swing = ml.examples.four_bar().replace(drives=[ml.Motion("A", ml.functions.cos(ml.time))])
    assert said("E04", lambda: ml.equilibrium(swing)) == (
        "`equilibrium` of mechanism 'four-bar' cannot be answered:\n"
        "[E04] equilibrium: there is none: the drives accelerate 'A' by -1 rad/s².\n"
        "       Ask at a time when they do not, t=..., or hold them: held=True."
    )


def test_what_cannot_be_put_in_or_read_off():
    bar = damped_four_bar()
    assert said("E05", lambda: ml.linearise(bar, outputs=["coupler.x"])).endswith("Did you mean 'coupler.p'?")
    assert said("E05", lambda: ml.linearise(bar, outputs=[3.0])) == (
        "`linearise` of mechanism 'four-bar on a spring' cannot be answered:\n"
        "[E05] output 'output 1': is 3.0.\n"
        '       Name joints or markers, or give expressions: outputs={"angle": ml.position("A")}.'
    )
    assert said("E05", lambda: ml.linearise(governor(), ml.equilibrium(governor()), inputs=["Omega"])) == (
        "`linearise` of mechanism 'governor' cannot be answered:\n"
        "[E05] input 'Omega': it changes lengths or drives, not forces.\n"
        "       Put in parameters of forces; follow an equilibrium along it with ml.equilibrium(..., along=...)."
    )
    assert "[S03] effort at 'spin': its motion is prescribed." in said(
        "S03", lambda: ml.linearise(governor(), ml.equilibrium(governor()), inputs=["spin"])
    )
    assert said("E05", lambda: ml.modes(bar).shape(4)).endswith("There are 1, counted from 0.")
    assert "[S09] inputs: is 'A', which is no list of names." in said(
        "S09", lambda: ml.linearise(bar, inputs="A")
    )


def test_no_mass_decides():
    assert "[S06] forward dynamics: no mass decides" in said("S06", lambda: ml.linearise(toggle(load=5.0)))


def test_what_cannot_be_followed():
    assert said("S10", lambda: ml.equilibrium(toggle(), along={"Q": (0, 1)})).endswith("Known are: P.")
    assert said("S10", lambda: ml.equilibrium(toggle(), along={"P": (0, 0)})) == (
        "`equilibrium` of mechanism 'toggle' cannot be answered:\n"
        "[S10] along 'P': is (0, 0).\n"
        '       Give two different numbers. Write along={"P": (0, 500)}.'
    )
    assert "[S10] along: is 'P'." in said("S10", lambda: ml.equilibrium(toggle(), along="P"))


def test_no_period():
    machine, begin = engine(load=10.0), {"start": {"O": 0.3}, "rates": {"O": 90.0}}
    text = said("E06", lambda: ml.periodic(machine, turn="O", mean_speed=100.0, **begin))
    assert "periodic motion: none was found: at best 'the rate of O' misses its beginning by 0.05" in text
    assert text.endswith("must do the same work in a period: name a parameter to change, adjust=...")
    assert said("E06", lambda: ml.periodic(machine, **begin)) == (
        "`periodic` of mechanism 'engine' cannot be answered:\n"
        "[E06] period: nothing sets a period: no drive or load follows time, and no joint is said to turn.\n"
        '       Give a first guess, period=..., or turn="A".'
    )
    assert "[E06] turn 'O': it stands still in the first guess." in said(
        "E06", lambda: ml.periodic(machine, turn="O", start={"O": 0.3})
    )
    assert "[E06] mean_speed: is given, but not of which joint." in said(
        "E06", lambda: ml.periodic(machine, mean_speed=3.0, **begin)
    )
    assert "[E06] turns: is 0." in said("E06", lambda: ml.periodic(machine, turn="O", turns=0, **begin))


def test_what_holds_and_lets_go_has_no_balance():
    bar = ml.examples.sprung_four_bar()
    stuck = bar.replace(loads=[*bar.loads, ml.Friction("wear", "A", effort=0.2, stiction="exact")])
    assert said("E05", lambda: ml.equilibrium(stuck)) == (
        "`equilibrium` of mechanism 'four-bar on a spring' cannot be answered:\n"
        "[E05] load 'wear': is set-valued at rest: a range of positions is in equilibrium, not one.\n"
        '       Use stiction="smooth", or let `simulate` come to rest.'
    )
