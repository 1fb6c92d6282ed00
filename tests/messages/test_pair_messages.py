"""Messages for invalid relations and wheels."""

import pytest
from zoo.plain import free_body

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
    return free_body(
        ml.Body("ball", mass=1.0, inertia=inertia),
        "road",
        joint="ball floats freely",
        planar=planar,
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
    "nothing is tied": (lambda: train(3.0 * ml.time - 2.0), ("P01", "relation 'mesh'", "`3 * time - 2`")),
    "a number": (lambda: train(2.0), ("P01", "relation 'mesh'", "`2`")),
    "text": (lambda: train("A - 2 B"), ("M12", "relation 'mesh'", "'A - 2 B'")),
    "a joint that is not there": (
        lambda: train(A - ml.position("BB")),
        ("P02", "relation 'mesh'", '`position("BB")`', "'BB'"),
    ),
    "a coordinate that is not there": (
        lambda: train(A - ml.position("B", 1)),
        ("P02", "relation 'mesh'", '`position("B", 1)`'),
    ),
    "a pin": (lambda: pinned(ml.position("P") - 0.3), ("P02", "relation 'mesh'", '`position("P")`', "'P'")),
    "part of a quaternion": (
        lambda: train(A - ml.position("S", 2)),
        ("P03", "relation 'mesh'", '`position("S", 2)`'),
    ),
    "a rate that is not there": (
        lambda: train(ml.rate("A") - ml.rate("S", 3)),
        ("P02", "relation 'mesh'", '`rate("S", 3)`'),
    ),
    "rates that are not linear": (
        lambda: train(A * ml.rate("A") - ml.rate("B") ** 2),
        ("P04", "relation 'mesh'", '`rate("B")`'),
    ),
    "a product of rates": (
        lambda: train(A + ml.rate("A") * ml.rate("B")),
        ("P04", "relation 'mesh'", '`rate("A")`'),
    ),
    "rates that cancel": (
        lambda: train(A - 0 * ml.rate("B")),
        ("P01", "relation 'mesh'", '`position("A") - 0 * rate("B")`'),
    ),
    "the length of a spring": (
        lambda: train(A - ml.length("coil")),
        ("P04", "relation 'mesh'", '`length("coil")`'),
    ),
    "the name of a joint": (lambda: train(A - B, name="A"), ("M01", "joint 'A'")),
    "the name of a body": (lambda: train(A - B, name="one"), ("M01", "joint 'one'")),
    "no radius": (lambda: wheel(0.0), ("M13", "pair 'contact'", "0")),
    "a radius that changes": (lambda: wheel(0.3 + ml.time), ("M07", "pair 'contact'", "`0.3 + time`")),
    "a ball without a radius": (
        lambda: rolling(ml.RollingBall(*BALL, radius=-0.1)),
        ("M13", "pair 'contact'", "-0.1"),
    ),
    "a ball that is the ground": (
        lambda: rolling(ml.RollingBall("contact", "ground.origin", "ball.origin", radius=0.1)),
        ("P05", "pair 'contact'", "'ground.origin'"),
    ),
    "pivots that are neither": (
        lambda: rolling(ml.RollingBall(*BALL, radius=0.1, pivots="no")),
        ("M12", "pair 'contact'", "`pivots`", "'no'"),
    ),
    "a ball kept from pivoting in the plane": (
        lambda: rolling(ml.RollingBall(*BALL, radius=0.1, pivots=False), planar=True),
        ("M06", "pair 'contact'", "`pivots`"),
    ),
    "an omni wheel in the plane": (
        lambda: rolling(ml.Rolling(*BALL, radius=0.1, sideways=True), planar=True),
        ("M06", "pair 'contact'", "`sideways`"),
    ),
    "a crown below zero": (
        lambda: rolling(ml.Rolling(*BALL, radius=0.1, crown=-0.02)),
        ("M13", "pair 'contact'", "-0.02"),
    ),
    "a crown as large as the wheel": (
        lambda: rolling(ml.Rolling(*BALL, radius=0.1, crown=0.1)),
        ("M13", "pair 'contact'", "0.1"),
    ),
    "on itself": (
        lambda: wheel(second="wheel.origin"),
        [("T01", "pair 'contact'", "'wheel'"), ("T04", "body 'wheel'")],
    ),
}


@pytest.mark.parametrize("mistake", MESSAGES)
def test_every_mistake_has_its_message(mistake, texts):
    build, text = MESSAGES[mistake]
    with pytest.raises(ml.ModelError) as caught:
        build()
    texts.faults(caught.value, *(text if isinstance(text, list) else [text]))


CONTRADICTING = {
    "positions": (
        (A - 3 * B, A - 3 * B - 0.1),
        ("K01", "relation 'again'", "0.3", "(1, 0, 0, 0)", "0.05 rad"),
    ),
    "rates": ((A - 3 * B, ml.rate("A") - 3 * ml.rate("B") - 1.0), ("K09", "constraints", "0.5")),
}


@pytest.mark.parametrize("held", CONTRADICTING)
@pytest.mark.parametrize("asked", [{}, {"A": 1.0}])
def test_relations_that_contradict_each_other(held, asked, texts):
    equations, text = CONTRADICTING[held]
    mechanism = train(
        None,
        pairs=[ml.Relation(name, one) for name, one in zip(("mesh", "again"), equations, strict=True)],
    )
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(mechanism, {"A": 0.3, "S": (1, 0, 0, 0)}, rates=asked)
    texts.fault(caught.value, *text)


def test_a_ball_off_its_plane_is_reported_with_the_fields_to_check(texts):
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(rolling(ml.RollingBall(*BALL, radius=0.1)), {"ball": (0, 0, 0.3, 1, 0, 0, 0)})
    texts.fault(caught.value, "K01", "pair 'contact'")


def test_a_wheel_that_lies_flat_is_reported(texts):
    disc = ml.Mechanism(
        "disc",
        bodies=[ml.ground(plane=(0, 0, 0)), ml.Body("disc", mass=1.0, inertia=(0.02, 0.02, 0.04))],
        pairs=[ml.Rolling("contact", "disc.origin", "ground.plane", radius=0.3)],
    )
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(disc, {"disc": (0, 0, 0.3, 1, 0, 0, 0)})
    texts.fault(caught.value, "K01", "pair 'contact'")
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(disc)
    texts.fault(caught.value, "K03", "start", "5")
