"""What does a section of a beam carry, straight or cranked? Equilibrium of the part that a cut takes off.

    F(s) = Σ F_k − ∫ x dm,      M(s) = Σ (n_k + r_k × F_k) − ∫ r × x dm − r_s × F      over the part beyond the cut

F_k, n_k are what joints and loads exert on that part, x the acceleration of its points less gravity:

    x = a + U r + 2 ω × ṙ + r̈,      r = r₀ + Ψ ζ,    U = α̃ + ω̃ ω̃

It is what the part beyond exerts on the part before the cut. Inertia forces are those of the equations of motion, so
that both sides of a cut say the same to round-off.

Derived here: Newton's and Euler's laws of the part, in the accelerated frame of the link.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from multiloop.flexible.lines import ElasticMotion, Line, PointPath, gauss_points
from multiloop.model.beam_line import SAME_PLACE
from multiloop.spatial.turns import cross_matrices, rotations_by

BLOCK = 512
"""Instants that are worked out together."""


@dataclass(frozen=True, eq=False)
class Loading:
    """A link in its surroundings, in its own axes: how its frame turns and falls, and what acts at its markers.

    `omega`, `alpha` and `a` (its origin's acceleration less gravity) are instants × 3; `acting` has for each marker the
    moment about the frame's origin and the force, [n; f], instants × 6.
    """

    omega: np.ndarray
    alpha: np.ndarray
    a: np.ndarray
    acting: Mapping[str, np.ndarray]

    def at(self, kept: np.ndarray | slice) -> Loading:
        """The same at some instants."""
        acting = {name: wrench[kept] for name, wrench in self.acting.items()}
        return Loading(self.omega[kept], self.alpha[kept], self.a[kept], acting)


def section_wrenches(
    line: Line, held: Loading, motion: ElasticMotion, xi: np.ndarray, end: str = "b"
) -> np.ndarray:
    """[n; f] at places ξ, instants × places × 6, along the axes of the bent section: x along the line.

    They are found from the part between the cut and `end`, either of which will do.
    """
    blocks = [slice(k, k + BLOCK) for k in range(0, len(motion.eta), BLOCK)]
    parts = [
        _block(
            line,
            held.at(one),
            ElasticMotion(motion.eta[one], motion.rate[one], motion.acceleration[one]),
            xi,
            end == "b",
        )
        for one in blocks
    ]
    return np.concatenate(parts) if parts else np.zeros((0, len(xi), 6))


def _block(line: Line, held: Loading, motion: ElasticMotion, xi: np.ndarray, beyond: bool) -> np.ndarray:
    carried = np.zeros((len(motion.eta), len(xi), 6))
    for name in line.places:
        carried += held.acting[name][:, None, :] * _taken(line, name, xi, beyond)
    for name, mass in line.masses.items():
        carried -= mass * _needed(held, line.marker_path(motion, name)) * _taken(line, name, xi, beyond)
    carried -= _inertia(line, held, motion, xi, beyond)
    r = line.point(motion.eta, xi)
    n, f = carried[..., :3] - np.cross(r, carried[..., 3:]), carried[..., 3:]
    if not beyond:
        n, f = -n, -f
    R = rotations_by(line.rotation(motion.eta, xi)) @ line.section_axes(xi)
    return np.concatenate([np.einsum("tnij,tni->tnj", R, part) for part in (n, f)], axis=-1)


def _taken(line: Line, name: str, xi: np.ndarray, beyond: bool) -> np.ndarray:
    """Whether a marker is on the part of a cut, 1 × places × 1.

    What acts at an end lies on the outer side of any cut; elsewhere a cut at a marker is just behind it.
    """
    place = line.places[name]
    there = ((place > xi + SAME_PLACE) | (place > 1 - SAME_PLACE)) & (place > SAME_PLACE)
    return np.asarray((there if beyond else ~there)[None, :, None])


def _inertia(line: Line, held: Loading, motion: ElasticMotion, xi: np.ndarray, beyond: bool) -> np.ndarray:
    """∫ [r × x; x] dm over the part beyond every place, or before it, about the frame's origin."""
    edges = np.unique(np.concatenate([line.nodes, xi]))
    points, weights = gauss_points(edges, line.quadrature)
    density = _density(line, held, motion, points.ravel()).reshape(-1, *points.shape, 6)
    each = np.einsum("tpgk,pg->tpk", density, weights)
    before = np.concatenate([np.zeros((len(each), 1, 6)), np.cumsum(each, axis=1)], axis=1)
    taken = before[:, -1:] - before if beyond else before
    found: np.ndarray = line.length * taken[:, np.searchsorted(edges, xi)]
    return found


def _density(line: Line, held: Loading, motion: ElasticMotion, xi: np.ndarray) -> np.ndarray:
    """[r × x; x] dm/ds, instants × places × 6."""
    found: np.ndarray = line.mass_along(xi)[:, None] * _needed(held, line.path(motion, xi))
    found[..., :3] += section_moments(line, held, motion, xi)
    return found


def _needed(held: Loading, path: PointPath) -> np.ndarray:
    """[r × x; x] of points that move in the frame of a link, instants × places × 6."""
    x = acceleration_of(held, path)
    return np.concatenate([np.cross(path[0], x), x], axis=-1)


def acceleration_of(held: Loading, path: PointPath) -> np.ndarray:
    """x, the acceleration less gravity of points that move in the frame of a link, instants × places × 3."""
    r, rate, acceleration = path
    found: np.ndarray = (
        held.a[:, None, :]
        + _times(_turning(held), r)
        + 2 * np.cross(held.omega[:, None, :], rate)
        + acceleration
    )
    return found


def section_moments(line: Line, held: Loading, motion: ElasticMotion, xi: np.ndarray) -> np.ndarray:
    """What the sections need to turn with the frame and on the line: axial ∫ x dᵀ dm of d = (1 + A) d₀."""
    D, U = line.section_tensors(xi), _turning(held)
    angle, rate, acceleration = line.section_path(motion, xi)
    turned = D @ np.swapaxes(np.eye(3) + angle, -1, -2)  # ∫ d₀ dᵀ dm
    K = U[:, None] @ ((np.eye(3) + angle) @ turned)
    K += 2 * cross_matrices(held.omega)[:, None] @ (rate @ turned) + acceleration @ turned
    return _axial(K)


def _axial(K: np.ndarray) -> np.ndarray:
    return np.stack(
        [K[..., 2, 1] - K[..., 1, 2], K[..., 0, 2] - K[..., 2, 0], K[..., 1, 0] - K[..., 0, 1]], axis=-1
    )


def _turning(held: Loading) -> np.ndarray:
    """U = α̃ + ω̃ ω̃."""
    spin = cross_matrices(held.omega)
    found: np.ndarray = cross_matrices(held.alpha) + spin @ spin
    return found


def _times(U: np.ndarray, r: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.einsum("tij,tnj->tni", U, r)
    return found
