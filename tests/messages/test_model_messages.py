"""What a user reads when a description is wrong: every message once, word for word."""

from dataclasses import replace
from math import inf, nan

import pytest

from multiloop.model import (
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
    constant_speed,
    ground,
    marker,
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
        "drives": [Motion("A", constant_speed(4.712))],
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
    "negative mass": (
        lambda: four_bar(rocker(mass=-0.4)),
        "[M03] body 'rocker': mass is -0.4 kg.\n"
        "       Give a positive mass, or 0.0 to declare a massless link.",
    ),
    "mass that is no number": (
        lambda: four_bar(rocker(mass="1.5 kg")),
        "[M05] body 'rocker': mass is '1.5 kg', which is not a number.\n       Give a number or a Parameter.",
    ),
    "mass that is missing": (
        lambda: four_bar(rocker(mass=None)),
        "[M05] body 'rocker': mass is None, which is not a number.\n       Give a number or a Parameter.",
    ),
    "mass that is not finite": (
        lambda: four_bar(rocker(mass=nan)),
        "[M05] body 'rocker': mass is nan.\n       Give a finite number.",
    ),
    "negative inertia": (
        lambda: four_bar(rocker(inertia=-0.02)),
        "[M04] body 'rocker': its inertia about the mass centre is -0.02 kg m².\n"
        "       Give a positive inertia, and say with `inertia_at` which point it is about.",
    ),
    "inertia too small for its point": (
        lambda: four_bar(rocker(inertia=0.02, inertia_at="a")),
        "[M04] body 'rocker': its inertia about the mass centre (taken there from 'a') is -0.22 kg m².\n"
        "       Give a positive inertia, and say with `inertia_at` which point it is about.",
    ),
    "infeasible_designs moments": (
        lambda: arm(Body("arm", mass=1, inertia=(0.1, 0.2, 0.4), markers={"a": (0, 0, 0)})),
        "[M04] body 'arm': its principal moments are 0.1, 0.2, 0.4 kg m²: two add up to less than the third.\n"
        "       No body has such; check the tensor and the point and axes it is given for.",
    ),
    "unsymmetric tensor": (
        lambda: arm(rod("arm", length=1, mass=1, inertia=[[1, 0.2, 0], [0, 1, 0], [0, 0, 1]])),
        "[M04] body 'arm': its inertia tensor is not symmetric.\n       Give a symmetric 3×3 tensor.",
    ),
    "inertia at an unknown point": (
        lambda: four_bar(rocker(inertia=0.1, inertia_at="orign")),
        "[M08] body 'rocker': its inertia is given at 'orign', which is none of its markers.\n"
        "       Did you mean 'origin'?",
    ),
    "point of an inertia that is not there": (
        lambda: four_bar(Body("rocker", mass=1.5, inertia_at="a", markers={"a": 0.0, "b": 0.8})),
        "[M08] body 'rocker': has no inertia, yet `inertia_at` is 'a'.\n"
        "       Give `inertia` too, or leave `inertia_at` out.",
    ),
    "inertia of the wrong size": (
        lambda: four_bar(rocker(inertia=(0.1, 0.2))),
        "[M06] body 'rocker': its inertia has 2 numbers.\n"
        "       Give one number, three principal moments (xx, yy, zz) or a 3×3 tensor.",
    ),
    "one number for inertia in space": (
        lambda: arm(Body("arm", mass=1, inertia=0.1, markers={"a": (0, 0, 0)})),
        "[M06] body 'arm': its inertia is one number, 0.1, in a spatial mechanism.\n"
        "       Give three principal moments (xx, yy, zz) or a 3×3 tensor.",
    ),
    "mass centre of the wrong size": (
        lambda: four_bar(rocker(com=(0.4, 0, 0))),
        "[M06] body 'rocker': its mass centre has 3 coordinates in a planar mechanism.\n       Give 2.",
    ),
    "ground with mass": (
        lambda: four_bar(bodies=[replace(GROUND, mass=2), CRANK, COUPLER, ROCKER]),
        "[M10] body 'ground': has a mass of 2.0.\n       The ground does not move: leave it out.",
    ),
    # markers
    "point of the wrong size in the plane": (
        lambda: four_bar(rocker(markers={"m": (0.1, 0, 0)})),
        "[M06] body 'rocker', marker 'm': has 3 coordinates in a planar mechanism.\n       Give 2.",
    ),
    "point of the wrong size in space": (
        lambda: arm(rod("arm", length=1, mass=1, markers={"m": (0.1, 0)})),
        "[M06] body 'arm', marker 'm': has 2 coordinates in a spatial mechanism.\n"
        "       Give 3, or make the mechanism planar with `planar=True`.",
    ),
    "point that is not finite": (
        lambda: four_bar(rocker(markers={"m": (0.1, inf)})),
        "[M05] body 'rocker', marker 'm': its y coordinate is inf.\n       Give a finite number.",
    ),
    "z in the plane": (
        lambda: four_bar(rocker(markers={"m": marker((0.1, 0), z=(0, 0, 1))})),
        "[M06] body 'rocker', marker 'm': has a z direction in a planar mechanism.\n"
        "       Give `angle=` instead: z is across the plane.",
    ),
    "angle in space": (
        lambda: arm(rod("arm", length=1, mass=1, markers={"m": marker(0.1, angle=0.5)})),
        "[M06] body 'arm', marker 'm': has an angle, 0.5, in a spatial mechanism.\n"
        "       Give `z=` and, if it matters, `x=`.",
    ),
    "direction of the wrong size": (
        lambda: arm(rod("arm", length=1, mass=1, markers={"m": marker(0.1, z=(0, 1))})),
        "[M06] body 'arm', marker 'm': its z direction has 2 components in a spatial mechanism.\n"
        "       Give 3.",
    ),
    "direction of no length": (
        lambda: arm(rod("arm", length=1, mass=1, markers={"m": marker(0.1, z=(0, 0, 0))})),
        "[M09] body 'arm', marker 'm': its z direction is zero.\n       Give a direction that is not zero.",
    ),
    "parallel directions": (
        lambda: arm(rod("arm", length=1, mass=1, markers={"m": marker(0.1, z=(0, 1, 0), x=(0, 2, 0))})),
        "[M09] body 'arm', marker 'm': its x direction is parallel to its z direction.\n"
        "       Give an x across z.",
    ),
    "geometry that changes in time": (
        lambda: four_bar(rocker(markers={"m": 0.1 * time})),
        "[M07] body 'rocker', marker 'm': its x coordinate is `0.1 * time`, which changes as the mechanism "
        "moves.\n       Geometry, inertia and gravity take numbers and parameters only.",
    ),
    "expression without a value": (
        lambda: four_bar(rocker(markers={"m": 1 / Parameter("L", 0)})),
        "[M05] body 'rocker', marker 'm': its x coordinate is `1 / parameter(\"L\", 0)`, which has no finite "
        "value.\n       Change the values of its parameters.",
    ),
    # names
    "two bodies of one name": (
        lambda: four_bar(
            rod("crank", length=1, mass=1), C=JOINTS["C"], D=JOINTS["D"], joints=[JOINTS["A"], JOINTS["B"]]
        ),
        "[M01] body 'crank': is there twice.\n       Give each its own name.",
    ),
    "two joints of one name": (
        lambda: four_bar(D=Revolute("C", "ground.D", "rocker.a")),
        "[M01] joint 'C': is there twice.\n       Give each its own name.",
    ),
    "two markers of one name": (
        lambda: four_bar(replace(ROCKER, markers=[*ROCKER.markers, ("b", (0, 0))])),
        "[M01] body 'rocker', marker 'b': is there twice.\n       Give each its own name.",
    ),
    "joint named as a body": (
        lambda: four_bar(D=Revolute("rocker", "ground.D", "rocker.a")),
        "[M01] joint 'rocker': has the name of a body.\n"
        "       Rename one of them: results, guesses and starts address both by name.",
    ),
    "marker that is there anyway": (
        lambda: four_bar(rocker(markers={"com": 0.3})),
        "[M01] body 'rocker', marker 'com': is one that every body has already.\n"
        "       Rename it; give `com=` to move the mass centre.",
    ),
    "name with a dot": (
        lambda: four_bar(D=Revolute("D.1", "ground.D", "rocker.a")),
        "[M02] joint 'D.1': has a . in its name.\n       Leave out dots, slashes and quotes.",
    ),
    "empty name": (
        lambda: four_bar(D=Revolute(" ", "ground.D", "rocker.a")),
        "[M02] joint ' ': has an empty name.\n       Give it a word of its own.",
    ),
    "name that is a parameter": (
        lambda: four_bar(rod(Parameter("n", 1), length=0.8, mass=1)),
        '[M12] bodies, entry 4: its name is parameter("n", 1), which is not text.\n'
        "       Give it a word of its own.",
    ),
    "parameter with two values": (
        lambda: four_bar(rocker(length=Parameter("L", 0.8), mass=Parameter("L", 1.5))),
        "[M01] parameter 'L': stands with the values 0.8 and 1.5.\n"
        "       Make one Parameter and use it everywhere, or give them different names.",
    ),
    # gravity
    "gravity of the wrong size": (
        lambda: four_bar(gravity=(0, 0, -9.81)),
        "[M06] gravity: has 3 components in a planar mechanism.\n       Give 2.",
    ),
    "gravity as one number": (
        lambda: arm(gravity=-9.81),
        "[M06] gravity: has 1 component in a spatial mechanism.\n       Give 3.",
    ),
    "gravity that is not finite": (
        lambda: four_bar(gravity=(0, nan)),
        "[M05] gravity: its y component is nan.\n       Give a finite number.",
    ),
    # joints
    "unknown body": (
        lambda: four_bar(C=Revolute("C", "couplr.b", "rocker.b")),
        "[T02] joint 'C': its first body 'couplr' does not exist.\n       Did you mean 'coupler'?",
    ),
    "unknown marker": (
        lambda: four_bar(C=Revolute("C", "coupler.end", "rocker.b")),
        "[T03] joint 'C': its first marker 'end' does not exist on body 'coupler'.\n"
        "       Known are: a, b, com, origin.",
    ),
    "body without its marker": (
        lambda: four_bar(C=Revolute("C", "coupler.b", "rocker")),
        "[T03] joint 'C': its second side 'rocker' names no marker.\n"
        "       Give one of 'rocker.a', 'rocker.b', 'rocker.origin', 'rocker.com'.",
    ),
    "joint to itself": (
        lambda: four_bar(joints=[*JOINTS.values(), Revolute("E", "crank.a", "crank.b")]),
        "[T01] joint 'E': connects body 'crank' with itself.\n       Give markers of two different bodies.",
    ),
    "spatial joint in the plane": (
        lambda: four_bar(C=Spherical("C", "coupler.b", "rocker.b")),
        "[M06] joint 'C': is a Spherical in a planar mechanism.\n"
        "       Use one of Revolute, Prismatic, Planar, Fixed, Free, or make the mechanism spatial.",
    ),
    "pitch that is not finite": (
        lambda: arm(joint=Helical("H", "ground.O", "arm.a", pitch=inf)),
        "[M05] joint 'H': pitch is inf.\n       Give a finite number.",
    ),
    "pin without others": (
        lambda: four_bar(C=Pin("C", "coupler.b", "rocker.b")),
        "[M12] joint 'C': its others are 'rocker.b'.\n"
        '       Give a list with one marker for each other link, e.g. ["crank.b", "rod.a"].',
    ),
    # what is there and what hangs together
    "body that nothing holds": (
        lambda: four_bar(
            joints=[JOINTS["A"], JOINTS["B"], JOINTS["C"]],
            bodies=[*four_bar().bodies, rod("x", length=1, mass=1)],
        ),
        "[T04] body 'x': is not connected to the ground.\n"
        '       Join it, or let it float: Free("floating", "ground.origin", "x.origin").',
    ),
    "bodies that nothing holds": (
        lambda: four_bar(joints=[JOINTS["A"], JOINTS["C"]]),
        "[T04] bodies 'coupler' and 'rocker': are not connected to the ground.\n"
        '       Join one of them, or let one float: Free("floating", "ground.origin", "coupler.origin").',
    ),
    "no ground": (
        lambda: four_bar(bodies=[CRANK, COUPLER, ROCKER]),
        "[M10] mechanism 'four-bar': has no ground.\n       Add `ground(A=(0, 0), …)` to its bodies.",
    ),
    "two grounds": (
        lambda: four_bar(bodies=[ground(A=(0, 0)), GROUND, CRANK, COUPLER, ROCKER]),
        "[M01] body 'ground': is there twice.\n       Put all its markers into one `ground(…)`.",
    ),
    "nothing but the ground": (
        lambda: Mechanism("four-bar", bodies=[ground()]),
        "[M10] mechanism 'four-bar': has no body but the ground.\n       Add a body that moves.",
    ),
    "nothing at all": (
        lambda: Mechanism("four-bar"),
        "[M10] mechanism 'four-bar': has no bodies.\n"
        "       Give it a ground and links: `bodies=[ground(A=(0, 0)), rod(…), …]`.",
    ),
    # drives
    "drive of nothing": (
        lambda: four_bar(drives=[Motion("a", time)]),
        "[D01] drive of 'a': there is no joint 'a'.\n       Did you mean 'A'?",
    ),
    "drive that prescribes nothing": (
        lambda: four_bar(drives=[Motion("A")]),
        "[D01] drive of 'A': prescribes nothing.\n       Give a profile, e.g. constant_speed(4.7).",
    ),
    "drive of what cannot move": (
        lambda: four_bar(D=Fixed("D", "ground.D", "rocker.a"), drives=[Motion("D", time)]),
        "[D01] drive of 'D': a Fixed cannot move.\n       Name a joint that can.",
    ),
    "drive of several coordinates": (
        lambda: arm(drives=[Motion("S", time)]),
        "[D03] drive of 'S': the joint has 3 coordinates.\n       Drive markers of its second body instead.",
    ),
    "drive of a component that is not there": (
        lambda: four_bar(drives=[Motion("A", slide=time)]),
        "[D03] drive of 'A': there is no component 'slide'.\n       Name angle.",
    ),
    "drive of a pin": (
        lambda: four_bar(C=Pin("C", "coupler.b", ["rocker.b"]), drives=[Motion("C", time)]),
        "[D01] drive of 'C': is a Pin, which stands for its revolutes.\n       Name 'C/rocker'.",
    ),
    "two drives on one coordinate": (
        lambda: four_bar(drives=[Motion("A", time), Motion("A", angle=2 * time)]),
        "[D02] drive of 'A': its angle has 2 motions.\n       Keep one of them.",
    ),
    "two drives in one motion": (
        lambda: four_bar(drives=[Motion("A", time, angle=2 * time)]),
        "[D02] drive of 'A': its angle has 2 motions.\n       Keep one of them.",
    ),
    "drive of a marker across the plane": (
        lambda: four_bar(drives=[Motion("coupler.b", z=time)]),
        "[D03] drive of 'coupler.b': gives 'z' for a marker of a planar mechanism.\n"
        "       Name one of x, y, angle.",
    ),
    "bare profile for a marker": (
        lambda: arm(drives=[Motion("arm.b", time)]),
        "[D03] drive of 'arm.b': gives a bare profile for a marker of a spatial mechanism.\n"
        "       Name one of x, y, z.",
    ),
    "drive of the ground": (
        lambda: four_bar(drives=[Motion("ground.A", x=time)]),
        "[D01] drive of 'ground.A': is on the ground, which does not move.\n"
        "       Name a marker of a moving body.",
    ),
    "drive of an unknown marker": (
        lambda: four_bar(drives=[Motion("coupler.c", x=time)]),
        "[T03] drive of 'coupler.c': its marker 'c' does not exist on body 'coupler'.\n"
        "       Did you mean 'com'?",
    ),
    "profile that is not finite": (
        lambda: four_bar(drives=[Motion("A", inf)]),
        "[M05] drive of 'A': its profile is inf.\n       Give a finite number.",
    ),
    "profile that is no number": (
        lambda: four_bar(drives=[Motion("A", "fast")]),
        "[M05] drive of 'A': its profile is 'fast', which is not a number.\n"
        "       Give a number or an expression of time.",
    ),
    "profile of the state": (
        lambda: four_bar(drives=[Motion("A", position("B"))]),
        "[D04] drive of 'A': its profile `position(\"B\")` depends on the state.\n"
        "       Prescribe it in time; or give this expression to an Actuator as its effort.",
    ),
    # actuators
    "actuator at nothing": (
        lambda: four_bar(actuators=[Actuator("E")]),
        "[D05] actuator at 'E': there is no joint 'E'.\n       Known are: A, B, C, D.",
    ),
    "two actuators": (
        lambda: four_bar(actuators=[Actuator("A"), Actuator("A", "angle")]),
        "[D02] actuator at 'A': its angle has 2 actuators.\n       Keep one of them.",
    ),
    "limit below zero": (
        lambda: four_bar(actuators=[Actuator("A", limit=-2)]),
        "[D06] actuator at 'A': its limit is -2.\n       Give a positive limit.",
    ),
    "effort that is not finite": (
        lambda: four_bar(actuators=[Actuator("A", effort=nan)]),
        "[M05] actuator at 'A': its effort is nan.\n       Give a finite number.",
    ),
    "effort of an unknown joint": (
        lambda: four_bar(actuators=[Actuator("A", effort=-2 * position("E"))]),
        "[D07] actuator at 'A': its effort reads `position(\"E\")`, but there is no joint 'E'.\n"
        "       Known are: A, B, C, D.",
    ),
    # guesses
    "guess of nothing": (
        lambda: four_bar(guess={"copler.b": (0.8, 0.7)}),
        "[M11] guess 'copler.b': there is no joint, body or marker of that name.\n"
        "       Did you mean 'coupler.b'?",
    ),
    "guess of a joint": (
        lambda: four_bar(guess={"B": (1, 2)}),
        "[M11] guess 'B': has 2 values, expected 1.\n       Give angle; None leaves one open.",
    ),
    "guess of a body in the plane": (
        lambda: four_bar(guess={"coupler": 0.8}),
        "[M11] guess 'coupler': has 1 value, expected 2 or 3.\n"
        "       Give x, y, angle; None leaves one open.",
    ),
    "guess of a body in space": (
        lambda: arm(guess={"arm": (0, 0, 0, 1)}),
        "[M11] guess 'arm': has 4 values, expected 3 or 7.\n"
        "       Give x, y, z, quaternion (4, scalar first); None leaves one open.",
    ),
    "guess of a marker": (
        lambda: four_bar(guess={"coupler.b": (0.8, 0.7, 0, 0)}),
        "[M11] guess 'coupler.b': has 4 values, expected 2 or 3.\n"
        "       Give x, y, angle; None leaves one open.",
    ),
    "guess of no rotation at all": (
        lambda: arm(guess={"S": (0, 0, 0, 0)}),
        "[M11] guess 'S': its quaternion is zero.\n       Give (1, 0, 0, 0) for no turn.",
    ),
    "guess of half a rotation": (
        lambda: arm(guess={"S": (1, 0, None, 0)}),
        "[M11] guess 'S': its quaternion is not whole.\n"
        "       Give all four, scalar first, (1, 0, 0, 0) for no turn, or four None.",
    ),
    "guess of the ground": (
        lambda: four_bar(guess={"ground.A": (0, 0)}),
        "[M11] guess 'ground.A': is on the ground, which does not move.\n       Leave it out.",
    ),
    "guess of what cannot move": (
        lambda: four_bar(D=Fixed("D", "ground.D", "rocker.a"), guess={"D": 1.0}),
        "[M11] guess 'D': has 1 value, expected 0.\n       Leave it out: it cannot move.",
    ),
    "guess by a parameter": (
        lambda: four_bar(guess={"B": Parameter("b", 1)}),
        "[M11] guess 'B': holds parameter(\"b\", 1).\n"
        "       Give plain finite numbers, or None to leave one open.",
    ),
    "guess that is not finite": (
        lambda: four_bar(guess={"coupler.b": (0.8, nan)}),
        "[M11] guess 'coupler.b': holds nan.\n       Give plain finite numbers, or None to leave one open.",
    ),
    "guess that is no mapping": (
        lambda: four_bar(guess=1.0),
        '[M12] guess: is 1.0.\n       Give a mapping of names to values, e.g. guess={"coupler.b": (0.8, 0.7)}.',
    ),
    # wrong kinds
    "body that is none": (
        lambda: four_bar("rocker"),
        "[M12] bodies, entry 4: is 'rocker', which is no Body.\n"
        "       List bodies, made by `Body`, `rod`, `plate` or `ground`.",
    ),
    "joint that is none": (
        lambda: four_bar(joints=[*JOINTS.values(), ROCKER.name]),
        "[M12] joints, entry 5: is 'rocker', which is no joint.\n"
        '       List joints, e.g. Revolute("A", "ground.A", "crank.a").',
    ),
    "drives that are no list": (
        lambda: four_bar(drives=4.7),
        "[M12] drives: is 4.7, which is no list.\n"
        '       List motions, e.g. Motion("A", constant_speed(4.7)).',
    ),
    "actuator that is none": (
        lambda: four_bar(actuators=["A"]),
        "[M12] actuators, entry 1: is 'A', which is no Actuator.\n"
        '       List actuators, e.g. Actuator("A").',
    ),
    "side that is no text": (
        lambda: four_bar(C=Revolute("C", None, "rocker.b")),
        "[M12] joint 'C': its first side is None, which is not text.\n       Write \"body.marker\".",
    ),
    "markers that are no mapping": (
        lambda: four_bar(rocker(markers=0.1)),
        "[M12] body 'rocker': its markers are 0.1.\n"
        '       Give a mapping of names to points, e.g. markers={"c": (0.1, 0)}.',
    ),
    "planar that is no answer": (
        lambda: four_bar(planar="yes"),
        "[M12] planar: is 'yes'.\n       Give True or False.",
    ),
}


def test_the_four_bar_and_the_arm_themselves_are_sound():
    four_bar()
    arm()


@pytest.mark.parametrize("mistake", MESSAGES)
def test_a_mistake_is_one_message(mistake):
    build, text = MESSAGES[mistake]
    with pytest.raises(ModelError) as caught:
        build()
    head, _, rest = str(caught.value).partition("\n")
    assert head in ("mechanism 'four-bar' has 1 fault:", "mechanism 'arm' has 1 fault:")
    assert rest == text


OF_A_BODY = {
    "negative length": (
        lambda: rocker(length=-0.8),
        "[M13] its length is -0.8 m.\n"
        "       Give a number of metres above zero, or a Parameter that has one.",
    ),
    "length that is not finite": (
        lambda: rocker(length=inf),
        "[M13] its length is inf.\n       Give a number of metres above zero, or a Parameter that has one.",
    ),
    "point of an inertia that is worked out": (
        lambda: rocker(inertia_at="a"),
        "[M08] its inertia is not given, yet `inertia_at` is 'a'.\n"
        "       Give `inertia` too, or leave `inertia_at` out.",
    ),
}


@pytest.mark.parametrize("mistake", OF_A_BODY)
def test_a_mistake_in_a_rod_is_told_where_it_is_made(mistake):
    build, text = OF_A_BODY[mistake]
    with pytest.raises(ModelError) as caught:
        build()
    assert str(caught.value) == f"body 'rocker' has 1 fault:\n{text}"


def test_faults_come_together_in_one_error():
    with pytest.raises(ModelError) as caught:
        four_bar(rocker(mass=-0.4), C=Revolute("C", "couplr.b", "rocker.b"))
    assert str(caught.value) == (
        "mechanism 'four-bar' has 2 faults:\n"
        "[M03] body 'rocker': mass is -0.4 kg.\n"
        "       Give a positive mass, or 0.0 to declare a massless link.\n"
        "[T02] joint 'C': its first body 'couplr' does not exist.\n"
        "       Did you mean 'coupler'?"
    )
