"""What a user reads when a relation or a wheel is wrong, word for word."""

import pytest

import multiloop as ml


def train(equation, name="mesh", **changes):
    """Two shafts, a ball and a bracket; the pin holds two links."""
    given = {
        "bodies": [
            ml.ground(A=(0, 0, 0), B=(0.3, 0, 0), C=(0, 1, 0)),
            ml.Body("one", mass=1.0, inertia=(0.02, 0.02, 0.02)),
            ml.Body("two", mass=2.0, inertia=(0.08, 0.08, 0.08)),
            ml.Body("ball", mass=2.0, inertia=(0.08, 0.08, 0.08)),
        ],
        "joints": [
            ml.Revolute("A", "ground.A", "one.origin"),
            ml.Revolute("B", "ground.B", "two.origin"),
            ml.Spherical("S", "ground.C", "ball.origin"),
        ],
        "pairs": [ml.Relation(name, equation)],
    }
    return ml.Mechanism("train", **(given | changes))


def pinned(equation):
    """Two links on one pin."""
    return ml.Mechanism(
        "pinned",
        planar=True,
        bodies=[
            ml.ground(O=(0, 0)),
            ml.rod("one", length=0.3, mass=1.0),
            ml.rod("two", length=0.4, mass=1.0),
        ],
        joints=[ml.Pin("P", "ground.O", ["one.a", "two.a"])],
        pairs=[ml.Relation("mesh", equation)],
    )


def rolling(pair, planar=False):
    """A body that rolls on the ground, in space."""
    inertia = 0.05 if planar else (0.05, 0.05, 0.05)
    return ml.Mechanism(
        "road",
        planar=planar,
        bodies=[ml.ground(), ml.Body("ball", mass=1.0, inertia=inertia)],
        joints=[ml.Free("ball floats freely", "ground.origin", "ball.origin")],
        pairs=[pair],
    )


BALL = ("contact", "ball.origin", "ground.origin")


def wheel(radius=0.3, second="ground.road"):
    return ml.Mechanism(
        "road",
        planar=True,
        bodies=[ml.ground(road=(0, 0)), ml.Body("wheel", mass=1.0, inertia=0.05, markers={"c": (0, 0)})],
        pairs=[ml.Rolling("contact", "wheel.c", second, radius=radius)],
    )


A, B = ml.position("A"), ml.position("B")

MESSAGES = {
    "nothing is tied": (
        lambda: train(3.0 * ml.time - 2.0),
        "[P01] relation 'mesh': its equation is `3 * time - 2`, which ties no joint.\n"
        '       Read positions of joints, e.g. position("A") - 3 * position("B").',
    ),
    "a number": (
        lambda: train(2.0),
        "[P01] relation 'mesh': its equation is `2`, which ties no joint.\n"
        '       Read positions of joints, e.g. position("A") - 3 * position("B").',
    ),
    "text": (
        lambda: train("A - 2 B"),
        "[M12] relation 'mesh': its equation is 'A - 2 B', which is no expression.\n"
        '       Give an expression that stays zero, e.g. position("A") - 3 * position("B").',
    ),
    "a joint that is not there": (
        lambda: train(A - ml.position("BB")),
        "[P02] relation 'mesh': reads `position(\"BB\")`, but there is no joint 'BB'.\n       Did you mean 'B'?",
    ),
    "a coordinate that is not there": (
        lambda: train(A - ml.position("B", 1)),
        "[P02] relation 'mesh': reads `position(\"B\", 1)`, but the joint has 1 coordinate.\n"
        "       Count its coordinates 0, 1, 2, …",
    ),
    "a pin": (
        lambda: pinned(ml.position("P") - 0.3),
        "[P02] relation 'mesh': reads `position(\"P\")`, but 'P' is a Pin, which stands for its revolutes.\n"
        "       Name one of 'P/one', 'P/two'.",
    ),
    "part of a quaternion": (
        lambda: train(A - ml.position("S", 2)),
        "[P03] relation 'mesh': reads `position(\"S\", 2)`, which is part of a quaternion.\n"
        "       Tie slides, or angles of a joint that turns about axes: a Revolute, Cylindrical or Universal.",
    ),
    "a rate that is not there": (
        lambda: train(ml.rate("A") - ml.rate("S", 3)),
        "[P02] relation 'mesh': reads `rate(\"S\", 3)`, but the joint has 3 rates.\n"
        "       Count its rates 0, 1, 2, …",
    ),
    "rates that are not linear": (
        lambda: train(A * ml.rate("A") - ml.rate("B") ** 2),
        "[P04] relation 'mesh': its equation is not linear in `rate(\"B\")`.\n"
        "       Read rates linearly, with factors of positions, parameters and time. An effort that depends on rates "
        "in another way belongs to an Actuator or a load.",
    ),
    "a product of rates": (
        lambda: train(A + ml.rate("A") * ml.rate("B")),
        "[P04] relation 'mesh': its equation is not linear in `rate(\"A\")`.\n"
        "       Read rates linearly, with factors of positions, parameters and time. An effort that depends on rates "
        "in another way belongs to an Actuator or a load.",
    ),
    "rates that cancel": (
        lambda: train(A - 0 * ml.rate("B")),
        '[P01] relation \'mesh\': its equation is `position("A") - 0 * rate("B")`, in which every rate cancels.\n'
        '       Leave the rates out, e.g. position("A") - 3 * position("B").',
    ),
    "the length of a spring": (
        lambda: train(A - ml.length("coil")),
        "[P04] relation 'mesh': reads `length(\"coil\")`, but a relation holds coordinates of joints.\n"
        "       Read positions or rates of joints. Two points a fixed length apart are a Distance.",
    ),
    "the name of a joint": (
        lambda: train(A - B, name="A"),
        "[M01] joint 'A': is there twice.\n       Give each its own name.",
    ),
    "the name of a body": (
        lambda: train(A - B, name="one"),
        "[M01] joint 'one': has the name of a body.\n"
        "       Rename one of them: results, guesses and starts address both by name.",
    ),
    "no radius": (
        lambda: wheel(0.0),
        "[M13] pair 'contact': its radius is 0.\n       Give the radius of the wheel in metres.",
    ),
    "a radius that changes": (
        lambda: wheel(0.3 + ml.time),
        "[M07] pair 'contact': radius is `0.3 + time`, which changes as the mechanism moves.\n"
        "       Geometry, inertia and gravity take numbers and parameters only.",
    ),
    "a ball without a radius": (
        lambda: rolling(ml.RollingBall(*BALL, radius=-0.1)),
        "[M13] pair 'contact': its radius is -0.1.\n       Give the radius of the ball in metres.",
    ),
    "a ball that is the ground": (
        lambda: rolling(ml.RollingBall("contact", "ground.origin", "ball.origin", radius=0.1)),
        "[P05] pair 'contact': its first marker, the middle of the ball, is 'ground.origin' on the ground.\n"
        '       Name the ball first and the road second: "ball.origin", "ground.origin". A drum that stands still is a '
        "body with a Fixed joint.",
    ),
    "pivots that are neither": (
        lambda: rolling(ml.RollingBall(*BALL, radius=0.1, pivots="no")),
        "[M12] pair 'contact': its `pivots` is 'no'.\n       Give True or False.",
    ),
    "a ball kept from pivoting in the plane": (
        lambda: rolling(ml.RollingBall(*BALL, radius=0.1, pivots=False), planar=True),
        "[M06] pair 'contact': its `pivots` is False, which a planar mechanism has no room for.\n"
        "       Leave `pivots` out, or make the mechanism spatial.",
    ),
    "an omni wheel in the plane": (
        lambda: rolling(ml.Rolling(*BALL, radius=0.1, sideways=True), planar=True),
        "[M06] pair 'contact': its `sideways` is True, which a planar mechanism has no room for.\n"
        "       Leave `sideways` out, or make the mechanism spatial.",
    ),
    "a crown below zero": (
        lambda: rolling(ml.Rolling(*BALL, radius=0.1, crown=-0.02)),
        "[M13] pair 'contact': its crown is -0.02.\n"
        "       Give the radius of its tread from side to side: 0 for a sharp rim, less than the radius of the wheel.",
    ),
    "a crown as large as the wheel": (
        lambda: rolling(ml.Rolling(*BALL, radius=0.1, crown=0.1)),
        "[M13] pair 'contact': its crown is 0.1, its radius 0.1.\n"
        "       Give the radius of its tread from side to side: 0 for a sharp rim, less than the radius of the wheel. "
        "A ball is a RollingBall.",
    ),
    "on itself": (
        lambda: wheel(second="wheel.origin"),
        "[T01] pair 'contact': connects body 'wheel' with itself.\n       Give markers of two different bodies.\n"
        "[T04] body 'wheel': is not connected to the ground.\n"
        '       Join it, or let it float: Free("floating", "ground.origin", "wheel.origin").',
    ),
}


@pytest.mark.parametrize("mistake", MESSAGES)
def test_every_mistake_has_its_words(mistake):
    build, text = MESSAGES[mistake]
    with pytest.raises(ml.ModelError) as caught:
        build()
    assert str(caught.value).partition("\n")[2] == text


CONTRADICTING = {
    "positions": (
        (A - 3 * B, A - 3 * B - 0.1),
        "[K01] relation 'again': cannot be closed with A = 0.3, S = (quaternion (1, 0, 0, 0)): 0.05 rad stay open.\n"
        "       Check its equation and the held values, and whether 'mesh' contradicts it; the error's `.best` "
        "holds the nearest position.",
    ),
    "rates": (
        (A - 3 * B, ml.rate("A") - 3 * ml.rate("B") - 1.0),
        "[K09] constraints: the rates that they ask for contradict each other: a part 0.5 of them stays over.\n"
        "       Look for relations that contradict each other: 'mesh', 'again'.",
    ),
}


@pytest.mark.parametrize("held", CONTRADICTING)
@pytest.mark.parametrize("asked", [{}, {"A": 1.0}])
def test_relations_that_contradict_each_other(held, asked):
    equations, text = CONTRADICTING[held]
    mechanism = train(
        None,
        pairs=[ml.Relation(name, one) for name, one in zip(("mesh", "again"), equations, strict=True)],
    )
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(mechanism, {"A": 0.3, "S": (1, 0, 0, 0)}, rates=asked)
    assert str(caught.value).partition("\n")[2] == text


def test_a_ball_beside_its_plane_is_told_what_to_look_at():
    with pytest.raises(
        ml.AssemblyError,
        match=r"(?s)\[K0[14]\] pair 'contact': cannot be closed .* the normal, z of the second marker",
    ):
        ml.assemble(rolling(ml.RollingBall(*BALL, radius=0.1)), {"ball": (0, 0, 0.3, 1, 0, 0, 0)})


def test_a_wheel_that_lies_flat_is_told_so():
    disc = ml.Mechanism(
        "disc",
        bodies=[ml.ground(plane=(0, 0, 0)), ml.Body("disc", mass=1.0, inertia=(0.02, 0.02, 0.04))],
        pairs=[ml.Rolling("contact", "disc.origin", "ground.plane", radius=0.3)],
    )
    with pytest.raises(
        ml.AssemblyError, match=r"(?s)\[K01\] pair 'contact': cannot be closed .* must not lie flat"
    ):
        ml.assemble(disc, {"disc": (0, 0, 0.3, 1, 0, 0, 0)})
    with pytest.raises(ml.AssemblyError, match=r"\[K03\] start: 5 freedoms are left open"):
        ml.assemble(disc)
