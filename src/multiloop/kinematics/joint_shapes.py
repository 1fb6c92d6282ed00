"""Numeric functions of joints and pairs: poses and motion subspaces of all joints of one type, and rows of a pair."""

from __future__ import annotations

from dataclasses import dataclass, fields

import casadi as ca
import numpy as np

from multiloop.model import Connection, Joint
from multiloop.spatial import Pose, skew
from multiloop.symbols import Traced

FEW = 16
"""Number of joints of one type up to which separate evaluations are faster."""


@dataclass(frozen=True, eq=False)
class Alike:
    """All joints of one type: their bodies, their markers relative to the centres of these, and their coordinates.

    `members` (m) are the indices of the joints; `first`, `second` (m) those of the bodies, −1 for the ground; F, S
    (m, 3, 4) are the markers [R | p]; q (m, nq) and v (m, f) are places among the coordinates and rates of all
    joints; `unit` (f) are the units of the rates.
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
        """Pose [R | p] (m, 3, 4) and motion subspace P (m, 6, f) of every joint, for coordinates q of all joints."""
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
    """Key of the type of a joint: its class and all fields except name and markers."""
    own = [entry.name for entry in fields(joint) if entry.name not in ("name", "first", "second")]
    return type(joint), repr([getattr(joint, name) for name in own])


def joint_shape(kind: Joint, planar: bool) -> Traced:
    """Pose and motion subspace of a type of joint as functions of its coordinates."""
    q = ca.SX.sym("q", kind.positions(planar))
    X = kind.pose(q, planar)
    P = kind.freedom(X, planar)
    inputs = {"q": q} if q.shape[0] else {}
    return Traced("shape", inputs, {"X": ca.horzcat(X.R, X.p), "P": P})


def pair_closure(pair: Connection, planar: bool) -> Traced:
    """Rows of a pair at a relative pose, and their derivatives with respect to the relative twist."""
    R, p, twist = ca.SX.sym("R", 3, 3), ca.SX.sym("p", 3), ca.SX.sym("twist", 6)
    near = Pose(R + skew(twist[:3]) @ R, p + twist[3:])
    phi = ca.SX(pair.closure(near, planar))
    there = [ca.substitute(m, twist, ca.DM.zeros(6)) for m in (phi, ca.jacobian(phi, twist))]
    return Traced("pair", {"R": R, "p": p}, {"phi": there[0], "slopes": there[1]})
