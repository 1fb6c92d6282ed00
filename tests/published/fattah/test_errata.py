"""[fattah]: numbers of the tables and formulas of chs. 3–6, in the printed and in the right form.

They are listed in docs/errata.md. Formulas are held against differences and dense solves; the library is used for the
torques of the manoeuvre (6.34) only.
"""

from __future__ import annotations

import numpy as np
import pytest
from published.fattah import test_spatial_manipulator as spatial
from published.fattah.manipulators import EI
from published.fattah.spatial import BEGIN, MOTORS, manipulator
from scipy.optimize import brentq, fsolve, least_squares
from scipy.spatial.transform import Rotation

import multiloop as ml
from multiloop.examples.mechanisms.spatial_manipulator import ACROSS, PATHS

# tables ----------------------------------------------------------------------------------------------------

LINKS = {
    "4.1 and 5.1, proximal": (0.45, 0.0623, 1e-4),
    "4.1 and 5.1, distal": (0.55, 0.0761, 1e-4),
    "5.2, proximal": (0.8, 0.1108, 1e-4),
    "5.2, distal": (1.2, 0.1652, 1e-4),
    "6.1, leg 1": (2.109, 0.292, 1e-3),
    "6.1, leg 2": (2.470, 0.342, 1e-3),
    "6.1, leg 3": (2.700, 0.373, 1e-3),
}
"""Lengths, masses and the unit of their last digit. All links have the same E I, thus one section of 0.1385 kg/m."""


def test_a_mass_of_table_5_2_is_a_misprint_of_0_1662() -> None:
    """0.1652 kg is off by ten units of its last digit, every other mass by no more than one."""
    off = {name: (mass - 0.1385 * length) / digit for name, (length, mass, digit) in LINKS.items()}
    assert off.pop("5.2, distal") == pytest.approx(-10, abs=0.05)
    assert max(map(abs, off.values())) < 1
    assert pytest.approx(0.1662, rel=1e-12) == 0.1108 / 0.8 * 1.2  # both links of the same table


def test_the_mass_of_leg_3_is_cut_off() -> None:
    """Table 6.1: 2.7 m of 0.1385 kg/m are 0.374 kg; printed is 0.373."""
    assert round(0.1385 * 2.700, 3) == 0.374
    assert [round(0.1385 * x, 3) for x in (2.109, 2.470)] == [0.292, 0.342]


def test_the_bending_stiffness_has_lost_a_digit() -> None:
    """7.815 and 31.25 N m²: a strip has the ratio (b/h)², and 10 × 5 mm with 75 GPa have 7.8125 and 31.25."""
    b, h, modulus, density = 0.010, 0.005, 75e9, 2770.0
    assert modulus * b * h**3 / 12 == pytest.approx(7.8125, rel=1e-12)
    assert modulus * h * b**3 / 12 == pytest.approx(ACROSS, rel=1e-12)
    assert density * b * h == pytest.approx(0.1385, rel=1e-12)
    assert pytest.approx(EI, rel=1e-12) == 7.815
    assert pytest.approx(3.9987, abs=5e-5) == ACROSS / EI


# gravity and geometric stiffness ---------------------------------------------------------------------------


def test_gravity_acts_on_elastic_coordinates_through_an_integral() -> None:
    """(3.43): L(C₀) in the place of C¹/m, (3.15a). A horizontal cantilever under its weight sags by m g L³/(8 E I).

    With its exact shape φ as the only function the tip is right; with L(C₀)ᵀ m g it is 11.5 % too small.
    """
    L, mass, g = 1.2, 0.1662, 9.81
    x, w = np.polynomial.legendre.leggauss(8)
    x, w = (x + 1) / 2, w / 2

    def shape(x: np.ndarray) -> np.ndarray:
        return np.asarray(x**2 * (6 - 4 * x + x**2) / 3)

    stiffness = EI / L**3 * np.sum(w * (4 * (1 - x) ** 2) ** 2)
    exact = mass * g * L**3 / (8 * EI)
    right, printed = (
        load / stiffness for load in (mass * g * np.sum(w * shape(x)), mass * g * shape(np.array(0.5)))
    )
    assert right == pytest.approx(exact, rel=1e-12)
    assert printed / exact == pytest.approx(0.885, abs=5e-4)


def test_half_of_equation_5_15_is_counted_twice() -> None:
    """ε of (3.27c) has the ½ of (5.17); with that of (5.15) too, Euler's load of a pinned strut would be doubled."""
    L = 0.8
    x, w = np.polynomial.legendre.leggauss(20)
    x, w = L * (x + 1) / 2, L * w / 2
    slope, curvature = np.pi / L * np.cos(np.pi * x / L), (np.pi / L) ** 2 * np.sin(np.pi * x / L)
    strain = slope**2 / 2
    bending, right, printed = EI * np.sum(w * curvature**2) / 2, np.sum(w * strain), np.sum(w * strain) / 2
    euler = np.pi**2 * EI / L**2
    assert bending / right == pytest.approx(euler, rel=1e-12)
    assert bending / printed == pytest.approx(2 * euler, rel=1e-12)


def test_a_tip_turns_by_its_slope_and_not_by_its_chord() -> None:
    """(4.21g), (4.25e), (6.14b), (6.23) divide the deflection w of a clamped link by its length L.

    The slope of its tip is 3/2 of w/L under a force at the tip, 4/3 under a uniform load, 1.3765 in the first mode.
    """
    root = brentq(lambda k: np.cosh(k) * np.cos(k) + 1, 1.5, 2.0, xtol=1e-14)
    part = (np.cosh(root) + np.cos(root)) / (np.sinh(root) + np.sin(root))
    shapes = {
        1.5: lambda x: x**2 * (3 - x),
        4 / 3: lambda x: x**2 * (6 - 4 * x + x**2),
        1.3765: lambda x: (
            np.cosh(root * x) - np.cos(root * x) - part * (np.sinh(root * x) - np.sin(root * x))
        ),
    }
    for expected, shape in shapes.items():
        h = 1e-6
        slope = (shape(1 + h) - shape(1 - h)) / (2 * h)
        assert slope / shape(1.0) == pytest.approx(expected, abs=5e-5)  # digits


def test_the_nodal_slopes_of_section_6_2_4_are_not_chord_rotations() -> None:
    """Tips are deflected by 0.14 and 0.07 m with slopes of 0.13 and 0.11; (6.14b) has 0.066 and 0.033 or less."""
    nodal = np.array([0, 0, 0, 0, 0.05, 0.02, 0.06, 0.03, 0.14, 0.07, 0.13, 0.11])
    deflections, slopes = nodal[8:10], nodal[10:]
    assert deflections == pytest.approx(spatial.TIPS["flexible"][0], abs=1e-15)
    for length in spatial.LENGTHS:
        assert (slopes > 1.9 * np.arctan(deflections / length)).all()


# spatial manipulator ---------------------------------------------------------------------------------------


def test_the_tip_rotation_of_equation_6_14_has_a_wrong_sign() -> None:
    """A tip that is deflected along +z turns its x axis to +z; F of (6.14a) turns it to −z, against (6.23)."""
    deflection, length = np.array([0.07, 0.14]), 2.109
    g2, g3 = np.arctan(deflection / length)
    printed = np.array([[1, -g2, g3], [g2, 1, 0], [-g3, 0, 1]])
    chord = np.array([length, *deflection]) / length
    assert np.sign(printed[1, 0]) == np.sign(chord[1])
    assert np.sign(printed[2, 0]) == -np.sign(chord[2])
    right = np.array([[1, -g2, -g3], [g2, 1, 0], [g3, 0, 1]])
    assert right[:, 0] == pytest.approx(chord, abs=3e-4)  # third order of the angles
    rotation = Rotation.from_rotvec([0, -g3, g2]).as_matrix()  # (6.23), integrated
    assert right == pytest.approx(rotation, abs=4e-3)  # second order
    assert np.abs(printed - rotation).max() > 0.05


def test_the_tip_rotation_of_equation_6_14_is_no_rotation() -> None:
    """F stretches by γ²/2, 0.3 % at the deflections of Table 6.2."""
    g2, g3 = np.arctan(np.array([0.14, 0.07]) / 2.109)
    printed = np.array([[1, -g2, g3], [g2, 1, 0], [-g3, 0, 1]])
    assert np.linalg.norm(printed[:, 0]) - 1 == pytest.approx((g2**2 + g3**2) / 2, rel=1e-2)
    assert np.abs(printed.T @ printed - np.eye(3)).max() > 4e-3


def platform(order: str, sign: float, angles: np.ndarray, bent: np.ndarray) -> np.ndarray:
    """c with R A F Q or R F A Q in (6.11b), and the printed or the right sign of γ₃ in (6.14a)."""

    def tip(k: int, elbow: float) -> np.ndarray:
        length, b, alpha = spatial.LENGTHS[k], spatial.TURNED[k], np.radians(25.0)
        x, y = np.array([np.sin(b), 0, np.cos(b)]), np.array([0, 1.0, 0])
        R = np.column_stack([x, y, np.cross(x, y)]) @ spatial.about_z(angles[k])
        g2, g3 = np.arctan(bent / length) * [1, sign]
        F = np.array([[1, -g2, g3], [g2, 1, 0], [-g3, 0, 1]])
        A = np.array([[1, 0, 0], [0, np.cos(alpha), -np.sin(alpha)], [0, np.sin(alpha), np.cos(alpha)]])
        twist = {"A F": A @ F, "F A": F @ A}[order]
        return np.asarray(
            spatial.BASE[k] + (R + R @ twist @ spatial.about_z(elbow)) @ np.array([length, *bent])
        )

    def gaps(elbows: np.ndarray) -> list[float]:
        r = [tip(k, elbow) for k, elbow in enumerate(elbows)]
        return [float(np.sum((r[j] - r[i]) ** 2) - side**2) for (i, j), side in spatial.SIDES.items()]

    elbows, _, ok, told = fsolve(gaps, spatial.ELBOWS["flexible"], full_output=True, xtol=1e-13)
    assert ok == 1, told
    return np.asarray(np.mean([tip(k, elbow) for k, elbow in enumerate(elbows)], axis=0))


def test_the_flexible_column_of_table_6_2_follows_from_the_printed_order_and_sign_only() -> None:
    """(6.11b): the deflection bends link i, so its rotation F must precede the twist A.

    Table 6.2 has A F, and the wrong sign of (6.14a); F A with the right sign moves the platform by 58 mm.
    """
    bent, printed = spatial.TIPS["flexible"][0], np.array(spatial.TABLES["flexible"][0])
    found = {
        (order, sign): platform(order, sign, spatial.ANGLES, bent)
        for order in ("A F", "F A")
        for sign in (1, -1)
    }
    assert found["A F", 1] == pytest.approx(printed, abs=5e-3)  # its digits
    others = {key: np.linalg.norm(c - printed) for key, c in found.items() if key != ("A F", 1)}
    assert min(others.values()) > 0.03
    assert others["F A", -1] == pytest.approx(0.058, abs=5e-4)


def test_the_rigid_columns_alone_predict_the_flexible_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine numbers of the base from the rigid columns, then c of the flexible one in each of four forms.

    So the order and the sign are not an effect of the base, which is otherwise fitted to both columns.
    """
    c, R, c_rate, omega = spatial.TABLES["rigid"]
    digits = np.repeat([5e-3, 5e-4, 5e-3, 5e-3], [3, 9, 3, 3])
    known = np.concatenate([c, np.ravel(R), c_rate, omega])
    still = np.zeros(2)

    def use(x: np.ndarray) -> None:
        monkeypatch.setattr(spatial, "BASE", np.insert(x[:6].reshape(3, 2), 1, 0.0, axis=1))
        monkeypatch.setattr(spatial, "TURNED", tuple(x[6:]))

    def off(x: np.ndarray) -> np.ndarray:
        use(x)
        elbows = spatial.closed("rigid")
        r, v = spatial.tips(elbows, still), spatial.tip_rates(elbows, still, still)
        found = np.concatenate(
            [r.mean(axis=0), spatial.frame(r).ravel(), v.mean(axis=0), spatial.turning_of(r, v)]
        )
        return np.asarray((found - known) / digits)

    begin = np.concatenate([spatial.BASE[:, [0, 2]].ravel(), spatial.TURNED])
    fitted = least_squares(off, begin, diff_step=1e-6)
    assert np.abs(fitted.fun).max() < 2  # halves of last digits
    assert np.linalg.svd(fitted.jac, compute_uv=False).min() > 10  # nine numbers are determined
    use(fitted.x)
    bent, printed = spatial.TIPS["flexible"][0], np.array(spatial.TABLES["flexible"][0])
    assert platform("A F", 1, spatial.ANGLES, bent) == pytest.approx(printed, abs=5e-3)  # its digits
    for order, sign in (("A F", -1), ("F A", 1), ("F A", -1)):
        assert np.linalg.norm(platform(order, sign, spatial.ANGLES, bent) - printed) > 0.025


def test_the_flexible_column_of_table_6_3_is_not_the_rate_of_table_6_2() -> None:
    """ċ by differences of the configuration is (−1.09, −3.60, −0.99) m/s; Table 6.3 has (−1.20, −3.92, −1.02).

    (6.21)–(6.23) take F for a rotation; its rate has the other sign, and the axes of link i without A.
    """
    (bent, bending), h = spatial.TIPS["flexible"], 1e-6
    ahead, back = (
        platform("A F", 1, spatial.ANGLES + s * spatial.RATES, bent + s * bending) for s in (h, -h)
    )
    rate, printed = (ahead - back) / (2 * h), np.array(spatial.TABLES["flexible"][2])
    assert rate == pytest.approx([-1.089, -3.598, -0.986], abs=5e-4)
    assert np.linalg.norm(rate - printed) > 0.3


def test_the_manoeuvre_of_equation_6_34_ends_in_full_motion_after_a_ninth_of_its_way() -> None:
    """With t_f = 0.15 s: [t_f − (t_f/π) sin π]/1.35 = 1/9, and a rate of 2/1.35 (c − θ(0)), the largest of all.

    The links would need up to 806 N m, which bends a strip of E I = 31.25 N m² to a radius of 39 mm.
    """
    end = 0.15
    laws = {
        joint: begin + (c - begin) * (ml.time - end / np.pi * ml.expr.sin(np.pi * ml.time / end)) / 1.35
        for joint, (begin, c) in PATHS.items()
    }
    machine = manipulator().replace(drives=[ml.Motion(joint, law) for joint, law in laws.items()])
    result = ml.inverse(machine, t=np.linspace(0.0, end, 51))
    for joint, (begin, c) in PATHS.items():
        assert (result[joint].position[-1] - begin) / (c - begin) == pytest.approx(1 / 9, rel=1e-9)
        assert result[joint].rate[-1] == pytest.approx(2 / 1.35 * (c - begin), rel=1e-9)
        assert np.abs(result[joint].rate).max() == pytest.approx(abs(result[joint].rate[-1]), rel=1e-12)
    peaks = [np.abs(result[joint].effort).max() for joint in MOTORS]
    assert max(peaks) == pytest.approx(806, abs=5)  # 51 instants
    assert ACROSS / max(peaks) == pytest.approx(0.039, abs=1e-3)


def test_the_instant_of_table_6_2_is_not_on_the_path_of_equation_6_34() -> None:
    """§6.2.4: "obtained from the simulation"; θ₁ is at its end c₁, θ₂ and θ₃ after 90 and 92 % of their ways."""
    begin, c = np.array(BEGIN), np.array([end for _, end in PATHS.values()])
    progress = (spatial.ANGLES - begin) / (c - begin)
    assert progress == pytest.approx([1.0, 0.899, 0.917], abs=5e-4)
    rates = spatial.RATES / (c - begin)
    assert rates == pytest.approx([1.5, 1.2, 1.0], abs=5e-3)
