"""The rules of Gauss and Kronrod: the degrees up to which they are exact."""

import numpy as np
import pytest

import multiloop as ml
from multiloop.analyses.results import energies
from multiloop.analyses.results.energies import COARSE, FINE, X


def test_the_rules_are_exact_to_their_degrees():
    """Seven nodes of Gauss to degree 13, fifteen of Kronrod to degree 22; not beyond."""
    for weights, degree in ((COARSE, 13), (FINE, 22)):
        for power in range(0, degree + 1, 2):
            assert weights @ X**power == pytest.approx(2 / (power + 1), rel=1e-14)
        beyond = degree + 2 - degree % 2 - (1 - degree % 2) * 0
        beyond += beyond % 2
        assert abs(weights @ X**beyond - 2 / (beyond + 1)) > 1e-12
    assert X[COARSE > 0] == pytest.approx(np.polynomial.legendre.leggauss(7)[0], abs=1e-15)


def test_the_energies_of_a_result_are_computed_once(monkeypatch):
    """A summary contains the energy balance; the balance itself needs no further instants of the motion."""
    law = ml.motion_laws.modified_sine(0.0, 1.0, duration=0.7)
    moved = ml.inverse(ml.examples.four_bar().replace(drives=[ml.Motion("A", law)]), t=np.linspace(0, 1, 8))
    calls, quadrature = [], energies._by_quadrature
    monkeypatch.setattr(energies, "_by_quadrature", lambda *given: calls.append(1) or quadrature(*given))
    moved.summary()
    assert calls == [1]
    assert moved.energy_balance().supplied == moved.energy_balance(useful=[]).supplied
    assert calls == [1]
