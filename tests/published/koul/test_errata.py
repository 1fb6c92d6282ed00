"""[koul]: signs of appendix A against differences of positions, and blocks of the SSLM method against a dense solve.

They are listed in docs/errata.md. Loops are closed by hand, in the angles α of the paper; the library is used for the
free motion of the 3-RRR only.
"""

import numpy as np
import pytest
from zoo.planar_parallel import STARTS, three_rrr

import multiloop as ml

STEP = 1e-6


def unit(angle):
    return np.array([np.cos(angle), np.sin(angle)])


def differences(gap, theta):
    """∂gap/∂θ, 2 × n, by central differences."""
    steps = STEP * np.eye(len(theta))
    return np.transpose([(gap(theta + h) - gap(theta - h)) / (2 * STEP) for h in steps])


def turns(weights, theta):
    return np.array(weights) @ theta


A2, A3, A4, A5 = 0.1152, 0.1152, 0.3346, 0.239
"""Rocker, half of the coupler, link 4, link 5 of the carpet scraper; the fork is at a₄ − a₅ on link 4."""


def scraper_loop_2(theta):
    """Coupler tip minus tip of link 5 (without constants), over θ₂, θ₃, θ₄, θ₅."""
    alpha2, alpha3 = theta[0], np.pi + theta[0] + theta[1]
    alpha4, alpha5 = theta[2], theta[2] + theta[3] - 2 * np.pi
    # α₃ is the direction from the rocker's end to the crank, so the free end of the coupler lies opposite
    return A2 * unit(alpha2) - A3 * unit(alpha3) - (A4 - A5) * unit(alpha4) - A5 * unit(alpha5)


@pytest.mark.parametrize("seed", range(3))
def test_j22_of_the_scraper(seed):
    """A.1: the y-row of J₂,₂ is [+a₂c₂ − a₃c₃, −a₃c₃]; printed with −a₂c₂."""
    theta = np.random.default_rng(seed).uniform(-2, 2, 4)
    alpha2, alpha3 = theta[0], np.pi + theta[0] + theta[1]
    s, c = np.sin([alpha2, alpha3]), np.cos([alpha2, alpha3])
    printed = np.array([[-A2 * s[0] + A3 * s[1], A3 * s[1]], [-A2 * c[0] - A3 * c[1], -A3 * c[1]]])
    right = np.array([printed[0], [A2 * c[0] - A3 * c[1], -A3 * c[1]]])
    found = differences(scraper_loop_2, theta)[:, :2]
    assert found == pytest.approx(right, abs=1e-9)  # differences of 1e-6
    assert np.abs(found - printed).max() == pytest.approx(2 * A2 * abs(c[0]), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_a_row_of_loop_2_cannot_be_right_with_all_signs_turned(seed):
    """J₂,₃ has its y-row as printed, so that the one of J₂,₂ is not merely turned as that of loop 1 is."""
    theta = np.random.default_rng(seed).uniform(-2, 2, 4)
    alpha4, alpha5 = theta[2], theta[2] + theta[3]
    s, c = np.sin([alpha4, alpha5]), np.cos([alpha4, alpha5])
    printed = [
        [A5 * s[1] + (A4 - A5) * s[0], A5 * s[1]],
        [-A5 * c[1] - (A4 - A5) * c[0], -A5 * c[1]],
    ]
    assert differences(scraper_loop_2, theta)[:, 2:] == pytest.approx(np.array(printed), abs=1e-9)


A, B, D = 0.4, 0.6, 0.4


def three_rrr_loop(theta, corner):
    """End of the leg through the platform minus end of the proximal link, over θ₁ … θ₄ and the motor of that leg."""
    alpha1, alpha4, alpha7 = np.cumsum(theta[:3])
    distal = theta[:4].sum() - np.pi + corner
    tip = A * unit(alpha1) + B * unit(alpha4) + D * unit(alpha7 + corner)
    return tip - B * unit(distal) - A * unit(theta[4])


@pytest.mark.parametrize("corner", [0.0, np.pi / 3])
@pytest.mark.parametrize("seed", range(3))
def test_j11_and_j21_of_the_3rrr(seed, corner):
    """A.2: J₁,₁ has −d₁c₇ in its first two columns, where J₂,₁ and the differences have +."""
    theta = np.random.default_rng(seed).uniform(-2, 2, 5)
    alpha1, alpha4, alpha7 = np.cumsum(theta[:3])
    alpha5, alpha7 = theta[:4].sum() - np.pi + corner, alpha7 + corner
    s1, s4, s5, s7 = np.sin([alpha1, alpha4, alpha5, alpha7])
    c1, c4, c5, c7 = np.cos([alpha1, alpha4, alpha5, alpha7])
    x_row = [-A * s1 - B * s4 - D * s7 + B * s5, -B * s4 - D * s7 + B * s5, -D * s7 + B * s5, B * s5]

    def y_row(sign):
        return [
            A * c1 + B * c4 + sign * D * c7 - B * c5,
            B * c4 + sign * D * c7 - B * c5,
            D * c7 - B * c5,
            -B * c5,
        ]

    found = differences(lambda x: three_rrr_loop(x, corner), theta)
    assert found[0, :4] == pytest.approx(x_row, abs=1e-9)  # differences of 1e-6
    assert found[1, :4] == pytest.approx(y_row(1), abs=1e-9)
    assert found[1, :4] - y_row(-1) == pytest.approx([2 * D * c7] * 2 + [0, 0], abs=1e-9)
    # motors of the legs: J₁,₂ and J₂,₃ are right
    assert found[:, 4] == pytest.approx([A * np.sin(theta[4]), -A * np.cos(theta[4])], abs=1e-9)


def blocks(seed):
    """Inertias of three subsystems, of sizes 5, 1, 1 as in the 3-RRR, J with the pattern of (36), and right sides."""
    rng = np.random.default_rng(seed)
    sizes, rows = (5, 1, 1), 2
    inertia = [x @ x.T + np.eye(n) for n, x in ((n, rng.normal(size=(n, n))) for n in sizes)]
    J = {key: rng.normal(size=(rows, sizes[key[1]])) for key in ((0, 0), (0, 1), (1, 0), (1, 2))}
    phi, psi = [rng.normal(size=n) for n in sizes], [rng.normal(size=rows) for _ in range(2)]
    return inertia, J, phi, psi


def dense(inertia, J, phi, psi):
    """λ and q̈ from the whole system (9), and J."""
    sizes = [len(one) for one in phi]
    starts = np.cumsum([0, *sizes])
    I, whole = np.zeros((starts[-1], starts[-1])), np.zeros((4, starts[-1]))
    for k, one in enumerate(inertia):
        I[starts[k] : starts[k + 1], starts[k] : starts[k + 1]] = one
    for (r, k), block in J.items():
        whole[2 * r : 2 * r + 2, starts[k] : starts[k + 1]] = block
    system = np.block([[I, whole.T], [whole, np.zeros((4, 4))]])
    x = np.linalg.solve(system, np.concatenate([*phi, *psi]))
    return -x[starts[-1] :], x[: starts[-1]], whole


@pytest.mark.parametrize("seed", range(3))
def test_equation_54_has_an_index_exchanged(seed):
    """λ₂ of (54) with Ī₁¹² (…)⁻¹ (Ī₁²¹)ᵀ is not that of (9); with Ī₁²¹ (…)⁻¹ (Ī₁²¹)ᵀ, as in (44) and (53), it is."""
    inertia, J, phi, psi = blocks(seed)

    def bar(r, s, k):
        """Ī_k^{rs} of (24)."""
        return J[r, k] @ np.linalg.solve(inertia[k], J[s, k].T)

    first = bar(0, 0, 0) + bar(0, 0, 1)
    right = [
        psi[r] - sum(J[r, k] @ np.linalg.solve(inertia[k], phi[k]) for k in ks)
        for r, ks in enumerate(((0, 1), (0, 2)))
    ]
    reduced = right[1] - bar(1, 0, 0) @ np.linalg.solve(first, right[0])

    def lambda_2(left):
        pivot = bar(1, 1, 0) + bar(1, 1, 2) - left @ np.linalg.solve(first, bar(1, 0, 0).T)
        return np.linalg.solve(pivot, reduced)

    known = dense(inertia, J, phi, psi)[0][2:]
    assert lambda_2(bar(1, 0, 0)) == pytest.approx(known, rel=1e-9)
    assert np.abs(lambda_2(bar(0, 1, 0)) - known).max() > 0.01 * np.abs(known).max()


def test_the_blocks_of_equation_19_have_one_transpose_too_many():
    """(20), q̈ = I⁻¹φ + Îᵀλ, holds with Î_ij = J_ij I_j⁻ᵀ; printed is Î_ijᵀ ≡ J_ij I_j⁻ᵀ, which does not fit (21)."""
    inertia, J, phi, psi = blocks(0)
    multipliers, accelerations, _ = dense(inertia, J, phi, psi)
    found = [np.linalg.solve(one, force) for one, force in zip(inertia, phi, strict=True)]
    for (r, k), block in J.items():
        hat = block @ np.linalg.inv(inertia[k]).T
        found[k] = found[k] + hat.T @ multipliers[2 * r : 2 * r + 2]
    assert np.concatenate(found) == pytest.approx(accelerations, rel=1e-9)
    printed = (J[0, 0] @ np.linalg.inv(inertia[0]).T).T
    with pytest.raises(ValueError, match="mismatch"):
        printed.T @ multipliers[:2]


def test_savings_of_table_4():
    """§5: "20 – 30 %" is right; the text refers to Fig. 4 where it means Table 4."""
    savings = [1 - sslm / slm for slm, sslm in ((0.3045, 0.2205), (0.2055, 0.1575))]
    assert savings == pytest.approx([0.276, 0.234], abs=5e-4)


def test_15_seconds_of_the_free_3rrr_at_a_tolerance_of_1e_3_are_not_its_motion():
    """Table 3, note a. The motion is chaotic: such a run is off by 1 rad after 4 s, one at 1e-8 after 8 to 15 s."""
    machine = three_rrr().without_drives()
    start, times = {f"A{k}": angle for k, angle in enumerate(STARTS, start=1)}, [0.0, 2.0, 4.0, *range(8, 16)]
    loose, printed, tight, reference = (
        ml.simulate(machine, start=start, until=15.0, samples=times, rtol=rtol)["A1"].position
        for rtol in (1e-3, 1e-8, 1e-12, 1e-13)
    )
    assert tight[:3] == pytest.approx(
        reference[:3], abs=1e-7
    )  # rounding grows a thousandfold in a second or two
    assert abs(loose - reference)[1] < 0.01
    assert abs(loose - reference)[2] > 1.0
    assert abs(printed - reference)[2] < 1e-3
    assert abs(printed - reference)[3:].max() > 1.0
