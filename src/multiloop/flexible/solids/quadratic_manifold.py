"""How a solid that bends also shortens: shapes of second order, by which axial forces stiffen and buckle it.

    u = Σ φ_i η_i + ½ Σ θ_ij η_i η_j,      K θ_ij = −∂²f/∂η_i ∂η_j      (static modal derivatives)

f are the internal forces of a St Venant–Kirchhoff material, so that a slender bar is drawn in by ½ ∫ w'² dx, and what
turns keeps its length. Strain energy is then ½ Σ k_i η_i² up to fourth order if its terms of third order,

    V₃ = ⅙ Σ T_ijk η_i η_j η_k,      T_ijk = φ_kᵀ ∂²f/∂η_i ∂η_j,

are taken up by θ too: θ_ij has a part −w T_ijk/k_k φ_k along each shape that is kept, w = 1/(how often k is among
i, j and k) where k is the stiffest of the three, and none where it is not. So a shape that stretches measures what is
really stretched, beside bending that shortens.

Source: modal derivatives, [idelsohn_cardona]; the quadratic manifold, [jain_tiso]. Differs: shapes that are kept take
up terms of third order by their stiffness, which is ours.
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
"""Size of a further shape, relative to the largest one, below which it is left out; see `few_shapes`."""


@dataclass(frozen=True, eq=False)
class SecondOrder:
    """θ_ij of all pairs i ≤ j: of nodes (pairs × n × 3), and of tied markers, which turn and shift (pairs × 6)."""

    pairs: tuple[tuple[int, int], ...]
    nodes: np.ndarray
    markers: Mapping[str, np.ndarray]


def second_order_shapes(
    elements: SolidElements, ties: Ties, held: Constrained, shapes: np.ndarray, stiffness: np.ndarray
) -> SecondOrder:
    """θ for shapes in z (unknowns × e) of diagonal stiffness."""
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
        if not ties.rigid:  # the marker lies beside the middle of its face, which turns by exp θ
            arm = one.point - one.middle
            moved[:, 3:] += [turned_twice(turns[k, i], turns[k, j], arm) for i, j in pairs]
        markers[one.marker] = moved
    return SecondOrder(pairs, (given + T @ found).T.reshape(-1, n, 3), markers)


def _left_out(pairs: Sequence[tuple[int, int]], stiffness: np.ndarray) -> np.ndarray:
    """1 − w for every shape and pair."""
    found = np.ones((len(stiffness), len(pairs)))
    for p, pair in enumerate(pairs):
        for k in range(len(stiffness)):
            three = (*pair, k)
            if k == max(three, key=lambda i: (stiffness[i], i)):
                found[k, p] = 1 - 1 / three.count(k)
    return found


@dataclass(frozen=True, eq=False)
class FewShapes:
    """β_k = Σ c_kp θ_p (shapes × pairs), and the forms G_k (shapes × e × e): θ_ij = Σ (G_k)_ij β_k."""

    combined: np.ndarray
    forms: np.ndarray


def few_shapes(second: SecondOrder, mass: sp.csr_matrix, stiffness: np.ndarray) -> FewShapes:
    """The few shapes that all θ_ij are made of, for coordinates of equal energy, η_i ~ 1/√k_i.

    Sizes are mean squares over the mass, and of the shifts of markers beside; what is slight is left out.
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
