"""What a user reads when friction is described wrongly, or cannot be known: word for word."""

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
    "no radius": (
        lambda: arm(coefficient=0.1),
        "[L08] load 'wear': has no radius, but joint 'A' is a Revolute: its friction is a moment.\n"
        "       Give radius=, that of the pin or of the thread, in metres.",
    ),
    "neither": (
        lambda: arm(radius=0.02),
        "[L08] load 'wear': has neither a coefficient nor an effort.\n"
        "       Give coefficient= for friction by the joint's own force, or effort= for one that is known.",
    ),
    "both": (
        lambda: arm(coefficient=0.1, radius=0.02, effort=2.0),
        "[L08] load 'wear': has both a coefficient and an effort.\n"
        "       Give coefficient= for friction by the joint's own force, or effort= for one that is known.",
    ),
    "negative coefficient": (
        lambda: arm(coefficient=-0.1, radius=0.02),
        "[L06] load 'wear': its coefficient is -0.1.\n"
        "       Give it without sign: friction is against the motion by itself.",
    ),
    "negative effort": (
        lambda: arm(effort=-3.0),
        "[L06] load 'wear': its effort is -3.\n"
        "       Give it without sign: friction is against the motion by itself.",
    ),
    "no radius at all": (
        lambda: arm(coefficient=0.1, radius=0.0),
        "[L06] load 'wear': its radius is 0.\n       Give a positive number of metres.",
    ),
    "no speed": (
        lambda: arm(effort=1.0, speed=0.0),
        "[L06] load 'wear': its speed is 0.\n"
        "       Give a positive number of rad/s or m/s: below it the joint creeps.",
    ),
    "three coefficients": (
        lambda: arm("E", coefficient=(0.3, 0.2, 0.1)),
        "[L08] load 'wear': its coefficient has 3 entries.\n       Give a number, or two: (static, sliding).",
    ),
    "static below sliding": (
        lambda: arm("E", coefficient=(0.1, 0.2)),
        "[L08] load 'wear': its static coefficient 0.1 is below the sliding one, 0.2.\n"
        "       Give (static, sliding), the larger first.",
    ),
    "side": (
        lambda: arm("E", coefficient=0.1, side="left"),
        "[L08] load 'wear': its side is 'left'.\n       Write side=\"second\" or side=\"first\".",
    ),
    "joint that is not there": (
        lambda: arm("F", effort=1.0),
        "[L01] load 'wear': there is no joint 'F'.\n       Known are: A, E.",
    ),
    "several freedoms": (
        lambda: spatial(ml.Cylindrical("C", "ground.O", "arm.a"), coefficient=0.1),
        "[L01] load 'wear': joint 'C' has 2 coordinates.\n"
        '       Name one of angle, slide with component="angle".',
    ),
    "unknown pressing": (
        lambda: spatial(
            ml.Universal("U", "ground.O", "arm.a"), component="first", coefficient=0.1, radius=0.02
        ),
        "[L08] load 'wear': joint 'U' is a Universal, of which it is not known what its force presses on.\n"
        "       Give effort=, or take a Revolute, Prismatic, Cylindrical or Helical joint.",
    ),
    "screw that no moment turns": (
        lambda: spatial(ml.Helical("H", "ground.O", "arm.a", 0.05), coefficient=0.3, radius=0.01),
        "[L08] load 'wear': with pitch 0.05 m/rad, radius 0.01 m and coefficient 0.3 no moment turns the screw 'H' "
        "against its load: tan α tan φ is 1.5.\n"
        "       Give a smaller coefficient or pitch, or a larger radius.",
    ),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_the_text(case):
    build, text = MESSAGES[case]
    with pytest.raises(ml.ModelError) as raised:
        build()
    assert text in str(raised.value)


@pytest.mark.parametrize("verb", ["forward", "inverse"])
def test_friction_on_a_joint_that_equilibrium_does_not_determine_is_refused_by_name(verb):
    bennett = ZOO["bennett"].build()
    joint = bennett.binary_joints[1].name
    worn = bennett.replace(loads=[ml.Friction("wear", joint, coefficient=0.1, radius=0.01, length=0.05)])
    with pytest.raises(ml.SolveError) as raised:
        ml.forward(worn) if verb == "forward" else ml.inverse(worn, t=[0.1])
    assert "[S16] load 'wear': follows the" in str(raised.value)
    assert f"at joint '{joint}', which equilibrium does not determine." in str(raised.value)
