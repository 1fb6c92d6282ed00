"""Small matrices of numbers or symbols with structural zeros, which cost no operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

Matrix = Any
"""A CasADi SX (symbols) or DM (numbers); CasADi has no type annotations."""


class Column(ca.SX):
    """A column of symbols whose slices are columns, too; CasADi returns a row for the empty slice of a 1×1 matrix."""

    def __getitem__(self, place: Any) -> Matrix:
        return super().__getitem__((place, slice(None)) if isinstance(place, slice) else place)


def parted(vector: Matrix) -> Matrix:
    """The column as a `Column` if it consists of symbols, so that all its slices are columns."""
    return Column(vector) if isinstance(vector, ca.SX) else vector


def matrix(rows: Sequence[Sequence[Any]]) -> Matrix:
    """A matrix from nested rows; exact zeros become structural and vanish in products.

    It is a DM if every entry is a number, otherwise an SX.
    """
    return ca.sparsify(ca.vertcat(*[ca.horzcat(*row) for row in rows]))


def column(entries: Sequence[Any]) -> Matrix:
    """A column vector with structural zeros."""
    return ca.sparsify(ca.vertcat(*entries))


def zeros(rows: int, columns: int = 1) -> Matrix:
    """A zero matrix without stored entries."""
    return ca.DM(rows, columns)


def numeric(value: Matrix) -> np.ndarray:
    """The NumPy array of a DM (or of an SX of numbers), vectors one-dimensional; arrays are returned unchanged."""
    if isinstance(value, np.ndarray):
        return value
    array: np.ndarray = ca.DM(ca.evalf(value) if isinstance(value, ca.SX) else value).full()
    return array[:, 0] if array.shape[1] == 1 else array
