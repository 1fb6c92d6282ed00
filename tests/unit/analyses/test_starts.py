"""Is every start that determines the position accepted, whatever the loads, the cut joints and the turns?"""

import math

import numpy as np
import pytest
from zoo import ZOO
from zoo.plain import pinned_body

import multiloop as ml

ROUGH = {"rocker.b": (0.8, 0.7)}


def four_bar(**further):
    """The four-bar of the test models without its drive, with a rough guess."""
    return ZOO["four-bar"].build().replace(**{"drives": (), "guess": ROUGH} | further)


def loop_gap(state, crank, coupler, rocker):
    """The vector loop of the four-bar, written with absolute angles."""
    a, b, d = (state[name].position for name in "ABD")
    tip = 0.3 * np.exp(1j * a) + 0.9 * np.exp(1j * (a + b))
    return abs(tip - 1.0 - 0.8 * np.exp(1j * d))


LOADS = {
    "springs": [ml.JointSpring(f"spring {joint}", joint, stiffness=1.0) for joint in "BCD"],
    "friction": [ml.Friction(f"friction {joint}", joint, viscous=0.1) for joint in "BCD"],
}


@pytest.mark.parametrize("loads", LOADS)
@pytest.mark.parametrize("guess", [None, {"D": 1.7}])
def test_a_start_at_the_only_joint_without_a_load(loads, guess):
    """Loads keep B, C and D in the tree of the dynamics, A is cut; its start determines the crank nevertheless."""
    loaded = four_bar(loads=LOADS[loads])
    state, plain = ml.assemble(loaded, {"A": 1.0}, guess=guess), ml.assemble(four_bar(), {"A": 1.0})
    assert state["A"].position == 1.0
    for joint in "BCD":
        assert state[joint].position == pytest.approx(plain[joint].position, abs=1e-12)
    assert ml.forward(loaded, {"A": 1.0}, guess=guess)["A"].position[0] == pytest.approx(1.0, abs=1e-15)
    assert ml.simulate(loaded, start={"A": 1.0}, until=0.01, samples=2)["A"].position[0] == pytest.approx(1.0)


def test_without_a_guess_such_a_start_still_has_two_assembly_modes():
    loaded = four_bar(loads=LOADS["springs"])
    assert len(ml.branches(loaded, {"A": 1.0})) == 2
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(loaded, {"A": 1.0}, guess={})
    assert [fault.code for fault in caught.value.faults] == ["K02"]


def test_every_joint_of_a_loop_is_held_in_part():
    """Rotations of A, B and C, which determine each other, and the translation of D: no joint may be cut."""
    corners = [(0, 0, 0), (0.4, 0, 0), (0.4, 0.4, 0.1), (0, 0.4, 0.2)]
    axes = [(0, 0, 1), (0, 1, 0.3), (1, 0, 0.2), (0.3, 0, 1)]
    seats = [ml.marker(point, z=axis) for point, axis in zip(corners, axes, strict=True)]
    loop = ml.Mechanism(
        "RCCC",
        bodies=[
            ml.ground(A=seats[0], D=seats[3]),
            *(
                ml.Body(name, mass=1.0, inertia=(0.1, 0.1, 0.1), markers={"a": seats[k], "b": seats[k + 1]})
                for k, name in enumerate(("one", "two", "three"))
            ),
        ],
        joints=[
            ml.Cylindrical("A", "ground.A", "one.a"),
            ml.Cylindrical("B", "one.b", "two.a"),
            ml.Cylindrical("C", "two.b", "three.a"),
            ml.Cylindrical("D", "ground.D", "three.b"),
        ],
    )
    everything = ml.assemble(loop, {"A": (0.1, 0.02)}, guess=dict.fromkeys("BCD", (0.0, 0.0)))
    slide = loop.joint("A").components(False).index("slide")
    parts = {
        name: tuple(x if (k == slide) == (name == "D") else None for k, x in enumerate(q))
        for name, q in everything.positions.items()
    }
    state = ml.assemble(loop, parts, guess=everything.positions)
    for name in "ABCD":
        assert state.positions[name] == pytest.approx(everything.positions[name], abs=1e-9)


# the guess of a description ---------------------------------------------------------------------------


def test_the_guess_of_a_mechanism_can_be_passed_back():
    mechanism = four_bar()
    expected = ml.assemble(mechanism, {"A": 1.0}).positions
    for guess in (mechanism.guess, list(mechanism.guess), dict(mechanism.guess)):
        assert ml.assemble(mechanism, {"A": 1.0}, guess=guess).positions == expected
        assert ml.forward(mechanism, {"A": 1.0}, guess=guess)["D"].position[0] == pytest.approx(
            expected["D"][0]
        )
        mechanism.draw(start={"A": 1.0}, guess=guess)
    chain = ZOO["chain-10"].build()
    assert ml.assemble(chain, chain.guess).positions == ml.assemble(chain, dict(chain.guess)).positions
    bare = mechanism.replace(guess=())
    assert ml.assemble(bare, {"A": 1.0, "coupler.b": tuple(_tip())}, guess=bare.guess).gap < 1e-12


def _tip():
    return ml.assemble(four_bar(), {"A": 1.0}).marker("coupler.b")


# many turns -------------------------------------------------------------------------------------------

GEARS = ml.Mechanism(
    "gears",
    planar=True,
    bodies=[
        ml.ground(O=(0, 0), P=(0.3, 0)),
        ml.Body("pinion", mass=1.0, inertia=0.01),
        ml.Body("wheel", mass=1.0, inertia=0.02),
    ],
    joints=[
        ml.Revolute("A", "ground.O", "pinion.origin"),
        ml.Revolute("B", "ground.P", "wheel.origin"),
    ],
    pairs=[ml.Gear("mesh", "pinion.origin", "wheel.origin", teeth=(20, 40))],
)


@pytest.mark.parametrize("turned", [20.0, 110.0, 1000.0])
def test_a_gear_shaft_counts_its_turns(turned):
    assert ml.assemble(GEARS, {"A": turned})["B"].position == pytest.approx(-turned / 2, abs=1e-12)
    assert ml.simulate(GEARS, start={"A": turned}, until=0.1, samples=2).status == "ok"


def test_a_torsion_spring_counts_its_turns_and_friction_does_not(texts):
    def pendulum(load):
        return pinned_body(ml.rod("rod", length=0.5, mass=1.0), name="pendulum", loads=[load])

    wound = pendulum(ml.JointSpring("spring", "A", stiffness=1.0))
    assert ml.forward(wound, {"A": 20.0}).loads["spring"].effort[0] == pytest.approx(-20.0)
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(pendulum(ml.Friction("bearing", "A", viscous=0.1)), {"A": 20.0})
    texts.fault(caught.value, "K08", "(20)")


@pytest.mark.parametrize("turns", [1_600, 47_746, 1_591_549])
def test_angles_of_many_turns_start_where_they_are_within_their_turn(turns):
    """The last digit of 3e5 rad is 6e-11: the loops are closed to it, and results differ by it at most."""
    angle = 2 * math.pi * turns + 1.0
    digits = 100 * np.spacing(angle)  # error of an angle, by the derivatives of the loop
    near, far = (ml.assemble(four_bar(), {"A": a}) for a in (angle - 2 * math.pi * turns, angle))
    assert far["A"].position == angle
    assert far["D"].position == pytest.approx(near["D"].position, abs=digits)
    assert loop_gap(far, 0.3, 0.9, 0.8) < digits
    motions = [ml.simulate(four_bar(), start=s.positions, until=0.2, samples=3) for s in (near, far)]
    assert [m.status for m in motions] == ["ok", "ok"]
    assert motions[1]["D"].position == pytest.approx(motions[0]["D"].position, abs=digits)


def test_a_drive_that_has_turned_long():
    turned = 2 * math.pi * 47_746
    slow, fast = (
        four_bar(drives=[ml.Motion("A", ml.motion_laws.constant_speed(4.0, start=begin))])
        for begin in (1.0, 1.0 + turned)
    )
    efforts = [ml.inverse(m, t=[0.0, 0.1, 0.2])["A"].effort for m in (slow, fast)]
    assert efforts[1] == pytest.approx(efforts[0], rel=1e-8)


@pytest.mark.parametrize("ratio", [7.5, 20.0, -100.0])
@pytest.mark.parametrize("angle", [1.9, 1.75])
def test_a_rotor_keeps_the_assembly_modes_and_their_turns(angle, ratio):
    """The crank and its rotor may both be any number of whole turns away; that is no other assembly mode."""
    plain = ml.branches(four_bar(), {"D": angle})
    driven = four_bar(actuators=[ml.Actuator("A", rotor_inertia=1e-5, ratio=ratio)])
    found = ml.branches(driven, {"D": angle})
    expected = sorted(branch["A"].position for branch in plain)
    assert sorted(branch["A"].position for branch in found) == pytest.approx(expected, abs=1e-9)
    state = ml.assemble(driven, {"D": angle}, guess={"B": 1.0})
    assert state["A"].position == pytest.approx(min(expected), abs=1e-9)
    assert state["A/motor"].position == pytest.approx(ratio * min(expected), abs=1e-9)
