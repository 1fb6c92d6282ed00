"""Second-order shapes of a solid (static modal derivatives), through which axial forces stiffen or buckle it.

    u = Σ φ_i η_i + ½ Σ θ_ij η_i η_j,      K θ_ij = −∂²f/∂η_i ∂η_j      (static modal derivatives)

f are the internal forces of a St Venant–Kirchhoff material, so that bending shortens a slender bar by ½ ∫ w'² dx and a
rotation keeps lengths. The strain energy is then ½ Σ k_i η_i² up to fourth order if θ also compensates its third-order
terms,

    V₃ = ⅙ Σ T_ijk η_i η_j η_k,      T_ijk = φ_kᵀ ∂²f/∂η_i ∂η_j.

For this, θ_ij has a component −w T_ijk/k_k φ_k along each retained mode k, with w = 1/(multiplicity of k among i, j
and k) if k is the stiffest of the three, and w = 0 otherwise. The coordinate of a stretching mode thus measures the
actual stretch, without the shortening due to bending.

Source: modal derivatives, [idelsohn_cardona]; the quadratic manifold, [jain_tiso].
Differs: the distribution of third-order terms to retained modes by their stiffness is derived here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from multiloop.flexible.component_modes import Constrained
from multiloop.flexible.solids.elements import SolidElements
from multiloop.flexible.solids.ties import Ties, turned_twice

SLIGHT = 1e-2
"""Size of a second-order shape, relative to the largest one, below which it is neglected; see `few_shapes`."""


@dataclass(frozen=True, eq=False)
class SecondOrder:
    """θ_ij of all pairs i ≤ j: of nodes (pairs × n × 3), and rotation and displacement of tied markers (pairs × 6)."""

    pairs: tuple[tuple[int, int], ...]
    nodes: np.ndarray
    markers: Mapping[str, np.ndarray]


def second_order_shapes(
    elements: SolidElements, ties: Ties, held: Constrained, shapes: np.ndarray, stiffness: np.ndarray
) -> SecondOrder:
    """Second-order shapes θ of modes in z (unknowns × e) with diagonal modal stiffness."""
    e, n, T = shapes.shape[1], len(elements.mesh.points), ties.expansion
    H = elements.displacement_gradients((T @ shapes).reshape(n, 3, e))
    turns = np.array([(ties.reads(one.marker) @ shapes)[:3].T for one in ties.interfaces])
    pairs = tuple((i, j) for i in range(e) for j in range(i, e))
    given = np.stack([ties.second_order(turns[:, i], turns[:, j]).ravel() for i, j in pairs], axis=1)
    forces = np.stack([elements.second_order_force(H[i], H[j]).ravel() for i, j in pairs], axis=1)
    found = held.solve(-(T.T @ (forces + elements.stiffness @ given)))
    third = shapes.T @ (T.T @ forces)  # T_ijk, e × pairs
    found += shapes @ (_left_out(pairs, stiffness) * third / stiffness[:, None])
    markers = {}
    for k, one in enumerate(ties.interfaces):
        moved = (ties.reads(one.marker) @ found).T
        if not ties.rigid:  # the marker is not at the centroid of its face, which rotates by exp θ
            arm = one.point - one.middle
            moved[:, 3:] += [turned_twice(turns[k, i], turns[k, j], arm) for i, j in pairs]
        markers[one.marker] = moved
    return SecondOrder(pairs, (given + T @ found).T.reshape(-1, n, 3), markers)


def _left_out(pairs: Sequence[tuple[int, int]], stiffness: np.ndarray) -> np.ndarray:
    """1 − w for each mode and pair."""
    found = np.ones((len(stiffness), len(pairs)))
    for p, pair in enumerate(pairs):
        for k in range(len(stiffness)):
            three = (*pair, k)
            if k == max(three, key=lambda i: (stiffness[i], i)):
                found[k, p] = 1 - 1 / three.count(k)
    return found


@dataclass(frozen=True, eq=False)
class FewShapes:
    """β_k = Σ c_kp θ_p (shapes × pairs), and the quadratic forms G_k (shapes × e × e): θ_ij = Σ (G_k)_ij β_k."""

    combined: np.ndarray
    forms: np.ndarray


def few_shapes(second: SecondOrder, mass: sp.csr_matrix, stiffness: np.ndarray) -> FewShapes:
    """A reduced set of shapes that spans all θ_ij, for coordinates of equal strain energy, η_i ~ 1/√k_i.

    The size of a shape is its mean square over the mass plus the squared displacements of markers; shapes below
    `SLIGHT` are neglected.
    """
    pairs, e = second.pairs, len(stiffness)
    scale = np.array([1 / np.sqrt(stiffness[i] * stiffness[j]) for i, j in pairs])
    fields = second.nodes * scale[:, None, None]
    gram = sum(fields[:, :, k] @ (mass @ fields[:, :, k].T) for k in range(3)) / mass.sum()
    for moved in second.markers.values():
        gram = gram + (moved[:, 3:] * scale[:, None]) @ (moved[:, 3:] * scale[:, None]).T
    squares, vectors = np.linalg.eigh(gram)
    kept = np.flatnonzero(squares > SLIGHT**2 * squares.max())[::-1]
    sizes = np.sqrt(squares[kept])
    combined = (vectors[:, kept] * scale[:, None] / sizes).T
    written = vectors[:, kept] * sizes / scale[:, None]
    forms = np.zeros((len(kept), e, e))
    for p, (i, j) in enumerate(pairs):
        forms[:, i, j] = forms[:, j, i] = written[p]
    return FewShapes(combined, forms)
