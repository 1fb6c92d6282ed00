"""`linearise` and `eigenmodes`: reduced linear models against differences of `forward`, and against closed forms."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np
import pytest
from steady_mechanisms import G, damped_four_bar, disc, governor, leaning_disc, upright
from texts import Texts
from zoo.plain import pinned_body

import multiloop as ml


def slope(value: Callable[[float], np.ndarray], h: float = 2e-3) -> np.ndarray:
    """The derivative at zero, central differences of the eighth order."""
    weights = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
    return sum(w * (value(k * h) - value(-k * h)) for k, w in weights.items()) / h


def differences(mechanism: ml.Mechanism, model: ml.LinearModel, joints: list[str]) -> np.ndarray:
    """A by differences: the joints are independent, and are all coordinates."""
    names = [*joints, *(f"{joint} rate" for joint in joints)]
    assert list(model.states) == names

    def rate(states: np.ndarray) -> np.ndarray:
        q, v = np.split(states, 2)
        start = dict(zip(joints, q.tolist(), strict=True))
        moving = dict(zip(joints, v.tolist(), strict=True))
        there = ml.forward(mechanism, start, rates=moving, guess=model.state.positions)
        return np.array([*v, *(there[joint].acceleration[0] for joint in joints)])

    base = np.array([model.state[joint].position for joint in joints] + [0.0] * len(joints))
    return np.column_stack(
        [slope(lambda e, k=k: rate(base + e * np.eye(len(base))[k])) for k in range(len(base))]
    )


def test_a_of_a_damped_four_bar_by_differences() -> None:
    bar = damped_four_bar()
    model = ml.linearise(
        bar, inputs=["A", "F"], outputs=["D", "coupler.p", ml.length("spring"), ml.rate("A")]
    )
    np.testing.assert_allclose(model.A, differences(bar, model, ["A"]), rtol=1e-9, atol=1e-10)
    assert model.outputs == ("D", "coupler.p.x", "coupler.p.y", "output 3", "output 4")


def test_b_and_c_by_differences() -> None:
    bar = damped_four_bar()
    out = {"spring": ml.length("spring"), "place": "coupler.p", "rocker": "D"}
    model = ml.linearise(bar, inputs=["A", "F"], outputs=out)
    at = model.state.positions

    def accelerated(effort: float, force: float) -> float:
        pushed = bar.with_parameters(F=20.0 + force)
        return ml.forward(pushed, at, efforts={"A": effort}, guess=at)["A"].acceleration[0]

    by_effort = slope(lambda e: accelerated(e, 0.0), 0.5)
    by_force = slope(lambda e: accelerated(0.0, e), 0.5)
    np.testing.assert_allclose(model.B, [[0.0, 0.0], [by_effort, by_force]], rtol=1e-9, atol=1e-12)

    def read(e: float) -> np.ndarray:
        there = ml.assemble(bar, {"A": model.state["A"].position + e}, guess=at)
        place = there.marker("coupler.p")
        return np.array([np.linalg.norm(place - (0.5, 0.5)), *place, there["D"].position])

    np.testing.assert_allclose(model.C[:, 0], slope(read), rtol=1e-9)
    assert not model.C[:, 1].any()
    assert not model.D.any()


def test_a_of_a_governor_by_differences() -> None:
    spinning = governor()
    model = ml.linearise(spinning, ml.equilibrium(spinning), outputs=["A1"])
    np.testing.assert_allclose(model.A, differences(spinning, model, ["A1"]), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("hoop", [False, True])
@pytest.mark.parametrize("rate", [3.0, 12.0])
def test_straight_rolling(hoop: bool, rate: float) -> None:
    """λ² = (4/5)(g/R − 3 ω²), of a hoop (2/3)(g/R − 4 ω²); all other poles are zero."""
    radius = 0.3
    start, rates = upright(radius, rate)
    model = ml.linearise(disc(hoop=hoop, radius=radius), start, rates=rates)
    square = 2 / 3 * (G / radius - 4 * rate**2) if hoop else 4 / 5 * (G / radius - 3 * rate**2)
    own = sqrt(abs(square)) * (1 if square > 0 else 1j)
    poles = model.poles[np.argsort(-np.abs(model.poles))]
    np.testing.assert_allclose(
        np.sort_complex(poles[:2]), np.sort_complex(np.array([own, -own])), rtol=1e-9, atol=1e-9
    )
    assert np.abs(poles[2:]).max() < 1e-6  # a double zero is accurate to the root of round-off
    assert model.stable is (square < 0)


def test_straight_rolling_in_other_coordinates() -> None:
    model = ml.linearise(
        leaning_disc(),
        {"lean": 0.0, "road": (0, 0, 0.4), "spin": 0.2},
        rates={"road": (None, None, 0.0), "spin": 12.0},
    )
    largest = np.abs(model.poles).max()
    assert largest == pytest.approx(sqrt(4 / 5 * (3 * 144 - G / 0.3)), rel=1e-10)


def test_the_benchmark_bicycle() -> None:
    """Whipple's bicycle at 5 m/s (Meijaard, Papadopoulos, Ruina, Schwab 2007): weave, capsize and castering."""
    speed = 5.0
    start = {"frame": (0, 0, 0.3, 1, 0, 0, 0), "head": 0.0, "rear axle": 0.0, "front axle": 0.0}
    rates = {
        "frame": (speed, 0, 0, 0, 0, 0),
        "rear axle": speed / 0.3,
        "front axle": speed / 0.35,
        "head": 0.0,
    }
    model = ml.linearise(ml.examples.bicycle(), start, rates=rates)
    own = model.poles[np.abs(model.poles) > 1e-3]
    printed = [-14.07838969, -0.77534188 - 4.46486771j, -0.77534188 + 4.46486771j, -0.32286643]
    np.testing.assert_allclose(np.sort_complex(own), printed, atol=6e-9)  # the digits printed
    assert len(model.poles) == 7  # the others: lateral position, heading, speed
    assert model.stable


def test_modes_of_a_double_pendulum(texts: Texts) -> None:
    """Two equal point masses on massless rods: ω² = (2 ∓ √2) g / l, shapes 1 : ±√2."""
    length = 0.7
    rods = [
        ml.Body(n, mass=1.0, inertia=0.0, com=(length, 0), markers={"a": (0, 0), "b": (length, 0)})
        for n in "uv"
    ]
    twice = ml.Mechanism(
        "double pendulum",
        planar=True,
        gravity=(0, -G),
        bodies=[ml.ground(O=(0, 0)), *rods],
        joints=[ml.Revolute("A", "ground.O", "u.a"), ml.Revolute("B", "u.b", "v.a")],
        guess={"A": -1.4, "B": 0.0},
    )
    found = ml.eigenmodes(twice)
    np.testing.assert_allclose(
        found.frequencies, np.sqrt((2 + np.array([-1, 1]) * sqrt(2)) * G / length), rtol=1e-12
    )
    assert not found.damping.any()
    for k, sign in enumerate((1.0, -1.0)):
        shape = found.shape(k)
        assert (shape["A"] + shape["B"]) / shape["A"] == pytest.approx(sign * sqrt(2), rel=1e-11)
        one, two = found.marker("u.b", k), found.marker("v.b", k)
        assert two[0] / one[0] == pytest.approx(1 + sign * sqrt(2), rel=1e-11)
    assert len(found) == 2
    assert len(found.others) == 0
    texts(repr(found), "2", "'double pendulum'", "2.86")


def test_a_mode_of_a_loop_moves_its_cut_joint_too() -> None:
    bar = damped_four_bar()
    found = ml.eigenmodes(bar)
    shape, at = found.shape(0), found.state
    assert set(shape) == {"A", "B", "C", "D"}
    h = 1e-4
    ends = [ml.assemble(bar, {"A": at["A"].position + s * h}, guess=at.positions) for s in (1, -1)]
    for joint in "BCD":
        ratio = (ends[0][joint].position - ends[1][joint].position) / (2 * h)
        assert shape[joint] / shape["A"] == pytest.approx(ratio, rel=1e-6)
    model = ml.linearise(bar)
    assert found.poles[0] in model.poles
    assert found.damping[0] == pytest.approx(-model.poles[0].real / abs(model.poles[0]), rel=1e-12)


def test_a_linear_model_for_scipy(texts: Texts) -> None:
    model = ml.linearise(damped_four_bar(), inputs=["A"], outputs=["D"])
    system = model.to_scipy()
    np.testing.assert_allclose(
        np.sort_complex(np.linalg.eigvals(system.A)), np.sort_complex(model.poles), rtol=1e-10
    )
    texts(repr(model), "2", "1")


def test_own_states_are_states_of_the_model() -> None:
    """A PI-controlled pendulum: λ³ J + k_p λ + k_i + … = 0 with an integral of the error."""
    stiff, slow, damping, inertia = 30.0, 12.0, 4.0, 2.0 / 3
    pushed = -stiff * ml.position("A") - damping * ml.rate("A") - slow * ml.integral("error")
    bar = pinned_body(
        ml.rod("bar", length=1.0, mass=2.0),
        name="held pendulum",
        gravity=(0, 0),
        actuators=[ml.Actuator("A", effort=pushed)],
        integrals=[ml.Integral("error", ml.position("A"))],
    )
    model = ml.linearise(bar)
    assert model.states == ("A", "A rate", "error")
    roots = np.roots([inertia, damping, stiff, slow])
    np.testing.assert_allclose(np.sort_complex(model.poles), np.sort_complex(roots), rtol=1e-10)


def test_drives_that_are_held_stand_still() -> None:
    """A rod that hangs from a moving crank: with the drive held, it swings about its pin, ω² = 3 g/2 L."""
    machine = ml.Mechanism(
        "rod on a crank",
        planar=True,
        bodies=[ml.ground(), ml.rod("crank", length=0.1, mass=1.0), ml.rod("rod", length=0.5, mass=2.0)],
        joints=[ml.Revolute("A", "ground.origin", "crank.a"), ml.Revolute("B", "crank.b", "rod.a")],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(3.0))],
        guess={"B": -1.5},
    )
    rest = ml.equilibrium(machine, held=True)
    for found in (ml.eigenmodes(machine, rest, held=True), ml.eigenmodes(machine, held=True)):
        assert found.frequencies == pytest.approx([np.sqrt(1.5 * 9.81 / 0.5)])
    assert ml.linearise(machine, rest, held=True).A[1, 0] == pytest.approx(-1.5 * 9.81 / 0.5)
