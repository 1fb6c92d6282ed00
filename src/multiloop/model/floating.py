"""Bodies that reach the ground by pairs alone, such as a wheel on a road: they float, by a Free joint of their own.

Bodies that joints hold together, as the frame and the wheels of a cart, float as one: the first of them has the Free
joint, the others hang on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from networkx.utils import UnionFind

from multiloop.model.bodies import GROUND
from multiloop.model.joints import Free, Joint, Pin
from multiloop.model.names import body_of

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def floating_bodies(mechanism: Mechanism) -> tuple[str, ...]:
    """The first body of every group that joints hold together and that only pairs lead from to the ground."""
    joined = UnionFind()
    for joint in mechanism.joints:
        joined.union(*_bodies(joint))
    reached = UnionFind()
    for group in joined.to_sets():
        reached.union(*group)
    for pair in mechanism.marker_pairs:
        reached.union(body_of(pair.first), body_of(pair.second))
    standing, found = {joined[GROUND]}, []
    for body in (body.name for body in mechanism.bodies):
        if reached[body] == reached[GROUND] and joined[body] not in standing:
            standing.add(joined[body])
            found.append(body)
    return tuple(found)


def floating_joint(body: str) -> Free:
    """Its joint to the ground."""
    return Free(f"{body} floats", f"{GROUND}.origin", f"{body}.origin")


def _bodies(joint: Joint | Pin) -> Iterable[str]:
    """The bodies that a joint or a pin holds together."""
    ends = (joint.carrier, *joint.others) if isinstance(joint, Pin) else (joint.first, joint.second)
    return map(body_of, ends)
