"""[saha] §§4.1–4.2: all bearing forces of four-bar and slider-crank over a turn, with and without gas force.

Motion by the ratios of eqs. (30)–(31) and (42), forces from the Newton–Euler equations (22)–(24) of all bodies at once,
as a square system of numbers, against the library.
"""

import numpy as np
import pytest
from zoo import four_bars, sliders

import multiloop as ml

E = np.array([[0.0, -1.0], [1.0, 0.0]])
G = np.array([0.0, -9.81])


def unit(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def along(angle, vector):
    return unit(angle) * vector[0] + E @ unit(angle) * vector[1]


def swept(arm, rate, acceleration):
    """Acceleration of the tip of a turning arm against its foot."""
    return acceleration * E @ arm - rate**2 * arm


class Balance:
    """Newton's and Euler's equations of planar bodies in unknown forces (two numbers each) and moments (one)."""

    def __init__(self, unknowns):
        self.places, count = {}, 0
        for name, size in unknowns.items():
            self.places[name] = slice(count, count + size)
            count += size
        self.rows, self.right = [], []

    def body(self, mass, inertia, acceleration, alpha, forces=(), moments=(), applied=(0.0, 0.0)):
        """`forces` are (name, sign, arm from the mass centre), `moments` (name, sign)."""
        rows = np.zeros((3, sum(p.stop - p.start for p in self.places.values())))
        for name, sign, arm in forces:
            rows[:2, self.places[name]] += sign * np.eye(2)
            rows[2, self.places[name]] += sign * (E @ arm)
        for name, sign in moments:
            rows[2, self.places[name]] += sign
        self.rows.append(rows)
        self.right.append([*(mass * (acceleration - G) - applied), inertia * alpha])

    def solved(self, extra=()):
        rows = np.vstack([*self.rows, *(row for row, _ in extra)])
        x = np.linalg.solve(rows, np.concatenate([*self.right, *([value] for _, value in extra)]))
        return {name: x[place] for name, place in self.places.items()}


def test_four_bar_bearings():
    """ψ̇ = 10 and ψ̈ = 5 at the start, more than one turn."""
    mechanism = four_bars.four_bar_with_offsets().replace(
        drives=[ml.Motion("A", 10 * ml.time + 2.5 * ml.time**2)]
    )
    result = ml.inverse(mechanism, t=np.linspace(0.0, 0.6, 41))
    for k, t in enumerate(result.time):
        psi, rate, alpha = result["A"].position[k], 10 + 5 * t, 5.0
        theta, phi = psi + result["B"].position[k], result["D"].position[k]
        a1, a2, a3 = 0.10 * unit(psi), 0.28 * unit(theta), 0.24 * unit(phi)
        loop = np.column_stack([E @ a2, -E @ a3])
        thd, phd = np.linalg.solve(loop, -rate * E @ a1)
        thdd, phdd = np.linalg.solve(loop, -swept(a1, rate, alpha) + thd**2 * a2 - phd**2 * a3)
        r1, r2, r3 = along(psi, (0.04, 0.01)), along(theta, (0.13, 0.03)), along(phi, (0.11, -0.02))
        known = Balance({"A": 2, "B": 2, "C": 2, "D": 2, "torque": 1})
        known.body(
            1.0, 0.0015, swept(r1, rate, alpha), alpha, [("A", 1, -r1), ("B", -1, a1 - r1)], [("torque", 1)]
        )
        at = swept(a1, rate, alpha) + swept(r2, thd, thdd)
        known.body(2.0, 0.018, at, thdd, [("B", 1, -r2), ("C", -1, a2 - r2)])
        known.body(1.5, 0.011, swept(r3, phd, phdd), phdd, [("D", 1, -r3), ("C", 1, a3 - r3)])
        found = known.solved()
        assert result["A"].effort[k] == pytest.approx(found["torque"][0], abs=1e-10)
        for joint in "ABCD":
            assert result[joint].force[k] == pytest.approx(found[joint], abs=1e-9), joint


@pytest.mark.parametrize("gas", [0.0, 100.0])
def test_slider_crank_bearings(gas):
    """ψ̇ = 20; the gas force acts on the slider along −x, at its mass centre."""
    loads = [ml.Force("gas", "slider.com", (-gas, 0.0))] if gas else []
    result = ml.inverse(sliders.slider_crank().replace(loads=loads), cycle=73)
    i = np.array([1.0, 0.0])
    for k in range(len(result.time)):
        psi, rate = result["A"].position[k], 20.0
        theta = psi + result["B"].position[k]
        a1, a2 = 0.05 * unit(psi), 0.20 * unit(theta)
        r1, r2, r3 = 0.02 * unit(psi), 0.07 * unit(theta), np.array([0.012, 0.004])
        loop = np.column_stack([E @ a2, -i])
        thd, _ = np.linalg.solve(loop, -rate * E @ a1)
        thdd, sdd = np.linalg.solve(loop, -swept(a1, rate, 0.0) + thd**2 * a2)
        known = Balance({"A": 2, "B": 2, "C": 2, "guide": 2, "turn": 1, "torque": 1})
        known.body(0.6, 6e-4, swept(r1, rate, 0.0), 0.0, [("A", 1, -r1), ("B", -1, a1 - r1)], [("torque", 1)])
        at = swept(a1, rate, 0.0) + swept(r2, thd, thdd)
        known.body(0.9, 4e-3, at, thdd, [("B", 1, -r2), ("C", -1, a2 - r2)])
        forces = [("C", 1, -r3), ("guide", 1, -r3)]
        known.body(0.5, 1e-4, sdd * i, 0.0, forces, [("turn", 1)], applied=(-gas, 0.0))
        smooth = np.zeros((1, 10))
        smooth[0, known.places["guide"].start] = 1.0
        found = known.solved([(smooth, 0.0)])
        assert result["A"].effort[k] == pytest.approx(found["torque"][0], abs=1e-10)
        assert result["guide"].moment[k] == pytest.approx(found["turn"][0], abs=1e-11)
        for joint in ("A", "B", "C", "guide"):
            assert result[joint].force[k] == pytest.approx(found[joint], abs=1e-10 * max(1.0, gas)), joint
