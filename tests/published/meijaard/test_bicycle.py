"""[meijaard] Tables 1 and 2: the benchmark bicycle, its linear equations and its eigenvalues, to the digits printed.

The paper's axes are x ahead, y right, z down, its steer is positive to the right; ours are x ahead, y left, z up, and
the steer is positive to the left. The nonlinear bicycle of four bodies, three revolutes and two wheels that roll is
linearised by differences about straight running. No erratum found.
"""

import numpy as np
import pytest
from small_motions import small_motion

import multiloop as ml
from multiloop.examples.mechanisms.bicycle import moving, placed

M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
K2 = np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]])
C1 = np.array([[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
"""M q̈ + v C₁ q̇ + (g K₀ + v² K₂) q = 0 of lean and steer, with the data of Table 1."""

TABLE_2 = {
    0.0: (-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393),
    5.0: (
        -14.07838969279822,
        -0.77534188219585 - 4.46486771378823j,
        -0.77534188219585 + 4.46486771378823j,
        -0.32286642900409,
    ),
    10.0: (
        -24.62459635017404,
        -3.72016840437287 - 10.90681139476287j,
        -3.72016840437287 + 10.90681139476287j,
        0.16105338653172,
    ),
}


def linear(speed):
    """A of (lean, steer) and their rates about straight running, from the bicycle itself."""
    bicycle = ml.examples.bicycle()

    def second_rates(lean, steer, leaning, steering):
        found = ml.forward(bicycle, placed(lean, steer), rates=moving(speed, leaning, steering))
        return np.array([found["frame floats"].acceleration[0, 3], found["head"].acceleration[0]])

    return small_motion(second_rates, 2)


@pytest.mark.parametrize("speed", TABLE_2)
def test_eigenvalues_and_equations_are_those_of_the_paper(speed):
    """Differences of accelerations have a relative error of 1e-9; the largest accelerations, at 10 m/s, are 1e3."""
    A = linear(speed)
    assert np.sort_complex(np.linalg.eigvals(A)) == pytest.approx(np.array(TABLE_2[speed]), rel=3e-9)
    to_the_right = np.diag([1.0, -1.0])
    stiffness, damping = (-np.linalg.solve(M, part) for part in (9.81 * K0 + speed**2 * K2, speed * C1))
    printed = np.hstack([to_the_right @ part @ to_the_right for part in (stiffness, damping)])
    assert A[2:] == pytest.approx(printed, rel=1e-8, abs=1e-7)


def test_the_printed_equations_have_the_printed_eigenvalues():
    """Guards the typed numbers above."""
    for speed, eigenvalues in TABLE_2.items():
        stiffness, damping = (-np.linalg.solve(M, part) for part in (9.81 * K0 + speed**2 * K2, speed * C1))
        A = np.vstack([np.eye(4)[2:], np.hstack([stiffness, damping])])
        assert np.sort_complex(np.linalg.eigvals(A)) == pytest.approx(np.array(eigenvalues), rel=1e-12)


def test_what_it_is():
    bicycle = ml.examples.bicycle()
    plan = ml.analyse(bicycle)
    assert bicycle.floating == ("frame",)
    assert (plan.mobility, plan.configurations, plan.redundant) == (3, 7, 0)


def test_a_pushed_bicycle_moves_by_its_eigenvalues_and_keeps_its_energy():
    """At 5 m/s, 1 mrad/s: steer over time is that of the linear equations; energy is conserved, no wheel slips or
    lifts."""
    kick = 1e-3
    run = ml.simulate(
        ml.examples.bicycle(),
        start=placed(),
        rates=moving(5.0, kick),
        until=4.0,
        samples=41,
        rtol=1e-11,
    )
    stiffness, damping = (-np.linalg.solve(M, part) for part in (9.81 * K0 + 25.0 * K2, 5.0 * C1))
    values, vectors = np.linalg.eig(np.vstack([np.eye(4)[2:], np.hstack([stiffness, damping])]))
    parts = np.linalg.solve(vectors, np.array([0, 0, kick, 0], complex))
    steer = (np.exp(np.outer(run.time, values)) @ (vectors.T * parts[:, None]))[:, 1].real
    # the full equations differ by terms of second order in the initial rate
    assert -run["head"].position == pytest.approx(steer, abs=1e-4 * np.abs(steer).max())
    assert run.energy_drift < 1e-9
    assert run.constraint_violation.max() < 1e-12
    assert (run["rear contact"].force[:, 2] < 0).all()
