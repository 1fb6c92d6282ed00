"""Markers of a body at joints: exaggerated drawings of deformed bodies must leave these points in place."""

from __future__ import annotations

from multiloop.model import Mechanism
from multiloop.model.names import body_of


def joint_seats(mechanism: Mechanism, body: str) -> list[str]:
    """The markers of a body at which joints and pairs with constraints act."""
    holding = [joint for joint in mechanism.connections if joint.rows(mechanism.planar)]
    found = [end for joint in holding for end in (joint.first, joint.second) if body_of(end) == body]
    return list(dict.fromkeys(end.partition(".")[2] for end in found))
