"""Free joints of bodies that are connected to the ground by higher pairs alone, such as a wheel on a road.

Bodies connected by joints, as the frame and the wheels of a cart, form one group: the first body of the group gets the
Free joint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from networkx.utils import UnionFind

from multiloop.model.bodies import GROUND
from multiloop.model.joints import Free
from multiloop.model.names import body_of

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def floating_bodies(mechanism: Mechanism) -> tuple[str, ...]:
    """The first body of every group of jointed bodies that is connected to the ground by pairs alone."""
    joined = UnionFind()
    for joint in mechanism.described_joints:
        joined.union(body_of(joint.first), body_of(joint.second))
    reached = UnionFind()
    for group in joined.to_sets():
        reached.union(*group)
    for pair in mechanism.marker_pairs:
        reached.union(body_of(pair.first), body_of(pair.second))
    standing, found = {joined[GROUND]}, []
    for body in (body.name for body in mechanism.all_bodies):
        if reached[body] == reached[GROUND] and joined[body] not in standing:
            standing.add(joined[body])
            found.append(body)
    return tuple(found)


def floating_joint(body: str) -> Free:
    """The Free joint between the ground and the body."""
    return Free(f"{body} floats", f"{GROUND}.origin", f"{body}.origin")
