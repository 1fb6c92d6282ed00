"""Orders of elimination are rated at a random position, which must have finite coordinates."""

import casadi as ca
import numpy as np

from multiloop.dynamics.forward.subsystem_multipliers import _sample_rows


def test_a_position_without_numbers_is_taken_nearer() -> None:
    """∞ − ∞ for an excessive deflection."""
    x = ca.SX.sym("x")
    far = ca.exp(900 * x) - ca.exp(901 * x)
    found = _sample_rows({(("lam", 0), ("u", 0)): far})
    assert found is not None
    assert np.isfinite(list(found.values())).all()
