"""[saha] §5: a bevel gear train, I ψ̈ = τ with I = I₁ + (d₁/d₂)² I₂, and every force in its bearings and teeth.

The data are chosen. Bearings and the tooth force are written down here from Newton and Euler, gear by gear.

Errata: the 18×12 matrix (57) has rank 11, so that its 18 multipliers are not unique: the teeth alone are given the
force f₁₂ and two moments λ₁₂ where one force does. Two bearings with five components each and one tangential force
are unique, and with a pressure angle what pushes apart follows.
"""

import numpy as np
import pytest

import multiloop as ml

D1, D2, ALPHA = 0.08, 0.16, ml.deg(20)
I1, I2, M1, M2 = (1.2e-4, 8e-5), (1.5e-3, 9e-4), 0.6, 1.8
C1, C2, O1, O2 = (np.array(p) for p in ((0.08, 0, 0), (0, 0.04, 0), (0.13, 0, 0), (0, 0.10, 0)))
Q = np.array([0.08, 0.04, 0.0])
i, j, k = np.eye(3)
G = np.array([0, 0, -9.81])


def train(**changes):
    """Gear 1 turns about x, gear 2 about y; the apex of the cones is the origin."""
    given = {
        "bodies": [
            ml.ground(O1=ml.marker(O1, z=(1, 0, 0)), O2=ml.marker(O2, z=(0, 1, 0))),
            ml.Body(
                "gear 1",
                mass=M1,
                inertia=(I1[0], I1[1], I1[1]),
                com=C1,
                markers={"bearing": ml.marker(O1, z=(1, 0, 0)), "centre": C1},
            ),
            ml.Body(
                "gear 2",
                mass=M2,
                inertia=(I2[1], I2[0], I2[1]),
                com=C2,
                markers={"bearing": ml.marker(O2, z=(0, 1, 0)), "centre": C2},
            ),
        ],
        "joints": [
            ml.Revolute("O1", "ground.O1", "gear 1.bearing"),
            ml.Revolute("O2", "ground.O2", "gear 2.bearing"),
        ],
        "pairs": [ml.Bevel("mesh", "gear 1.centre", "gear 2.centre", radii=(D1 / 2, D2 / 2))],
        "drives": [ml.Motion("O1", 9.0 * ml.time + 2.0 * ml.expr.sin(5.0 * ml.time))],
    }
    return ml.Mechanism("bevel train", **(given | changes))


def cross_matrix(x):
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def closed_form(acceleration, load):
    """τ, the tangential force and both bearings' [force, moment at the bearing], for a torque `load` on gear 2 about y.

    With F on gear 1 along +z (it turns gear 1 by +F d₁/2, and gear 2 by F d₂/2 about +y, since −z acts at x = d₂/2):
    gear 2: I₂ θ̈ = F d₂/2 + load, θ̈ = −(d₁/d₂) ψ̈;  gear 1: I₁ ψ̈ = τ + F d₁/2.
    """
    F = (-I2[0] * D1 / D2 * acceleration - load) / (D2 / 2)
    tau = I1[0] * acceleration - F * D1 / 2
    gamma = np.arctan(D1 / D2)
    apart = abs(F) * np.tan(ALPHA) * (np.cos(gamma) * j - np.sin(gamma) * i)
    on_second = -F * k + apart
    bearings = []
    for O, C, mass, sign in ((O1, C1, M1, -1), (O2, C2, M2, 1)):
        force = -mass * G - sign * on_second
        moment = -np.cross(C - O, mass * G) - np.cross(Q - O, sign * on_second)
        bearings.append((force, moment))
    return tau, F, bearings


@pytest.mark.parametrize("load", [0.0, -1.7, 1.7])
@pytest.mark.parametrize("method", ["subsystem", "system", "virtual_work", "traditional"])
def test_inertia_torque_teeth_and_bearings_over_a_turn(method, load):
    mechanism = train(loads=[ml.Torque("load", "gear 2", (0, load, 0))])
    times = np.linspace(0.0, 1.0, 51)
    found = ml.inverse(mechanism, t=times, method=method)
    assert found["O1"].position[-1] > 2 * np.pi
    assert found["O2"].rate == pytest.approx(-D1 / D2 * found["O1"].rate, rel=1e-14)
    for n, t in enumerate(times):
        acceleration = -50.0 * np.sin(5 * t)
        tau, F, bearings = closed_form(acceleration, load)
        assert found["O1"].effort[n] == pytest.approx(tau, rel=1e-11, abs=1e-13)
        assert tau == pytest.approx(4.95e-4 * acceleration + D1 / D2 * load, rel=1e-13, abs=1e-15)
        assert found["mesh"].tangential[n] == pytest.approx(F, rel=1e-11, abs=1e-12)
        for bearing, (force, moment) in zip(("O1", "O2"), bearings, strict=True):
            across = np.array([1.0, 1, 1]) - (i if bearing == "O1" else j)
            assert found[bearing].force[n] == pytest.approx(force, abs=1e-11)
            assert found[bearing].moment[n] == pytest.approx(moment * across, abs=1e-12)
    mesh, size = found["mesh"], np.abs(found["mesh"].tangential)
    gamma = np.arctan(D1 / D2)
    assert mesh.radial == pytest.approx(size * np.tan(ALPHA) * np.cos(gamma), abs=1e-12)
    assert mesh.axial == pytest.approx(
        size * np.tan(ALPHA) * np.sin(gamma), abs=1e-12
    )  # away from the apex, +x
    assert mesh.radial_on_second == pytest.approx(size * np.tan(ALPHA) * np.sin(gamma), abs=1e-12)
    assert mesh.axial_on_second == pytest.approx(size * np.tan(ALPHA) * np.cos(gamma), abs=1e-12)
    assert found.plan.redundant == 0


def test_generalized_inertia_and_no_convective_term():
    """I ψ̈ = τ, eq. (65): one unit of torque accelerates by 1 / 4.95e-4, at any speed."""
    mechanism = train(drives=[], loads=[ml.Torque("push", "gear 1", (1.0, 0, 0))])
    for rate in (0.0, 7.0, -90.0):
        found = ml.forward(mechanism, {"O1": 0.3}, rates={"O1": rate})
        assert 1 / found["O1"].acceleration[0] == pytest.approx(4.95e-4, rel=1e-12)
        assert I1[0] + (D1 / D2) ** 2 * I2[0] == pytest.approx(4.95e-4, rel=1e-15)


def printed_matrix_57():
    """Rows for bearing 1, teeth and bearing 2, against the twists of the mass centres."""
    e = Q / np.linalg.norm(Q)
    O, one = np.zeros((3, 3)), np.eye(3)
    L, F, V = cross_matrix(i), cross_matrix(e), cross_matrix(j)
    R1, B1, R2, B2 = (cross_matrix(x) for x in (C1 - O1, Q - C1, C2 - Q, O2 - C2))
    return np.block(
        [[L, O, O, O], [R1, one, O, O], [-F, O, F, O], [B1, -one, R2, one], [O, O, -V, O], [O, O, B2, -one]]
    )


def test_the_matrix_57_has_rank_11():
    A = printed_matrix_57()
    u = np.concatenate([i, np.zeros(3), -D1 / D2 * j, np.zeros(3)])  # eq. (64)
    assert A.shape == (18, 12)
    assert np.abs(A @ u).max() < 1e-16
    assert np.linalg.matrix_rank(A) == 11
