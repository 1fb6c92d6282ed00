"""A point inside a solid: the element that contains it, and displacement and rotation of the material there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.flexible.solids.mesh import SolidMesh

NEAREST = 12
"""Number of elements, nearest by their midpoints, that are searched for a point."""

OUTSIDE = 1e-6
"""Largest distance of a point from the mesh, relative to its size, at which it still counts as inside."""


@dataclass(frozen=True, eq=False)
class MaterialPoint:
    """A point of a mesh, given by its undeformed position."""

    mesh: SolidMesh
    point: np.ndarray

    @cached_property
    def _found(self) -> tuple[int, np.ndarray, float]:
        """The element, the local coordinates in it, and the distance of the point from there."""
        mesh = self.mesh
        best: tuple[int, np.ndarray, float] = (0, np.zeros(3), np.inf)
        middles = mesh.points[mesh.nodes].mean(axis=1)
        mapping = mesh.grid.mapping()
        for cell in np.argsort(np.linalg.norm(middles - self.point, axis=1))[:NEAREST]:
            X = np.full((3, 1, 1), 1 / 3 if mesh.kind == "tetra10" else 0.5)
            tind = np.array([cell])
            for _ in range(20):
                off = self.point[:, None, None] - mapping.F(X, tind)
                if np.abs(off).max() < 1e-12 * mesh.size:
                    break
                X = _inside(X + np.einsum("ijkl,jkl->ikl", mapping.invDF(X, tind), off), mesh.kind)
            away = float(np.linalg.norm(self.point - mapping.F(X, tind)[:, 0, 0]))
            if away < best[2]:
                best = (int(cell), X, away)
            if away <= OUTSIDE * mesh.size:
                break
        return best

    @property
    def away(self) -> float:
        """Distance from the mesh (m)."""
        return self._found[2]

    @property
    def inside(self) -> bool:
        """Whether it lies inside the mesh."""
        return self.away <= OUTSIDE * self.mesh.size

    def motion(self, shapes: np.ndarray) -> np.ndarray:
        """Rotation ½ curl u and displacement u of shapes (n × 3 × s), 6 × s; zero if the point is outside."""
        if not self.inside:
            return np.zeros((6, shapes.shape[2]))
        cell, X, _ = self._found
        elem, mapping, tind = self.mesh.grid.elem(), self.mesh.grid.mapping(), np.array([cell])
        fields = [elem.gbasis(mapping, X, k, tind)[0] for k in range(self.mesh.nodes.shape[1])]
        N = np.array([np.ravel(field)[0] for field in fields])
        dN = np.array([field.grad[:, 0, 0] for field in fields])
        own = shapes[self.mesh.nodes[cell]]
        H = np.einsum("aks,al->skl", own, dN)
        turns = np.stack([H[:, 2, 1] - H[:, 1, 2], H[:, 0, 2] - H[:, 2, 0], H[:, 1, 0] - H[:, 0, 1]]) / 2
        return np.vstack([turns, np.einsum("a,aks->ks", N, own)])


def _inside(X: np.ndarray, kind: str) -> np.ndarray:
    """Local coordinates moved into the reference element; approximately the nearest point."""
    X = np.clip(X, 0.0, 1.0)
    if kind == "tetra10" and X.sum() > 1:
        X = X / X.sum()
    return X
