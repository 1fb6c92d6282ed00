"""Joints and pairs as functions of numbers: poses and freedoms of all joints of a kind, and the rows of a pair."""

from __future__ import annotations

from dataclasses import dataclass, fields

import casadi as ca
import numpy as np

from multiloop.model import Connection, Joint
from multiloop.spatial import Pose, skew
from multiloop.symbols import Traced

FEW = 16
"""Joints of one kind up to which it is quicker to ask each by itself."""


@dataclass(frozen=True, eq=False)
class Alike:
    """All joints of one kind: their bodies, their markers seen from the middles of these, and their coordinates.

    `members` (m) number them among all joints; `first`, `second` (m) number the bodies, −1 the ground; F, S
    (m, 3, 4) are the markers [R | p]; q (m, nq) and v (m, f) are places among the coordinates and rates of all
    joints; `unit` (f) is what a rate is counted in.
    """

    members: np.ndarray
    first: np.ndarray
    second: np.ndarray
    F: np.ndarray
    S: np.ndarray
    q: np.ndarray
    v: np.ndarray
    unit: np.ndarray
    shape: Traced

    def at(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pose [R | p] (m, 3, 4) and freedom P (m, 6, f) of every joint at coordinates of all joints."""
        count, f = len(self.first), len(self.unit)
        if not self.q.shape[1]:
            X, P = self.shape()
            return np.broadcast_to(X, (count, 3, 4)), np.broadcast_to(P.reshape(6, f), (count, 6, f))
        if count <= FEW:
            each = [self.shape(own) for own in q[self.q]]
            return np.array([X for X, _ in each]), np.array([P.reshape(6, f) for _, P in each])
        X, P = self.shape.many(q[self.q.T])
        return X, P.reshape(count, 6, f)


def kind_of(joint: Joint) -> tuple[type, str]:
    """What joints of one kind have in common: all but their names and markers."""
    own = [entry.name for entry in fields(joint) if entry.name not in ("name", "first", "second")]
    return type(joint), repr([getattr(joint, name) for name in own])


def joint_shape(kind: Joint, planar: bool) -> Traced:
    """Pose and freedom of a kind of joint as functions of its coordinates."""
    q = ca.SX.sym("q", kind.positions(planar))
    X = kind.pose(q, planar)
    P = kind.freedom(X, planar)
    inputs = {"q": q} if q.shape[0] else {}
    return Traced("shape", inputs, {"X": ca.horzcat(X.R, X.p), "P": P})


def pair_closure(pair: Connection, planar: bool) -> Traced:
    """Rows of a pair at a relative pose, and their slopes by the relative twist there."""
    R, p, twist = ca.SX.sym("R", 3, 3), ca.SX.sym("p", 3), ca.SX.sym("twist", 6)
    near = Pose(R + skew(twist[:3]) @ R, p + twist[3:])
    phi = ca.SX(pair.closure(near, planar))
    there = [ca.substitute(m, twist, ca.DM.zeros(6)) for m in (phi, ca.jacobian(phi, twist))]
    return Traced("pair", {"R": R, "p": p}, {"phi": there[0], "slopes": there[1]})
