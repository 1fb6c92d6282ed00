"""Time histories of states that are not coordinates, by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multiloop.model import Mechanism
from multiloop.model.own_states import scales


def flowing(mechanism: Mechanism, states: Sequence[str], x: np.ndarray) -> dict[str, np.ndarray]:
    """Integrals and states of loads, one row per instant; modes of loads are reported by the loads themselves."""
    switched = {f"{load.name}.{name}" for load in mechanism.all_loads for name in (*load.modes, *load.shares)}
    switched |= set(scales(mechanism))
    return {name: values for name, values in zip(states, x.T, strict=True) if name not in switched}
