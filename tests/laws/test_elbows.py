"""Arms whose tool is held at a point: two assembly modes, with the elbow on either side, with and without rotors."""

from __future__ import annotations

from math import acos, atan2, cos, hypot, pi, sin

import pytest

import multiloop as ml

UPPER, LOWER = 0.4, 0.3


def arm(ratio: float | None = None, **more: object) -> ml.Mechanism:
    """A planar arm of two links; with a ratio both motors have rotors behind gearboxes."""
    motor = {} if ratio is None else {"rotor_inertia": 1e-4, "ratio": ratio}
    return ml.Mechanism(
        "two-link arm",
        planar=True,
        bodies=[
            ml.ground(),
            ml.rod("upper", length=UPPER, mass=1.0),
            ml.rod("lower", length=LOWER, mass=1.0),
        ],
        joints=[
            ml.Revolute("A", "ground.origin", "upper.a"),
            ml.Revolute("B", "upper.b", "lower.a"),
        ],
        actuators=[ml.Actuator(joint, **motor) for joint in "AB"],  # type: ignore[arg-type]
        **more,  # type: ignore[arg-type]
    )


def elbows(x: float, y: float) -> list[tuple[float, float]]:
    """Both pairs of joint angles, by the law of cosines."""
    bend = acos((x * x + y * y - UPPER**2 - LOWER**2) / (2 * UPPER * LOWER))
    return [(atan2(y, x) - atan2(LOWER * sin(B), UPPER + LOWER * cos(B)), B) for B in (bend, -bend)]


@pytest.mark.parametrize("ratio", [None, 1.0, 60.0, 130.0, 1000.0])
@pytest.mark.parametrize("place", [(0.5, 0.2), (0.2, 0.2), (-0.3, -0.5)])
def test_both_elbows_are_found_once(place: tuple[float, float], ratio: float | None) -> None:
    found = ml.branches(arm(ratio), {"lower.b": place})
    angles = sorted((state["A"].position, state["B"].position) for state in found)
    assert angles == [pytest.approx(one, abs=1e-12) for one in sorted(elbows(*place))]
    for state in found if ratio else ():
        assert state["A/motor"].position == pytest.approx(ratio * state["A"].position, rel=1e-12)


@pytest.mark.parametrize("ratio", [None, 130.0])
def test_neither_elbow_is_chosen_silently(ratio: float | None) -> None:
    reaching = arm(ratio, drives=[ml.Motion("lower.b", x=0.5 + 0.05 * ml.time, y=0.2)])
    with pytest.raises(ml.AssemblyError) as caught:
        ml.inverse(reaching, t=[0.0, 0.1])
    assert caught.value.faults[0].code == "K02"
    assert len(caught.value.choices) == 2
    for sign in (1, -1):
        chosen = ml.inverse(reaching, t=[0.0, 0.1], guess={"B": sign * pi / 2})
        assert chosen["B"].position[0] == pytest.approx(max(sign * B for _, B in elbows(0.5, 0.2)) * sign)
        assert chosen.status == "ok"


def test_a_tool_of_a_geared_arm_with_loops_is_placed_in_every_mode() -> None:
    """A parallelogram drives the forearm; the rotors change neither number nor place of the assembly modes."""

    def palletiser(**motor: float) -> ml.Mechanism:
        return ml.Mechanism(
            "palletiser",
            planar=True,
            bodies=[
                ml.ground(),
                ml.rod("arm", length=1.0, mass=1.0),
                ml.rod("crank", length=0.3, mass=1.0),
                ml.rod("pull", length=1.0, mass=1.0),
                ml.rod("forearm", length=1.5, mass=1.0, markers={"elbow": 0.3}),
            ],
            joints=[
                ml.Revolute("A", "ground.origin", "arm.a"),
                ml.Revolute("C", "ground.origin", "crank.a"),
                ml.Revolute("p", "crank.b", "pull.a"),
                ml.Revolute("r", "pull.b", "forearm.a"),
                ml.Revolute("elbow", "arm.b", "forearm.elbow"),
            ],
            actuators=[ml.Actuator(joint, **motor) for joint in "AC"],  # type: ignore[arg-type]
        )

    tool = {"forearm.b": (1.3, 0.1)}
    plain = ml.branches(palletiser(), tool)
    geared = ml.branches(palletiser(rotor_inertia=1e-4, ratio=130.0), tool)
    angles = [
        sorted((round(state["A"].position, 9), round(state["C"].position, 9)) for state in found)
        for found in (plain, geared)
    ]
    assert len(plain) == 4
    assert angles[1] == angles[0]
    assert hypot(*geared[0].marker("forearm.b")) == pytest.approx(hypot(1.3, 0.1))
