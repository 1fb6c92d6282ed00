"""Reaction-dependent friction in equilibrium, in linearised motion and in periodic motion."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest
from texts import Texts
from zoo import ZOO
from zoo.plain import pinned_body, sliding_body

import multiloop as ml

MU, R = 0.2, 0.02
G = 9.81


def worn(**wear: object) -> ml.Mechanism:
    """The four-bar on a spring with friction in three pins."""
    bare = ml.examples.sprung_four_bar()
    pins = [ml.Friction(f"wear {j}", j, coefficient=MU, radius=R, **wear) for j in "ABD"]
    return bare.replace(loads=[*bare.loads, *pins])


def test_friction_at_rest_exerts_nothing_and_reports_its_capacity() -> None:
    bare, rest = ml.equilibrium(ml.examples.sprung_four_bar()), ml.equilibrium(worn())
    assert rest["A"].position == pytest.approx(bare["A"].position, abs=1e-12)
    assert rest.stable
    for joint in "ABD":
        pin = rest.result[f"wear {joint}"]
        assert pin.effort[0] == 0.0
        assert pin.limit[0] == pytest.approx(MU * R * bare.result[joint].load[0], rel=1e-10)


def test_every_position_within_the_limits_stays() -> None:
    """A pendulum on a pin: m g l sin φ ≤ μ r m g, whatever its mass."""
    length = 0.1
    arm = ml.Body("arm", mass=3.0, com=(length, 0), inertia=0.01)
    for part, stays in ((0.99, True), (1.01, False)):
        down = -np.pi / 2 + np.arcsin(part * MU * R / length)
        pendulum = pinned_body(
            arm,
            name="pendulum",
            loads=[ml.Friction("wear", "A", coefficient=MU, radius=R)],
            drives=[ml.Motion("A", float(down))],
        )
        least, most = ml.inverse(pendulum, t=[0.0])["A"].effort_range[0]
        assert (least <= 0.0 <= most) == stays


def test_small_motions_about_rest_are_those_of_a_pin_that_sticks() -> None:
    """A against differences of the accelerations, in a loop, with three pins."""
    mechanism = worn(speed=5.0)
    rest = ml.equilibrium(mechanism)
    model = ml.linearise(mechanism, rest)
    h, at = 1e-5, rest["A"].position

    def acceleration(dq: float, dv: float) -> float:
        state = {"A": at + dq}
        found = ml.forward(mechanism, state, guess=dict(rest.state.positions), rates={"A": dv})
        return float(found["A"].acceleration[0])

    by_q = (acceleration(h, 0) - acceleration(-h, 0)) / (2 * h)
    by_v = (acceleration(0, h) - acceleration(0, -h)) / (2 * h)
    assert model.states == ("A", "A rate")  # the dissipated energy grows, on which no other state depends
    np.testing.assert_allclose(model.A, [[0, 1], [by_q, by_v]], rtol=1e-6)
    assert by_v < -0.01


def block(push: object, mass: float = 3.0) -> ml.Mechanism:
    """A block on a horizontal slide with a force along it, and towards it."""
    return sliding_body(
        ml.Body("block", mass=mass, inertia=0.1),
        "block",
        joint="S",
        gravity=(0, -G),
        loads=[
            ml.Friction("rub", "S", coefficient=0.3),
            ml.Force("push", "block.origin", (push * cos(0.4), -push * sin(0.4))),  # type: ignore[operator]
        ],
    )


def test_a_steady_slide_has_its_friction_in_the_balance_and_in_the_model(texts: Texts) -> None:
    """(P − c v)(cos θ − μ sin θ) = μ m g,   pole −c (cos θ − μ sin θ)/m: the force also presses the block against the
    slide."""
    P, c, mass = 60.0, 2.0, 3.0
    sliding, grip = block(P - c * ml.rate("S")), cos(0.4) - 0.3 * sin(0.4)
    v = (P - 0.3 * mass * G / grip) / c
    model = ml.linearise(sliding, {"S": 0.0}, rates={"S": v})
    assert model.states == ("S rate",)
    np.testing.assert_allclose(model.A, [[-c * grip / mass]], rtol=1e-12)
    steady = ml.equilibrium(sliding, start={"S": 0.0}, rates={"S": v})
    normal = mass * G + (P - c * v) * sin(0.4)
    assert steady.result["rub"].normal[0] == pytest.approx(normal, rel=1e-12)
    assert steady.result["rub"].effort[0] == pytest.approx(-0.3 * normal, rel=1e-12)
    assert steady.result["S"].load[0] == pytest.approx(normal, rel=1e-12)
    with pytest.raises(ml.SolveError) as caught:
        ml.linearise(sliding, {"S": 0.0}, rates={"S": 1.1 * v})
    texts.fault(caught.value, "E02", "'S'", "3.9")


def test_a_shaken_loop_with_worn_pins_settles_to_the_periodic_motion() -> None:
    push = ml.Force("shake", "coupler.p", (30.0 * ml.expr.sin(5.0 * ml.time), 0.0))
    oil = ml.JointSpring("oil", "A", stiffness=0.0, damping=2.0)
    mechanism = worn(speed=0.2)
    mechanism = mechanism.replace(loads=[*mechanism.loads, push, oil])
    found = ml.periodic(mechanism, start={"A": -1.4})
    turns = int(np.ceil(np.log(1e-10) / np.log(np.abs(found.multipliers).max())))
    settled = ml.simulate(mechanism, start={"A": -1.4}, until=turns * found.period, samples=2, rtol=1e-11)
    assert settled["A"].position[-1] == pytest.approx(found["A"].position[0], abs=1e-7)
    assert found.result["wear A"].heat[-1] > 0.0


def test_friction_on_a_joint_that_equilibrium_does_not_determine_is_refused_by_name(texts: Texts) -> None:
    bennett = ZOO["bennett"].build()
    joint = bennett.binary_joints[1].name
    load = ml.Friction("wear", joint, coefficient=0.1, radius=0.01, length=0.05)
    with pytest.raises(ml.SolveError) as caught:
        ml.equilibrium(bennett.replace(loads=[load]), held=True)
    texts.fault(caught.value, "S16", "'wear'")


def test_inverse_dynamics_at_rest_reports_the_range_that_static_friction_allows(texts: Texts) -> None:
    """A block on a horizontal slide, driven from rest to rest: ± μ m g at both ends, and in a dwell between."""
    slide = ml.Mechanism(
        "slide",
        planar=True,
        bodies=[ml.ground(), ml.Body("block", mass=2.0)],
        joints=[ml.Prismatic("slide", "ground.origin", "block.origin")],
        loads=[ml.Friction("wear", "slide", coefficient=0.5)],
        drives=[ml.Motion("slide", ml.motion_laws.cycloidal(0.0, 0.1, duration=1.0))],
    )
    moved = ml.inverse(slide, t=np.linspace(0, 1.5, 31))
    np.testing.assert_allclose(moved["slide"].effort_range[0], [-9.81, 9.81], rtol=1e-9)
    texts.warnings(moved, ("W72", "slide", "t = 0 s", "1.5 s", "-9.81 N", "9.81 N"))
    assert ml.inverse(slide, t=np.linspace(0.2, 0.8, 7)).status == "ok"
    held = ml.inverse(slide, state={"slide": 0.0}, accelerations={"slide": 0.0})
    texts.warnings(held, ("W72", "slide", "t = 0 s", "9.81 N"))


def test_friction_balances_where_a_gear_is_the_only_constraint() -> None:
    """The mass centre of the wheel is below its axis; smooth friction exerts nothing at rest."""
    gears = ml.Mechanism(
        "gears",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), B=(0.12, 0)),
            ml.Body("pinion", mass=1.0, inertia=0.02),
            ml.Body("wheel", mass=2.0, inertia=0.08, com=(0.05, 0)),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "pinion.origin"),
            ml.Revolute("B", "ground.B", "wheel.origin"),
        ],
        pairs=[ml.Gear("mesh", "pinion.origin", "wheel.origin", teeth=(20, 60))],
        loads=[ml.Friction("pin", "A", coefficient=0.15, radius=0.02)],
    )
    found = ml.equilibrium(gears, start={"A": 4.7})
    assert found["B"].position == pytest.approx(-np.pi / 2, abs=1e-9)
    frequency = np.sqrt(2.0 * 9.81 * 0.05 / (0.08 + 2.0 * 0.05**2 + 9 * 0.02))
    poles = np.linalg.eigvals(ml.linearise(gears, state=found).A)
    assert np.prod(poles).real == pytest.approx(frequency**2, rel=1e-9)
