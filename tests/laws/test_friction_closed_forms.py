"""Friction in closed form: incline, journal, guide, screw, and a rod that jams."""

from __future__ import annotations

import numpy as np
import pytest
from texts import Texts
from zoo.plain import pinned_body, sliding_body

import multiloop as ml

G = 9.81


def incline(angle: float, **friction: object) -> ml.Mechanism:
    """A block of 2 kg on a guide that falls at an angle."""
    return ml.Mechanism(
        "incline",
        planar=True,
        bodies=[ml.ground(A=ml.marker((0, 0), angle=-angle)), ml.Body("block", mass=2.0, inertia=0.1)],
        joints=[ml.Prismatic("slide", "ground.A", "block.origin")],
        loads=[ml.Friction("wear", "slide", **friction)],  # type: ignore[arg-type]
    )


def test_a_block_slides_down_an_incline_with_what_friction_leaves_of_its_weight() -> None:
    run = ml.simulate(incline(0.6, coefficient=0.3), start={"slide": 0.0}, rates={"slide": 0.5}, until=1.0)
    a = G * (np.sin(0.6) - 0.3 * np.cos(0.6))
    np.testing.assert_allclose(run["slide"].acceleration, a, rtol=1e-12)
    np.testing.assert_allclose(run["slide"].position[-1], 0.5 + a / 2, rtol=1e-12)
    wear = run["wear"]
    np.testing.assert_allclose(wear.normal, 2.0 * G * np.cos(0.6), rtol=1e-12)
    np.testing.assert_allclose(wear.effort, -0.3 * wear.normal, rtol=1e-12)
    np.testing.assert_allclose(wear.limit, 0.3 * wear.normal, rtol=1e-12)
    np.testing.assert_allclose(wear.heat, -wear.effort * run["slide"].position, rtol=1e-10)
    np.testing.assert_allclose(wear.power, wear.effort * run["slide"].rate, rtol=1e-12)
    assert not wear.creeping.any()
    assert run.energy_drift < 1e-13


def test_flatter_than_the_angle_of_friction_it_creeps_below_the_speed() -> None:
    """σ(u) μ cos = sin at the end, u the fraction of the creep speed."""
    run = ml.simulate(incline(0.3, coefficient=0.5), start={"slide": 0.0}, until=1.0)
    size = np.sqrt(0.1 / 2.0)  # the length of a body with one marker: its radius of gyration
    u = run["slide"].rate[-1] / (np.sqrt(G * size) / 3000)
    sigma = u * (15 - 10 * u**2 + 3 * u**4) / 8
    np.testing.assert_allclose(sigma, np.tan(0.3) / 0.5, rtol=1e-6)  # rates are held to 1e-10
    assert run["wear"].creeping.all()
    assert not run["wear"].sticking.any()
    assert run["slide"].position[-1] < np.sqrt(G * size) / 3000  # one second at the creep speed


def test_static_friction_is_that_at_the_speed_and_sliding_that_beyond() -> None:
    block = incline(0.4, coefficient=(0.6, 0.2), speed=0.01)
    for rate, mu in ((0.01, 0.6), (-0.01, 0.6), (0.1, 0.2), (2.0, 0.2)):
        result = ml.forward(block, {"slide": 0.0}, rates={"slide": rate})
        a = G * (np.sin(0.4) - np.sign(rate) * mu * np.cos(0.4))
        np.testing.assert_allclose(result["slide"].acceleration[0], a, rtol=1e-12)


def test_a_brake_is_an_effort_of_its_own_and_may_be_viscous_too() -> None:
    brake = 4.0 * ml.expr.clip(ml.time / 0.5, 0.0, 1.0)
    block = incline(0.0, effort=brake, viscous=1.5)
    run = ml.simulate(block, start={"slide": 0.0}, rates={"slide": 3.0}, until=0.5, samples=[0.25, 0.5])
    expected = -4.0 * np.array([0.5, 1.0]) - 1.5 * run["slide"].rate
    np.testing.assert_allclose(run["wear"].effort, expected, rtol=1e-11)
    np.testing.assert_allclose(run["wear"].limit, [2.0, 4.0], rtol=1e-12)
    assert "normal" not in dir(run["wear"])
    np.testing.assert_allclose(run.kinetic_energy + run["wear"].heat, 9.0, rtol=1e-11)


def test_the_pin_of_a_pendulum_holds_back_by_radius_times_force() -> None:
    """M = μ r |F| with F of the pendulum itself: solved by hand for α."""
    m, length, mu, r, angle, omega = 1.7, 0.6, 0.4, 0.05, 0.8, 2.5
    pendulum = pinned_body(
        ml.rod("bob", length=length, mass=m),
        name="pendulum",
        loads=[ml.Friction("wear", "A", coefficient=mu, radius=r)],
    )
    result = ml.forward(pendulum, {"A": angle - np.pi / 2}, rates={"A": omega})
    alpha = float(result["A"].acceleration[0])
    h = length / 2
    across = m * (h * alpha + G * np.sin(angle))
    along = m * (-h * omega**2 - G * np.cos(angle))
    moment = -mu * r * np.hypot(across, along)
    inertia = m * length**2 / 3
    np.testing.assert_allclose(inertia * alpha, -m * G * h * np.sin(angle) + moment, rtol=1e-12)
    np.testing.assert_allclose(result["wear"].effort[0], moment, rtol=1e-12)


def pushed_guide(
    offset: float, mu: float, length: float, side: str = "second", out: float = 0.0
) -> ml.Mechanism:
    """A block on a horizontal guide, pushed along it at an offset, without weight."""
    return sliding_body(
        ml.Body("block", mass=2.0, inertia=0.1, markers={"p": (0, offset)}),
        "guide",
        gravity=(0, 0),
        loads=[
            ml.Force("push", "block.p", (10.0, 0.0)),
            ml.Friction("wear", "slide", coefficient=mu, length=length, side=side, speed=1e-4),
        ],
    )


@pytest.mark.parametrize(("mu", "jams"), [(0.2499, False), (0.2501, True)])
def test_a_push_at_an_offset_jams_a_guide(mu: float, jams: bool) -> None:
    """Two forces M/ℓ at its ends balance the moment P e: it jams if 2 μ P e/ℓ ≥ P, that is μ ≥ ℓ/2e."""
    guide = pushed_guide(0.4, mu, 0.2)
    result = ml.forward(guide, {"slide": 0.0}, rates={"slide": 0.1})
    np.testing.assert_allclose(result["wear"].normal[0], 2 * 10.0 * 0.4 / 0.2, rtol=1e-12)
    np.testing.assert_allclose(result["slide"].acceleration[0], 10.0 * (1 - 4 * mu) / 2.0, rtol=1e-9)
    run = ml.simulate(guide, start={"slide": 0.0}, until=2.0)
    assert run["wear"].creeping.all() == jams


def test_a_bush_on_the_first_body_takes_the_moment_about_its_own_middle() -> None:
    """A beam of weight W pulled out of a bush by x: N₁,₂ = W/2 ± W x/ℓ, and beyond x = ℓ/2 the sum is 2 W x/ℓ."""
    weight, length = 2.0 * G, 0.2
    beam = pushed_guide(0.0, 0.1, length, side="first").replace(gravity=(0, -G))
    for x in (0.05, 0.3):
        result = ml.forward(beam, {"slide": x}, rates={"slide": 1.0})
        expected = max(weight, 2 * weight * x / length)
        np.testing.assert_allclose(result["wear"].normal[0], expected, rtol=1e-12)


def screw(pitch: float, mu: float, radius: float, load: float) -> ml.Mechanism:
    """A nut that is held, a screw that turns in it and lifts a weight along z."""
    return ml.Mechanism(
        "jack",
        gravity=(0, 0, 0),
        bodies=[
            ml.ground(A=(0, 0, 0)),
            ml.Body("spindle", mass=0.3, inertia=(1e-4, 1e-4, 2e-4)),
        ],
        joints=[ml.Helical("thread", "ground.A", "spindle.origin", pitch)],
        loads=[
            ml.Force("load", "spindle.origin", (0, 0, -load)),
            ml.Friction("wear", "thread", coefficient=mu, radius=radius),
        ],
        drives=[ml.Motion("thread", 2.0 * ml.time)],
    )


@pytest.mark.parametrize("turn", [1, -1])
@pytest.mark.parametrize("hand", [1, -1])
def test_a_screw_takes_the_moment_of_its_angles_of_lead_and_friction(turn: int, hand: int) -> None:
    """F r tan(α + φ) to lift, F r tan(φ − α) to lower, whichever the hand of the thread."""
    pitch, mu, radius, load = 0.004, 0.12, 0.012, 900.0
    jack = screw(hand * pitch, mu, radius, load).replace(drives=[ml.Motion("thread", turn * 2.0 * ml.time)])
    result = ml.inverse(jack, t=[0.3])
    alpha, phi = np.arctan(pitch / radius), np.arctan(mu)
    lifts = turn * hand > 0
    expected = load * radius * (np.tan(alpha + phi) if lifts else np.tan(phi - alpha))
    np.testing.assert_allclose(result["thread"].effort[0] * turn, expected, rtol=1e-12)
    if lifts:
        efficiency = load * pitch / expected
        np.testing.assert_allclose(efficiency, np.tan(alpha) / np.tan(alpha + phi), rtol=1e-12)


@pytest.mark.parametrize("mu", [0.30, 0.36])
def test_a_screw_locks_itself_where_friction_is_steeper_than_its_lead(mu: float) -> None:
    """tan α = 1/3: for smaller μ the load turns the screw, for larger μ it stays."""
    jack = screw(0.004, mu, 0.012, 900.0).without_drives()
    run = ml.simulate(jack, start={"thread": 0.0}, until=0.05, samples=6)
    assert run["wear"].creeping.all() == (mu > 1 / 3)
    assert (run["thread"].position[-1] < -0.1) == (mu < 1 / 3)


def crutch(mu: float) -> ml.Mechanism:
    """A rod on a massless shoe that slides on a rough guide, Painlevé's example."""
    return ml.Mechanism(
        "crutch",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0)),
            ml.Body("shoe", mass=0.0, inertia=0.0),
            ml.rod("rod", length=1.0, mass=1.0),
        ],
        joints=[ml.Prismatic("slide", "ground.A", "shoe.origin"), ml.Revolute("pin", "shoe.origin", "rod.a")],
        loads=[ml.Friction("wear", "slide", coefficient=mu)],
    )


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("part", [0.999, 1.001])
def test_the_painleve_paradox_of_a_rod_on_a_rough_guide_is_reported(
    part: float, way: int, texts: Texts
) -> None:
    """N = N₀ + g x, g = 3 s c/(1 + 3 c²), with x = −μ |N|: beyond μ g = 1 it has two solutions or none."""
    angle = 1.0
    s, c = np.sin(angle), np.cos(angle)
    critical = (1 + 3 * c**2) / (3 * s * c)
    result = ml.forward(crutch(part * critical), {"slide": 0.0, "pin": angle}, rates={"slide": way * 1.0})
    texts(result.status, *(("t = 0 s", "'wear'") if part > 1 else ()))
    if part < 1:
        normal = G / (1 + 3 * c**2 + way * part * critical * 3 * s * c)
        np.testing.assert_allclose(result["wear"].normal[0], normal, rtol=1e-9)


def test_the_absence_of_consistent_forces_is_reported(texts: Texts) -> None:
    """Far beyond the limit, in a motion in which friction lifts: N₀ > 0, yet N = N₀ + g μ |N| has no solution."""
    result = ml.forward(crutch(3.0), {"slide": 0.0, "pin": 1.0}, rates={"slide": -1.0})
    texts.warnings(result, ("W74", "wear"), ("W75", "wear"))


# at rest --------------------------------------------------------------------------------------------------


def test_a_block_at_rest_is_held_by_efforts_between_two_limits() -> None:
    """m g (±μ cos − sin): it does not move between them, and the effort without friction is m g sin."""
    rest = ml.inverse(incline(0.6, coefficient=0.3), state={"slide": 0.0}, accelerations={"slide": 0.0})
    ends = 2.0 * G * (np.array([-0.3, 0.3]) * np.cos(0.6) - np.sin(0.6))
    np.testing.assert_allclose(rest["slide"].effort_range[0], ends, rtol=1e-12)
    np.testing.assert_allclose(rest["slide"].effort[0], -2.0 * G * np.sin(0.6), rtol=1e-12)
    assert rest["wear"].creeping.tolist() == [True]
    moving = ml.inverse(
        incline(0.6, coefficient=0.3),
        state={"slide": 0.0},
        rates={"slide": 1.0},
        accelerations={"slide": 0.0},
    )
    np.testing.assert_allclose(moving["slide"].effort_range[0], [ends[1], ends[1]], rtol=1e-12)


def test_a_jack_at_rest_is_held_between_lifting_and_lowering() -> None:
    rest = ml.inverse(
        screw(0.004, 0.36, 0.012, 900.0).without_drives(),
        state={"thread": 0.0},
        accelerations={"thread": 0.0},
    )
    alpha, phi = np.arctan(1 / 3), np.arctan(0.36)
    ends = 900.0 * 0.012 * np.array([-np.tan(phi - alpha), np.tan(alpha + phi)])
    np.testing.assert_allclose(rest["thread"].effort_range[0], ends, rtol=1e-10)


# a slider-crank by complementarity ------------------------------------------------------------------------

CRANK, ROD, PIN, GUIDE = 0.3, 0.8, np.array([0.03, 0.05]), 0.12
"""Lengths of crank and rod, the pin in the slider's frame, the length of the guide."""


def slider_crank(mu: float) -> ml.Mechanism:
    """A slider-crank whose rod acts off the middle of the slider, on a rough guide."""
    return ml.Mechanism(
        "slider-crank",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0)),
            ml.rod("crank", length=CRANK, mass=1.0),
            ml.rod("rod", length=ROD, mass=1.5),
            ml.Body("slider", mass=2.0, inertia=0.02, markers={"pin": tuple(PIN)}),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "rod.a"),
            ml.Revolute("C", "rod.b", "slider.pin"),
            ml.Prismatic("guide", "ground.A", "slider.origin"),
        ],
        loads=[ml.Friction("bore", "guide", coefficient=mu, length=GUIDE)],
        guess={"slider": (1.0, 0.0, 0.0)},
    )


def complementary(result: ml.Result, mu: float) -> list[np.ndarray]:
    """All solutions of the dense complementarity problem: α of crank and rod, ẍ, forces at A, B, C, N₁ and N₂.

    N_i = P_i − Q_i with P_i, Q_i ≥ 0 and P_i Q_i = 0 at each end of the guide, friction −sign(ẋ) μ Σ (P_i + Q_i): in
    each of the four bases one of P and Q at each end is retained, and the solutions without negative entries count.
    """
    turn, lean = result["A"].position[0], result["A"].position[0] + result["B"].position[0]
    omega = result["A"].rate[0], result["A"].rate[0] + result["B"].rate[0]
    along = [np.array([np.cos(angle), np.sin(angle)]) for angle in (turn, lean)]
    across = [np.array([-e[1], e[0]]) for e in along]
    way, found = np.sign(result["guide"].rate[0]), []
    for signs in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        M, b = np.zeros((11, 11)), np.zeros(11)
        for body, (mass, length, pins) in enumerate(((1.0, CRANK, (3, 5)), (1.5, ROD, (5, 7)))):
            rows = slice(3 * body, 3 * body + 2)
            for pin, sign in zip(
                pins, (1, -1), strict=True
            ):  # the first pin acts on it, the second is acted on
                M[rows, pin : pin + 2] += sign * np.eye(2)
                M[3 * body + 2, pin : pin + 2] += -length / 2 * across[body]
            M[3 * body + 2, body] = -mass * length**2 / 12
            M[rows, body] -= mass * length / 2 * across[body]
            b[rows] = mass * (np.array([0.0, G]) - length / 2 * omega[body] ** 2 * along[body])
            if body:
                M[rows, 0] -= mass * CRANK * across[0]
                b[rows] -= mass * CRANK * omega[0] ** 2 * along[0]
        M[6:8, 7:9], M[8, 7:9] = np.eye(2), (-PIN[1], PIN[0])
        M[6, 2], M[7, 9:], M[8, 9:], b[7] = -2.0, 1.0, (-GUIDE / 2, GUIDE / 2), 2.0 * G
        M[6, 9:] = -way * mu * np.array(signs)
        M[9:, 0], M[9:, 1], M[9, 2] = CRANK * across[0], ROD * across[1], -1.0
        b[9:] = CRANK * omega[0] ** 2 * along[0] + ROD * omega[1] ** 2 * along[1]
        x = np.linalg.solve(M, b)
        if (x[9:] * signs >= 0).all():
            found.append(x)
    return found


@pytest.mark.parametrize("turn", np.linspace(0.3, 6.0, 9))
@pytest.mark.parametrize("rate", [4.0, -4.0])
def test_a_slider_crank_on_a_rough_guide_solves_its_complementarity_problem(turn: float, rate: float) -> None:
    rise = PIN[1] - CRANK * np.sin(turn)  # of the rod
    place = CRANK * np.cos(turn) + np.sqrt(ROD**2 - rise**2) - PIN[0]
    result = ml.forward(slider_crank(0.3), {"A": turn}, rates={"A": rate}, guess={"slider": (place, 0, 0)})
    (x,) = complementary(result, 0.3)
    size = np.abs(x[3:]).max()
    np.testing.assert_allclose(result["A"].acceleration[0], x[0], rtol=1e-9)
    np.testing.assert_allclose(result["guide"].acceleration[0], x[2], atol=1e-9 * np.abs(x[:3]).max())
    np.testing.assert_allclose(result["guide"].force[0, 1], x[9] + x[10], atol=1e-9 * size)
    np.testing.assert_allclose(result["bore"].normal[0], np.abs(x[9:]).sum(), rtol=1e-9)
    for place, pin in enumerate("ABC"):
        np.testing.assert_allclose(result[pin].force[0], x[3 + 2 * place : 5 + 2 * place], atol=1e-9 * size)
    assert result.status == "ok"


def test_of_many_designs_those_that_jam_have_no_number() -> None:
    """A crank that pushes a slider by a rod at β jams it if μ tan β ≥ 1, which `inverse` reports."""
    mu = ml.Parameter("mu", 0.2)
    rough = slider_crank(0.2).replace(
        loads=[ml.Friction("bore", "guide", coefficient=mu)], drives=[ml.Motion("A", 1.5 + 0.2 * ml.time)]
    )
    steep = np.array([0.2, 2.0, 9.0])
    many = ml.batch(rough, {"mu": steep}, t=[0.0, 0.1], guess={"slider": (0.8, 0.0, 0.0)})
    assert many.ok.tolist() == [True, True, False]
    alone = [
        ml.inverse(rough, t=[0.0], parameters={"mu": float(one)}, guess={"slider": (0.8, 0.0, 0.0)})
        for one in steep
    ]
    codes = [[(one.code, one.place) for one in result.warnings] for result in alone]
    assert [("W75", "bore") in found for found in codes] == [False, False, True]


# a belt at its limit --------------------------------------------------------------------------------------

WRAP, MU, PRETENSION = 2.6, 0.35, 200.0
EULER = 2 * PRETENSION * np.tanh(MU * WRAP / 2)
"""T₁ = T₂ e^μβ with T₁ + T₂ = 2 T₀: the largest force of the belt."""


def slipping_belt(torque: float) -> ml.Mechanism:
    """Two pulleys of 50 and 100 mm; the belt force follows from creep, up to Euler's limit."""
    creep = (0.05 * ml.rate("A") - 0.10 * ml.rate("B")) / 1e-3
    pull = EULER * ml.expr.clip(creep, -1.0, 1.0)
    return ml.Mechanism(
        "belt",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(A=(0, 0), B=(0.4, 0)),
            ml.Body("motor", mass=1.0, inertia=0.01),
            ml.Body("fan", mass=2.0, inertia=0.2),
        ],
        joints=[ml.Revolute("A", "ground.A", "motor.origin"), ml.Revolute("B", "ground.B", "fan.origin")],
        loads=[
            ml.Torque("on motor", "motor", torque - 0.05 * pull),
            ml.Torque("on fan", "fan", 0.10 * pull),
        ],
    )


@pytest.mark.parametrize("part", [0.9, 1.5])
def test_a_belt_slips_beyond_eulers_limit_and_pulls_with_it(part: float) -> None:
    """The force of a belt without slip is M r₁ J₂ / (J₂ r₁² + J₁ r₂²); beyond the limit the fan is driven by the
    limit."""
    whole = 0.2 * 0.05**2 + 0.01 * 0.10**2
    torque = part * EULER * whole / (0.05 * 0.2)
    run = ml.simulate(
        slipping_belt(torque), start={"A": 0.0, "B": 0.0}, until=1.0, samples=11, integrator="implicit"
    )
    rim = 0.05 * run["A"].rate - 0.10 * run["B"].rate
    slips = part > 1
    assert (rim[1:] > 1e-3).all() == slips
    pull = EULER if slips else part * EULER
    assert run["B"].acceleration[5:] == pytest.approx(0.10 * pull / 0.2, rel=1e-6)
    assert run["A"].acceleration[5:] == pytest.approx((torque - 0.05 * pull) / 0.01, rel=1e-6)
