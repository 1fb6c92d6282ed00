"""Jacobian with respect to the motions of separate bodies and the rates of joints, filled block by block."""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.sparse_matrices import sp


class BodyBlocks:
    """Rows over [δθ; δc / l] of all bodies (components `axes` of the six) and over all joint rates."""

    def __init__(self, axes: list[int], bodies: int, rates: int) -> None:
        self._axes, self._bodies, self._width = axes, bodies, len(axes) * bodies + rates
        self._values, self._rows, self._columns = [np.zeros(0)], [np.zeros(0, int)], [np.zeros(0, int)]
        self._at, self._tall = 0, 0

    def add_rows(self, first: np.ndarray, a: np.ndarray, second: np.ndarray, b: np.ndarray) -> None:
        """Add derivatives (m, rows, 6) with respect to the motions of two bodies."""
        for slopes, body in ((first, a), (second, b)):
            columns = len(self._axes) * body[:, None] + np.arange(len(self._axes))
            self._add(slopes[:, :, self._axes], np.where(body[:, None] < 0, -1, columns))

    def add_rates(self, slopes: np.ndarray, v: np.ndarray) -> None:
        """Add derivatives (m, rows, f) with respect to joint rates."""
        self._add(slopes, len(self._axes) * self._bodies + v)

    def add_some(self, slopes: np.ndarray, bodies: np.ndarray, given: np.ndarray) -> None:
        """Add derivatives (m, 6, 6) with respect to the motion of one body each, of the rows that are `given`."""
        item, row = np.nonzero(given)
        columns = len(self._axes) * bodies[item][:, None] + np.arange(len(self._axes))
        self._add(slopes[item, row][:, None, self._axes], columns)

    def _add(self, slopes: np.ndarray, columns: np.ndarray) -> None:
        count, rows, _ = slopes.shape
        places = self._at + np.arange(count * rows).reshape(count, rows, 1)
        wide = np.broadcast_to(columns[:, None, :], slopes.shape)
        kept = wide >= 0
        self._values.append(slopes[kept])
        self._rows.append(np.broadcast_to(places, slopes.shape)[kept])
        self._columns.append(wide[kept])
        self._tall = count * rows

    def close(self) -> None:
        """Finish the current rows; blocks added later belong to new rows."""
        self._at, self._tall = self._at + self._tall, 0

    @property
    def height(self) -> int:
        """Number of rows."""
        return self._at

    def array(self) -> np.ndarray:
        """The dense matrix; no two blocks share an entry."""
        whole = np.zeros((self._at, self._width))
        whole[np.concatenate(self._rows), np.concatenate(self._columns)] = np.concatenate(self._values)
        return whole

    def matrix(self) -> sp.csc_matrix:
        """The sparse matrix."""
        entries = (np.concatenate(self._values), (np.concatenate(self._rows), np.concatenate(self._columns)))
        return sp.csc_matrix(entries, shape=(self._at, self._width))
