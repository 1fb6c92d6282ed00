"""Coordinates q and rates v of the tree: the map q̇ = E(q) v, finite steps, differences, scales and tolerances.

A unit quaternion has four entries in q, its angular velocity three entries in v. Lengths are scaled by the
characteristic length, elastic coordinates by the motion of the body that they cause. The module also computes
stiffness, damping and frequencies of elastic coordinates.

Theory: docs/theory/01-notation.md, eq. (1.11); docs/theory/02-kinematics.md, eqs. (2.2), (2.13).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.kinematics.tree.skeleton import CLOSURE_DIGITS, Link, Skeleton
from multiloop.model import Mechanism, coordinate_text, is_elastic_name
from multiloop.spatial import Matrix


def elastic_scale(skeleton: Skeleton, link: Link) -> np.ndarray:
    """Scale of every elastic coordinate of a link: the reciprocal of the largest rotation or displacement per unit of
    the coordinate.

    The largest value is taken over the rotations and displacements of the body's markers and the root-mean-square
    displacement √(tr S_ii / m) of the body, with displacements divided by the characteristic length; m is the mass,
    S_ii = ∫ Ψ_i Ψ_iᵀ dm. The elastic coordinates η may thus be lengths, angles, or have any unit implied by the scale
    of the mode shapes Ψ.
    """
    modes = link.reduced.modes
    if modes is None:
        return np.zeros(0)
    e = modes.count
    shapes = ca.horzcat(*[shape[:, :e].T for shape in modes.shapes.values()])
    mean = ca.vertcat(*[ca.trace(modes.products[i][i]) for i in range(e)])
    read = ca.Function(
        "sizes", [skeleton.parameter_symbols], [ca.SX(x) for x in (shapes, mean, link.reduced.mass)]
    )
    rows, weighed, mass = (np.array(x) for x in read(skeleton.parameter_values))
    turned, shifted = np.moveaxis(np.linalg.norm(rows.reshape(e, -1, 2, 3), axis=3), 2, 0)
    whole = np.sqrt(weighed / mass) if mass > 0 else np.zeros((e, 1))
    sizes = np.hstack([turned, np.hstack([shifted, whole]) / skeleton.characteristic_length]).max(axis=1)
    found: np.ndarray = 1 / np.where(sizes > 0, sizes, 1.0)
    return found


def elastic_frequencies(skeleton: Skeleton, link: Link) -> np.ndarray:
    """Angular frequency √(K_ii / M_ii), in rad/s, of every elastic coordinate of a link, from the diagonals of its
    stiffness and mass matrices, without coupling between coordinates."""
    modes = link.reduced.modes
    if modes is None:
        return np.zeros(0)
    weighed = ca.vertcat(*[ca.trace(modes.products[i][i]) for i in range(modes.count)])
    read = ca.Function(
        "stiff", [skeleton.parameter_symbols], [ca.SX(ca.diag(modes.stiffness)), ca.SX(weighed)]
    )
    stiffness, mass = (np.array(x).ravel() for x in read(skeleton.parameter_values))
    found: np.ndarray = np.sqrt(np.maximum(stiffness, 0.0) / np.where(mass > 0, mass, 1.0))
    return found


def elastic_matrices(skeleton: Skeleton, link: Link) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and damping matrices of the elastic coordinates of a link, e×e each."""
    modes = link.reduced.modes
    if modes is None:
        return np.zeros((0, 0)), np.zeros((0, 0))
    read = ca.Function("modal", [skeleton.parameter_symbols], [ca.SX(modes.stiffness), ca.SX(modes.damping)])
    found = [np.array(x).reshape(modes.count, modes.count) for x in read(skeleton.parameter_values)]
    return found[0], found[1]


LENGTH_COMPONENTS = ("slide", "x", "y", "z")
"""Names of the coordinate components that are lengths; all other components are angles."""


def coordinates_with_unit(components: Sequence[str], values: Sequence[float], digits: int = 6) -> str:
    """Coordinates as text; a single joint or marker coordinate has its unit, "0.16 m" or "1.2 rad"."""
    text = coordinate_text(values, digits)
    if len(components) != 1 or len(values) != 1 or is_elastic_name(components[0]):
        return text
    return f"{text} {'m' if components[0] in LENGTH_COMPONENTS else 'rad'}"


def named_coordinates_text(mechanism: Mechanism, name: str, values: Sequence[float]) -> str:
    """The coordinates of a joint, or the elastic coordinates "body.eta", as text; a single joint coordinate has its
    unit."""
    joint = next((one for one in mechanism.connections if one.name == name), None)
    return coordinates_with_unit(() if joint is None else joint.components(mechanism.planar), values)


@dataclass(frozen=True, eq=False)
class Chart:
    """The coordinates q of a tree and their relation q̇ = E(q) v to the rates v; q contains unit quaternions."""

    skeleton: Skeleton

    def rate_map(self, q: Matrix) -> Matrix:
        """The matrix E(q) of q̇ = E v for the whole tree."""
        blocks = []
        for link in self.skeleton.links:
            blocks.append(link.joint.rate_map(q[link.q], self.skeleton.planar))
            blocks.append(ca.DM.eye(link.reduced.elastic))
        return ca.diagcat(*blocks) if blocks else ca.DM(0, 0)

    @cached_property
    def direct_coordinates(self) -> tuple[np.ndarray, np.ndarray]:
        """Indices in q and in v of the coordinates whose time derivative is an entry of v: all coordinates except
        quaternions."""
        in_q, in_v = [], []
        for link in self.skeleton.links:
            whole = link.q.stop - link.q.start == link.v.stop - link.v.start
            vectors = link.q.stop - link.q.start - (0 if whole else 4)
            in_q += [*range(link.q.start, link.q.start + vectors), *range(link.eta.start, link.eta.stop)]
            in_v += [
                *range(link.v.start, link.v.start + vectors),
                *range(link.eta_rate.start, link.eta_rate.stop),
            ]
        return np.array(in_q, int), np.array(in_v, int)

    @cached_property
    def joint_rates(self) -> list[int]:
        """Indices in v of the rates of joints, without elastic rates."""
        return [k for link in self.skeleton.links for k in range(link.v.start, link.v.stop)]

    @cached_property
    def quaternions(self) -> list[tuple[slice, slice]]:
        """For each quaternion, its slice in q and the slice of its angular velocity in v."""
        return [
            (slice(link.q.stop - 4, link.q.stop), slice(link.v.stop - 3, link.v.stop))
            for link in self.skeleton.links
            if link.q.stop - link.q.start != link.v.stop - link.v.start
        ]

    @cached_property
    def _angles(self) -> list[int]:
        """Indices in v of the rates of angles."""
        return [
            link.v.start + offset
            for link in self.skeleton.links
            for offset, name in enumerate(link.joint.components(self.skeleton.planar))
            if name not in LENGTH_COMPONENTS
        ]

    @cached_property
    def rate_units(self) -> np.ndarray:
        """Scale of every rate in v: 1 for angles, the characteristic length for lengths, `elastic_scale` for elastic
        rates."""
        scale = np.ones(self.skeleton.rates)
        for link in self.skeleton.links:
            for offset, name in enumerate(link.joint.components(self.skeleton.planar)):
                if name in LENGTH_COMPONENTS:
                    scale[link.v.start + offset] = self.skeleton.characteristic_length
            scale[link.eta_rate] = elastic_scale(self.skeleton, link)
        return scale

    def closure_tolerance_at(self, q: np.ndarray) -> float:
        """Residual of the position constraints, in radians or characteristic lengths, up to which the loops count as
        closed at q.

        The tolerance is `Skeleton.closure_tolerance`, or the round-off of the coordinates if this is larger.
        """
        return max(self.skeleton.closure_tolerance, self.residual_round_off(q))

    def residual_round_off(self, q: np.ndarray) -> float:
        """Round-off of the residual of the position constraints, in radians or characteristic lengths, due to the
        round-off of the coordinates q, which is larger for angles of many turns."""
        in_q, in_v = self.direct_coordinates
        largest = float(np.abs(q[in_q] / self.rate_units[in_v]).max(initial=0.0))
        return CLOSURE_DIGITS * float(np.finfo(float).eps) * largest

    def apply_step(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """The coordinates q after a step (rates times a time interval); quaternions are rotated exactly and keep unit
        length."""
        new = np.array(q, float)
        in_q, in_v = self.direct_coordinates
        new[in_q] += step[in_v]
        for place, rate in self.quaternions:
            new[place] = rotate_quaternion(new[place], step[rate])
        return new

    def step_between(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """The step that leads from one set of coordinates to another nearby, to first order for quaternions; see
        `apply_step`."""
        step, (in_q, in_v) = np.zeros(self.skeleton.rates), self.direct_coordinates
        step[in_v] = other[in_q] - one[in_q]
        for place, rate in self.quaternions:
            (w, *v), (c, *u) = one[place], other[place]
            half = w * np.array(u) - c * np.array(v) - np.cross(u, v)
            step[rate] = 2 * np.copysign(1.0, one[place] @ other[place]) * half
        return step

    def midpoint(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Midpoint of two sets of coordinates. The midpoint of two angles is on the shorter arc between them and
        differs from the angle in `one` by at most π/2; further whole turns of the angle in `other` are ignored."""
        middle, (in_q, in_v) = np.array(one, float), self.direct_coordinates
        off = other[in_q] - one[in_q]
        turns = 2 * np.pi * np.round(off / (2 * np.pi))
        middle[in_q] += 0.5 * (off - np.where(np.isin(in_v, self._angles), turns, 0.0))
        for place, _ in self.quaternions:
            mean = one[place] + np.copysign(1.0, one[place] @ other[place]) * other[place]
            middle[place] = mean / np.linalg.norm(mean)
        return middle

    def distance(self, one: np.ndarray, other: np.ndarray) -> float:
        """Largest difference between two sets of coordinates, in radians or characteristic lengths."""
        in_q, in_v = self.direct_coordinates
        plain = np.abs((one[in_q] - other[in_q]) / self.rate_units[in_v]).max(initial=0.0)
        turns = [1 - abs(one[place] @ other[place]) for place, _ in self.quaternions]
        return max(float(plain), float(np.sqrt(8 * max([0.0, *turns]))))


def rotate_quaternion(e: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """The quaternion exp(½ rotation) ⊗ e, normalised: e rotated by a rotation vector in the fixed frame."""
    angle = float(np.linalg.norm(rotation))
    w, (x, y, z) = np.cos(angle / 2), 0.5 * np.sinc(angle / (2 * np.pi)) * rotation
    a, b, c, d = e
    new = np.array(
        [
            w * a - x * b - y * c - z * d,
            w * b + x * a + y * d - z * c,
            w * c + y * a + z * b - x * d,
            w * d + z * a + x * c - y * b,
        ]
    )
    unit: np.ndarray = new / np.linalg.norm(new)
    return unit
