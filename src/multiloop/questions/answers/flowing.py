"""States that are no coordinates, over time and by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multiloop.model import Mechanism


def flowing(mechanism: Mechanism, states: Sequence[str], x: np.ndarray) -> dict[str, np.ndarray]:
    """Integrals and states of loads from what was carried, one row an instant; modes are told by their loads."""
    modes = {f"{load.name}.{mode}" for load in mechanism.all_loads for mode in load.modes}
    return {name: values for name, values in zip(states, x.T, strict=True) if name not in modes}
