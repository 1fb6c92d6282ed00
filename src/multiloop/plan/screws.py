"""The constraint matrix A of all joints, with one row for each constrained direction and columns for the body twists.

    A t = 0,   A row of a joint = Wᵀ (twist of its second body − twist of its first body, at the second marker)

A does not depend on the choice of tree and cut joints; neither do rank, mobility and the uniqueness of reactions, which
follow from it. The vector t ends with the rates of elastic coordinates, by which markers of joints move on their
bodies: flexible bodies may make constraints independent that would otherwise be redundant. The twist of every body is
taken at the mean position of its markers, with lengths divided by the characteristic length, so that A depends neither
on the position of the mechanism in space nor on the unit of length.

Source: [saha], eq. (6), A t = 0 linear and homogeneous in the twists.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.kinematics.sparse_matrices import sp
from multiloop.model import GROUND, IN_PLANE


@dataclass(frozen=True, eq=False)
class Reading:
    """Rows Wᵀ (t₂ − t₁) with wrenches W (6×c) at a point: the twist of the second body relative to the first."""

    bodies: tuple[str, str]
    place: np.ndarray
    W: np.ndarray


@dataclass(frozen=True, eq=False)
class Screws:
    """The constraint matrix with names: `rows` are (joint, component); each of `bodies` has d columns.

    `wrenches` are those that each joint can transmit, 6×c at its point in `places`; `points` are the points at which
    the twists of the bodies are taken, `markers` the positions of the joints' markers by reference, all in
    characteristic lengths. `couplings` are rows that involve several relative twists; each row has been divided by its
    number in `sizes`. `rate_only` marks rows that constrain rates but no position (nonholonomic constraints).
    """

    wrenches: Mapping[str, np.ndarray]
    places: Mapping[str, np.ndarray]
    points: Mapping[str, np.ndarray]
    markers: Mapping[str, np.ndarray]
    rows: tuple[tuple[str, str], ...]
    bodies: tuple[str, ...]
    dimension: int
    ends: dict[str, tuple[str, str]]  # bodies of each joint
    couplings: Mapping[str, tuple[Reading, ...]]
    sizes: Mapping[str, np.ndarray]
    rate_only: tuple[bool, ...]
    elastic: int  # number of elastic coordinates
    bending: tuple[
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
    def matrix(self) -> sp.csr_matrix:
        """The constraint matrix as a sparse matrix."""
        rows, columns, values = self._entries
        return sp.csr_matrix((values, (rows, columns)), shape=self.shape)

    @cached_property
    def _entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row indices, column indices and values; a joint or coupling fills the columns of its bodies.

        Entries with equal indices are added.
        """
        blocks = [(0, 0, np.zeros((0, 0))), *self.bending]
        own = {j: (Reading(self.ends[j], self.places[j], W),) for j, W in self.wrenches.items()}
        for name, parts in {**own, **self.couplings}.items():
            for one in parts:
                for body, sign in zip(one.bodies, (-1.0, 1.0), strict=True):
                    if body != GROUND:
                        seen = sign * self._rows_at(one, self.points[body])
                        blocks.append((self._rows_of[name].start, self.columns(body).start, seen))
        rows = [np.repeat(np.arange(top, top + len(block)), block.shape[1]) for top, _, block in blocks]
        columns = [np.tile(np.arange(left, left + block.shape[1]), len(block)) for _, left, block in blocks]
        return np.concatenate(rows), np.concatenate(columns), np.concatenate([b.ravel() for *_, b in blocks])

    def seen(self, joint: str, point: np.ndarray) -> np.ndarray:
        """Rows of a joint with respect to a twist taken at a given point."""
        return self._rows_at(Reading(self.ends[joint], self.places[joint], self.wrenches[joint]), point)

    def _rows_at(self, one: Reading, point: np.ndarray) -> np.ndarray:
        """Wᵀ [1 0; −r̃ 1], r from the point at which the twist is taken to the point of the wrenches."""
        n, f = np.split(one.W, 2)
        x, y, z = one.place - point
        at_point = np.vstack([n + np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) @ f, f])
        return at_point.T[:, list(IN_PLANE) if self.dimension == 3 else slice(None)]

    @cached_property
    def _place(self) -> dict[str, int]:
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
    def _around(self) -> dict[str, list[str]]:
        """The joints of every body, in order."""
        found: dict[str, list[str]] = {body: [] for body in (GROUND, *self.bodies)}
        for joint, pair in self.ends.items():
            for body in pair:
                found[body].append(joint)
        return found

    def columns(self, body: str) -> slice:
        """The columns of the twist of a moving body."""
        k = self._place[body]
        return slice(k * self.dimension, (k + 1) * self.dimension)

    def joint_rows(self, joint: str) -> list[int]:
        """The rows of a joint."""
        place = self._rows_of[joint]
        return list(range(place.start, place.stop))

    def rim(self, group: Iterable[str]) -> dict[str, tuple[str, str]]:
        """The joints between a group of bodies and all others, with their bodies."""
        inside = set(group)
        joints = {joint for body in inside for joint in self._around[body]}
        pairs = {joint: self.ends[joint] for joint in joints if len(inside & set(self.ends[joint])) == 1}
        return dict(sorted(pairs.items(), key=lambda item: self._rows_of[item[0]].start))

    def midst(self, group: frozenset[str]) -> np.ndarray:
        """The point at which the common twist of a group of bodies is taken: the mean of their points."""
        middle: np.ndarray = np.mean([self.points[body] for body in sorted(group)], axis=0)
        return middle

    def rigid_block(self, group: frozenset[str]) -> np.ndarray:
        """Rows of the joints between a group of bodies and all others, with respect to a common twist of the group."""
        rim, midst = self.rim(group), self.midst(group)
        blocks = [
            self.seen(joint, midst) if second in group else -self.seen(joint, midst)
            for joint, (_, second) in rim.items()
        ]
        return np.vstack([np.zeros((0, self.dimension)), *blocks])
