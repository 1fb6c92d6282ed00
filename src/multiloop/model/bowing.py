"""Shapes of second order: what bends also shortens.

    r = r₀ + Φ η + ½ Σ η_i η_j B_ij,      B_ij(r₀) vectors, B_ij = B_ji

A straight beam that keeps its length along its own line draws its far end in by ½ ∫ w'² dx. Against the rigid motion
alone these shifts count in the kinetic energy; among each other and with Φ η they are of third order, and left out.

Source: foreshortening, [kane_ryan_banerjee]; the truncation of the kinetic energy, and never of the equations, is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import casadi as ca

from multiloop.spatial import Matrix, Pose

Vectors = tuple[tuple[Matrix, ...], ...]
"""A vector (3×1), or a tensor (3×3), for each pair of coordinates."""


@dataclass(frozen=True)
class Bows:
    """Second-order shifts of markers, and their integrals over the mass, ∫ B_ij dm (3×1) and Z_ij = ∫ r₀ B_ijᵀ dm."""

    markers: Mapping[str, Vectors]
    momentum: Vectors
    moments: Vectors

    @property
    def count(self) -> int:
        """The number of elastic coordinates."""
        return len(self.momentum)

    def of(self, marker: str) -> Vectors | None:
        """The shifts of a marker, None where it has none."""
        return self.markers.get(marker)

    def seen_from(self, frame: Pose) -> Bows:
        """The same described in another frame of the undeformed body, whose pose in the old one is given."""
        R, p = frame.R.T, frame.p

        def turned(rows: Vectors) -> Vectors:
            return tuple(tuple(ca.sparsify(R @ one) for one in row) for row in rows)

        pairs = zip(self.moments, self.momentum, strict=True)
        moments = tuple(
            tuple(ca.sparsify(R @ (Z - p @ P.T) @ R.T) for Z, P in zip(*rows, strict=True)) for rows in pairs
        )
        return Bows(
            {name: turned(rows) for name, rows in self.markers.items()}, turned(self.momentum), moments
        )


def along(rows: Vectors, one: Matrix, i: int) -> Matrix:
    """Σ_j x_j B_ij."""
    found = one[0] * rows[i][0]
    for j in range(1, len(rows)):
        found = found + one[j] * rows[i][j]
    return found


def between(rows: Vectors, one: Matrix, other: Matrix) -> Matrix:
    """Σ_ij x_i y_j B_ij."""
    found = one[0] * along(rows, other, 0)
    for i in range(1, len(rows)):
        found = found + one[i] * along(rows, other, i)
    return found


def columns(rows: Vectors, one: Matrix) -> Matrix:
    """All of Σ_j x_j B_ij side by side, 3×e."""
    return ca.horzcat(*[along(rows, one, i) for i in range(len(rows))])
