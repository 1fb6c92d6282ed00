"""What a coupling does over time, by the names of the joints that it ties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class CouplingHistory:
    """One coupling over time.

    `effort` is its multiplier λ, for several rows one column each. `efforts` are what it exerts along the coordinates
    of every joint that it ties, Φ_q λ: on the joint's second body in the positive direction, and on the first turned
    round. They are in neither the effort of the joint nor its force and moment. `power` is what it supplies, nothing
    unless it depends on time.
    """

    name: str
    effort: np.ndarray
    efforts: Mapping[str, np.ndarray]
    power: np.ndarray

    def __repr__(self) -> str:
        peaks = (f"{joint} {np.abs(effort).max(initial=0.0):.6g}" for joint, effort in self.efforts.items())
        return f"Coupling '{self.name}' over {len(self.effort)} instants: efforts up to {', '.join(peaks)}."
