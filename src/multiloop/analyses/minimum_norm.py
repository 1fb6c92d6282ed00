"""Minimum-norm reactions where equilibrium does not determine all reactions.

The solution does not depend on the method or on the choice of the cut joints.

Theory: docs/theory/09-redundancy.md, eq. (9.7).
"""

from __future__ import annotations

import numpy as np

from multiloop.dynamics.outputs import reaction_functions_of
from multiloop.kinematics import Equations
from multiloop.kinematics.conditioning import RANK_TOLERANCE
from multiloop.kinematics.constraints import CutJoint, WrenchInteraction
from multiloop.plan import (
    ReactionComponents,
    constraint_matrix_at,
    constraint_matrix_series,
    rank_of,
    self_equilibrated_reactions,
)

ROUND_OFF = 1e-7
"""Largest singular value that counts as zero if some rows are taken from a matrix whose orthonormal columns span the
self-equilibrated reactions.

If the rows are those of the joints, a zero singular value belongs to self-equilibrated forces of couplings alone; if
they are those of the couplings, to self-equilibrated reactions of joints alone.

"""


def minimum_norm_reactions(
    equations: Equations, t: np.ndarray, q: np.ndarray, p: np.ndarray, wrenches: np.ndarray, lam: np.ndarray
) -> np.ndarray:
    """The minimum-norm reactions among those that equilibrium allows, n × 6 × joints, at n instants.

    The vector r contains the reaction components of all joints at their second markers, with moments divided by the
    characteristic length. Two solutions differ by self-equilibrated reactions, the null space of Aᵀ, where A is the
    constraint matrix. The part of r in this space is removed:

        r ← r − Z Zᵀ r,      columns of Z orthonormal and spanning null(Aᵀ)

    Determined components do not change, since they are orthogonal to null(Aᵀ). Forces of couplings that act along joint
    coordinates follow from the reactions. For couplings that act between bodies, such as gears, the multipliers λ with
    the smallest Σ λ² are computed first; what they leave undetermined is distributed over the joints.

    The instants are t (n), with the coordinates q (n × coordinates), the reactions wrenches (n × 6 × joints) and the
    multipliers lam (n × constraint rows).
    """
    between, found = _coupling_rows(equations), wrenches.copy()
    if between:
        for k, at in enumerate(t.tolist()):
            found[k] = _reactions_with_couplings(equations, between, at, q[k], p, wrenches[k], lam[k])
        return found
    for part, matrices in constraint_matrix_series(equations, t, q, p):
        components = ReactionComponents(matrices.wrenches, equations.skeleton.characteristic_length)
        r = components.pack(wrenches[part])
        less, redundant = _self_balanced(matrices.A, r)
        found[part] = np.where(redundant[:, None, None], components.unpack(r - less), wrenches[part])
    return found


def _self_balanced(A: np.ndarray, r: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The self-equilibrated part of joint reactions r (n × components), and the mask of instants at which constraints
    are redundant, so that this part may be nonzero.

    The first rows of the constraint matrix A belong to joints, the remaining ones to couplings along joints.
    """
    U, sigma, _ = np.linalg.svd(A, full_matrices=True)
    ranks, found = (
        (sigma > RANK_TOLERANCE * sigma.max(axis=1, initial=1e-300)[:, None]).sum(axis=1),
        np.zeros_like(r),
    )
    for rank in np.unique(ranks):
        alike = ranks == rank
        Z = U[alike, : r.shape[1], rank:]
        if r.shape[1] < A.shape[1]:
            Z, kept, _ = np.linalg.svd(Z, full_matrices=False)
            Z = Z * (kept > ROUND_OFF)[:, None, :]
        found[alike] = (Z @ (Z.transpose(0, 2, 1) @ r[alike, :, None]))[:, :, 0]
    return found, ranks < A.shape[1]


def _reactions_with_couplings(
    equations: Equations,
    between: list[int],
    t: float,
    q: np.ndarray,
    p: np.ndarray,
    wrenches: np.ndarray,
    lam: np.ndarray,
) -> np.ndarray:
    """The minimum-norm reactions at one instant, 6 × joints, for a mechanism with couplings that act between bodies.

    `between` are the indices of the constraint rows of these couplings.
    """
    screws = constraint_matrix_at(equations, q, p, t)
    shared = self_equilibrated_reactions(screws, rank_of(screws.A))
    if not shared.shape[1]:
        return wrenches
    components = ReactionComponents(list(screws.wrenches.values()), equations.skeleton.characteristic_length)
    first = len(lam) - sum(
        map(len, screws.sizes.values())
    )  # among the multipliers, cut joints come before couplings
    sizes = np.concatenate(list(screws.sizes.values()))[np.array(between) - first]
    places = np.array(between) - first + components.count
    reaction_functions = reaction_functions_of(equations)
    least, less, shared = _minimum_norm_multipliers(shared, places, sizes, lam[between])
    r = components.pack(wrenches - reaction_functions.workless_reactions(t, q, lam, p)) - less[: places[0]]
    lam = lam.copy()
    lam[between] = least
    r = r + components.pack(reaction_functions.workless_reactions(t, q, lam, p))
    U, sigma, _ = np.linalg.svd(shared[: len(r)], full_matrices=False)
    ours = U[:, sigma > ROUND_OFF]
    return components.unpack(r - ours @ (ours.T @ r))


def _coupling_rows(equations: Equations) -> list[int]:
    """Indices of the constraint rows of couplings that exert wrenches between bodies."""
    own = equations.loop_constraints
    return [
        row
        for one, place in zip(own.constraints, own.slices, strict=True)
        if not isinstance(one, CutJoint)
        and any(isinstance(x, WrenchInteraction) for x in one.exerted_interactions(equations))
        for row in range(place.start, place.stop)
    ]


def _minimum_norm_multipliers(
    shared: np.ndarray, places: np.ndarray, sizes: np.ndarray, lam: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The multipliers lam of the coupling rows `places`, reduced to minimum norm by self-equilibrated reactions.

    The columns of `shared` are a basis of the self-equilibrated reactions; `sizes` are the norms by which the coupling
    rows were divided. Returns these multipliers, the self-equilibrated reactions that were subtracted, and a basis of
    the self-equilibrated reactions that do not change the multipliers.
    """
    U, sigma, Vt = np.linalg.svd(shared[places] / sizes[:, None], full_matrices=True)
    count = int(np.sum(sigma > ROUND_OFF))
    part = U[:, :count].T @ lam
    less = shared @ (Vt[:count].T @ (part / sigma[:count]))
    return lam - U[:, :count] @ part, less, shared @ Vt[count:].T
