"""How links that bend are deformed over time, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from multiloop.kinematics.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class LinkHistory:
    """One elastic link over time: its coordinates η with their rates and accelerations, instants × e."""

    name: str
    eta: np.ndarray
    eta_rate: np.ndarray
    eta_acceleration: np.ndarray

    def at(self, kept: np.ndarray | slice) -> LinkHistory:
        """The same at some instants."""
        return LinkHistory(self.name, self.eta[kept], self.eta_rate[kept], self.eta_acceleration[kept])

    def __repr__(self) -> str:
        most = ", ".join(f"{x:.3g}" for x in np.abs(self.eta).max(axis=0))
        return f"Link '{self.name}' over {len(self.eta)} instants: coordinates up to ({most})."


def link_histories(skeleton: Skeleton, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> dict[str, LinkHistory]:
    """Every elastic link, from coordinates, rates and accelerations of the tree, one row per instant."""
    return {
        link.body: LinkHistory(link.body, q[:, link.eta], v[:, link.eta_rate], a[:, link.eta_rate])
        for link in skeleton.links
        if link.reduced.elastic
    }


def deflections(links: Mapping[str, LinkHistory]) -> dict[str, np.ndarray]:
    """η of every elastic link by its name."""
    return {name: link.eta for name, link in links.items()}
