"""Friction from reactions against Newton's and Euler's equations by hand, with friction among the unknowns."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.optimize import fsolve
from zoo.plain import four_bar_pins

import multiloop as ml
from multiloop.analyses.prescribed_motion.inverse_arguments import METHODS as INVERSE
from multiloop.dynamics.forward import METHODS as FORWARD

BODIES = ("crank", "coupler", "rocker")
LENGTHS = {"crank": 0.3, "coupler": 0.9, "rocker": 0.8}
MASSES = {"crank": 1.0, "coupler": 2.0, "rocker": 1.5}
PINS = {
    "A": ("ground", "crank"),
    "B": ("crank", "coupler"),
    "C": ("coupler", "rocker"),
    "D": ("ground", "rocker"),
}
MU, RADIUS, GRAVITY = 0.35, 0.04, np.array([0.0, -9.81])


@cache
def four_bar(driven: bool = False, circle: bool = False) -> ml.Mechanism:
    """A four-bar with friction in all its pins."""
    return ml.Mechanism(
        "four-bar",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), D=(1.0, 0)),
            *(ml.rod(name, length=LENGTHS[name], mass=MASSES[name]) for name in BODIES),
        ],
        joints=four_bar_pins(),
        loads=[ml.Friction(f"pin {pin}", pin, coefficient=MU, radius=RADIUS, circle=circle) for pin in PINS],
        drives=[ml.Motion("A", 0.4 + 6.0 * ml.time + 3.0 * ml.time**2)] if driven else [],
        guess={"rocker.b": (0.9, 0.75)},
    )


def by_hand(result: Any, driven: bool, mu: float = MU) -> dict[str, Any]:
    """All unknowns of an instant: pin forces on the second bodies, frictions, angular accelerations or the torque at A.

    Nine equations of Newton and Euler of the bodies, four of the two closures' accelerations, and four of the law M =
    −sign(relative rate) μ r |F| are solved together for 8 force components, 4 frictions, 3 accelerations and, for the
    driven crank, its torque.
    """
    angle = {name: np.arctan2(result.body(name)[0, 1, 0], result.body(name)[0, 0, 0]) for name in BODIES}
    along = {name: np.array([np.cos(angle[name]), np.sin(angle[name])]) for name in BODIES}
    spin = {"ground": 0.0, "crank": result["A"].rate[0], "rocker": result["D"].rate[0]}
    spin["coupler"] = spin["crank"] + result["B"].rate[0]
    given = result["A"].acceleration[0]

    def left(x: np.ndarray) -> np.ndarray:
        force = {pin: x[2 * k : 2 * k + 2] for k, pin in enumerate(PINS)}
        moment = dict(zip(PINS, x[8:12], strict=True))
        alpha = dict(zip(BODIES, x[12:15], strict=True))
        torque = x[15]
        reach = {name: turned(along[name], LENGTHS[name], spin[name], alpha[name]) for name in BODIES}
        half = {name: reach[name] / 2 for name in BODIES}
        middle = {
            "crank": half["crank"],
            "coupler": reach["crank"] + half["coupler"],
            "rocker": half["rocker"],
        }
        start = {"crank": ("A", "B", 1), "coupler": ("B", "C", 1), "rocker": ("D", "C", 1)}
        found = []
        for name in BODIES:
            total, turning = MASSES[name] * GRAVITY, 0.0
            inertia = MASSES[name] * LENGTHS[name] ** 2 / 12
            for pin, place in zip(start[name][:2], (-0.5, 0.5), strict=True):
                sign = 1 if PINS[pin][1] == name else -1
                arm = place * LENGTHS[name] * along[name]
                total = total + sign * force[pin]
                turning += sign * (moment[pin] + arm[0] * force[pin][1] - arm[1] * force[pin][0])
            turning += torque if name == "crank" else 0.0
            found += [*(total - MASSES[name] * middle[name]), turning - inertia * alpha[name]]
        found += [*(reach["crank"] + reach["coupler"] - reach["rocker"])]
        for pin, (first, second) in PINS.items():
            limit = mu * RADIUS * np.hypot(*force[pin])
            found.append(moment[pin] + np.sign(spin[second] - spin[first]) * limit)
        found.append(alpha["crank"] - given if driven else torque)
        return np.array(found)

    x, _, _, message = fsolve(left, np.full(16, 0.1), full_output=True, xtol=1e-14)
    assert np.abs(left(x)).max() < 1e-10, message
    found = {"A": x[12], "torque": x[15]}
    found |= {f"force {pin}": x[2 * k : 2 * k + 2] for k, pin in enumerate(PINS)}
    return found | {f"friction {pin}": x[8 + k] for k, pin in enumerate(PINS)}


def turned(along: np.ndarray, length: float, omega: float, alpha: float) -> np.ndarray:
    """Acceleration of the end of a bar relative to its beginning."""
    across = np.array([-along[1], along[0]])
    return np.asarray(length * (alpha * across - omega**2 * along))


def compare(result: Any, hand: dict[str, Any], digits: float = 1e-10) -> None:
    for pin in PINS:
        force = np.asarray(hand[f"force {pin}"])
        np.testing.assert_allclose(result[pin].force[0], force, atol=digits * np.abs(force).max())
        np.testing.assert_allclose(result[f"pin {pin}"].effort[0], hand[f"friction {pin}"], rtol=digits)
        np.testing.assert_allclose(result[f"pin {pin}"].normal[0], np.hypot(*force), rtol=digits)


@pytest.mark.parametrize("method", FORWARD)
def test_forward_is_that_of_all_equations_with_friction_among_the_unknowns(method: str) -> None:
    result = ml.forward(four_bar(), {"A": 0.7}, rates={"A": 5.0}, method=method)
    hand = by_hand(result, driven=False)
    np.testing.assert_allclose(result["A"].acceleration[0], hand["A"], rtol=1e-10)
    compare(
        result, hand, 1e-9 if method == "augmented" else 1e-10
    )  # reactions by penalties have one digit less
    assert result.status == "ok"
    without = ml.forward(four_bar().replace(loads=[]), {"A": 0.7}, rates={"A": 5.0})
    assert abs(without["A"].acceleration[0] - hand["A"]) > 0.3  # friction matters here


@pytest.mark.parametrize("method", INVERSE)
def test_inverse_is_that_of_all_equations_with_friction_among_the_unknowns(method: str) -> None:
    result = ml.inverse(four_bar(driven=True), t=[0.1], method=method)
    hand = by_hand(result, driven=True)
    np.testing.assert_allclose(result["A"].effort[0], hand["torque"], rtol=1e-10)
    compare(result, hand)


def test_the_friction_circle_takes_the_sine_of_the_angle_of_friction() -> None:
    result = ml.forward(four_bar(circle=True), {"A": 0.7}, rates={"A": 5.0})
    compare(result, by_hand(result, driven=False, mu=MU / np.sqrt(1 + MU**2)))


def test_many_instants_are_found_as_one_by_one() -> None:
    times = np.linspace(0.0, 0.5, 40)
    many = ml.inverse(four_bar(driven=True), t=times)
    for k in (0, 17, 39):
        one = ml.inverse(four_bar(driven=True), t=[times[k]], method="system")
        np.testing.assert_allclose(many["A"].effort[k], one["A"].effort[0], rtol=1e-11)
        np.testing.assert_allclose(many["pin C"].effort[k], one["pin C"].effort[0], rtol=1e-11)


def test_inverse_undoes_forward() -> None:
    result = ml.forward(four_bar(), {"A": 0.7}, rates={"A": 5.0})
    back = ml.inverse(
        four_bar(),
        state={"A": 0.7},
        rates={"A": 5.0},
        accelerations={"A": float(result["A"].acceleration[0])},
    )
    assert abs(back["A"].effort[0]) < 1e-10 * np.abs(result["pin A"].effort[0]) + 1e-11


def test_machine_code_and_interpreter_agree_and_the_energy_balance_closes() -> None:
    asked: dict[str, Any] = {
        "start": {"A": 0.7},
        "rates": {"A": 5.0},
        "until": 1.0,
        "samples": 11,
        "rtol": 1e-12,
    }
    run = ml.simulate(four_bar(), **asked)
    interpreted = ml.simulate(four_bar(), **asked, target="interpreter")
    np.testing.assert_allclose(run["A"].position, interpreted["A"].position, rtol=1e-8)
    heat = sum(run[f"pin {pin}"].heat for pin in PINS)
    energy = run.kinetic_energy + run.potential_energy
    assert run.energy_drift < 1e-8
    np.testing.assert_allclose(run.losses, -sum(run[f"pin {pin}"].power for pin in PINS), rtol=1e-12)
    np.testing.assert_allclose(energy + heat, energy[0], rtol=1e-8)
    assert heat[-1] > 1.0


def test_kernels_have_friction_in_them() -> None:
    result = ml.forward(four_bar(), {"A": 0.7}, rates={"A": 5.0})
    kernels = ml.compile(four_bar(), start={"A": 0.7})
    names = kernels.unpack(kernels.q)
    q = kernels.pack({name: result[name].position[0] for name in names})
    v = kernels.pack({name: result[name].rate[0] for name in names}, rates=True)
    a = kernels.forward(q, v, np.zeros_like(v))
    found = kernels.unpack(np.asarray(a), rates=True)
    for name in names:
        np.testing.assert_allclose(found[name][0], result[name].acceleration[0], rtol=1e-11)
    lanes = kernels.forward.batch(*(np.tile(part[:, None], 9) for part in (q, v, np.zeros_like(v))))
    np.testing.assert_allclose(lanes, np.tile(np.asarray(a)[:, None], 9), rtol=1e-11)


def test_at_rest_the_torque_lies_between_those_of_moving_off_either_way() -> None:
    """A rate slightly above the creep speed changes no force by more than its square."""
    slow = four_bar().replace(
        loads=[ml.Friction(f"pin {pin}", pin, coefficient=MU, radius=RADIUS, speed=1e-6) for pin in PINS]
    )
    rest = ml.inverse(slow, state={"A": 0.7}, accelerations={"A": 0.0})["A"].effort_range[0]
    off = [
        ml.inverse(slow, state={"A": 0.7}, rates={"A": rate}, accelerations={"A": 0.0})["A"].effort[0]
        for rate in (-1e-4, 1e-4)
    ]
    np.testing.assert_allclose(rest, off, rtol=1e-8)
    assert rest[1] - rest[0] > 1.0


def test_more_efforts_than_freedoms_are_least_with_friction_too() -> None:
    """Virtual work of both efforts, with the corresponding frictions, and the minimum norm by hand."""
    pushed = four_bar(driven=True).replace(actuators=[ml.Actuator("A"), ml.Actuator("D")])
    found = {method: ml.inverse(pushed, t=[0.1], method=method) for method in INVERSE}
    first = found["subsystem"]
    for result in found.values():
        for pin in ("A", "D"):
            np.testing.assert_allclose(result[pin].effort, first[pin].effort, rtol=1e-9)
    rate = np.array([first[pin].rate[0] for pin in ("A", "D")])
    tau = np.array([first[pin].effort[0] for pin in ("A", "D")])
    np.testing.assert_allclose(tau[0] * rate[1], tau[1] * rate[0], rtol=1e-9)  # least: along the rates
    asked = dict(zip(("A", "D"), tau.tolist(), strict=True))
    back = ml.forward(
        four_bar(),
        {"A": float(first["A"].position[0])},
        rates={"A": float(first["A"].rate[0])},
        efforts=asked,
    )
    np.testing.assert_allclose(back["A"].acceleration[0], first["A"].acceleration[0], rtol=1e-8)


def test_many_designs_have_friction_in_them() -> None:
    mu = ml.Parameter("mu", MU)
    swept = four_bar(driven=True).replace(
        loads=[ml.Friction(f"pin {pin}", pin, coefficient=mu, radius=RADIUS) for pin in PINS]
    )
    values = np.array([0.1, MU])
    many = ml.batch(swept, {"mu": values}, t=[0.05, 0.1], keep="all")
    for k, value in enumerate(values):
        one = ml.inverse(swept, t=[0.05, 0.1], parameters={"mu": float(value)})
        np.testing.assert_allclose(many.effort["A"][k], one["A"].effort, rtol=1e-10)


def test_many_designs_run_as_one_by_one() -> None:
    """Friction keeps all four pins in the tree: a body is split, and the closing joint has no name."""
    mu = ml.Parameter("mu", 0.2)
    swept = four_bar().replace(
        loads=[ml.Friction(f"pin {pin}", pin, coefficient=mu, radius=RADIUS) for pin in PINS]
    )
    asked: dict[str, Any] = {"start": {"A": 0.7}, "rates": {"A": 5.0}, "until": 0.05, "samples": 3}
    runs = ml.simulate(swept, **asked, parameters={"mu": np.array([0.1, MU])})
    one = ml.simulate(four_bar(), **asked)
    np.testing.assert_allclose(runs[1]["A"].position, one["A"].position, rtol=1e-10)
    np.testing.assert_allclose(runs[1]["pin C"].heat, one["pin C"].heat, rtol=1e-8)
