"""The constraint matrix of all joints at once: every direction that every joint holds, against every body's twist.

    A t = 0,   A row of a joint = Wᵀ (twist of its second body − twist of its first body, at the second marker)

It knows no tree and no cut, so what follows from it (rank, mobility, which reactions are unique) does not
depend on them. Twists are taken at the inertial origin with lengths divided by the characteristic length, so
nothing depends on the unit of length either.

Source: [saha], eq. (6), A t = 0 linear and homogeneous in the twists.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.readings import marker_frames
from multiloop.model import GROUND, IN_PLANE
from multiloop.spatial import numeric, twist_matrix


@dataclass(frozen=True, eq=False)
class Screws:
    """The constraint matrix with names: `rows` are (joint, component), `bodies` own d columns each."""

    A: np.ndarray
    rows: tuple[tuple[str, str], ...]
    bodies: tuple[str, ...]
    dimension: int
    ends: dict[str, tuple[str, str]]  # bodies of each joint

    def columns(self, body: str) -> slice:
        """The columns of a moving body's twist."""
        k = self.bodies.index(body)
        return slice(k * self.dimension, (k + 1) * self.dimension)

    def joint_rows(self, joint: str) -> list[int]:
        """The rows of a joint."""
        return [k for k, (name, _) in enumerate(self.rows) if name == joint]

    def rigid_block(self, group: frozenset[str]) -> np.ndarray:
        """Rows of the joints on the rim of a group of bodies, against one common twist of the group."""
        rim = {name for name, pair in self.ends.items() if len(group & set(pair)) == 1}
        rows = [k for k, (name, _) in enumerate(self.rows) if name in rim]
        return sum(
            (self.A[rows, self.columns(body)] for body in group), np.zeros((len(rows), self.dimension))
        )


def screws_of(equations: Equations, q: np.ndarray, p: np.ndarray) -> Screws:
    """The constraint matrix at a closed position, whatever the tree of the equations."""
    mechanism, planar = equations.skeleton.mechanism, equations.skeleton.planar
    frames = marker_frames(equations, q, p)
    wrenches = joint_wrenches(equations, q, p)
    bodies = tuple(body.name for body in mechanism.moving)
    place = {body: k for k, body in enumerate(bodies)}
    used = list(IN_PLANE) if planar else list(range(6))
    d = len(used)
    blocks: list[np.ndarray] = [np.zeros((0, d * len(bodies)))]
    names: list[tuple[str, str]] = []
    ends: dict[str, tuple[str, str]] = {}
    for joint, W in zip(mechanism.pairs, wrenches, strict=True):
        point = numeric(frames[joint.second].p) / equations.skeleton.length
        first, second = joint.first.partition(".")[0], joint.second.partition(".")[0]
        ends[joint.name] = (first, second)
        block = np.zeros((W.shape[1], d * len(bodies)))
        seen = (W.T @ numeric(twist_matrix(ca.DM(point))))[:, used]  # twists at the inertial origin
        for body, sign in ((second, 1.0), (first, -1.0)):
            if body != GROUND:
                block[:, place[body] * d : (place[body] + 1) * d] += sign * seen
        blocks.append(block)
        names += [(joint.name, component) for component in joint.wrench_names(planar)]
    return Screws(np.vstack(blocks), tuple(names), bodies, d, ends)


def joint_wrenches(equations: Equations, q: np.ndarray, p: np.ndarray) -> list[np.ndarray]:
    """For every joint the wrenches it can transmit, 6×c in inertial axes at its second marker.

    Moments are divided by the characteristic length, so a column of a force along a screw keeps its meaning.
    """
    planar, L = equations.skeleton.planar, equations.skeleton.length
    frames = marker_frames(equations, q, p)
    found = []
    for joint in equations.skeleton.mechanism.pairs:
        F, S = frames[joint.first], frames[joint.second]
        local = ca.DM(equations.numeric_joint(joint, p).wrenches(F.inverse() @ S, planar)).full()
        W = np.kron(np.eye(2), numeric(F.R)) @ local
        forces = np.abs(local[3:]).max(axis=0, initial=0.0) > 0
        W[:3, forces] /= L
        found.append(W)
    return found
