"""What bends keeps its length, and so its far parts are drawn in along its line.

    B_ij(ξ) = −1/L ∫₀^ξ φ_i' φ_j' dξ e_x      for bending along the same axis

Axial forces do work on it: they stiffen a beam that spins, and buckle one that is pressed.

Source: [kane_ryan_banerjee]; the integrals are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import casadi as ca
import numpy as np

from multiloop.flexible.beam_shapes import POINTS, gauss, points
from multiloop.model.bowing import Bows, Vectors
from multiloop.spatial import Matrix

BENDS = ("y", "z")
"""Ways that draw points in."""

At = Callable[[np.ndarray, int], np.ndarray]
"""Shapes or derivatives at places: coordinates × places."""


def foreshortening(
    ways: Sequence[str], at: At, elements: int, places: Mapping[str, float], mass: Any, length: Any
) -> Bows | None:
    """Shifts of second order of the markers at `places`, and their integrals; None where nothing bends."""
    if not set(ways) & set(BENDS):
        return None
    xi, weight = points(elements)
    drawn = drawn_in(ways, at, elements, xi)
    momentum = _table(drawn @ weight, lambda share: _vector(mass / length * share))
    moments = _table(drawn @ (weight * xi), lambda share: _tensor(mass * share))
    shifts = {
        name: drawn_in(ways, at, elements, np.array([place]))[:, :, 0] for name, place in places.items()
    }
    markers = {
        name: _table(shift, lambda share: _vector(share / length))
        for name, shift in shifts.items()
        if shift.any()
    }
    return Bows(markers, momentum, moments)


def drawn_in(ways: Sequence[str], at: At, elements: int, xi: np.ndarray) -> np.ndarray:
    """−∫₀^ξ φ_i' φ_j' dξ at places, e × e × places."""
    whole = np.clip((np.asarray(xi) * elements + 1e-12).astype(int), 0, elements - 1)
    ends = np.concatenate([np.arange(1, elements + 1) / elements, xi])
    begins = np.concatenate([np.arange(elements), whole]) / elements
    pieces = _over(at, begins, ends - begins)
    before = np.cumsum(np.concatenate([np.zeros_like(pieces[:1]), pieces[:elements]]), axis=0)
    found: np.ndarray = -np.moveaxis(before[whole] + pieces[elements:], 0, 2)
    alike = np.array([[one == other and one in BENDS for other in ways] for one in ways])
    found *= alike[:, :, None]
    return found


def _over(at: At, begins: np.ndarray, widths: np.ndarray) -> np.ndarray:
    """∫ φ_i' φ_j' dξ over pieces, each within one element, pieces × e × e."""
    s, weight = gauss(POINTS)
    slopes = at((begins[:, None] + widths[:, None] * s).ravel(), 1).reshape(-1, len(begins), len(s))
    found: np.ndarray = np.einsum("ips,jps,s,p->pij", slopes, slopes, weight, widths, optimize=True)
    return found


def _table(shares: np.ndarray, made: Callable[[float], Matrix]) -> Vectors:
    return tuple(tuple(made(float(share)) for share in row) for row in shares)


def _vector(value: Any) -> Matrix:
    return plain(ca.vertcat(ca.SX(value), ca.SX(2, 1)))


def _tensor(value: Any) -> Matrix:
    found = ca.SX(3, 3)
    found[0, 0] = value
    return plain(found)


def plain(found: Matrix) -> Matrix:
    """Numbers where nothing in it is a symbol; zeros are not kept."""
    if isinstance(found, ca.SX) and not ca.symvar(found):
        return ca.sparsify(ca.DM(ca.evalf(found)))
    return ca.sparsify(found)
