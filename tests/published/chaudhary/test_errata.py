"""[chaudhary]: printed numbers and equations that contradict each other, each with the printed and the right value.

They are listed in docs/errata.md.
"""

import numpy as np
import pytest
from zoo import scraper

import multiloop as ml

CPU = {
    "scraper": ((0.219, 0.156), (118.610, 56.703)),
    "RSSR": ((0.6560, 0.609, 0.5960), (176.672, 170.125, 157.156)),
}
"""Tables 2 and 3, in seconds: traditional method, then the system approach and the subsystem approach."""


def saving(times, k=1):
    """Per cent of the time of the traditional method."""
    return 100 * (times[0] - times[k]) / times[0]


def slender(mass, length):
    """Inertia of a rod about its end, in units of 1e-3 kg m² as Table 1."""
    return 1e3 * mass * length**2 / 3


def test_the_extension_of_the_long_link_begins_at_joint_iii_3():
    """Table 1, footnote: 0.597 m "beyond joint III-2⁰"; the inertia is that of a rod of 0.239 + 0.597 m."""
    mass, near, extension, printed = 10.5, 0.239, 0.597, 2449.0
    assert slender(mass, near + extension) == pytest.approx(
        printed, rel=2e-3
    )  # lengths are rounded to a millimetre
    length = near + extension
    other_side = 1e3 * mass * (length**2 / 12 + (length / 2 - extension) ** 2)
    assert other_side == pytest.approx(948, abs=1)  # backwards from III-2⁰
    assert slender(mass, extension) == pytest.approx(1247, abs=1)  # 0.597 m in all


def test_the_inertia_of_the_crank_is_a_unit_of_its_last_digit_too_large():
    """Table 1: 0.73 for 0.722; the others are those of slender rods with the lengths of [koul] to 0.25 %."""
    rods = {name: slender(mass, length) for name, (length, mass, _) in scraper.SET_K.items()}
    rods["coupler"] /= 4  # about its middle
    printed = {name: 1e3 * inertia for name, (_, _, inertia) in scraper.SET_C.items()}
    off = {name: printed[name] / rods[name] - 1 for name in printed}
    assert off.pop("crank") == pytest.approx(0.011, abs=5e-4)
    assert max(map(abs, off.values())) < 2.5e-3
    assert round(rods["crank"], 2) == 0.72


def test_subsystems_i_and_ii_are_exchanged_in_the_list_of_coordinates():
    """§6.1: "θ₁ and θ₂ of Subsystem II, θ₁ of Subsystem I"; I is rocker and coupler, II the crank alone."""
    plan = ml.analyse(scraper.scraper("C"), cuts=scraper.PAPER_CUTS)
    joints = {subsystem.bodies: len(subsystem.joints) for subsystem in plan.tree.subsystems}
    assert joints["rocker", "coupler"] == 2
    assert joints["crank",] == 1


def test_a_fixed_base_does_not_count_six_degrees_of_freedom():
    """Eq. (1): 6 + Σ n_j; §6.1 counts 7 and §2 counts 3 for the four-bar, which are Σ n_j."""
    plan = ml.analyse(scraper.scraper("C"), cuts=scraper.PAPER_CUTS)
    assert sum(len(subsystem.joints) for subsystem in plan.tree.subsystems) == 7
    assert sum(stage.equations for stage in plan.determinacy.stages) == 7


def test_table_2_has_a_matrix_of_subsystem_i_that_is_too_large():
    """3×3 in its title and 3³/3 in its sum, 45.3; §6.1 and the determinacy of the spanning tree have 2×2, thus 39.0."""
    plan = ml.analyse(scraper.scraper("C"), cuts=scraper.PAPER_CUTS)
    sizes = [stage.equations for stage in plan.determinacy.stages]
    assert sizes == [4, 2, 1]
    body_level = 7 * 2
    assert 4**3 / 3 + 3**3 / 3 + 1 + body_level == pytest.approx(45.3, abs=0.05)
    assert 4**3 / 3 + 2**3 / 3 + 1 + body_level == pytest.approx(39.0, abs=0.05)


def test_the_saving_of_table_2_does_not_follow_from_its_times():
    """30.59 % is printed next to 0.219 s and 0.156 s, which give 28.77 %; it would be right for 0.152 s."""
    dynamics, optimization = CPU["scraper"]
    assert saving(dynamics) == pytest.approx(28.77, abs=5e-3)
    assert saving((0.219, 0.152)) == pytest.approx(30.59, abs=5e-3)
    assert not any(abs(saving((0.219, x)) - 30.59) < 5e-3 for x in (0.151, 0.153, 0.156))
    assert saving(optimization) == pytest.approx(52.19, abs=5e-3)  # as printed


def test_the_cube_of_18_is_5832():
    """Table 3: O(18³/3) = O(1994); it is 1944, while 21³/3 = 3087 of Table 2 is right."""
    assert 18**3 // 3 == 1944
    assert 21**3 // 3 == 3087
    others = {128.3: 7**3 / 3 + 7 * 2, 45.33: 4**3 / 3 + 4 * 6, 33: 3**3 / 3 + 4 * 6}
    assert list(others.values()) == pytest.approx(list(others), abs=0.05)  # as printed


def test_two_savings_of_table_3_are_cut_off_and_two_are_rounded():
    """3.70 and 11.04 are printed for 3.71 and 11.05; 7.16 and 9.15 are right."""
    dynamics, optimization = CPU["RSSR"]
    assert [saving(dynamics, k) for k in (1, 2)] == pytest.approx([7.16, 9.15], abs=5e-3)
    found = [saving(optimization, k) for k in (1, 2)]
    assert [round(x, 2) for x in found] == [3.71, 11.05]
    assert [np.floor(100 * x) / 100 for x in found] == pytest.approx([3.70, 11.04], abs=1e-12)


def test_the_crank_needs_1_333_seconds_for_a_turn():
    """Table 2, note a: 1.34 s, "i.e., time period of the crank"; 134 instants from 0 to 1.33 s are a turn of 45 rpm."""
    period, step = 60 / 45, 0.01
    assert period == pytest.approx(1.3333, abs=5e-5)
    assert len(np.arange(0, period, step)) == 134


def cross(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def test_the_convective_term_of_equations_8_and_9_is_that_of_equations_2_and_5():
    """W M E t, not M W ṫ (8) nor W M E ṫ (9): against the momentum of five particles of a rigid body.

    Of the particles, the forces m r̈ and the moments about the origin O of the body, which itself moves.
    """
    rng = np.random.default_rng(0)
    masses, points = rng.uniform(0.5, 2.0, 5), rng.normal(size=(5, 3))
    omega, omega_rate, v_rate = rng.normal(size=(3, 3))
    arms = [omega_rate, omega]
    wanted = np.zeros(6)
    for mass, r in zip(masses, points, strict=True):
        force = mass * (v_rate + np.cross(arms[0], r) + np.cross(omega, np.cross(omega, r)))
        wanted += np.concatenate([np.cross(r, force), force])
    mass, moment = masses.sum(), masses @ points
    inertia = sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, points, strict=True))
    M = np.block([[inertia, cross(moment)], [-cross(moment), mass * np.eye(3)]])
    W, E = np.kron(np.eye(2), cross(omega)), np.diag([1.0, 1, 1, 0, 0, 0])
    v = rng.normal(size=3)
    t, t_rate = np.concatenate([omega, v]), np.concatenate([omega_rate, v_rate])
    # Here ṫ contains the acceleration of O itself, as in [chaudhary], eq. (2).
    assert M @ t_rate + W @ M @ E @ t == pytest.approx(wanted, abs=1e-12)
    assert np.abs(M @ t_rate + M @ W @ t_rate - wanted).max() > 1.0
    assert np.abs(M @ t_rate + W @ M @ E @ t_rate - wanted).max() > 1.0
