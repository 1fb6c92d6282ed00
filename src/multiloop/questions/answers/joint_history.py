"""One joint over time: how it moves and what it carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from multiloop.model import UnknownNameError, suggestion


@dataclass(frozen=True, eq=False)
class JointHistory:
    """One joint over time.

    `force` and `moment` are what the first body exerts on the second through the joint's constraint, at the
    origin of the second marker, in inertial axes (planar: two components and a number). `effort` is that of
    a drive or actuator on the second body along the joint's positive direction, in neither of them;
    `effort_force` and `effort_moment` are the same as vectors, with what couplings exert along the joint.
    `determined` tells whether equilibrium alone fixes the reaction; `undetermined` names the components that it
    does not, along the first marker's axes.
    """

    mechanism: str
    name: str
    first: str
    second: str
    position: np.ndarray
    rate: np.ndarray
    acceleration: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    effort: np.ndarray
    effort_force: np.ndarray
    effort_moment: np.ndarray
    determined: bool
    undetermined: tuple[str, ...]
    poses: Mapping[str, np.ndarray] = field(repr=False)
    least: float = 0.0  # loads below it are round-off of those of other joints
    holding: np.ndarray | None = None

    def force_in(self, body: str) -> np.ndarray:
        """The force in the axes of a body's own frame, as a strength calculation of that body needs it.

        It is still what the first body exerts on the second; for the first body turn it round.
        """
        if body not in self.poses:
            raise UnknownNameError(self.mechanism, "body", body, suggestion(body, self.poses))
        d = self.force.shape[1]
        turned: np.ndarray = np.einsum("tij,ti->tj", self.poses[body][:, :d, :d], self.force)
        return turned

    @property
    def load(self) -> np.ndarray:
        """Magnitude of the force at every instant."""
        size: np.ndarray = np.linalg.norm(self.force, axis=-1)
        return size

    @property
    def effort_range(self) -> np.ndarray:
        """Least and largest effort at every instant: `inverse` knows them apart where friction holds a joint."""
        return np.stack([self.effort, self.effort], axis=-1) if self.holding is None else self.holding

    @property
    def moment_size(self) -> np.ndarray:
        """Magnitude of the moment at every instant."""
        size: np.ndarray = abs(self.moment) if self.moment.ndim == 1 else np.linalg.norm(self.moment, axis=-1)
        return size

    @property
    def power(self) -> np.ndarray:
        """What its effort supplies at every instant, τᵀ v."""
        each = np.atleast_2d(self.effort.T) * np.atleast_2d(self.rate.T)
        total: np.ndarray = each.sum(axis=0)
        return total

    def __repr__(self) -> str:
        doubt = "" if self.determined else f"; not determined: {', '.join(self.undetermined)}"
        most = float(self.load.max())
        shown = most if most > self.least else 0.0
        return f"Joint '{self.name}' over {len(self.force)} instants: load up to {shown:.6g} N{doubt}."
