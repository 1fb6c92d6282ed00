"""Reactions that equilibrium does not determine: the least that serve, the same for every method and every cut."""

from __future__ import annotations

import numpy as np

from multiloop.dynamics.readouts import readouts_of
from multiloop.kinematics.constraints import Between, CutJoint
from multiloop.kinematics.equations import Equations
from multiloop.plan import joint_wrenches, rank_of, screws_of, shared_reactions

ROUND_OFF = 1e-7
"""Where couplings alone share what they exert, the joints' part in it is no larger than this."""


def minimum_norm_reactions(
    equations: Equations, t: float, q: np.ndarray, p: np.ndarray, wrenches: np.ndarray, lam: np.ndarray
) -> np.ndarray:
    """The least reactions among those that equilibrium allows, 6 × joints.

    All solutions differ by reactions that balance themselves, null(Aᵀ); the part in it is removed:

        r ← r − Z Zᵀ r,      columns of Z orthonormal and spanning null(Aᵀ)

    over all joints' components at the joints' second markers, with moments divided by the characteristic
    length. Determined components are not touched, since they are orthogonal to null(Aᵀ). What couplings exert along
    joints follows. What they exert between bodies, as gears do, comes first: the least multipliers, min Σ λ², are
    taken, and the joints share what is then left open, with the forces that come with these multipliers.
    """
    screws = screws_of(equations, q, p, t)
    shared = shared_reactions(screws, rank_of(screws.A))
    if not shared.shape[1]:
        return wrenches
    basis = joint_wrenches(equations, q, p)
    scale = np.array([1 / equations.skeleton.length] * 3 + [1.0] * 3)
    between = _rows_between(equations)
    if between:
        first = len(lam) - sum(map(len, screws.sizes.values()))  # the couplings stand below the cuts
        sizes = np.concatenate(list(screws.sizes.values()))[np.array(between) - first]
        places = np.array(between) - first + sum(W.shape[1] for W in basis)
        readouts = readouts_of(equations)
        least, less, shared = _least_multipliers(shared, places, sizes, lam[between])
        r = _components(basis, scale, wrenches - readouts.accompanying(t, q, lam, p)) - less[: places[0]]
        lam = lam.copy()
        lam[between] = least
        r = r + _components(basis, scale, readouts.accompanying(t, q, lam, p))
    else:
        r = _components(basis, scale, wrenches)
    U, sigma, _ = np.linalg.svd(shared[: len(r)], full_matrices=False)
    ours = U[:, sigma > ROUND_OFF]
    r = r - ours @ (ours.T @ r)
    found, at = [], 0
    for W in basis:
        found.append((W @ r[at : at + W.shape[1]]) / scale)
        at += W.shape[1]
    return np.column_stack(found)


def _rows_between(equations: Equations) -> list[int]:
    """Places of the rows of couplings that act between bodies."""
    own = equations.own
    return [
        row
        for one, place in zip(own.constraints, own.slices, strict=True)
        if not isinstance(one, CutJoint) and any(isinstance(x, Between) for x in one.exerted(equations))
        for row in range(place.start, place.stop)
    ]


def _least_multipliers(
    shared: np.ndarray, places: np.ndarray, sizes: np.ndarray, lam: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The least λ in some rows of what balances itself, what is taken off all rows for it, and what is still open."""
    U, sigma, Vt = np.linalg.svd(shared[places] / sizes[:, None], full_matrices=True)
    count = int(np.sum(sigma > ROUND_OFF))
    part = U[:, :count].T @ lam
    less = shared @ (Vt[:count].T @ (part / sigma[:count]))
    return lam - U[:, :count] @ part, less, shared @ Vt[count:].T


def _components(basis: list[np.ndarray], scale: np.ndarray, wrenches: np.ndarray) -> np.ndarray:
    """Wrenches of the joints in what each can transmit, one under the other."""
    return np.concatenate([np.linalg.pinv(W) @ (scale * w) for W, w in zip(basis, wrenches.T, strict=True)])
