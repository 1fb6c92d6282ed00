"""Poses of all bodies from known joint coordinates, outward from the ground and from bodies with prescribed poses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from multiloop.kinematics.parts import Loose, Parts

SEATED = -1
"""Used instead of a joint: the body has a prescribed pose, or is the ground."""


@dataclass(frozen=True, eq=False)
class Placement:
    """A position of the separate bodies, and for every body the number of joints with unknown coordinates to it."""

    at: Loose
    doubts: np.ndarray


def place_parts(parts: Parts, q: np.ndarray, known: np.ndarray, seats: Mapping[int, np.ndarray]) -> Placement:
    """Place every body along the path with the fewest joints of unknown coordinates, and of these the shortest path.

        S = F X(q)  outward,      F = S X(q)⁻¹  inward

    `q` are the coordinates of all joints, `known` (by rate) states which of them are known; `seats` are [R | c] of the
    bodies with prescribed poses. The bodies of a loop are placed from both sides, and it may remain open.
    """
    R, c = np.tile(np.eye(3), (len(parts.bodies) + 1, 1, 1)), np.zeros((len(parts.bodies) + 1, 3))
    doubts = np.zeros(len(parts.bodies), int)
    shapes = parts.shapes(q)
    waiting = [(0, 0, body, SEATED) for body in (-1, *seats)]
    heapify(waiting)
    arrived: set[int] = set()
    while waiting:
        doubt, length, body, joint = heappop(waiting)
        if body in arrived:
            continue
        arrived.add(body)
        if joint != SEATED:
            outward = parts.between[joint][1] == body
            other = parts.between[joint][0 if outward else 1]
            R[body], c[body] = _carried(R[other], c[other], shapes[joint], *parts.ends[joint], outward)
        elif body in seats:
            R[body], c[body] = seats[body][:, :3], seats[body][:, 3]
        if body >= 0:
            doubts[body] = doubt
        for k, far in parts.neighbours[body]:
            if far not in arrived:
                doubtful = not known[parts.v_places[k]].all()
                heappush(waiting, (doubt + doubtful, length + 1, far, k))
    return Placement(Loose(R, c, q), doubts)


def _carried(
    R: np.ndarray, c: np.ndarray, X: np.ndarray, F: np.ndarray, S: np.ndarray, outward: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Pose of the body beyond a joint with relative pose X; F and S are its markers relative to the centres."""
    near, far = (F, S) if outward else (S, F)
    turn, shift = (X[:, :3], X[:, 3]) if outward else (X[:, :3].T, -X[:, :3].T @ X[:, 3])
    seat_R, seat_p = R @ near[:, :3], c + R @ near[:, 3]
    own = seat_R @ turn @ far[:, :3].T
    return own, seat_p + seat_R @ shift - own @ far[:, 3]
