"""The constraint matrix of all joints at once: every direction that every joint holds, against every body's twist.

    A t = 0,   A row of a joint = Wᵀ (twist of its second body − twist of its first body, at the second marker)

It knows no tree and no cut, so what follows from it (rank, mobility, which reactions are unique) does not
depend on them. Twists are taken at the bodies' reference points with lengths divided by the characteristic
length, so nothing depends on the unit of length either.

Source: [saha], eq. (1), A t = 0 linear and homogeneous in the twists.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from multiloop.kinematics.assembly import Assembly
from multiloop.kinematics.readings import marker_frames
from multiloop.model import GROUND, IN_PLANE
from multiloop.spatial import numeric


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
        return sum((self.A[rows, self.columns(body)] for body in group), np.zeros((len(rows), self.dimension)))


def screws_of(assembly: Assembly, q: np.ndarray | None = None) -> Screws:
    """The constraint matrix at a closed position (the assembly's own, or another q of its tree)."""
    equations, p = assembly.equations, assembly.p
    q = assembly.q if q is None else q
    mechanism, planar, L = assembly.mechanism, assembly.mechanism.planar, equations.skeleton.length
    frames = marker_frames(equations, q, p)
    bodies = tuple(body.name for body in mechanism.moving)
    used = list(IN_PLANE) if planar else list(range(6))
    d = len(used)
    blocks: list[np.ndarray] = []
    names: list[tuple[str, str]] = []
    ends: dict[str, tuple[str, str]] = {}
    for joint in mechanism.pairs:
        F, S = frames[joint.first], frames[joint.second]
        resolved = equations.numeric_joint(joint, p)
        local = np.atleast_2d(ca.DM(resolved.wrenches(F.inverse() @ S, planar)).full())
        W = np.kron(np.eye(2), numeric(F.R)) @ local
        point = numeric(S.p) / L
        first, second = joint.first.partition(".")[0], joint.second.partition(".")[0]
        ends[joint.name] = (first, second)
        block = np.zeros((W.shape[1], d * len(bodies)))
        at_origin = W.T @ _to_point(point)  # one common reference point: the inertial origin
        for body, sign in ((second, 1.0), (first, -1.0)):
            if body != GROUND:
                k = bodies.index(body)
                block[:, k * d : (k + 1) * d] += sign * at_origin[:, used]
        blocks.append(block)
        names += [(joint.name, component) for component in joint.wrench_names(planar)]
    A = np.vstack(blocks) if blocks else np.zeros((0, d * len(bodies)))
    return Screws(A, tuple(names), bodies, d, ends)


def _to_point(r: np.ndarray) -> np.ndarray:
    """6×6 transport of a twist from the inertial origin to the point r."""
    S = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
    return np.block([[np.eye(3), np.zeros((3, 3))], [-S, np.eye(3)]])
