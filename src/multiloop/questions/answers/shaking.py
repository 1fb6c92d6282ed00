"""Shaking force and moment of the mechanism on its frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from multiloop.model import GROUND

if TYPE_CHECKING:
    from multiloop.questions.answers.result import Result


def shaking(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """Force on the frame and moment about the inertial origin, at every instant.

        f = −Σ f_j + f_l,    n = −Σ (n_j + r_j × f_j + efforts) + n_l     over the joints on the ground

    f_j, n_j are exerted by the ground, f_l, n_l by loads on the ground. By the balance of momentum this equals weight
    and external forces and torques, less the rate of momentum.
    """
    planar = result.mechanism.planar
    force, moment = np.zeros((len(result.time), 3)), np.zeros((len(result.time), 3))
    if result.on_frame is not None:
        moment, force = result.on_frame[:, :3].copy(), result.on_frame[:, 3:].copy()
    for joint in result.joints.values():
        bodies = (joint.first.partition(".")[0], joint.second.partition(".")[0])
        if GROUND not in bodies:
            continue
        sign = -1.0 if bodies[0] == GROUND else 1.0  # reaction on the ground
        f, n = _spatial(joint.force, joint.moment, planar)
        effort_f, effort_n = _spatial(joint.effort_force, joint.effort_moment, planar)
        point = result.marker(joint.second)
        r = np.column_stack([point, np.zeros(len(point))]) if planar else point
        force += sign * (f + effort_f)
        moment += sign * (n + effort_n + np.cross(r, f + effort_f))
    return (force[:, :2], moment[:, 2]) if planar else (force, moment)


def _spatial(force: np.ndarray, moment: np.ndarray, planar: bool) -> tuple[np.ndarray, np.ndarray]:
    if not planar:
        return force, moment
    flat = np.zeros(len(force))
    return np.column_stack([force, flat]), np.column_stack([flat, flat, moment])
