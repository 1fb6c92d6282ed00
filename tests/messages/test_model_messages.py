"""Messages for invalid descriptions: every message once."""

from dataclasses import replace
from math import inf, nan

import pytest

from multiloop import (
    Actuator,
    Body,
    Fixed,
    Helical,
    Mechanism,
    ModelError,
    Motion,
    Parameter,
    Pin,
    Revolute,
    Spherical,
    analyse,
    ground,
    marker,
    motion_laws,
    position,
    rod,
    time,
)

GROUND = ground(A=(0, 0), D=(1.0, 0))
CRANK, COUPLER = rod("crank", length=0.3, mass=1.0), rod("coupler", length=0.9, mass=2.0)
ROCKER = rod("rocker", length=0.8, mass=1.5)
JOINTS = {
    "A": Revolute("A", "ground.A", "crank.a"),
    "B": Revolute("B", "crank.b", "coupler.a"),
    "C": Revolute("C", "coupler.b", "rocker.b"),
    "D": Revolute("D", "ground.D", "rocker.a"),
}


def four_bar(rocker=ROCKER, **changes):
    described = {
        "planar": True,
        "bodies": [GROUND, CRANK, COUPLER, rocker],
        "joints": list((JOINTS | {key: changes.pop(key) for key in JOINTS if key in changes}).values()),
        "drives": [Motion("A", motion_laws.constant_speed(4.712))],
    }
    return Mechanism("four-bar", **(described | changes))


def arm(body=None, joint=None, **changes):
    """A link in space on a ball, or on any other joint."""
    body = body or rod("arm", length=1.0, mass=1.0)
    joint = joint or Spherical("S", "ground.O", "arm.a")
    return Mechanism("arm", bodies=[ground(O=(0, 0, 0)), body], joints=[joint], **changes)


def rocker(**changes):
    return rod("rocker", **({"length": 0.8, "mass": 1.5} | changes))


MESSAGES = {
    # masses and inertias
    "negative mass": (lambda: four_bar(rocker(mass=-0.4)), ("M03", "body 'rocker'", "-0.4 kg")),
    "mass that is no number": (lambda: four_bar(rocker(mass="1.5 kg")), ("M05", "body 'rocker'", "'1.5 kg'")),
    "mass that is missing": (lambda: four_bar(rocker(mass=None)), ("M05", "body 'rocker'")),
    "mass that is not finite": (lambda: four_bar(rocker(mass=nan)), ("M05", "body 'rocker'", "nan")),
    "negative inertia": (lambda: four_bar(rocker(inertia=-0.02)), ("M04", "body 'rocker'", "-0.02 kg")),
    "inertia too small for its point": (
        lambda: four_bar(rocker(inertia=0.02, inertia_at="a")),
        ("M04", "body 'rocker'", "'a'", "-0.22 kg"),
    ),
    "infeasible_designs moments": (
        lambda: arm(Body("arm", mass=1, inertia=(0.1, 0.2, 0.4), markers={"a": (0, 0, 0)})),
        ("M04", "body 'arm'", "0.1", "0.2", "0.4 kg"),
    ),
    "unsymmetric tensor": (
        lambda: arm(rod("arm", length=1, mass=1, inertia=[[1, 0.2, 0], [0, 1, 0], [0, 0, 1]])),
        ("M04", "body 'arm'"),
    ),
    "inertia at an unknown point": (
        lambda: four_bar(rocker(inertia=0.1, inertia_at="orign")),
        ("M08", "body 'rocker'", "'orign'"),
    ),
    "point of an inertia that is not there": (
        lambda: four_bar(Body("rocker", mass=1.5, inertia_at="a", markers={"a": 0.0, "b": 0.8})),
        ("M08", "body 'rocker'", "`inertia_at`", "'a'"),
    ),
    "inertia of the wrong size": (
        lambda: four_bar(rocker(inertia=(0.1, 0.2))),
        ("M06", "body 'rocker'", "2"),
    ),
    "one number for inertia in space": (
        lambda: arm(Body("arm", mass=1, inertia=0.1, markers={"a": (0, 0, 0)})),
        ("M06", "body 'arm'", "0.1"),
    ),
    "mass centre of the wrong size": (
        lambda: four_bar(rocker(com=(0.4, 0, 0))),
        ("M06", "body 'rocker'", "3"),
    ),
    "ground with mass": (
        lambda: four_bar(bodies=[replace(GROUND, mass=2), CRANK, COUPLER, ROCKER]),
        ("M10", "body 'ground'", "2.0"),
    ),
    # markers
    "point of the wrong size in the plane": (
        lambda: four_bar(rocker(markers={"m": (0.1, 0, 0)})),
        ("M06", "'rocker'", "'m'", "3"),
    ),
    "point of the wrong size in space": (
        lambda: arm(rod("arm", length=1, mass=1, markers={"m": (0.1, 0)})),
        ("M06", "'arm'", "'m'", "2"),
    ),
    "point that is not finite": (
        lambda: four_bar(rocker(markers={"m": (0.1, inf)})),
        ("M05", "'rocker'", "'m'", "inf"),
    ),
    "z in the plane": (
        lambda: four_bar(rocker(markers={"m": marker((0.1, 0), z=(0, 0, 1))})),
        ("M06", "'rocker'", "'m'"),
    ),
    "angle in space": (
        lambda: arm(rod("arm", length=1, mass=1, markers={"m": marker(0.1, angle=0.5)})),
        ("M06", "'arm'", "'m'", "0.5"),
    ),
    "direction of the wrong size": (
        lambda: arm(rod("arm", length=1, mass=1, markers={"m": marker(0.1, z=(0, 1))})),
        ("M06", "'arm'", "'m'", "2"),
    ),
    "direction of no length": (
        lambda: arm(rod("arm", length=1, mass=1, markers={"m": marker(0.1, z=(0, 0, 0))})),
        ("M09", "'arm'", "'m'"),
    ),
    "parallel directions": (
        lambda: arm(rod("arm", length=1, mass=1, markers={"m": marker(0.1, z=(0, 1, 0), x=(0, 2, 0))})),
        ("M09", "'arm'", "'m'"),
    ),
    "geometry that changes in time": (
        lambda: four_bar(rocker(markers={"m": 0.1 * time})),
        ("M07", "'rocker'", "'m'", "`0.1 * time`"),
    ),
    "expression without a value": (
        lambda: four_bar(rocker(markers={"m": 1 / Parameter("L", 0)})),
        ("M05", "'rocker'", "'m'", '`1 / parameter("L", 0)`'),
    ),
    # names
    "two bodies of one name": (
        lambda: four_bar(
            rod("crank", length=1, mass=1), C=JOINTS["C"], D=JOINTS["D"], joints=[JOINTS["A"], JOINTS["B"]]
        ),
        ("M01", "body 'crank'"),
    ),
    "two joints of one name": (
        lambda: four_bar(D=Revolute("C", "ground.D", "rocker.a")),
        ("M01", "joint 'C'"),
    ),
    "two markers of one name": (
        lambda: four_bar(replace(ROCKER, markers=[*ROCKER.markers, ("b", (0, 0))])),
        ("M01", "'rocker'", "'b'"),
    ),
    "joint named as a body": (
        lambda: four_bar(D=Revolute("rocker", "ground.D", "rocker.a")),
        ("M01", "joint 'rocker'"),
    ),
    "marker that is there anyway": (
        lambda: four_bar(rocker(markers={"com": 0.3})),
        ("M01", "'rocker'", "'com'"),
    ),
    "name with a dot": (lambda: four_bar(D=Revolute("D.1", "ground.D", "rocker.a")), ("M02", "joint 'D.1'")),
    "empty name": (lambda: four_bar(D=Revolute(" ", "ground.D", "rocker.a")), ("M02", "joint ' '")),
    "name that is a parameter": (
        lambda: four_bar(rod(Parameter("n", 1), length=0.8, mass=1)),
        ("M12", "bodies, entry 4", "1"),
    ),
    "parameter with two values": (
        lambda: four_bar(rocker(length=Parameter("L", 0.8), mass=Parameter("L", 1.5))),
        ("M01", "parameter 'L'", "0.8", "1.5"),
    ),
    # gravity
    "gravity of the wrong size": (lambda: four_bar(gravity=(0, 0, -9.81)), ("M06", "gravity", "3")),
    "gravity as one number": (lambda: arm(gravity=-9.81), ("M06", "gravity", "1")),
    "gravity that is not finite": (lambda: four_bar(gravity=(0, nan)), ("M05", "gravity", "nan")),
    # joints
    "unknown body": (
        lambda: four_bar(C=Revolute("C", "couplr.b", "rocker.b")),
        ("T02", "joint 'C'", "'couplr'"),
    ),
    "unknown marker": (
        lambda: four_bar(C=Revolute("C", "coupler.end", "rocker.b")),
        ("T03", "joint 'C'", "'end'", "'coupler'"),
    ),
    "body without its marker": (
        lambda: four_bar(C=Revolute("C", "coupler.b", "rocker")),
        ("T03", "joint 'C'", "'rocker'"),
    ),
    "joint to itself": (
        lambda: four_bar(joints=[*JOINTS.values(), Revolute("E", "crank.a", "crank.b")]),
        ("T01", "joint 'E'", "'crank'"),
    ),
    "spatial joint in the plane": (
        lambda: four_bar(C=Spherical("C", "coupler.b", "rocker.b")),
        ("M06", "joint 'C'"),
    ),
    "pitch that is not finite": (
        lambda: arm(joint=Helical("H", "ground.O", "arm.a", pitch=inf)),
        ("M05", "joint 'H'", "inf"),
    ),
    "pin without others": (
        lambda: four_bar(C=Pin("C", "coupler.b", "rocker.b")),
        ("M12", "joint 'C'", "'rocker.b'"),
    ),
    # ground and connections
    "body that nothing holds": (
        lambda: four_bar(
            joints=[JOINTS["A"], JOINTS["B"], JOINTS["C"]],
            bodies=[*four_bar().bodies, rod("x", length=1, mass=1)],
        ),
        ("T04", "body 'x'"),
    ),
    "bodies that nothing holds": (
        lambda: four_bar(joints=[JOINTS["A"], JOINTS["C"]]),
        ("T04", "'coupler'", "'rocker'"),
    ),
    "no ground": (lambda: four_bar(bodies=[CRANK, COUPLER, ROCKER]), ("M10", "'four-bar'")),
    "two grounds": (
        lambda: four_bar(bodies=[ground(A=(0, 0)), GROUND, CRANK, COUPLER, ROCKER]),
        ("M01", "body 'ground'"),
    ),
    "nothing but the ground": (lambda: Mechanism("four-bar", bodies=[ground()]), ("M10", "'four-bar'")),
    "nothing at all": (lambda: Mechanism("four-bar"), ("M10", "'four-bar'")),
    # drives
    "drive of nothing": (lambda: four_bar(drives=[Motion("a", time)]), ("D01", "drive of 'a'")),
    "drive that prescribes nothing": (lambda: four_bar(drives=[Motion("A")]), ("D01", "drive of 'A'")),
    "drive of what cannot move": (
        lambda: four_bar(D=Fixed("D", "ground.D", "rocker.a"), drives=[Motion("D", time)]),
        ("D01", "drive of 'D'"),
    ),
    "drive of several coordinates": (lambda: arm(drives=[Motion("S", time)]), ("D03", "drive of 'S'", "3")),
    "drive of a component that is not there": (
        lambda: four_bar(drives=[Motion("A", slide=time)]),
        ("D03", "drive of 'A'", "'slide'"),
    ),
    "drive of a pin": (
        lambda: four_bar(C=Pin("C", "coupler.b", ["rocker.b"]), drives=[Motion("C", time)]),
        ("D01", "drive of 'C'"),
    ),
    "two drives on one coordinate": (
        lambda: four_bar(drives=[Motion("A", time), Motion("A", angle=2 * time)]),
        ("D02", "drive of 'A'", "2"),
    ),
    "two drives in one motion": (
        lambda: four_bar(drives=[Motion("A", time, angle=2 * time)]),
        ("D02", "drive of 'A'", "2"),
    ),
    "drive of a marker across the plane": (
        lambda: four_bar(drives=[Motion("coupler.b", z=time)]),
        ("D03", "drive of 'coupler.b'", "'z'"),
    ),
    "bare profile for a marker": (lambda: arm(drives=[Motion("arm.b", time)]), ("D03", "drive of 'arm.b'")),
    "drive of the ground": (
        lambda: four_bar(drives=[Motion("ground.A", x=time)]),
        ("D01", "drive of 'ground.A'"),
    ),
    "drive of an unknown marker": (
        lambda: four_bar(drives=[Motion("coupler.c", x=time)]),
        ("T03", "drive of 'coupler.c'", "'c'", "'coupler'"),
    ),
    "profile that is not finite": (
        lambda: four_bar(drives=[Motion("A", inf)]),
        ("M05", "drive of 'A'", "inf"),
    ),
    "profile that is no number": (
        lambda: four_bar(drives=[Motion("A", "fast")]),
        ("M05", "drive of 'A'", "'fast'"),
    ),
    "profile of the state": (
        lambda: four_bar(drives=[Motion("A", position("B"))]),
        ("D04", "drive of 'A'", '`position("B")`'),
    ),
    # actuators
    "actuator at nothing": (lambda: four_bar(actuators=[Actuator("E")]), ("D05", "actuator at 'E'")),
    "two actuators": (
        lambda: four_bar(actuators=[Actuator("A"), Actuator("A", "angle")]),
        ("D02", "actuator at 'A'", "2"),
    ),
    "limit below zero": (
        lambda: four_bar(actuators=[Actuator("A", limit=-2)]),
        ("D06", "actuator at 'A'", "-2"),
    ),
    "effort that is not finite": (
        lambda: four_bar(actuators=[Actuator("A", effort=nan)]),
        ("M05", "actuator at 'A'", "nan"),
    ),
    "effort of an unknown joint": (
        lambda: four_bar(actuators=[Actuator("A", effort=-2 * position("E"))]),
        ("D07", "actuator at 'A'", '`position("E")`', "'E'"),
    ),
    # guesses
    "guess of nothing": (lambda: four_bar(guess={"copler.b": (0.8, 0.7)}), ("M11", "guess 'copler.b'")),
    "guess of a joint": (lambda: four_bar(guess={"B": (1, 2)}), ("M11", "guess 'B'", "2", "1")),
    "guess of a body in the plane": (
        lambda: four_bar(guess={"coupler": 0.8}),
        ("M11", "guess 'coupler'", "1", "2", "3"),
    ),
    "guess of a body in space": (
        lambda: arm(guess={"arm": (0, 0, 0, 1)}),
        ("M11", "guess 'arm'", "4", "3", "7"),
    ),
    "guess of a marker": (
        lambda: four_bar(guess={"coupler.b": (0.8, 0.7, 0, 0)}),
        ("M11", "guess 'coupler.b'", "4", "2", "3"),
    ),
    "guess of no rotation at all": (lambda: arm(guess={"S": (0, 0, 0, 0)}), ("M11", "guess 'S'")),
    "guess of half a rotation": (lambda: arm(guess={"S": (1, 0, None, 0)}), ("M11", "guess 'S'")),
    "guess of the ground": (lambda: four_bar(guess={"ground.A": (0, 0)}), ("M11", "guess 'ground.A'")),
    "guess of what cannot move": (
        lambda: four_bar(D=Fixed("D", "ground.D", "rocker.a"), guess={"D": 1.0}),
        ("M11", "guess 'D'", "1", "0"),
    ),
    "guess by a parameter": (lambda: four_bar(guess={"B": Parameter("b", 1)}), ("M11", "guess 'B'", "1")),
    "guess that is not finite": (
        lambda: four_bar(guess={"coupler.b": (0.8, nan)}),
        ("M11", "guess 'coupler.b'", "nan"),
    ),
    "guess that is no mapping": (lambda: four_bar(guess=1.0), ("M12", "guess", "1.0")),
    # wrong kinds
    "invalid body": (lambda: four_bar("rocker"), ("M12", "bodies, entry 4", "'rocker'")),
    "invalid joint": (
        lambda: four_bar(joints=[*JOINTS.values(), ROCKER.name]),
        ("M12", "joints, entry 5", "'rocker'"),
    ),
    "drives that are no list": (lambda: four_bar(drives=4.7), ("M12", "drives", "4.7")),
    "invalid actuator": (lambda: four_bar(actuators=["A"]), ("M12", "actuators, entry 1", "'A'")),
    "side that is no text": (lambda: four_bar(C=Revolute("C", None, "rocker.b")), ("M12", "joint 'C'")),
    "markers that are no mapping": (lambda: four_bar(rocker(markers=0.1)), ("M12", "body 'rocker'", "0.1")),
    "planar that is no answer": (lambda: four_bar(planar="yes"), ("M12", "planar", "'yes'")),
}


def test_the_four_bar_and_the_arm_themselves_are_sound():
    assert analyse(four_bar(guess={"coupler.b": (0.8, 0.7)})).mobility == 1
    assert analyse(arm()).mobility == 3


@pytest.mark.parametrize("mistake", MESSAGES)
def test_a_mistake_is_one_message(mistake, texts):
    build, text = MESSAGES[mistake]
    with pytest.raises(ModelError) as caught:
        build()
    texts.fault(caught.value, *text)


OF_A_BODY = {
    "negative length": (lambda: rocker(length=-0.8), ("M13", "-0.8 m")),
    "length that is not finite": (lambda: rocker(length=inf), ("M13", "inf")),
    "point of an inertia that is worked out": (
        lambda: rocker(inertia_at="a"),
        ("M08", "`inertia_at`", "'a'"),
    ),
}


@pytest.mark.parametrize("mistake", OF_A_BODY)
def test_a_mistake_in_a_rod_is_reported_where_it_is_made(mistake, texts):
    build, text = OF_A_BODY[mistake]
    with pytest.raises(ModelError) as caught:
        build()
    texts.fault(caught.value, *text, "body 'rocker'")


def test_faults_come_together_in_one_error(texts):
    with pytest.raises(ModelError) as caught:
        four_bar(rocker(mass=-0.4), C=Revolute("C", "couplr.b", "rocker.b"))
    texts.faults(caught.value, ("M03", "body 'rocker'", "-0.4 kg"), ("T02", "joint 'C'", "'couplr'"))
