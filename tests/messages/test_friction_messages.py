"""Messages for invalid friction, and for friction that cannot be determined."""

import pytest
from zoo import ZOO

import multiloop as ml

BODIES = [
    ml.ground(A=(0, 0), s=(0.5, 1)),
    ml.rod("arm", length=1.0, mass=1.0),
    ml.rod("fore", length=0.6, mass=0.5),
]
JOINTS = [ml.Revolute("A", "ground.A", "arm.a"), ml.Prismatic("E", "arm.b", "fore.a")]


def arm(joint="A", **friction):
    return ml.Mechanism(
        "arm", planar=True, bodies=BODIES, joints=JOINTS, loads=[ml.Friction("wear", joint, **friction)]
    )


def spatial(joint, **friction):
    bodies = [ml.ground(O=(0, 0, 0)), ml.rod("arm", length=1.0, mass=1.0)]
    return ml.Mechanism(
        "arm", bodies=bodies, joints=[joint], loads=[ml.Friction("wear", joint.name, **friction)]
    )


MESSAGES = {
    "no radius": (lambda: arm(coefficient=0.1), ("L08", "load 'wear'", "'A'")),
    "neither": (lambda: arm(radius=0.02), ("L08", "load 'wear'")),
    "both": (lambda: arm(coefficient=0.1, radius=0.02, effort=2.0), ("L08", "load 'wear'")),
    "negative coefficient": (lambda: arm(coefficient=-0.1, radius=0.02), ("L06", "load 'wear'", "-0.1")),
    "negative effort": (lambda: arm(effort=-3.0), ("L06", "load 'wear'", "-3")),
    "no radius at all": (lambda: arm(coefficient=0.1, radius=0.0), ("L06", "load 'wear'", "0")),
    "no speed": (lambda: arm(effort=1.0, speed=0.0), ("L06", "load 'wear'", "0")),
    "three coefficients": (lambda: arm("E", coefficient=(0.3, 0.2, 0.1)), ("L08", "load 'wear'", "3")),
    "static below sliding": (lambda: arm("E", coefficient=(0.1, 0.2)), ("L08", "load 'wear'", "0.1", "0.2")),
    "side": (lambda: arm("E", coefficient=0.1, side="left"), ("L08", "load 'wear'", "'left'")),
    "joint that is not there": (lambda: arm("F", effort=1.0), ("L01", "load 'wear'", "'F'")),
    "several freedoms": (
        lambda: spatial(ml.Cylindrical("C", "ground.O", "arm.a"), coefficient=0.1),
        ("L01", "load 'wear'", "'C'", "2"),
    ),
    "unknown pressing": (
        lambda: spatial(
            ml.Universal("U", "ground.O", "arm.a"), component="first", coefficient=0.1, radius=0.02
        ),
        ("L08", "load 'wear'", "'U'"),
    ),
    "screw that no moment turns": (
        lambda: spatial(ml.Helical("H", "ground.O", "arm.a", 0.05), coefficient=0.3, radius=0.01),
        ("L08", "load 'wear'", "0.05", "0.01 m", "0.3", "'H'", "1.5"),
    ),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_the_text(case, texts):
    build, text = MESSAGES[case]
    with pytest.raises(ml.ModelError) as raised:
        build()
    texts.fault(raised.value, *text)


@pytest.mark.parametrize("function", ["forward", "inverse"])
def test_friction_on_a_joint_that_equilibrium_does_not_determine_is_refused_by_name(function, texts):
    bennett = ZOO["bennett"].build()
    joint = bennett.binary_joints[1].name
    worn = bennett.replace(loads=[ml.Friction("wear", joint, coefficient=0.1, radius=0.01, length=0.05)])
    with pytest.raises(ml.SolveError) as raised:
        ml.forward(worn) if function == "forward" else ml.inverse(worn, t=[0.1])
    texts.fault(raised.value, "S16", "load 'wear'", f"joint '{joint}'")
