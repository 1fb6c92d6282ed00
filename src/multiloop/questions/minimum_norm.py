"""Reactions that equilibrium does not determine: the least that serve, the same for every method and every cut."""

from __future__ import annotations

import numpy as np

from multiloop.dynamics.readouts import readouts_of
from multiloop.kinematics.equations import Equations
from multiloop.plan import Screws, joint_wrenches, rank_of, screws_of, shared_reactions

ROUND_OFF = 1e-7
"""Where couplings alone share what they exert, the joints' part in it is no larger than this."""


def minimum_norm_reactions(
    equations: Equations, t: float, q: np.ndarray, p: np.ndarray, wrenches: np.ndarray, lam: np.ndarray
) -> np.ndarray:
    """The least reactions among those that equilibrium allows, 6 × joints.

    All solutions differ by reactions that balance themselves, null(Aᵀ); the part in it is removed:

        r ← r − Z Zᵀ r,      columns of Z orthonormal and spanning null(Aᵀ)

    over all joints' components at the joints' second markers, with moments divided by the characteristic
    length. Determined components are not touched, since they are orthogonal to null(Aᵀ). What comes with the
    multipliers `lam` and does no work is left out of it, worked out anew for the multipliers that go with the least
    reactions, and shared by the joints alone.
    """
    screws = screws_of(equations, q, p, t)
    shared = shared_reactions(screws, rank_of(screws.A))
    if not shared.shape[1]:
        return wrenches
    basis = joint_wrenches(equations, q, p)
    scale = np.array([1 / equations.skeleton.length] * 3 + [1.0] * 3)
    readouts, accompanied = readouts_of(equations), any(one.accompanied for one in equations.own.constraints)
    if accompanied:
        wrenches = wrenches - readouts.accompanying(t, q, lam, p)
    r = _components(basis, scale, wrenches)
    U, sigma, Vt = np.linalg.svd(shared[: len(r)], full_matrices=False)  # what couplings exert follows
    kept = sigma > ROUND_OFF
    part = U[:, kept].T @ r
    r = r - U[:, kept] @ part
    if accompanied:
        ways = shared[len(r) :] @ Vt.T
        least = _least_multipliers(screws, lam, ways[:, kept] @ (part / sigma[kept]), ways[:, ~kept])
        more = _components(basis, scale, readouts.accompanying(t, q, least, p))
        Z = _balanced(screws.A[: len(r)])
        r = r + more - Z @ (Z.T @ more)
    found, at = [], 0
    for W in basis:
        found.append((W @ r[at : at + W.shape[1]]) / scale)
        at += W.shape[1]
    return np.column_stack(found)


def _components(basis: list[np.ndarray], scale: np.ndarray, wrenches: np.ndarray) -> np.ndarray:
    """Wrenches of the joints in what each can transmit, one under the other."""
    return np.concatenate([np.linalg.pinv(W) @ (scale * w) for W, w in zip(basis, wrenches.T, strict=True)])


def _least_multipliers(screws: Screws, lam: np.ndarray, less: np.ndarray, alone: np.ndarray) -> np.ndarray:
    """λ of all rows that goes with the least reactions; what couplings share `alone` is the least of it too."""
    sizes = np.concatenate(list(screws.sizes.values()))
    found, first = lam.copy(), len(lam) - len(sizes)
    mu = sizes * lam[first:] - less
    found[first:] = (mu - alone @ (alone.T @ mu)) / sizes
    return found


def _balanced(A: np.ndarray) -> np.ndarray:
    """Columns span null(Aᵀ)."""
    U: np.ndarray = np.linalg.svd(A, full_matrices=True)[0]
    return U[:, rank_of(A).rank :]
