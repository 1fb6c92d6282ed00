"""Coordinates, rates, accelerations and efforts of all joints over time; angles of cut joints are continuous."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.plan import Plan


def joint_motions(
    equations: Equations, plan: Plan, p: np.ndarray, found: Mapping[str, np.ndarray]
) -> dict[str, tuple[np.ndarray, ...]]:
    """q, v, v̇ and effort of every joint over time, from the evaluated instants."""
    skeleton, mechanism = equations.skeleton, plan.mechanism
    q, rates = found["q"], [found[name] for name in ("v", "a", "tau")]
    motion = {
        link.joint.name: (q[:, link.q], *(part[:, link.v] for part in rates)) for link in skeleton.links
    }
    at, known = 0, {joint.name for joint in mechanism.connections}
    begun = plan.assembly.coordinates() if skeleton.cuts else {}
    for k, cut in enumerate(skeleton.cuts):
        name, f = cut.joint.name, len(cut.joint.components(mechanism.planar))
        if name in known:  # the Fixed that closes a split body is not a joint of the description
            joint = equations.numeric_joint(mechanism.connection(name), p)
            frames = found["cut_poses"][:, :, 4 * k : 4 * k + 4]
            read = joint.read_over_time(frames, begun[name], mechanism.planar)
            moving = (found[part][:, at : at + f] for part in ("cut_rates", "cut_accelerations"))
            motion[name] = (read, *moving, np.zeros((len(q), f)))
        at += f
    return motion
