"""What does a section of a beam carry? Equilibrium of the part that a cut takes off.

    F(s) = Σ F_k − ∫ x dm,      M(s) = Σ (n_k + r_k × F_k) − ∫ r × x dm − r_s × F      over the part beyond the cut

F_k, n_k are what joints and loads exert on that part, x the acceleration of its points less gravity:

    x = a + U r + 2 ω × ṙ + r̈,      r = r₀ + Φ η + q,    U = α̃ + ω̃ ω̃,    q the shifts of second order

It is what the part beyond exerts on the part before the cut. Inertia forces are those of the equations of motion, so
that both sides of a cut say the same to round-off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from multiloop.flexible.centreline import Centreline, Motion, gauss_points

BLOCK = 512
"""Instants that are worked out together."""


@dataclass(frozen=True, eq=False)
class Held:
    """A link in its surroundings, in its own axes: how its frame turns and falls, and what acts at its markers.

    `omega`, `alpha` and `a` (its origin's acceleration less gravity) are instants × 3; `acting` has for each marker the
    moment about the frame's origin and the force, [n; f], instants × 6.
    """

    omega: np.ndarray
    alpha: np.ndarray
    a: np.ndarray
    acting: Mapping[str, np.ndarray]

    def at(self, kept: np.ndarray | slice) -> Held:
        """The same at some instants."""
        acting = {name: wrench[kept] for name, wrench in self.acting.items()}
        return Held(self.omega[kept], self.alpha[kept], self.a[kept], acting)


def section_wrenches(
    line: Centreline, held: Held, motion: Motion, xi: np.ndarray, end: str = "b"
) -> np.ndarray:
    """[n; f] at places ξ, instants × places × 6, along the axes of the bent section: x along the line.

    They are found from the part between the cut and `end`, either of which will do.
    """
    blocks = [slice(k, k + BLOCK) for k in range(0, len(motion.eta), BLOCK)]
    parts = [
        _block(
            line,
            held.at(one),
            Motion(motion.eta[one], motion.rate[one], motion.acceleration[one]),
            xi,
            end == "b",
        )
        for one in blocks
    ]
    return np.concatenate(parts) if parts else np.zeros((0, len(xi), 6))


def _block(line: Centreline, held: Held, motion: Motion, xi: np.ndarray, beyond: bool) -> np.ndarray:
    carried = np.zeros((len(motion.eta), len(xi), 6))
    for name, place in line.places.items():
        # what acts at an end lies on the outer side of any cut; elsewhere a cut at a marker is just behind it
        there = (place > xi) | (place == 1.0)
        there &= place > 0.0
        carried += held.acting[name][:, None, :] * (there if beyond else ~there)[None, :, None]
    carried -= _inertia(line, held, motion, xi, beyond)
    r = line.point(motion.eta, xi)
    n, f = carried[..., :3] - np.cross(r, carried[..., 3:]), carried[..., 3:]
    if not beyond:
        n, f = -n, -f
    R = rotations(line.rotation(motion.eta, xi))
    return np.concatenate([np.einsum("tnij,tni->tnj", R, part) for part in (n, f)], axis=-1)


def _inertia(line: Centreline, held: Held, motion: Motion, xi: np.ndarray, beyond: bool) -> np.ndarray:
    """∫ [r × x; x] dm over the part beyond every place, or before it, about the frame's origin."""
    edges = np.unique(np.concatenate([line.nodes, xi]))
    points, weights = gauss_points(edges)
    density = _density(line, held, motion, points.ravel()).reshape(-1, *points.shape, 6)
    each = np.einsum("tpgk,pg->tpk", density, weights)
    before = np.concatenate([np.zeros((len(each), 1, 6)), np.cumsum(each, axis=1)], axis=1)
    taken = before[:, -1:] - before if beyond else before
    found: np.ndarray = line.length * taken[:, np.searchsorted(edges, xi)]
    return found


def _density(line: Centreline, held: Held, motion: Motion, xi: np.ndarray) -> np.ndarray:
    """[r × x; x] dm/dx, instants × places × 6."""
    eta, rate, acceleration = motion.eta, motion.rate, motion.acceleration
    shapes, bows = line.shifts(xi), line.bows(xi)
    u, u_rate, u_rate_rate = (np.einsum("te,enk->tnk", x, shapes) for x in (eta, rate, acceleration))

    def drawn(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.zeros_like(u)
        found[..., 0] = np.einsum("ti,tj,ijn->tn", one, other, bows, optimize=True)
        return found

    r = u + drawn(eta, eta) / 2
    r[..., 0] += line.length * xi
    r_rate = u_rate + drawn(eta, rate)
    r_rate_rate = u_rate_rate + drawn(eta, acceleration) + drawn(rate, rate)
    x = (
        held.a[:, None, :]
        + _times(_turning(held), r)
        + 2 * np.cross(held.omega[:, None, :], r_rate)
        + r_rate_rate
    )
    n = np.cross(r, x)
    return np.concatenate(
        [line.line_mass * n + _spinning(line, held, motion, xi), line.line_mass * x], axis=-1
    )


def _spinning(line: Centreline, held: Held, motion: Motion, xi: np.ndarray) -> np.ndarray:
    """What the sections need to turn with the frame, and to twist: axial ∫ x dᵀ dm of d = (0, y − θ z, z + θ y)."""
    about_z, about_y = line.section_masses
    turns = line.turns(xi)[..., 0]
    angle, rate, acceleration = (x @ turns for x in (motion.eta, motion.rate, motion.acceleration))
    d00, d11 = np.diag([0.0, about_z, about_y]), np.diag([0.0, about_y, about_z])
    d10 = np.zeros((3, 3))
    d10[2, 1], d10[1, 2] = about_z, -about_y
    twisted = d10 + angle[..., None, None] * d11  # ∫ (∂d/∂θ) dᵀ dm
    both = d00 + angle[..., None, None] * (d10 + d10.T) + angle[..., None, None] ** 2 * d11
    K = np.einsum("tij,tnjk->tnik", _turning(held), both)
    K += 2 * rate[..., None, None] * np.einsum("tij,tnjk->tnik", _skew(held.omega), twisted)
    K += acceleration[..., None, None] * twisted
    return np.stack(
        [K[..., 2, 1] - K[..., 1, 2], K[..., 0, 2] - K[..., 2, 0], K[..., 1, 0] - K[..., 0, 1]], axis=-1
    )


def _turning(held: Held) -> np.ndarray:
    """U = α̃ + ω̃ ω̃."""
    spin = _skew(held.omega)
    found: np.ndarray = _skew(held.alpha) + spin @ spin
    return found


def _times(U: np.ndarray, r: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.einsum("tij,tnj->tni", U, r)
    return found


def _skew(x: np.ndarray) -> np.ndarray:
    """x̃, one for each row."""
    found = np.zeros((*x.shape[:-1], 3, 3))
    found[..., 0, 1], found[..., 0, 2], found[..., 1, 2] = -x[..., 2], x[..., 1], -x[..., 0]
    return found - np.swapaxes(found, -1, -2)


def rotations(x: np.ndarray) -> np.ndarray:
    """exp(x̃) of rotation vectors, … × 3 × 3."""
    size = np.linalg.norm(x, axis=-1)[..., None, None]
    turn = _skew(x)
    found: np.ndarray = (
        np.eye(3) + np.sinc(size / np.pi) * turn + np.sinc(size / (2 * np.pi)) ** 2 / 2 * (turn @ turn)
    )
    return found
