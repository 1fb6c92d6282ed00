"""Forces that equilibrium does not determine because one-sided loads share them, and their admissible ranges.

A quantity of a joint or load is a linear function of the admissible forces of an instant. Its range is the smallest
and largest value of that function (`dynamics.admissible_forces`), computed when it is requested.

Theory: docs/theory/09-redundancy.md, eq. (9.8).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from multiloop.dynamics import AdmissibleForces, StictionForces

ROUND_OFF = 1e-12
"""Ends of a range below this fraction of its size are zero."""

RANGED_QUANTITIES = ("force", "moment", "effort")
"""Quantities of a joint that equilibrium may leave undetermined."""


@dataclass(frozen=True, eq=False)
class SharedForces:
    """The admissible forces of one instant, and the reported ones, which have the minimum norm among them.

    `quantities` are, by joint or load and by the name of a quantity, its rows on the forces, one for each of its
    components. `components` are the same for the reaction components of joints, by the names of
    `JointHistory.undetermined`. Quantities that do not depend on the shared forces are in neither.
    """

    admissible: AdmissibleForces | StictionForces
    reported: np.ndarray
    quantities: Mapping[str, Mapping[str, np.ndarray]]
    components: Mapping[str, Mapping[str, np.ndarray]]
    _spreads: dict[tuple[str, str], np.ndarray] = field(default_factory=dict)

    def spread(self, owner: str, quantity: str) -> np.ndarray | None:
        """Distances of the range below and above the reported value, (components, 2).

        None if the quantity is not shared.
        """
        rows = self.quantities.get(owner, {}).get(quantity)
        if rows is None:
            return None
        if (owner, quantity) not in self._spreads:
            found = self.admissible.ranges(rows) - (rows @ self.reported)[:, None]
            found = np.column_stack([np.minimum(found[:, 0], 0.0), np.maximum(found[:, 1], 0.0)])
            found[np.abs(found) <= ROUND_OFF * np.abs(rows).max() * np.abs(self.reported).max()] = 0.0
            self._spreads[owner, quantity] = found * self.admissible.undetermined(rows)[:, None]
        return self._spreads[owner, quantity]

    def undetermined(self, owner: str) -> list[str]:
        """The quantities of a joint or load that have more than one admissible value."""
        return _varying(self.admissible, self.quantities.get(owner, {}))

    def undetermined_components(self, joint: str) -> list[str]:
        """The reaction components of a joint that have more than one admissible value."""
        return _varying(self.admissible, self.components.get(joint, {}))


@dataclass(frozen=True, eq=False)
class SharedParts:
    """Shared forces of several connected parts of a mechanism: no joint or load belongs to two of them."""

    parts: tuple[SharedForces, ...]

    def spread(self, owner: str, quantity: str) -> np.ndarray | None:
        """Distances of the range below and above the reported value, (components, 2).

        None if the quantity is not shared.
        """
        return next((one.spread(owner, quantity) for one in self.parts if owner in one.quantities), None)

    def undetermined(self, owner: str) -> list[str]:
        """The quantities of a joint or load that have more than one admissible value."""
        return [name for one in self.parts for name in one.undetermined(owner)]

    def undetermined_components(self, joint: str) -> list[str]:
        """The reaction components of a joint that have more than one admissible value."""
        return [name for one in self.parts for name in one.undetermined_components(joint)]


def _varying(admissible: AdmissibleForces | StictionForces, functions: Mapping[str, np.ndarray]) -> list[str]:
    return [name for name, rows in functions.items() if admissible.undetermined(rows).any()]


def ranges_over_time(
    values: np.ndarray, owner: str, quantity: str, shared: Iterable[SharedForces | SharedParts | None]
) -> np.ndarray:
    """Smallest and largest value of a quantity at every instant: one axis more than `values`, of length two."""
    found = np.stack([values, values], axis=-1)
    for k, one in enumerate(shared):
        spread = None if one is None else one.spread(owner, quantity)
        if spread is not None:
            size = np.abs(np.concatenate([found[k].ravel(), spread[np.isfinite(spread)]])).max()
            ends = found[k] + spread.reshape(found[k].shape)
            found[k] = np.where(np.abs(ends) <= ROUND_OFF * size, 0.0, ends)
    return found


def without_sharing(shared: np.ndarray, count: int) -> np.ndarray:
    """Mask of the `count` instants at which no unilateral loads share forces."""
    return np.array([one is None for one in shared] or [True] * count)


def no_sharing() -> np.ndarray:
    """An empty array, for histories in which no one-sided loads share forces."""
    return np.zeros(0, object)
