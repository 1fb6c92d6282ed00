"""Tapered and cranked beams with shear and added masses, against formulas: static loads, natural frequencies,
masses."""

from __future__ import annotations

from itertools import pairwise

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.linalg import expm
from scipy.optimize import brentq
from zoo.plain import clamped_body

import multiloop as ml
from multiloop.kinematics.tree import parameter_resolver
from multiloop.model.marker_poses import nominal_value

E, G, RHO = 2.1e11, 8e10, 7850.0
STEEL = {"E": E, "G": G, "density": RHO}
FLAT = ml.rectangle(0.05, 0.01)
EI, EIY, EA, GJ, LINE = E * FLAT.Iz, E * FLAT.Iy, E * FLAT.A, G * FLAT.J, RHO * FLAT.A


def bar(**more: object) -> ml.Beam:
    """A bar of steel, with the constraint modes of its ends."""
    line = {} if "through" in more else {"length": 1.0}
    return ml.beam("bar", **(line | {"section": FLAT, "frame": "a", "basis": "interface"} | STEEL | more))


def give(beam: ml.Beam, marker: str, wrench: list[float], at: str | None = None) -> np.ndarray:
    """Rotation and displacement of a marker (rx, ry, rz, x, y, z) under a small wrench on another marker, or on
    itself."""
    modes = beam.reduced("origin", nominal_value, False).modes
    pushed, seen = (
        np.array(ca.DM(modes.shapes[name]).full())[:, : modes.count] for name in (marker, at or marker)
    )
    K = np.array(ca.DM(modes.stiffness).full())
    found: np.ndarray = seen @ np.linalg.solve(K, pushed.T @ np.array(wrench))
    return found


# static loads -----------------------------------------------------------------------------------------------------


def test_a_cantilever() -> None:
    """F L³/3EI and F L²/2EI, M L²/2EI and M L/EI, in both directions; F L/EA; T L/GJ."""
    modes = {"y": 2, "z": 2, "x": 1, "twist": 1}
    beam = bar(modes=modes)
    assert give(beam, "b", [0, 0, 0, 0, 1, 0])[[4, 2]] == pytest.approx(
        [1 / (3 * EI), 1 / (2 * EI)], rel=1e-10
    )
    assert give(beam, "b", [0, 0, 1, 0, 0, 0])[[4, 2]] == pytest.approx([1 / (2 * EI), 1 / EI], rel=1e-10)
    assert give(beam, "b", [0, 0, 0, 0, 0, 1])[[5, 1]] == pytest.approx(
        [1 / (3 * EIY), -1 / (2 * EIY)], rel=1e-10
    )
    assert give(beam, "b", [0, 0, 0, 1, 0, 0])[3] == pytest.approx(1 / EA, rel=1e-10)
    assert give(beam, "b", [1, 0, 0, 0, 0, 0])[0] == pytest.approx(1 / GJ, rel=1e-10)


def test_constraint_modes_contain_the_truncation_error_of_natural_modes() -> None:
    """One natural axial mode represents 8/π² of the effect of a force at the end, the constraint mode all of it."""
    natural = give(bar(modes={"x": 1}, basis="natural"), "b", [0, 0, 0, 1, 0, 0])[3]
    assert natural * EA == pytest.approx(8 / np.pi**2, rel=1e-6)
    assert give(bar(modes={"x": 1}), "b", [0, 0, 0, 1, 0, 0])[3] * EA == pytest.approx(1.0, rel=1e-12)


def test_a_beam_on_pins() -> None:
    """F L³/48EI in the middle, and F L²/16EI at the pins."""
    beam = bar(modes=6, frame="chord", interfaces=("a", "m", "b"), markers={"m": 0.5})
    assert give(beam, "m", [0, 0, 0, 0, 1, 0])[4] == pytest.approx(1 / (48 * EI), rel=1e-10)
    assert give(beam, "m", [0, 0, 0, 0, 1, 0], "a")[2] == pytest.approx(1 / (16 * EI), rel=1e-10)


def test_a_frame_of_two_pieces() -> None:
    """Both parts bend, the first is stretched; out of the plane it is twisted."""
    a, h = 0.6, 0.4
    beam = bar(through=[(0, 0, 0), (a, 0, 0), (a, h, 0)], modes={"y": 3, "z": 3})
    x = h**3 / (3 * EI) + h**2 * a / EI + a / EA
    across = give(beam, "b", [0, 0, 0, 1, 0, 0])
    assert across[[3, 4, 2]] == pytest.approx(
        [x, -h * a**2 / (2 * EI), -(h**2) / (2 * EI) - h * a / EI], rel=1e-9
    )
    z = a**3 / (3 * EIY) + h**3 / (3 * EIY) + h**2 * a / GJ
    assert give(beam, "b", [0, 0, 0, 0, 0, 1])[5] == pytest.approx(z, rel=1e-9)
    assert give(beam, "b", [0, 0, 0, 0, 1, 0], "c1")[4] == pytest.approx(a**3 / (3 * EI), rel=1e-9)


def test_a_frame_in_space() -> None:
    """Three parts along x, y and z: by Castigliano's theorem from the moments along them."""
    round_bar = ml.tube(0.02)
    pieces = np.array([0.5, 0.3, 0.2])
    beam = bar(
        through=[(0, 0, 0), (0.5, 0, 0), (0.5, 0.3, 0), (0.5, 0.3, 0.2)],
        section=round_bar,
        modes=6,
    )
    F, tip, at = np.array([1.0, -2.0, 0.5]), np.array([0.5, 0.3, 0.2]), np.zeros(3)
    energy = 0.0
    for way, length in zip(np.eye(3), pieces, strict=True):
        stiff = E * round_bar.Iz * np.ones(3) + (G * round_bar.J - E * round_bar.Iz) * way
        energy += quad(
            lambda s, p=at, e=way, k=stiff: (np.cross(tip - p - s * e, F) ** 2 / k).sum(), 0, length
        )[0]
        energy += (way @ F) ** 2 * length / (E * round_bar.A)
        at = at + length * way
    assert F @ give(beam, "b", [0, 0, 0, *F])[3:] == pytest.approx(energy, rel=1e-9)


def test_shear_adds_to_it() -> None:
    """F L³/3EI + F L/κGA, for any length: the elements are free of locking."""
    for length in (0.005, 0.1, 10.0):
        beam = bar(length=length, shear=True, modes=2, elements=3)
        known = length**3 / (3 * EI) + length / (5 / 6 * G * FLAT.A)
        assert give(beam, "b", [0, 0, 0, 0, 1, 0])[4] == pytest.approx(known, rel=1e-9)


TAPERS = {
    "depth": (
        ml.rectangle(0.05, 0.02),
        ml.rectangle(0.05, 0.01),
        lambda x: 0.05 * (0.02 - 0.01 * x) ** 3 / 12,
    ),
    "width": (ml.rectangle(0.05, 0.02), ml.rectangle(0.02, 0.02), lambda x: (0.05 - 0.03 * x) * 0.02**3 / 12),
    "tube": (
        ml.tube(0.04, 0.036),
        ml.tube(0.02, 0.016),
        lambda x: np.pi / 64 * ((0.04 - 0.02 * x) ** 4 - (0.036 - 0.02 * x) ** 4),
    ),
    "numbers": (ml.Section(1e-3, 2e-8), ml.Section(5e-4, 1e-8), lambda x: 2e-8 - 1e-8 * x),
}
"""Sections at both ends, and the second moment between them."""


@pytest.mark.parametrize("name", TAPERS)
def test_a_tapered_cantilever(name: str) -> None:
    """∫ (L − x)²/E I dx; the error of the elements falls with the fourth power of their length."""
    one, other, I = TAPERS[name]
    known = quad(lambda x: (1 - x) ** 2 / (E * I(x)), 0, 1)[0]
    beams = [bar(section=(one, other), modes=2, elements=n) for n in (4, 8, 32)]
    errors = np.array([give(beam, "b", [0, 0, 0, 0, 1, 0])[4] / known - 1 for beam in beams])
    assert abs(errors[-1]) < 1e-6
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.25)


# natural frequencies ------------------------------------------------------------------------------------------------

ROOTS = {
    "a": (1.8751040687, 4.6940911330, 7.8547574382),
    "chord": (np.pi, 2 * np.pi, 3 * np.pi),
    "free": (4.7300407449, 7.8532046241, 10.9956078380),
}
"""βL of a cantilever, of a beam on pins, and of a free one."""


def betas(beam: ml.Beam) -> np.ndarray:
    """βL, E I β⁴ = ρ A ω²."""
    return np.asarray((beam.frequencies() * np.sqrt(LINE / EI)) ** 0.5)


@pytest.mark.parametrize("frame", ROOTS)
def test_uniform_beams_swing_as_books_have_it(frame: str) -> None:
    """Far within 0.1 %, and errors that fall with the fourth power of the elements' length."""
    errors = [
        betas(bar(frame=frame, basis="natural", modes=3, masses={"b": 0.0}, elements=n)) / ROOTS[frame] - 1
        for n in (16, 32)
    ]
    assert np.abs(errors[1]).max() < 1e-5
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.1)


@pytest.mark.parametrize("frame", ["a", "chord", "free"])
def test_interface_shapes_swing_nearly_so(frame: str) -> None:
    """Ritz's method: from above, the first within 0.1 % with two modes more than the constraint modes of the ends."""
    found = betas(bar(frame=frame, modes=6 if frame == "free" else 4))[0] / ROOTS[frame][0] - 1
    assert -1e-6 < found < 1e-3


@pytest.mark.parametrize("ratio", [0.1, 1.0, 10.0])
def test_a_mass_at_the_tip(ratio: float) -> None:
    """1 + cos x cosh x + μ x (cos x sinh x − sin x cosh x) = 0, μ the mass relative to the beam's."""

    def equation(x: float) -> float:
        c, s, ch, sh = np.cos(x), np.sin(x), np.cosh(x), np.sinh(x)
        return float(1 + c * ch + ratio * x * (c * sh - s * ch))

    beam = bar(basis="natural", modes=3, masses={"b": ratio * LINE})
    found = betas(beam)[:2]
    known = [brentq(equation, 0.98 * x, 1.02 * x) for x in found]
    assert found == pytest.approx(known, rel=5e-6)  # discretisation
    assert beam.mass == pytest.approx(LINE * (1 + ratio), rel=1e-14)
    assert beam.com[0] == pytest.approx((0.5 + ratio) / (1 + ratio), rel=1e-14)


@pytest.mark.parametrize("slender", [100.0, 20.0, 8.0])
def test_timoshenkos_cantilever(slender: float) -> None:
    """Against the exact solution of his equations, by their transfer matrix; L/h from 100 to 8."""
    h = 1.0 / slender
    section = ml.rectangle(0.05, h)
    A, I, shear = section.A, section.Iz, 5 / 6 * G * section.A

    def determinant(w: float) -> float:
        rates = [
            [0, 1, 0, 1 / shear],
            [0, 0, 1 / (E * I), 0],
            [0, -RHO * I * w**2, 0, -1],
            [-RHO * A * w**2, 0, 0, 0],
        ]
        return float(np.linalg.det(expm(np.array(rates))[2:, 2:]))

    coarse, found = (
        bar(section=section, shear=True, basis="natural", modes=3, elements=n).frequencies() for n in (16, 32)
    )
    known = np.array([brentq(determinant, 0.99 * w, 1.01 * w, rtol=1e-13) for w in found])
    assert found == pytest.approx(known, rel=1e-5)  # discretisation
    # terms of higher order in the length of an element
    assert np.log2((coarse / known - 1) / (found / known - 1)) == pytest.approx(4.0, abs=0.1)
    plain = bar(section=section, basis="natural", modes=3, masses={"b": 0.0}).frequencies()
    assert (plain > found).all()


def test_bars_with_bubbles_stretch_and_twist() -> None:
    """(k − ½) π √(E/ρ)/L and (k − ½) π √(G J/ρ I_p)/L."""
    found = np.sort(bar(basis="natural", modes={"x": 2, "twist": 2}, masses={"b": 0.0}).frequencies())
    twist = np.sqrt(GJ / RHO / (FLAT.Iy + FLAT.Iz))
    known = np.outer([0.5, 1.5], np.pi * np.array([np.sqrt(E / RHO), twist])).ravel()
    assert found == pytest.approx(np.sort(known), rel=1e-5)  # discretisation


# mass properties and modes of a link --------------------------------------------------------------------------------


def test_it_weighs_what_its_pieces_weigh() -> None:
    """Mass, mass centre and inertia of a tapered, cranked link with masses: sums over many short bars."""
    corners = np.array([[0.1, 0.0, 0.0], [0.4, 0.1, 0.0], [0.4, 0.3, 0.2]])
    beam = bar(
        through=corners.tolist(),
        section=(ml.rectangle(0.03, 0.02), ml.rectangle(0.01, 0.015)),
        masses={"b": 0.3, "m": 0.2},
        markers={"m": (0.2, 0.3, 0.1)},
        modes=6,
    )
    lengths = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    n, total, first, second = 2000, 0.0, np.zeros(3), np.zeros((3, 3))
    ends = np.concatenate([[0.0], np.cumsum(lengths)]) / lengths.sum()
    for k, (begin, end) in enumerate(pairwise(ends)):
        xi = begin + (end - begin) * (np.arange(n) + 0.5) / n
        b, h = 0.03 - 0.02 * xi, 0.02 - 0.005 * xi
        dm = RHO * b * h * lengths[k] / n
        r = corners[k] + np.outer((xi - begin) / (end - begin), corners[k + 1] - corners[k])
        x = (corners[k + 1] - corners[k]) / lengths[k]
        y = np.cross([0, 0, 1], x) / np.linalg.norm(np.cross([0, 0, 1], x))
        total, first = total + dm.sum(), first + dm @ r
        second += (r * dm[:, None]).T @ r + (dm * h**2).sum() / 12 * np.outer(y, y)
        second += (dm * b**2).sum() / 12 * np.outer(np.cross(x, y), np.cross(x, y))
    for m, p in ((0.3, corners[2]), (0.2, np.array([0.2, 0.3, 0.1]))):
        total, first, second = total + m, first + m * p, second + m * np.outer(p, p)
    assert beam.mass == pytest.approx(total, rel=1e-6)
    assert np.array(beam.com) == pytest.approx(first / total, rel=1e-6)
    assert np.array(beam.inertia) == pytest.approx(np.trace(second) * np.eye(3) - second, abs=1e-6)


def test_markers_off_the_centreline_rotate_with_their_section() -> None:
    """p = p_b + exp(θ) l, to second order of the rotation."""
    lever = np.array([0.1, 0.2, -0.05])
    beam = bar(
        basis="natural",
        modes={"y": 2, "z": 2, "twist": 1},
        markers={"out": tuple(np.array([1, 0, 0]) + lever)},
    )
    assert not beam.uniform
    body = beam.reduced("origin", nominal_value, False)
    for size in (1e-2, 1e-3):
        eta = ca.DM(size * np.array([1.0, -0.3, 0.5, 0.2, 1.0]))
        tip, out = body.marker_pose("b", eta), body.marker_pose("out", eta)
        away = np.array(out.p - tip.p - tip.R @ lever).ravel()
        turned = np.linalg.norm(np.array(tip.R) - np.eye(3))
        assert np.linalg.norm(away) < 0.3 * turned**3
        assert np.array(out.R) == pytest.approx(np.array(tip.R), abs=1e-12)


@pytest.mark.parametrize("frame", ["a", "chord"])
def test_bending_moments_of_modes_are_those_of_a_uniform_beam(frame: str) -> None:
    """Elements of both types give the same E I w'', and the same slope and curvature of the shortening."""
    modes = {"y": 2, "z": 2}
    plain, made = (
        bar(frame=frame, basis="natural", modes=modes, **more) for more in ({}, {"masses": {"b": 0.0}})
    )
    assert plain.uniform
    assert not made.uniform
    lines, xi = (plain.centreline(), made.centreline()), np.linspace(0.0, 1.0, 33)
    unit = np.eye(4)
    scale = np.array([line.deflection(1e-9 * unit, np.array([0.4]))[:, 0, 1:].sum(axis=1) for line in lines])
    eta = unit * (scale[0] / scale[1])[:, None]
    one, other = lines[0].bending_moments(unit, xi), lines[1].bending_moments(eta, xi)
    assert other == pytest.approx(one, abs=1e-4 * np.abs(one).max())
    eta, small = 1e-2 * eta.sum(axis=0)[None], 1e-2 * unit.sum(axis=0)[None]
    for read in ("deflection", "slope", "rotation"):
        found, known = getattr(lines[1], read)(eta, xi), getattr(lines[0], read)(small, xi)
        assert found == pytest.approx(known, abs=3e-4 * np.abs(known).max())


def test_parameters_stay_symbols() -> None:
    """A tapered beam with one parameter: at its own value equal to the numerical one, elsewhere near a beam with that
    value."""
    h = ml.Parameter("h", 0.02)
    sections = (ml.rectangle(0.05, h), ml.rectangle(0.05, 0.01))
    beam = bar(section=sections, basis="natural", modes=3)
    symbol = ca.SX.sym("h")

    modes = beam.reduced("origin", parameter_resolver(("h",), symbol), False).modes
    stiffness, mass = ca.SX(modes.stiffness), ca.SX(modes.mass)[:3, :3]
    both = ca.Function("both", [symbol], [stiffness, mass])
    for value, near in ((0.02, [1e-12] * 3), (0.025, [1e-4, 3e-3, 1e-2])):
        K, M = (np.array(part.full()) for part in both(value))
        known = bar(section=(ml.rectangle(0.05, value), sections[1]), basis="natural", modes=3).frequencies()
        found = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real))
        assert (np.abs(found / known - 1) < near).all()


def test_rayleighs_damping() -> None:
    """A mode of frequency ω has α/2ω + βω/2 of critical damping, on uniform beams and others."""
    for more in ({}, {"masses": {"b": 1.0}}):
        beam = bar(basis="natural", modes=2, damping=ml.Rayleigh(3.0, 2e-5), **more)
        machine = clamped_body(beam, "swinging", joint="hold", gravity=(0, 0))
        found = ml.eigenmodes(machine, ml.equilibrium(machine))
        w = found.frequencies
        assert w == pytest.approx(beam.frequencies(), rel=1e-9)
        assert found.damping == pytest.approx(1.5 / w + 1e-5 * w, rel=1e-9)
        assert ml.from_text(ml.to_text(machine)) == machine
