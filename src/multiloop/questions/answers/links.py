"""How links that bend are deformed over time, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca
import numpy as np

from multiloop.kinematics.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class LinkHistory:
    """One elastic link over time: its coordinates η with their rates and accelerations, instants × e.

    `loss` is the power that its damping takes, η̇ᵀ D η̇.
    """

    name: str
    eta: np.ndarray
    eta_rate: np.ndarray
    eta_acceleration: np.ndarray
    loss: np.ndarray

    def at(self, kept: np.ndarray | slice) -> LinkHistory:
        """The same at some instants."""
        motion = (self.eta[kept], self.eta_rate[kept], self.eta_acceleration[kept])
        return LinkHistory(self.name, *motion, self.loss[kept])

    def __repr__(self) -> str:
        most = ", ".join(f"{x:.3g}" for x in np.abs(self.eta).max(axis=0))
        return f"Link '{self.name}' over {len(self.eta)} instants: coordinates up to ({most})."


def link_histories(
    skeleton: Skeleton, p: np.ndarray, q: np.ndarray, v: np.ndarray, a: np.ndarray
) -> dict[str, LinkHistory]:
    """Every elastic link, from coordinates, rates and accelerations of the tree, one row per instant."""
    found = {}
    for link in skeleton.links:
        if link.reduced.modes is not None:
            damping = ca.Function("damping", [skeleton.symbols], [ca.SX(link.reduced.modes.damping)])
            D, rate = np.array(damping(p)), v[:, link.eta_rate]
            loss = np.einsum("ti,ij,tj->t", rate, D, rate)
            found[link.body] = LinkHistory(link.body, q[:, link.eta], rate, a[:, link.eta_rate], loss)
    return found


def deflections(links: Mapping[str, LinkHistory]) -> dict[str, np.ndarray]:
    """η of every elastic link by its name."""
    return {name: link.eta for name, link in links.items()}
