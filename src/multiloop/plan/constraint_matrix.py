"""The constraint matrix A of all joints, and the vector of components of all joint reactions.

    A t = 0,   A row of a joint = Wᵀ (twist of its second body − twist of its first body, at the second marker)

A does not depend on the choice of tree and cut joints; neither do rank, mobility and the uniqueness of
reactions, which follow from A. The vector t contains the twists of all moving bodies, and then the rates of the
elastic coordinates, since joint markers move relative to their flexible bodies: flexible bodies may make constraints
independent that would otherwise be redundant. The twist of every body is taken at the mean position of its markers,
with lengths divided by the characteristic length L, so that A depends neither on the position of the mechanism in space
nor on the unit of length. The components r_k of the reaction of joint k are defined by

    wrench of joint k = S⁻¹ W_k r_k,      S = diag(1/L, 1/L, 1/L, 1, 1, 1)

where the columns of W_k (6 × c_k) are the wrenches that joint k can transmit, so that the norm of all components r does
not depend on the unit of length.

Source: [saha], eq. (6), A t = 0 linear and homogeneous in the twists.
Theory: docs/theory/09-redundancy.md, eqs. (9.1), (9.7).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from multiloop.dependencies import sp
from multiloop.model import GROUND, IN_PLANE


@dataclass(frozen=True, eq=False)
class RelativeTwistRows:
    """Rows Wᵀ (t₂ − t₁) of the constraint matrix, for the twists t₁ and t₂ of two bodies.

    The columns of W (6 × c) are constraint wrenches at the point `place`.
    """

    bodies: tuple[str, str]
    place: np.ndarray
    W: np.ndarray


@dataclass(frozen=True, eq=False)
class ConstraintMatrix:
    """The constraint matrix with the names of its rows and columns.

    `rows` are the pairs (joint, component) of the rows; every body in `bodies` has `dimension` columns, 3 in the plane
    and 6 in space. `wrenches` are the wrenches that each joint can transmit, 6 × c, at the joint's point in `places`.
    `points` are the points at which the twists of the bodies are taken, `markers` the positions of the joints' markers
    by reference ("body.marker"); all points are divided by the characteristic length. `couplings` are the rows of
    couplings, which involve the relative twists of several pairs of bodies; each of these rows has been divided by its
    norm, which is in `sizes`. `rate_only` marks rows that constrain rates but no position (nonholonomic constraints).
    """

    wrenches: Mapping[str, np.ndarray]
    places: Mapping[str, np.ndarray]
    points: Mapping[str, np.ndarray]
    markers: Mapping[str, np.ndarray]
    rows: tuple[tuple[str, str], ...]
    bodies: tuple[str, ...]
    dimension: int
    ends: dict[str, tuple[str, str]]  # names of the two bodies of each joint
    couplings: Mapping[str, tuple[RelativeTwistRows, ...]]
    sizes: Mapping[str, np.ndarray]
    rate_only: tuple[bool, ...]
    elastic: int  # number of elastic coordinates
    elastic_blocks: tuple[
        tuple[int, int, np.ndarray], ...
    ]  # blocks in the columns of elastic coordinates: first row, first column, values

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of columns, elastic coordinates included."""
        return len(self.rows), self.dimension * len(self.bodies) + self.elastic

    @cached_property
    def A(self) -> np.ndarray:
        """The dense matrix, columns of bodies first and of elastic coordinates last."""
        whole = np.zeros(self.shape)
        rows, columns, values = self._entries
        np.add.at(whole, (rows, columns), values)
        return whole

    @cached_property
    def sparse(self) -> sp.csr_matrix:
        """The constraint matrix as a sparse matrix."""
        rows, columns, values = self._entries
        return sp.csr_matrix((values, (rows, columns)), shape=self.shape)

    @cached_property
    def _entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row indices, column indices and values of the nonzero entries of the matrix.

        A joint or coupling has entries in the columns of its bodies. Entries with equal indices are added.
        """
        blocks = [(0, 0, np.zeros((0, 0))), *self.elastic_blocks]
        own = {j: (RelativeTwistRows(self.ends[j], self.places[j], W),) for j, W in self.wrenches.items()}
        for name, parts in {**own, **self.couplings}.items():
            for one in parts:
                for body, sign in zip(one.bodies, (-1.0, 1.0), strict=True):
                    if body != GROUND:
                        seen = sign * self._rows_at(one, self.points[body])
                        blocks.append((self._rows_of[name].start, self.columns(body).start, seen))
        rows = [np.repeat(np.arange(top, top + len(block)), block.shape[1]) for top, _, block in blocks]
        columns = [np.tile(np.arange(left, left + block.shape[1]), len(block)) for _, left, block in blocks]
        return np.concatenate(rows), np.concatenate(columns), np.concatenate([b.ravel() for *_, b in blocks])

    def rows_at(self, joint: str, point: np.ndarray) -> np.ndarray:
        """Rows of a joint that multiply the twist of its second body, taken at a given point."""
        return self._rows_at(
            RelativeTwistRows(self.ends[joint], self.places[joint], self.wrenches[joint]), point
        )

    def _rows_at(self, rows: RelativeTwistRows, point: np.ndarray) -> np.ndarray:
        """The rows Wᵀ [1 0; −r̃ 1] that multiply a twist taken at `point`; r is the vector from this point to the point
        `rows.place` of the wrenches W."""
        n, f = np.split(rows.W, 2)
        x, y, z = rows.place - point
        at_point = np.vstack([n + np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) @ f, f])
        return at_point.T[:, list(IN_PLANE) if self.dimension == 3 else slice(None)]

    @cached_property
    def _body_index(self) -> dict[str, int]:
        return {body: k for k, body in enumerate(self.bodies)}

    @cached_property
    def _rows_of(self) -> dict[str, slice]:
        found, at = {}, 0
        for joint, W in self.wrenches.items():
            found[joint] = slice(at, at + W.shape[1])
            at += W.shape[1]
        for name, read in self.couplings.items():
            found[name] = slice(at, at + read[0].W.shape[1])
            at = found[name].stop
        return found

    @cached_property
    def _joints_of_body(self) -> dict[str, list[str]]:
        """The names of the joints on every body, in the order of the rows."""
        found: dict[str, list[str]] = {body: [] for body in (GROUND, *self.bodies)}
        for joint, pair in self.ends.items():
            for body in pair:
                found[body].append(joint)
        return found

    def at_points(self, points: Mapping[str, np.ndarray], length: float) -> np.ndarray:
        """The matrix A for twists of the bodies at other `points` (in metres), with lengths in metres.

        The rows of a joint are Wᵀ (t₂ − t₁) for its constraint wrenches W: unit forces and unit moments. Rows of
        couplings keep the norm 1 that they have with lengths divided by the characteristic length `length`.
        """
        whole = self.A.copy()
        for body, point in points.items():
            x, y, z = length * self.points[body] - point
            move = np.eye(6)
            move[3:, :3] = [[0, z, -y], [-z, 0, x], [y, -x, 0]]  # ω × r = −r̃ ω
            move[3:] /= length
            used = list(IN_PLANE) if self.dimension == 3 else list(range(6))
            whole[:, self.columns(body)] = whole[:, self.columns(body)] @ move[np.ix_(used, used)]
        for joint, W in self.wrenches.items():
            forces = np.abs(W[3:]).max(axis=0, initial=0.0) > 0
            whole[self._rows_of[joint]] *= np.where(forces, length, 1.0)[:, None]
        return whole

    def columns(self, body: str) -> slice:
        """The slice of the columns that multiply the twist of a moving body."""
        k = self._body_index[body]
        return slice(k * self.dimension, (k + 1) * self.dimension)

    def joint_rows(self, joint: str) -> list[int]:
        """Indices of the rows of a joint in the constraint matrix."""
        place = self._rows_of[joint]
        return list(range(place.start, place.stop))

    def boundary_joints(self, group: Iterable[str]) -> dict[str, tuple[str, str]]:
        """The joints between a group of bodies and all other bodies, each with the names of its two bodies."""
        inside = set(group)
        joints = {joint for body in inside for joint in self._joints_of_body[body]}
        pairs = {joint: self.ends[joint] for joint in joints if len(inside & set(self.ends[joint])) == 1}
        return dict(sorted(pairs.items(), key=lambda item: self._rows_of[item[0]].start))

    def centroid(self, group: frozenset[str]) -> np.ndarray:
        """The point at which the common twist of a group of bodies is taken: the mean of their points."""
        middle: np.ndarray = np.mean([self.points[body] for body in sorted(group)], axis=0)
        return middle

    def rigid_block(self, group: frozenset[str]) -> np.ndarray:
        """Rows of the joints between a group of bodies and all others, with respect to a common twist of the group."""
        rim, midst = self.boundary_joints(group), self.centroid(group)
        blocks = [
            self.rows_at(joint, midst) if second in group else -self.rows_at(joint, midst)
            for joint, (_, second) in rim.items()
        ]
        return np.vstack([np.zeros((0, self.dimension)), *blocks])


@dataclass(frozen=True, eq=False)
class ReactionComponents:
    """The components r of the reactions of all joints, at one instant or at n instants.

    `bases` are the constraint wrenches W of every joint, 6 × c or n × 6 × c, and `length` is the characteristic length.
    """

    bases: Sequence[np.ndarray]
    length: float

    @cached_property
    def scale(self) -> np.ndarray:
        """The diagonal of the scaling matrix S of wrenches: moments are divided by the characteristic length, forces
        are unchanged."""
        return np.array([1 / self.length] * 3 + [1.0] * 3)

    @cached_property
    def joints(self) -> list[slice]:
        """For each joint, the slice of its components in the vector r of all components."""
        ends = np.cumsum([0, *(W.shape[-1] for W in self.bases)]).tolist()
        return [slice(begin, end) for begin, end in pairwise(ends)]

    @property
    def count(self) -> int:
        """Number of reaction components of all joints together."""
        return sum(W.shape[-1] for W in self.bases)

    def pack(self, wrenches: np.ndarray) -> np.ndarray:
        """The components r (… × components) of reactions (… × 6 × joints)."""
        parts = [
            (np.linalg.pinv(W) @ (self.scale * wrenches[..., k])[..., None])[..., 0]
            for k, W in enumerate(self.bases)
        ]
        return np.concatenate(parts, axis=-1)

    def unpack(self, r: np.ndarray) -> np.ndarray:
        """The reactions (… × 6 × joints) of components r (… × components)."""
        both = zip(self.bases, self.joints, strict=True)
        return np.stack([(W @ r[..., place, None])[..., 0] / self.scale for W, place in both], axis=-1)
