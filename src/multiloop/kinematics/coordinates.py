"""Places in q and v of the coordinates that a user names: those of tree joints and of elastic bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from multiloop.model.names import ETA, elastic_names

if TYPE_CHECKING:
    from multiloop.kinematics.skeleton import Link


@dataclass(frozen=True)
class Coordinates:
    """Coordinates of one joint in the tree, or of one elastic body: their component names and slices in q and v."""

    names: tuple[str, ...]
    q: slice
    v: slice


def coordinates_by_name(links: Sequence[Link], planar: bool) -> dict[str, Coordinates]:
    """Coordinates of every joint in the tree by its name, and of every elastic body as "body.eta"."""
    found = {link.joint.name: Coordinates(link.joint.components(planar), link.q, link.v) for link in links}
    for link in links:
        if link.reduced.elastic:
            names = elastic_names(link.reduced.elastic)
            found[f"{link.body}.{ETA}"] = Coordinates(names, link.eta, link.eta_rate)
    return found
