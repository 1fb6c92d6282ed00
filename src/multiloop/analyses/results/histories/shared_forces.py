"""Shared forces: forces that equilibrium does not determine because several unilateral loads can carry them.

Unilateral loads only pull or only push, such as ropes and contacts; loads with stiction are treated in the same way. A
quantity of a joint or load, such as its force, is a linear function of the admissible forces at an instant. The range
of the quantity is the smallest and largest value of this function over all admissible forces
(`dynamics.admissible_forces`), computed when it is requested.

Theory: docs/theory/09-redundancy.md, eq. (9.8).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from multiloop.dynamics import AdmissibleForces, StictionForces

ROUND_OFF = 1e-12
"""Fraction of the largest magnitude in a range below which an end of the range counts as zero."""

RANGED_QUANTITIES = ("force", "moment", "effort")
"""Quantities of a joint for which ranges of admissible values can be requested."""


@dataclass(frozen=True, eq=False)
class SharedForces:
    """Forces at one instant that equilibrium does not determine, because several unilateral loads can carry them.

    `admissible` is the set of admissible forces; `reported` is the member of this set with minimum norm, which the
    result contains. `quantities[owner][name]` is the matrix that maps these forces to the quantity `name` of a joint or
    load, with one row per component. `components` contains the same matrices for reaction components of joints, by the
    names used in `JointHistory.undetermined`. Quantities that do not depend on the shared forces are omitted.
    """

    admissible: AdmissibleForces | StictionForces
    reported: np.ndarray
    quantities: Mapping[str, Mapping[str, np.ndarray]]
    components: Mapping[str, Mapping[str, np.ndarray]]
    _spreads: dict[tuple[str, str], np.ndarray] = field(default_factory=dict)

    def spread(self, owner: str, quantity: str) -> np.ndarray | None:
        """Differences of the smallest and the largest admissible value of a quantity from the reported value.

        Shape (components, 2); None if the quantity of the joint or load `owner` does not depend on the shared forces.
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
        """Names of the quantities of the joint or load `owner` that have more than one admissible value."""
        return _varying(self.admissible, self.quantities.get(owner, {}))

    def undetermined_components(self, joint: str) -> list[str]:
        """Names of the reaction components of a joint that have more than one admissible value."""
        return _varying(self.admissible, self.components.get(joint, {}))


@dataclass(frozen=True, eq=False)
class SharedParts:
    """Shared forces at one instant in several independent parts of a mechanism; no joint or load is in two parts."""

    parts: tuple[SharedForces, ...]

    def spread(self, owner: str, quantity: str) -> np.ndarray | None:
        """Differences of the smallest and the largest admissible value of a quantity from the reported value.

        Shape (components, 2); None if the quantity of the joint or load `owner` does not depend on the shared forces.
        """
        return next((one.spread(owner, quantity) for one in self.parts if owner in one.quantities), None)

    def undetermined(self, owner: str) -> list[str]:
        """Names of the quantities of the joint or load `owner` that have more than one admissible value."""
        return [name for one in self.parts for name in one.undetermined(owner)]

    def undetermined_components(self, joint: str) -> list[str]:
        """Names of the reaction components of a joint that have more than one admissible value."""
        return [name for one in self.parts for name in one.undetermined_components(joint)]


def _varying(admissible: AdmissibleForces | StictionForces, functions: Mapping[str, np.ndarray]) -> list[str]:
    return [name for name, rows in functions.items() if admissible.undetermined(rows).any()]


def ranges_over_time(
    values: np.ndarray, owner: str, quantity: str, shared: Iterable[SharedForces | SharedParts | None]
) -> np.ndarray:
    """Smallest and largest admissible value of a quantity at every instant, along an additional last axis of length 2.

    `values` are the reported values of the quantity of the joint or load `owner`. `shared` has one entry per instant,
    None if equilibrium determines the forces of all unilateral loads at this instant.
    """
    found = np.stack([values, values], axis=-1)
    for k, one in enumerate(shared):
        spread = None if one is None else one.spread(owner, quantity)
        if spread is not None:
            size = np.abs(np.concatenate([found[k].ravel(), spread[np.isfinite(spread)]])).max()
            ends = found[k] + spread.reshape(found[k].shape)
            found[k] = np.where(np.abs(ends) <= ROUND_OFF * size, 0.0, ends)
    return found


def without_sharing(shared: np.ndarray, count: int) -> np.ndarray:
    """Mask of length `count`: whether equilibrium determines the forces of all unilateral loads at an instant.

    `shared` has one entry per instant, None where this is the case; it is empty if this is the case at all instants.
    """
    return np.array([one is None for one in shared] or [True] * count)


def no_sharing() -> np.ndarray:
    """The value of `shared` for a history without `SharedForces` at any instant: an empty array."""
    return np.zeros(0, object)
