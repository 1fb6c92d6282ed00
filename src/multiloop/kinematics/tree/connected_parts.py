"""Connected parts of a mechanism without the ground, and the part to which each body, rate, connection and load
belongs.

Two moving bodies are in the same part if a joint, a pair, a coupling or a load connects them. Each part moves
independently of the others. Tolerances that are relative to a motion or a force refer to one part, so that no result
depends on unconnected bodies.
"""

from __future__ import annotations

import numpy as np
from networkx.utils import UnionFind

from multiloop.kinematics.tree.skeleton import Skeleton
from multiloop.model import GROUND, Mechanism, body_of


def connected_parts(mechanism: Mechanism) -> dict[str, int]:
    """For each moving body by name, the index of the connected part to which it belongs."""
    joined = UnionFind(body.name for body in mechanism.moving)
    groups = [{body_of(one.first), body_of(one.second)} for one in mechanism.connections]
    groups += [
        {body for joint in joints for body in _bodies_of(mechanism, joint)}
        for joints in mechanism.tied_joints.values()
    ]
    groups += _bodies_of_loads(mechanism).values()
    for group in groups:
        moving = sorted(group - {GROUND})
        if moving:
            joined.union(*moving)
    numbers = {
        root: k for k, root in enumerate(dict.fromkeys(joined[body.name] for body in mechanism.moving))
    }
    return {body.name: numbers[joined[body.name]] for body in mechanism.moving}


def parts_of_rates(skeleton: Skeleton) -> np.ndarray:
    """For each rate in v, the index of the connected part to which it belongs."""
    parts, found = connected_parts(skeleton.mechanism), np.zeros(skeleton.rates, int)
    halves = {split.twin: split.body for split in skeleton.tree.splits}
    for link in skeleton.links:
        found[link.rates] = parts[halves.get(link.body, link.body)]
    return found


def parts_of_connections(mechanism: Mechanism) -> dict[str, int]:
    """For each joint, pair and coupling by name, the index of the connected part to which it belongs; −1 if it
    connects no moving body."""
    parts = connected_parts(mechanism) | {GROUND: -1}
    found = {
        one.name: max(parts[body_of(one.first)], parts[body_of(one.second)]) for one in mechanism.connections
    }
    tied = {
        name: max((found[joint] for joint in joints), default=-1)
        for name, joints in mechanism.tied_joints.items()
    }
    return found | tied


def parts_of_loads(skeleton: Skeleton) -> dict[str, int]:
    """For each load by name, the index of the connected part on which it acts; −1 if it acts only on the ground."""
    parts = connected_parts(skeleton.mechanism)
    return {
        load: next((parts[body] for body in sorted(bodies - {GROUND})), -1)
        for load, bodies in _bodies_of_loads(skeleton.mechanism).items()
    }


def _bodies_of_loads(mechanism: Mechanism) -> dict[str, set[str]]:
    """For each load, the bodies on which it acts."""
    found = dict[str, set[str]]()
    for load in mechanism.all_loads:
        found[load.name] = {body_of(marker) for marker in load.markers}
        for joint, _ in load.coordinates:
            found[load.name] |= _bodies_of(mechanism, joint)
    return found


def _bodies_of(mechanism: Mechanism, joint: str) -> set[str]:
    """The two bodies that a joint connects."""
    return {body_of(mechanism.joint(joint).first), body_of(mechanism.joint(joint).second)}
