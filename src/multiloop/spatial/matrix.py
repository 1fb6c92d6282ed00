"""Small matrices of numbers or symbols whose zeros are structural, so that they cost nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

Matrix = Any
"""A CasADi SX (symbols) or DM (numbers); CasADi ships no types of its own."""


class Column(ca.SX):
    """A column of symbols whose parts are columns too; the empty part of CasADi's own 1×1 is a row."""

    def __getitem__(self, place: Any) -> Matrix:
        return super().__getitem__((place, slice(None)) if isinstance(place, slice) else place)


def parted(vector: Matrix) -> Matrix:
    """The same column, of whose symbols every part is a column."""
    return Column(vector) if isinstance(vector, ca.SX) else vector


def matrix(rows: Sequence[Sequence[Any]]) -> Matrix:
    """A matrix from nested rows; exact zeros become structural and fold away in products.

    It is a DM when every entry is a number and an SX as soon as one entry is symbolic.
    """
    return ca.sparsify(ca.vertcat(*[ca.horzcat(*row) for row in rows]))


def column(entries: Sequence[Any]) -> Matrix:
    """A column vector with structural zeros."""
    return ca.sparsify(ca.vertcat(*entries))


def zeros(rows: int, columns: int = 1) -> Matrix:
    """A matrix without any stored entry."""
    return ca.DM(rows, columns)


def numeric(value: Matrix) -> np.ndarray:
    """The NumPy array of a DM (or of an SX that holds only numbers), vectors one-dimensional; arrays pass through."""
    if isinstance(value, np.ndarray):
        return value
    array: np.ndarray = ca.DM(ca.evalf(value) if isinstance(value, ca.SX) else value).full()
    return array[:, 0] if array.shape[1] == 1 else array
