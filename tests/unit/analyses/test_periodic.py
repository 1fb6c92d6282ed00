"""`periodic`: periodic motions, against quadrature, closed forms, and long runs."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from steady_mechanisms import GAS, engine, engine_inertia
from texts import Texts
from zoo.plain import sliding_body

import multiloop as ml
from multiloop.analyses.steady_states.shooting import ShootingProblem

START = {"start": {"O": 0.3}, "rates": {"O": 90.0}}


def driven_work(angle: np.ndarray) -> np.ndarray:
    """Work of the gas less that of a load that takes the same work in a turn."""
    return GAS * (-np.cos(angle) - 0.2 * np.cos(2 * angle))


def speed_by_quadrature(mean: float, angle: np.ndarray) -> np.ndarray:
    """ω(φ) of ½ J ω² = E + W, E so that a turn takes 2π / mean: the trapezoidal rule over a whole turn."""
    turn = np.linspace(0.0, 2 * pi, 2000, endpoint=False)
    J, W = engine_inertia(turn), driven_work(turn)
    E = 0.5 * J.mean() * mean**2
    for _ in range(30):
        period = np.mean(np.sqrt(J / (2 * (E + W)))) * 2 * pi
        slope = -0.5 * np.mean(np.sqrt(J / (2 * (E + W))) / (E + W)) * 2 * pi
        E -= (period - 2 * pi / mean) / slope
    return np.sqrt(2 * (E + driven_work(angle)) / engine_inertia(angle))


def test_an_engine_of_prescribed_mean_speed_is_the_quadrature() -> None:
    """Torques of the angle alone that balance: the speed is that of the energy."""
    found = ml.periodic(engine(load=60.0), turn="O", mean_speed=100.0, **START)
    crank = found["O"]
    np.testing.assert_allclose(crank.rate, speed_by_quadrature(100.0, crank.position), rtol=1e-10)
    assert found.period == pytest.approx(2 * pi / 100.0, rel=1e-15)
    assert found.mean_speed == pytest.approx(100.0, rel=1e-15)
    fine = speed_by_quadrature(100.0, np.linspace(0, 2 * pi, 20001))
    assert found.fluctuation == pytest.approx((fine.max() - fine.min()) / 100.0, rel=1e-4)  # of samples
    np.testing.assert_allclose(np.abs(found.multipliers), 1.0, atol=1e-5)  # constant mean speed
    assert found.stable


def test_a_load_is_adjusted_to_the_mean_speed() -> None:
    """The load must take what the gas gives in a turn: 2π × half the gas torque."""
    found = ml.periodic(engine(load=10.0), turn="O", mean_speed=100.0, adjust="load", **START)
    assert found.adjusted == {"load": pytest.approx(GAS / 2, rel=1e-10)}
    crank = found["O"]
    np.testing.assert_allclose(crank.rate, speed_by_quadrature(100.0, crank.position), rtol=1e-9)
    assert found.result.mechanism.parameters["load"] == found.adjusted["load"]


def test_an_engine_with_a_load_of_its_speed_finds_its_own_period() -> None:
    found = ml.periodic(engine(damping=0.6), turn="O", **START)
    assert found.miss < 1e-11
    again = ml.simulate(engine(damping=0.6), start=found.state, until=5 * found.period, samples=2, rtol=1e-12)
    assert again["O"].position[-1] - again["O"].position[0] == pytest.approx(10 * pi, abs=1e-9)
    assert again["O"].rate[-1] == pytest.approx(again["O"].rate[0], rel=1e-10)
    # mean power of gas and load balance: ⟨τ ω⟩ = c ⟨ω²⟩; over the angle ½ GAS = c ω̄_φ
    assert found.multipliers.shape == (1,)
    assert 0.9 < found.multipliers[0].real < 0.95
    assert found.stable
    assert "O at 99.96" in repr(found)


@pytest.mark.slow
def test_it_is_what_two_thousand_turns_settle_to() -> None:
    machine = engine(damping=0.6)
    found = ml.periodic(machine, turn="O", **START)
    turns = 2000 * found.period
    long = ml.simulate(machine, until=turns, samples=[turns], rtol=1e-12, **START)
    angle, speed = float(long["O"].position[-1]), float(long["O"].rate[-1])
    crank = found["O"]
    whole = crank.position[0] + np.mod(angle - crank.position[0], 2 * pi)
    from scipy.interpolate import CubicSpline

    assert speed == pytest.approx(float(CubicSpline(crank.position, crank.rate)(whole)), rel=1e-8)


def slider(effort: ml.Expression) -> ml.Mechanism:
    return sliding_body(
        ml.Body("block", mass=2.0, inertia=1.0),
        "mass on a rail",
        joint="A",
        gravity=(0, 0),
        actuators=[ml.Actuator("A", effort=effort)],
    )


def test_a_forced_oscillator_and_its_multipliers() -> None:
    """m ẍ + c ẋ + k x = F sin ωt in closed form; multipliers are e^(λT)."""
    m, c, k, F, omega = 2.0, 3.0, 50.0, 7.0, 4.0
    x, v = ml.position("A"), ml.rate("A")
    found = ml.periodic(
        slider(F * ml.expr.sin(omega * ml.time) - k * x - c * v), period=2 * pi / omega, start={"A": 0.1}
    )
    response = F / (k - m * omega**2 + 1j * c * omega)
    exact = (response * np.exp(1j * omega * found.result.time)).imag
    np.testing.assert_allclose(found["A"].position, exact, atol=1e-10)
    poles = np.roots([m, c, k])
    expected = np.sort_complex(np.exp(poles * 2 * pi / omega))
    np.testing.assert_allclose(np.sort_complex(found.multipliers), expected, atol=1e-8)


def test_van_der_pols_oscillator() -> None:
    """The period at μ = 1 is 6.6632868593 (known to many digits), and the trivial multiplier 1 is not listed."""
    x, v = ml.position("A"), ml.rate("A")
    found = ml.periodic(slider(2.0 * (-x + (1 - x**2) * v)), period=6.0, start={"A": 2.0})
    assert found.period == pytest.approx(6.6632868593231, rel=1e-10)
    assert found.multipliers.shape == (1,)
    integral = np.trapezoid(1 - found["A"].position ** 2, found.result.time)  # Liouville: ∮ div f dt
    assert found.multipliers[0].real == pytest.approx(np.exp(integral), rel=1e-4)


# forced by loads and efforts alone ---------------------------------------------------------------------

M, K, C, F, W = 2.0, 300.0, 4.0, 7.0, 9.0


def carriage(force: object = F * ml.expr.cos(W * ml.time)) -> ml.Mechanism:
    """A mass on a spring and a damper, with a force."""
    loads = [ml.JointSpring("spring", "S", stiffness=K, damping=C)]
    if force is not None:
        loads.append(ml.Force("push", "carriage.origin", (force, 0.0)))
    return sliding_body(ml.Body("carriage", mass=M, inertia=0.1), "carriage", joint="S", loads=loads)


@pytest.mark.parametrize("by", ["load", "effort"])
def test_forced_vibration_without_a_drive_is_the_closed_form(by: str) -> None:
    """x = Re F e^{iωt} / (k − m ω² + i c ω); multipliers are e^{λT} of the free oscillation."""
    push = F * ml.expr.cos(W * ml.time)
    asked = {} if by == "load" else {"efforts": {"S": push}}
    found = ml.periodic(carriage(push if by == "load" else None), start={"S": 0.1}, **asked)
    x = (F / (K - M * W**2 + 1j * C * W) * np.exp(1j * W * found.result.time)).real
    np.testing.assert_allclose(found["S"].position, x, atol=1e-12)
    assert found.period == pytest.approx(2 * pi / W, rel=1e-15)
    poles = np.roots([M, C, K])
    np.testing.assert_allclose(np.sort(found.multipliers), np.sort(np.exp(poles * found.period)), atol=1e-8)


def test_a_loop_that_a_load_shakes_settles_to_what_is_found() -> None:
    shaken = ml.examples.sprung_four_bar()
    hinge = ml.JointSpring("oil", "A", stiffness=0.0, damping=3.0)
    push = ml.Force("shake", "coupler.p", (12.0 * ml.expr.sin(5.0 * ml.time), 0.0))
    shaken = shaken.replace(loads=[*shaken.loads, hinge, push])
    rest = ml.equilibrium(ml.examples.sprung_four_bar())
    found = ml.periodic(shaken, start=rest.state)
    assert found.period == pytest.approx(2 * pi / 5.0, rel=1e-12)
    assert found.stable
    turns = int(np.ceil(np.log(1e-11) / np.log(np.abs(found.multipliers).max())))
    settled = ml.simulate(shaken, start=rest.state, until=turns * found.period, samples=2, rtol=1e-12)
    assert settled["A"].position[-1] == pytest.approx(found["A"].position[0], abs=1e-8)


@pytest.mark.parametrize(
    ("force", "period", "what"),
    [
        (
            F * ml.expr.cos(W * ml.time),
            1.0,
            "is 1 s, but drives, loads and efforts have the period 0.698132 s.",
        ),
        (ml.expr.exp(-ml.time), None, "the load 'push' is not periodic: `exp(-time)`."),
        (
            ml.expr.exp(-ml.time),
            1.0,
            "is 1 s, but the forces at t = 0 s differ one period later.",
        ),
    ],
)
def test_a_force_that_is_not_periodic_is_reported(force: object, period: float | None, what: str) -> None:
    with pytest.raises(ml.SolveError) as caught:
        ml.periodic(carriage(force), start={"S": 0.0}, period=period)
    (fault,) = caught.value.faults
    assert (fault.code, fault.where, fault.what) == ("E06", "period", what)


def test_whole_periods_of_a_force_may_be_given() -> None:
    assert ml.periodic(carriage(), start={"S": 0.0}, period=6 * pi / W).miss < 1e-12


def test_an_effort_of_another_period_counts() -> None:
    """Beside the load that has two thirds of its period."""
    push = ml.expr.cos(6.0 * ml.time)
    assert ml.periodic(carriage(), start={"S": 0.0}, efforts={"S": push}).period == pytest.approx(2 * pi / 3)


# multipliers where forces change rapidly ---------------------------------------------------------------

RUBBING, CREEP = 3.0, 0.001


def rubbing_carriage(force: float) -> ml.Mechanism:
    """The carriage with smooth friction."""
    machine = carriage(force * ml.expr.cos(W * ml.time))
    rub = ml.Friction("rub", "S", effort=RUBBING, speed=CREEP)
    return machine.replace(loads=[*machine.loads, rub])


def test_multipliers_of_smooth_friction_that_creeps() -> None:
    """Friction far below its creep speed is the viscous damping 15/8 F/v₀: the multipliers are e^(λT)."""
    found = ml.periodic(rubbing_carriage(1e-6), start={"S": 0.0})
    poles = np.roots([M, C + 15 / 8 * RUBBING / CREEP, K])
    expected = np.exp(np.sort(poles.real)[::-1] * found.period)
    np.testing.assert_allclose(found.multipliers, expected, atol=2e-6)
    assert found.status == "ok"


@pytest.mark.parametrize("force", [2.9, 3.01, 3.2])
def test_multipliers_of_smooth_friction_near_its_creep_speed(force: float) -> None:
    """The multipliers are those of the variational equations, by SciPy; a fixed step of 1e-3 is wrong by 0.05."""
    found = ml.periodic(rubbing_carriage(force), start={"S": 0.0})

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        (x, v), u = y[:2], y[1] / CREEP
        rub, slope = (
            (u * (15 - 10 * u**2 + 3 * u**4) / 8, 15 / 8 * (1 - u**2) ** 2)
            if abs(u) < 1
            else (u / abs(u), 0.0)
        )
        A = np.array([[0.0, 1.0], [-K / M, -(C + RUBBING * slope / CREEP) / M]])
        a = (force * np.cos(W * t) - K * x - C * v - RUBBING * rub) / M
        return np.concatenate([[v, a], (A @ y[2:].reshape(2, 2)).ravel()])

    begin = [found.state.positions["S"][0], found.state.rates["S"][0], 1.0, 0.0, 0.0, 1.0]
    end = solve_ivp(rates, (0.0, found.period), begin, method="Radau", rtol=1e-9, atol=1e-12).y[2:, -1]
    expected = np.linalg.eigvals(end.reshape(2, 2))
    np.testing.assert_allclose(np.sort(found.multipliers), np.sort(expected), atol=1e-4)
    assert found.status == "ok"


def test_a_force_with_a_corner_leaves_the_multipliers_uncertain(texts: Texts) -> None:
    """At rest, |x| has the slopes 1 and −1."""
    x, v = ml.position("A"), ml.rate("A")
    effort = -50.0 * (1 + 0.1 * ml.expr.cos(4.0 * ml.time)) * x - 3.0 * v - 20.0 * ml.expr.abs(x)
    texts.warnings(ml.periodic(slider(effort), start={"A": 0.1}), ("W92", "mass on a rail", "multipliers"))


@pytest.mark.parametrize("reach", [1e-4, 1e-8])
def test_runs_beside_it_that_fail(reach: float, monkeypatch: pytest.MonkeyPatch, texts: Texts) -> None:
    """If runs succeed only near the orbit, its multipliers are those of smaller differences, or none."""
    made = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.006), "damping": 0.01, "modes": 1}
    machine = ml.examples.four_bar().with_body(ml.beam("coupler", length=0.9, **made))
    plain = ml.periodic(machine, samples=3)
    missed, orbit = ShootingProblem.mismatch, plain.state.positions["coupler.eta"][0]

    def near(self: ShootingProblem, z: np.ndarray, period: float, p: np.ndarray) -> np.ndarray | None:
        start = self.flow.start(z, p)
        bent = (
            start.configuration.q[self.flow.run.model.skeleton.coordinates["coupler.eta"].q][0]
            if start
            else 0.0
        )
        return missed(self, z, period, p) if abs(bent - orbit) < reach else None

    monkeypatch.setattr(ShootingProblem, "mismatch", near)
    monkeypatch.setattr(ShootingProblem, "solve", lambda self, first: first)
    asked = {"start": plain.state.positions, "rates": {"coupler.eta": plain.state.rates["coupler.eta"]}}
    if reach > 1e-6:
        found = ml.periodic(machine, samples=3, **asked)
        assert found.multipliers == pytest.approx(plain.multipliers, abs=1e-3)  # round-off over 1e-6
    else:
        with pytest.raises(ml.SolveError) as caught:
            ml.periodic(machine, samples=3, **asked)
        texts.fault(caught.value, "E06")


# forces that repeat after several turns --------------------------------------------------------------------


def disc(effort: object, **parts: object) -> ml.Mechanism:
    """A disc of 1 kg m² on a shaft."""
    return ml.Mechanism(
        "disc",
        planar=True,
        gravity=None,
        bodies=[ml.ground(), ml.Body("disc", mass=1.0, inertia=1.0)],
        joints=[ml.Revolute("O", "ground.origin", "disc.origin")],
        actuators=[ml.Actuator("O", effort=effort, **parts)],
    )


def test_a_load_that_repeats_after_two_turns_is_not_accepted_after_one(texts: Texts) -> None:
    """20 sin(θ/2) is zero after one turn from θ = 0, but has the other sign along the next turn."""
    machine = disc(30 + 20 * ml.expr.sin(ml.position("O") / 2) - 2 * ml.rate("O"))
    asked = {"turn": "O", "start": {"O": 0.0}, "rates": {"O": 15.0}}
    with pytest.raises(ml.SolveError) as caught:
        ml.periodic(machine, **asked)
    texts.fault(caught.value, "E06", "turn 'O'", "turns=2")
    found = ml.periodic(machine, turns=2, **asked)

    def rates(t: float, y: np.ndarray) -> list[float]:
        return [y[1], 30 + 20 * np.sin(y[0] / 2) - 2 * y[1]]

    def revolution(t: float, y: np.ndarray) -> float:
        return float(np.sin(y[0] / 4))  # zero after every second turn

    run = solve_ivp(rates, (0, 40), [0.0, 15.0], events=revolution, rtol=1e-10, atol=1e-10)
    assert found.period == pytest.approx(np.diff(run.t_events[0])[-1], rel=1e-7)


@pytest.mark.parametrize("reverse", [False, True])
def test_the_slow_shaft_of_a_gear_is_the_one_that_turns(reverse: bool, texts: Texts) -> None:
    """One turn of the disc is ten turns of the pinion; the load depends on the angle of the disc."""
    position, rate = ml.position("O"), ml.rate("O")
    alone = disc(60 - 10 * rate - 5 - 3 * ml.expr.sin(position))
    joints = [*alone.joints, ml.Revolute("M", "ground.a", "pinion.origin")]
    geared = alone.replace(
        bodies=[ml.ground(a=(0.11, 0)), alone.body("disc"), ml.Body("pinion", mass=1.0, inertia=0.01)],
        joints=joints[::-1] if reverse else joints,
        pairs=[ml.Gear("mesh", "pinion.origin", "disc.origin", teeth=(10, 100))],
    )
    heavier = alone.replace(bodies=[ml.ground(), ml.Body("disc", mass=1.0, inertia=2.0)])
    known = ml.periodic(heavier, turn="O", start={"O": 0.0}, rates={"O": 6.0})
    found = ml.periodic(geared, turn="O", start={"O": 0.0}, rates={"O": 6.0})
    assert found.period == pytest.approx(known.period, rel=1e-9)
    np.testing.assert_allclose(found.multipliers, known.multipliers, atol=1e-6)
    with pytest.raises(ml.SolveError) as caught:
        ml.periodic(geared, turn="M", start={"O": 0.0}, rates={"M": -60.0})
    texts.fault(caught.value, "E06", "turn 'M'", "turns=10")
    again = ml.periodic(geared, turn="M", turns=10, start={"O": 0.0}, rates={"M": -60.0})
    assert again.period == pytest.approx(known.period, rel=1e-9)


def test_a_shaft_driven_by_a_geared_rotor_turns() -> None:
    """The rotor adds ratio² times its inertia to that of the disc."""
    effort = 60 - 10 * ml.rate("O") - 5 - 3 * ml.expr.sin(ml.position("O"))
    known = disc(effort).replace(bodies=[ml.ground(), ml.Body("disc", mass=1.0, inertia=2.0)])
    asked = {"turn": "O", "start": {"O": 0.0}, "rates": {"O": 6.0}}
    found = ml.periodic(disc(effort, rotor_inertia=0.01, ratio=10.0), **asked)
    assert found.period == pytest.approx(ml.periodic(known, **asked).period, rel=1e-9)
