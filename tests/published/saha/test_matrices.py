"""[saha], §§4–5: A, the natural orthogonal complement u, I(θ) and C(θ, θ̇) of all five examples, by `State.matrices`.

Every matrix is evaluated here as printed but for the errata, and held against the library. The paper takes twists at
the mass centres, the library at the origins of the inboard joints: the rows of A and u are transformed. C has the
opposite sign in the library, which writes I ψ̈ + C ψ̇ = τ for eq. (35), I ψ̈ = C ψ̇ + τ.

Errata: in the flat-face cam's C (i·a₁)(j·a₁) stands where −(i·a₁)(i·a₁)′ is meant; its A (47) has rank 5, since its
second row repeats i·ċ₂ = 0, and the bevel gears' A (57) rank 11 of 18 rows; see the modules of the single examples.
"""

import numpy as np
import pytest
from published.saha.linkages import E
from published.saha.machines import (
    INPUTS,
    SPEED,
    closed_form,
    inertia_and_convective,
    printed_inertia_and_convective,
    state_of,
)
from published.saha.test_bevel_train import D1, D2, I1, I2, printed_matrix_57, train
from zoo.cams import C1 as CAM_COM, R

import multiloop as ml
from benchmarks import saha_matrices

ANGLES = np.linspace(0.1, 6.2, 8)
BODIES = {
    "four-bar": ("crank", "coupler", "rocker"),
    "slider-crank": ("crank", "connecting rod", "slider"),
    "flat-face cam": ("cam", "follower"),
    "roller cam": ("cam", "roller", "follower"),
}
"""In the order of the paper."""


def at_mass_centres(found, bodies):
    """A and T for twists at the mass centres of the bodies, in the given order.

    The vector d from the origin of a body to its mass centre is that of its mass matrix, [I h̃; −h̃ m] with h = m d.
    """
    A, T = [], []
    for body in bodies:
        M = found.block(found.M, body_row=body, body=body).values
        if len(M) == 3:
            d = np.array([M[0, 2], -M[0, 1]]) / M[1, 1]
            back = np.eye(3)
            back[1:, 0] = -E @ d  # twist at the origin from that at the mass centre
        else:
            x, y, z = np.array([M[2, 4], M[0, 5], M[1, 3]]) / M[3, 3]
            back = np.eye(6)
            back[3:, :3] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
        A.append(found.block(found.A, body=body).values @ back)
        T.append(np.linalg.solve(back, found.block(found.reduced.T, body=body).values))
    return np.hstack(A), np.vstack(T)[:, 0]


def same_rows(one, other, rank):
    """Two matrices with the same row space, which leaves the same motions."""
    both = [np.linalg.matrix_rank(rows, tol=1e-9) for rows in (one, other, np.vstack([one, other]))]
    return both == [rank] * 3


@pytest.mark.parametrize("psi", ANGLES)
@pytest.mark.parametrize("name", INPUTS)
def test_inertia_and_convective_term(name, psi):
    """Eqs. (32), (33), (43), (44), those of §§4.3–4.4, and (65)."""
    state = state_of(name, psi)
    assert abs(state[INPUTS[name]].rate) == pytest.approx(SPEED)
    inertia, convective = printed_inertia_and_convective(name, state)
    found = inertia_and_convective(name, state)
    # Positions close the loops to 1e-12; the closed forms have a dozen terms of that size.
    assert found[0] == pytest.approx(inertia, rel=1e-11)
    assert found[1] == pytest.approx(convective, rel=1e-10, abs=1e-13)


@pytest.mark.parametrize("name", INPUTS)
def test_the_convective_term_is_proportional_to_the_rate(name):
    """C(θ, θ̇) is linear in θ̇, and I(θ) does not depend on it."""
    (I, C), (fast_I, fast_C) = (inertia_and_convective(name, state_of(name, 2.0, v)) for v in (7.0, 21.0))
    assert fast_I == pytest.approx(I, rel=1e-11)
    assert fast_C == pytest.approx(3 * C, rel=1e-10, abs=1e-13)


@pytest.mark.parametrize("name", INPUTS)
def test_the_convective_term_is_half_the_derivative_of_the_inertia(name):
    """C = −½ (dI/dθ) θ̇ with the sign of the paper, by central differences of I; no closed form is involved."""
    h = 1e-4
    low, high = (inertia_and_convective(name, state_of(name, 2.0 + x))[0] for x in (-h, h))
    C = inertia_and_convective(name, state_of(name, 2.0))[1]
    assert pytest.approx(-(high - low) / (4 * h) * SPEED, rel=1e-5, abs=1e-10) == C


def test_the_benchmark_tabulates_and_draws_all_five():
    rows = saha_matrices.measure(angles=5)
    assert [row["machine"] for row in rows] == list(INPUTS)
    for row in rows:
        assert row["of I"] < 1e-11
        assert row["of C"] < 1e-10
    page = saha_matrices.figure(rows)
    assert len(page.axes) == 2 * len(INPUTS)
    text = saha_matrices.table(rows)
    assert all(name in text for name in INPUTS)


@pytest.mark.parametrize("psi", ANGLES[::3])
@pytest.mark.parametrize("name", ["four-bar", "slider-crank"])
def test_constraint_matrix_and_complement_of_linkages(name, psi):
    """A of eqs. (21) and (37), the printed u, and A u = 0."""
    state = state_of(name, psi)
    known, _ = closed_form(name, state)
    A, u = at_mass_centres(state.matrices(independent=["A"]), BODIES[name])
    assert A.shape == known.constraints.shape == (8, 9)
    assert same_rows(A, known.constraints, 8)
    assert u == pytest.approx(known.complement, abs=1e-12)
    assert known.constraints @ u == pytest.approx(np.zeros(8), abs=1e-12)


@pytest.mark.parametrize("psi", ANGLES[::3])
def test_constraint_matrix_and_complement_of_the_flat_face_cam(psi):
    """A of eq. (47), and u = [1, E r₁, 0, (j · E a₁) j]."""
    state = state_of("flat-face cam", psi)
    known, _ = closed_form("flat-face cam", state)
    A, u = at_mass_centres(state.matrices(independent=["O"]), BODIES["flat-face cam"])
    r1 = CAM_COM * np.array([np.cos(psi), np.sin(psi)])
    a1 = np.array([known.across, known.s])  # to the contact point
    b1, r2 = a1 - r1, np.array([0.004, known.s + 0.05]) - a1
    j = np.array([0.0, 1.0])
    printed = np.zeros((6, 6))
    printed[:2, 0], printed[:2, 1:3] = -E @ r1, np.eye(2)
    printed[2:4, 0], printed[2:4, 1:3] = -(j @ E @ b1) * j, -np.outer(j, j)
    printed[2:4, 3], printed[2:4, 4:] = -(j @ E @ r2) * j, np.eye(2)
    printed[4, 3] = printed[5, 4] = -1.0
    assert same_rows(A, printed, 5)
    assert u == pytest.approx(np.concatenate([[1], E @ r1, [0], (j @ E @ a1) * j]), abs=1e-12)


@pytest.mark.parametrize("psi", ANGLES[::3])
def test_constraint_matrix_and_complement_of_the_roller_cam(psi):
    """A of eq. (54), and u = [1, E r₁, θ′, s′ j, 0, s′ j]."""
    state = state_of("roller cam", psi)
    known, _ = closed_form("roller cam", state)
    A, u = at_mass_centres(state.matrices(independent=["O"]), BODIES["roller cam"])
    r1 = CAM_COM * np.array([np.cos(psi), np.sin(psi)])
    centre, j = np.array([0.0, known.y]), np.array([0.0, 1.0])
    a1 = centre - 0.012 * known.n  # to the contact point
    b1, r2, r3 = a1 - r1, centre - a1, np.array([0.003, 0.06])
    printed = np.zeros((8, 9))
    printed[:2, 0], printed[:2, 1:3] = -E @ r1, np.eye(2)
    printed[2:4, 0], printed[2:4, 1:3], printed[2:4, 3], printed[2:4, 4:6] = (
        -E @ b1,
        -np.eye(2),
        -E @ r2,
        np.eye(2),
    )
    printed[4:6, 4:6], printed[4:6, 6], printed[4:6, 7:] = -np.eye(2), -E @ r3, np.eye(2)
    printed[6, 6] = printed[7, 7] = -1.0
    assert np.hypot(*(a1 - 0.01 * np.array([np.cos(psi), np.sin(psi)]))) == pytest.approx(R, abs=1e-12)
    assert same_rows(A, printed, 8)
    s = known.y1
    assert u == pytest.approx(np.concatenate([[1], E @ r1, [known.turn1], s * j, [0], s * j]), abs=1e-11)


def test_bevel_gears():
    """A of eq. (57), u of eq. (64), I = I₁ + (d₁/d₂)² I₂ of eq. (65), and C = 0."""
    state = ml.assemble(train(drives=[]), {"O1": 0.3}, rates={"O1": 9.0})
    found = state.matrices(independent=["O1"])
    assert found.reduced.I.item() == pytest.approx(4.95e-4, rel=1e-12)
    assert I1[0] + (D1 / D2) ** 2 * I2[0] == pytest.approx(4.95e-4, rel=1e-15)
    assert found.reduced.C.item() == pytest.approx(0.0, abs=1e-15)
    A, complement = at_mass_centres(found, ("gear 1", "gear 2"))
    assert same_rows(A, printed_matrix_57(), 11)
    u = np.concatenate([[1, 0, 0], np.zeros(3), [0, -D1 / D2, 0], np.zeros(3)])
    assert complement == pytest.approx(u, abs=1e-14)
