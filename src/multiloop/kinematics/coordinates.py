"""Where do the coordinates that a user names stand among all of the tree?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from multiloop.model.names import ETA, elastic_names

if TYPE_CHECKING:
    from multiloop.kinematics.skeleton import Link


@dataclass(frozen=True)
class Coordinates:
    """The coordinates that go by one name, of a joint in the tree or of an elastic body: their words and places."""

    names: tuple[str, ...]
    q: slice
    v: slice


def coordinates_by_name(links: Sequence[Link], planar: bool) -> dict[str, Coordinates]:
    """Those of every joint in the tree by its name, and those of every elastic body as "body.eta"."""
    found = {link.joint.name: Coordinates(link.joint.components(planar), link.q, link.v) for link in links}
    for link in links:
        if link.reduced.elastic:
            names = elastic_names(link.reduced.elastic)
            found[f"{link.body}.{ETA}"] = Coordinates(names, link.eta, link.eta_rate)
    return found
