"""Where do known coordinates put every body? Outward from the ground and from bodies whose poses are said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from multiloop.kinematics.parts import Loose, Parts

SEATED = -1
"""In place of a joint: the body stands where it was said to, or is the ground."""


@dataclass(frozen=True, eq=False)
class Placement:
    """A position of the parts, and for every body over how many joints of unknown coordinates it was reached."""

    at: Loose
    doubts: np.ndarray


def place_parts(parts: Parts, q: np.ndarray, known: np.ndarray, seats: Mapping[int, np.ndarray]) -> Placement:
    """Every body by the joint that leads to it over the fewest unknown joints, and then the fewest joints.

        S = F X(q)  outward,      F = S X(q)⁻¹  inward

    `q` are coordinates of all joints, `known` (by rate) says which of them count; `seats` are [R | c] of the bodies
    that are said whole. Where a loop does not close, its bodies are placed from both sides and it stays open.
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
    """Where a body stands behind a joint with the relative pose X, F and S its markers seen from the middles."""
    near, far = (F, S) if outward else (S, F)
    turn, shift = (X[:, :3], X[:, 3]) if outward else (X[:, :3].T, -X[:, :3].T @ X[:, 3])
    seat_R, seat_p = R @ near[:, :3], c + R @ near[:, 3]
    own = seat_R @ turn @ far[:, :3].T
    return own, seat_p + seat_R @ shift - own @ far[:, 3]
