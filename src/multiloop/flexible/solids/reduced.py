"""Reduction of a solid to its modes: mass integrals, stiffness, damping, and motion of markers.

    P = ∫ Ψ dm,   S_i = ∫ r₀ Ψ_iᵀ dm,   S_ij = ∫ Ψ_i Ψ_jᵀ dm

Points and modes are interpolated by the shape functions of the elements, so that each integral is a product with the
scalar mass matrix m of the mesh, and exact: ∫ x yᵀ dm = ρ Xᵀ m Y.

Source: the integrals, [fattah], eqs. (3.5)–(3.16); their computation by the mass matrix is derived here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import casadi as ca
import numpy as np

from multiloop.flexible.modal_damping import modal_damping
from multiloop.flexible.solids.modes import SolidModes, shapes_or_fault
from multiloop.model.geometry import Resolve, marker_pose, rigid_body
from multiloop.model.reduced import Modes, ReducedBody
from multiloop.model.solid import Solid
from multiloop.spatial import Matrix

ROUND_OFF = 1e-12
"""Size of entries, relative to the largest of their kind, below which they are set to zero."""


def reduced_solid(
    solid: Solid, handle: str, resolve: Resolve, planar: bool, share: float = 1.0
) -> ReducedBody:
    """Mass properties and modes of a solid in the frame of its marker `handle`."""
    rigid = rigid_body(solid, handle, resolve, planar, share)
    frame = marker_pose(solid.marker(handle), resolve, planar)
    modes = _modes(solid, resolve, planar).seen_from(frame)
    return ReducedBody(rigid.mass, rigid.com, rigid.inertia, rigid.markers, modes)


def _modes(solid: Solid, resolve: Resolve, planar: bool) -> Modes:
    """Modes of a solid in its own frame; E and the density may be symbols."""
    found = shapes_or_fault(solid, planar)
    momentum, moments, products = _integrals(found)
    E, density, e = resolve(solid.E), resolve(solid.density), solid.modes
    stiffness = E * ca.diag(ca.DM(found.stiffness))
    mass = density * _sparse(M := np.einsum("ijkk->ij", products[:e, :e]), np.abs(M).max())
    return Modes(
        {name: _sparse(shape, np.abs(shape).max()) for name, shape in found.markers.items()},
        density * _sparse(momentum, np.abs(momentum).max()),
        tuple(density * _sparse(S, np.abs(moments).max()) for S in moments),
        tuple(tuple(density * _sparse(S, np.abs(products).max()) for S in row) for row in products),
        stiffness,
        modal_damping(solid.damping, resolve, mass, stiffness),
        () if found.few is None else tuple(_sparse(G, np.abs(G).max()) for G in found.few.forms),
    )


@lru_cache(maxsize=32)
def _integrals(found: SolidModes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """∫ Ψ dV (3×s), ∫ r₀ Ψᵀ dV (s×3×3) and ∫ Ψ Ψᵀ dV (s×s×3×3)."""
    m, points, shapes = found.elements.scalar_mass, found.elements.mesh.points, found.shapes
    n, _, s = shapes.shape
    weighed = (m @ shapes.reshape(n, -1)).reshape(n, 3, s)
    return (
        weighed.sum(axis=0),
        np.einsum("nx,nys->sxy", points, weighed),
        np.einsum("nxs,nyt->stxy", shapes, weighed, optimize=True),
    )


def _sparse(values: Any, largest: float) -> Matrix:
    """Sparse matrix of values, with entries at the level of round-off set to zero."""
    return ca.sparsify(ca.DM(np.where(np.abs(values) > ROUND_OFF * largest, values, 0.0)))
