"""Random closed mechanisms for Hypothesis: they can be closed and can move, because they are drawn assembled.

A tree of bodies is placed in space; then loops are closed by joints whose two markers are computed from the poses of
the bodies. A closing joint is kept only if its rows are independent of all others and at least one degree of freedom is
left. Hypothesis draws the structure, so that failures shrink to few bodies; lengths, angles and masses come from one
drawn seed, so that they are never special.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np
from hypothesis import assume, strategies as st

from multiloop import (
    Body,
    Cylindrical,
    Fixed,
    Free,
    Helical,
    Joint,
    Marker,
    Mechanism,
    Motion,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
    marker,
)
from multiloop.model import GROUND, JOINTS
from multiloop.model.marker_poses import marker_pose, nominal_value
from multiloop.spatial import IDENTITY, Pose, Rz, column, numeric, quaternion_matrix
from zoo.constraints import joint_rows
from zoo.entry import swinging

FLAT_TREE = (Revolute, Prismatic, Planar, Fixed, Free)
FLAT_CLOSING = (Revolute, Prismatic)
CLOSING = (Spherical, Planar, Cylindrical, Universal, Revolute, Prismatic, Helical)
INDEPENDENT = 2e-3
DRIVABLE = 2e-2
"""Smallest singular value of the rows of all joints, and with those of drives, relative to the largest."""


@dataclass(frozen=True)
class Closed:
    """A random mechanism, whose bodies are in the position of its guess, and its mobility.

    Its rows are independent, so that counting gives the true mobility.
    """

    mechanism: Mechanism
    poses: dict[str, Pose]
    mobility: int
    loops: int


@dataclass
class _Workshop:
    """The mechanism under construction."""

    planar: bool
    seed: int
    poses: dict[str, Pose] = field(default_factory=lambda: {GROUND: IDENTITY})
    markers: dict[str, dict[str, Marker]] = field(default_factory=lambda: {GROUND: {}})
    joints: list[Joint] = field(default_factory=list)
    guess: dict[str, list[float]] = field(default_factory=dict)
    frames: dict[str, tuple[Pose, Pose]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)

    def add_body(self, kind: type[Joint], parent: str, forward: bool) -> None:
        """A new body on a new joint; the joint's first marker is the parent's when `forward`."""
        body = f"b{len(self.poses)}"
        self.markers[body] = {}
        seat, handle = self._stick(parent, self._marker()), self._stick(body, self._marker())
        joint = self._joint(kind, *((seat, handle) if forward else (handle, seat)))
        moved = joint.pose(ca.DM(self._value(joint)), self.planar)
        at_seat = self.poses[parent] @ self._frame(seat)
        at_handle = at_seat @ (moved if forward else moved.inverse())
        self.poses[body] = at_handle @ self._frame(handle).inverse()
        self.frames[joint.name] = (at_seat, at_handle) if forward else (at_handle, at_seat)
        self.joints.append(joint)

    def close(self, kind: type[Joint], first: str, second: str, rows: np.ndarray) -> np.ndarray:
        """A joint between two bodies in their poses, unless `rows` constrain them already; the constraint rows with
        it."""
        place = Pose(self._turn(), (self.poses[first].p + self.poses[second].p) / 2 + self._point(0.5))
        joint = self._joint(kind, *(f"{body}.m{len(self.markers[body])}" for body in (first, second)))
        q = self._value(joint)
        other = place @ joint.pose(ca.DM(q), self.planar)
        more = np.vstack([rows, self.rows_of(joint, (place, other))])
        if more.shape[0] >= more.shape[1] or not _independent(more, INDEPENDENT):
            del self.guess[joint.name]
            return rows
        self._stick(first, self._as_marker(self.poses[first].inverse() @ place))
        self._stick(second, self._as_marker(self.poses[second].inverse() @ other))
        self.frames[joint.name] = (place, other)
        self.joints.append(joint)
        return more

    def rows_of(self, joint: Joint, ends: tuple[Pose, Pose], *, held: bool = True) -> np.ndarray:
        """The constraint or motion rows of a joint on the twists of all bodies."""
        origins = {body: numeric(pose.p) for body, pose in self.poses.items() if body != GROUND}
        return joint_rows(joint, *ends, origins, planar=self.planar, held=held)

    def finished(self, name: str, drives: tuple[Motion, ...] = ()) -> Mechanism:
        """The constructed mechanism, with physically possible bodies."""
        rng = np.random.default_rng([self.seed, 1])
        bodies = [_weighty(name, held, rng, self.planar) for name, held in self.markers.items()]
        return Mechanism(
            name, planar=self.planar, bodies=bodies, joints=self.joints, drives=drives, guess=self.guess
        )

    def _joint(self, kind: type[Joint], first: str, second: str) -> Joint:
        name = f"j{len(self.joints) + 1}"
        if kind is Helical:
            return Helical(name, first, second, pitch=float(self.rng.uniform(0.02, 0.1)))
        return kind(name, first, second)

    def _value(self, joint: Joint) -> np.ndarray:
        """Random coordinates of a joint, stored as its guess."""
        q = self.rng.uniform(-1.0, 1.0, joint.positions(self.planar))
        if joint.positions(self.planar) != joint.degrees_of_freedom(self.planar):
            q[-4:] = _quaternion(self.rng)
        if q.size:
            self.guess[joint.name] = q.tolist()
        return q

    def _stick(self, body: str, held: Marker) -> str:
        name = f"m{len(self.markers[body])}"
        self.markers[body][name] = held
        return f"{body}.{name}"

    def _frame(self, reference: str) -> Pose:
        body, _, name = reference.partition(".")
        return marker_pose(self.markers[body][name], nominal_value, self.planar)

    def _point(self, size: float) -> Any:
        x, y, z = self.rng.uniform(-size, size, 3)
        return column([x, y, 0 if self.planar else z])

    def _turn(self) -> Any:
        return Rz(self.rng.uniform(-3, 3)) if self.planar else quaternion_matrix(ca.DM(_quaternion(self.rng)))

    def _marker(self) -> Marker:
        return self._as_marker(Pose(self._turn(), self._point(1.0)))

    def _as_marker(self, pose: Pose) -> Marker:
        R, p = numeric(pose.R), numeric(pose.p)
        if self.planar:
            return marker(p[:2], angle=float(np.arctan2(R[1, 0], R[0, 0])))
        return marker(p, z=R[:, 2], x=R[:, 0])


@st.composite
def closed_mechanisms(
    draw: Any, *, planar: bool | None = None, driven: bool = False, most_loops: int = 6
) -> Closed:
    """Mechanisms of 1 to `most_loops` loops with all kinds of joints.

    `planar` settles the space, else it is drawn. With `driven`, single-freedom joints swing, as many as the
    mechanism can obey.
    """
    flat = draw(st.booleans()) if planar is None else planar
    shop = _Workshop(flat, draw(st.integers(0, 2**32 - 1)))
    wanted = draw(st.integers(1, most_loops))
    kinds = st.sampled_from(FLAT_TREE if flat else JOINTS) | st.sampled_from((Revolute, Prismatic))
    for _ in range(draw(st.integers(2 * wanted + 1, 2 * wanted + 4))):
        parent = draw(st.sampled_from(list(shop.poses)))
        shop.add_body(draw(kinds), parent, draw(st.booleans()))
    rows, tree = (
        np.vstack([shop.rows_of(joint, shop.frames[joint.name]) for joint in shop.joints]),
        len(shop.joints),
    )
    for _ in range(4 * wanted):
        if len(shop.joints) == tree + wanted:
            break
        first, second = draw(st.lists(st.sampled_from(list(shop.poses)), min_size=2, max_size=2, unique=True))
        rows = shop.close(draw(st.sampled_from(FLAT_CLOSING if flat else CLOSING)), first, second, rows)
    loops = len(shop.joints) - tree
    assume(loops > 0)
    mechanism = shop.finished("random mechanism", _drives(shop, rows) if driven else ())
    poses = {body: pose for body, pose in shop.poses.items() if body != GROUND}
    return Closed(mechanism, poses, mobility=rows.shape[1] - rows.shape[0], loops=loops)


def _drives(shop: _Workshop, rows: np.ndarray) -> tuple[Motion, ...]:
    drives = []
    for joint in shop.joints:
        if joint.degrees_of_freedom(shop.planar) != 1:
            continue
        more = np.vstack([rows, shop.rows_of(joint, shop.frames[joint.name], held=False)])
        if more.shape[0] <= more.shape[1] and _independent(more, DRIVABLE):
            rows = more
            drives.append(Motion(joint.name, swinging(shop.guess[joint.name][0], 0.01)))
    return tuple(drives)


def _independent(rows: np.ndarray, least: float) -> bool:
    sigma = np.linalg.svd(rows, compute_uv=False)
    return bool(sigma[rows.shape[0] - 1] > least * sigma[0])


def _weighty(name: str, markers: dict[str, Marker], rng: np.random.Generator, planar: bool) -> Body:
    """A body with the mass centre and inertia of eight point masses, so that it is physically possible."""
    if name == GROUND:
        return Body(GROUND, markers=tuple(markers.items()))
    masses, points = rng.uniform(0.1, 0.6, 8), rng.uniform(-0.5, 0.5, (8, 3))
    com = masses @ points / masses.sum()
    r = points - com
    tensor = np.einsum(
        "k,kij->ij", masses, (r**2).sum(1)[:, None, None] * np.eye(3) - r[:, :, None] * r[:, None, :]
    )
    if planar:
        return Body(name, float(masses.sum()), com[:2], float(tensor[2, 2]), markers=tuple(markers.items()))
    return Body(name, float(masses.sum()), com, (tensor + tensor.T) / 2, markers=tuple(markers.items()))


def _quaternion(rng: np.random.Generator) -> np.ndarray:
    e = rng.normal(size=4)
    e /= np.linalg.norm(e)
    return e if e[0] >= 0 else -e
