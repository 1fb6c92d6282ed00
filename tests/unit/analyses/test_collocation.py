"""Collocation in time with conditions at both ends, on equations of one coordinate with solutions in closed form."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from multiloop.analyses.stable_inversion.boundary_value_problem import bounded_changes, periodic_changes
from multiloop.analyses.stable_inversion.collocation import (
    CollocatedMotion,
    NewtonStep,
    first_nodes,
    gauss,
    interval_maps,
    interval_splits,
)
from multiloop.analyses.stable_inversion.internal_dynamics import LinearisedResidual
from multiloop.analyses.stable_inversion.quasi_static_motion import energy_outside, growing_motions

Function = Callable[[np.ndarray], np.ndarray]


def slopes_of(t: np.ndarray, stiffness: Function, push: Function, damping: float = 0.0) -> LinearisedResidual:
    """Derivatives of η̈ + d η̇ + k(t) η = f(t) about zero."""
    one = np.ones((len(t), 1, 1))
    return LinearisedResidual(-push(t)[:, None], stiffness(t)[:, None, None] * one, damping * one, one)


def solved(
    nodes: np.ndarray, stages: int, changes: Callable[..., np.ndarray], *model: object
) -> CollocatedMotion:
    """The motion for the given end conditions; all is linear, so that one step suffices."""
    rule = gauss(stages)
    course = CollocatedMotion(rule, nodes, np.zeros((len(nodes), 2)), np.zeros((len(nodes) - 1, stages, 1)))
    passage = interval_maps(course.h, slopes_of(course.times, *model), rule)  # type: ignore[arg-type]
    z = changes(passage.A, passage.d)
    return course.after_step(NewtonStep(z, passage.P + (passage.Q @ z[:-1, None, :, None])[..., 0]))


def pulse(t: np.ndarray) -> np.ndarray:
    """One wave between 0 and 1."""
    return np.where((t > 0) & (t < 1), np.sin(2 * np.pi * t), 0.0)


def constant(value: float) -> Function:
    return lambda t: np.full(len(t), value)


def test_polynomials_are_met_everywhere() -> None:
    """With s points, of degree s + 1: ζ, u and w of t⁴ with three, at any place."""
    rule, nodes = gauss(3), np.array([0.0, 0.7, 1.0])
    at = (nodes[:-1, None] + np.diff(nodes)[:, None] * rule.c)[..., None]
    course = CollocatedMotion(rule, nodes, np.column_stack([nodes**4, 4 * nodes**3]), 12 * at**2)
    t = np.linspace(0.0, 1.0, 9)
    zeta, u, w = course.at(t)
    assert zeta[:, 0] == pytest.approx(t**4, abs=1e-14)
    assert u[:, 0] == pytest.approx(4 * t**3, abs=1e-14)
    assert w[:, 0] == pytest.approx(12 * t**2, abs=1e-13)
    assert course.gap < 1e-14
    finer = course.split(np.array([3, 2]))
    assert finer.at(t)[0][:, 0] == pytest.approx(t**4, abs=1e-14)
    assert len(finer.h) == 5


@pytest.mark.parametrize("stages", [2, 6])
def test_an_oscillation_keeps_its_amplitude(stages: int) -> None:
    """η̈ + ω² η = 0: for intervals of any length the transition matrix has eigenvalues of magnitude one."""
    h = np.linspace(0.1, 40.0, 400)
    found = slopes_of(np.repeat(h, stages), constant(1.0), constant(0.0))
    A = interval_maps(h, found, gauss(stages)).A
    assert np.abs(np.linalg.eigvals(A)) == pytest.approx(1.0, abs=1e-6)


def test_nodes_have_twice_the_order_of_the_points() -> None:
    """η̈ + η = 0 from (1, 0): cos t, with errors that fall 64 times as intervals are halved, for three points."""

    def begun(A: np.ndarray, d: np.ndarray) -> np.ndarray:
        z = [np.array([1.0, 0.0])]
        for one, more in zip(A, d, strict=True):
            z.append(one @ z[-1] + more)
        return np.array(z)

    off = []
    for count in (4, 8, 16):
        course = solved(np.linspace(0.0, 4.0, count + 1), 3, begun, constant(1.0), constant(0.0))
        off.append(np.abs(course.z[:, 0] - np.cos(course.nodes)).max())
    assert np.log2(off[0] / off[1]) == pytest.approx(6.0, abs=0.3)
    assert np.log2(off[1] / off[2]) == pytest.approx(6.0, abs=0.2)


def ends(stiffness: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """W₀ and W₁ for solutions that grow at both ends."""
    both = slopes_of(np.zeros(2), lambda t: np.array(stiffness), constant(0.0))
    energy = np.array([1.0, 1.0])
    return tuple(energy_outside(growing_motions(both, k, grows=k == 0), energy) for k in (0, 1))  # type: ignore[return-value]


def test_the_bounded_motion_is_found() -> None:
    """η̈ − σ² η = f: η = −∫ f e^{−σ|t−s|}/2σ ds."""
    sigma, nodes = 7.0, first_nodes([0.0, 1.0], 3.0, 3.0, 20)
    course = solved(
        nodes,
        5,
        lambda A, d: bounded_changes(A, d, np.zeros((2, 2)), ends((-(sigma**2), -(sigma**2)))),
        constant(-(sigma**2)),
        pulse,
    )
    t, omega = np.linspace(-1.0, 2.0, 61), 2 * np.pi
    corners = np.exp(-sigma * np.abs(t)) - np.exp(-sigma * np.abs(t - 1))
    exact = -(pulse(t) + omega / (2 * sigma) * corners) / (omega**2 + sigma**2)
    assert course.at(t)[0][:, 0] == pytest.approx(exact, abs=1e-9)


def test_an_oscillation_begins_at_rest() -> None:
    """η̈ + ω² η = f: zero before, and the Fourier component of the force after it."""
    omega, nodes = 5.0, first_nodes([0.0, 1.0], 1.0, 1.0, 20)
    course = solved(
        nodes,
        5,
        lambda A, d: bounded_changes(A, d, np.zeros((2, 2)), ends((omega**2, omega**2))),
        constant(omega**2),
        pulse,
    )
    t = np.linspace(1.0, 2.0, 21)
    s = np.linspace(0.0, 1.0, 2001)
    exact = [np.trapezoid(np.sin(2 * np.pi * s) * np.sin(omega * (one - s)) / omega, s) for one in t]
    assert np.abs(course.at(np.linspace(-1.0, 0.0, 11))[0]).max() < 1e-9
    assert course.at(t)[0][:, 0] == pytest.approx(exact, abs=1e-6)


def test_kinds_that_change_on_the_way_stay_bounded() -> None:
    """Oscillation before and exponential growth after: more conditions than unknowns, and almost at rest at the
    beginning."""
    nodes = first_nodes([0.0, 1.0], 1.0, 2.0, 40)

    def stiffness(t: np.ndarray) -> np.ndarray:
        return np.asarray(25.0 - 74.0 * np.clip(t, 0.0, 1.0))

    course = solved(
        nodes,
        5,
        lambda A, d: bounded_changes(A, d, np.zeros((2, 2)), ends((25.0, -49.0))),
        stiffness,
        pulse,
    )
    assert np.abs(course.z[:, 0]).max() < 0.1
    assert np.abs(course.z[-1]).max() < 1e-6
    assert np.abs(course.z[0]).max() < 0.2  # it cannot be at rest and stay bounded


def test_a_cycle_closes() -> None:
    """η̈ + 0.3 η̇ + 4 η = cos 2πt over one period, by its phasor."""
    course = solved(
        np.linspace(0.0, 1.0, 11),
        5,
        lambda A, d: periodic_changes(A, d, np.zeros(2)),
        constant(4.0),
        lambda t: np.cos(2 * np.pi * t),
        0.3,
    )
    omega, t = 2 * np.pi, np.linspace(0.0, 1.0, 31)
    exact = (np.exp(1j * omega * t) / (4 - omega**2 + 0.3j * omega)).real
    assert course.at(t)[0][:, 0] == pytest.approx(exact, abs=1e-9)


def test_intervals_are_split_as_their_defect_asks() -> None:
    parts = interval_splits(np.array([1e-9, 2e-7, 3e-6, 1.0]), 1e-7, 5)
    assert parts.tolist() == [1, 2, 2, 4]


def test_first_nodes_hold_the_corners() -> None:
    nodes = first_nodes([0.0, 0.33, 1.0], 0.5, 0.0, 10)
    assert nodes[0] == -0.5
    assert nodes[-1] == 1.0
    assert 0.33 in nodes
    assert 0.0 in nodes
    assert (np.diff(nodes) > 0).all()
