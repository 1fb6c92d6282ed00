"""Orders of elimination are judged at a position taken at random, which must be one of numbers."""

import casadi as ca
import numpy as np

from multiloop.dynamics.forward.subsystem_multipliers import _sample_rows


def test_a_position_without_numbers_is_taken_nearer() -> None:
    """∞ − ∞ where something is bent too far."""
    x = ca.SX.sym("x")
    far = ca.exp(900 * x) - ca.exp(901 * x)
    found = _sample_rows({(("lam", 0), ("u", 0)): far})
    assert found is not None
    assert np.isfinite(list(found.values())).all()
