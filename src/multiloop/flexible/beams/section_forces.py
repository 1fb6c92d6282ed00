"""Forces and moments in the sections of a straight or cranked beam, by equilibrium of the part beyond a cut.

    F(s) = Σ F_k − ∫ x dm,      M(s) = Σ (n_k + r_k × F_k) − ∫ r × x dm − r_s × F

F and M are the force and moment in a section. Sums and integrals extend over the part of the beam beyond a cut at the
arc length s, where the centreline is at r_s. F_k and n_k are the forces and moments of joints and loads at points r_k
of this part, and x is the acceleration of its points minus gravity:

    x = a + U r + 2 ω × ṙ + r̈,      r = r₀ + Ψ ζ,    U = α̃ + ω̃ ω̃

with a, ω and α the acceleration, angular velocity and angular acceleration of the beam's frame, Ψ the displacement
fields and ζ their amplitudes. The result is the wrench that the part beyond the cut exerts on the part before it.
Inertia forces are those of the equations of motion, so that equilibrium of either part gives the same result to
round-off.

Derived here: Newton–Euler equations of the part, in the accelerated frame of the beam.

Theory: docs/theory/10-flexible-bodies.md, eq. (10.19).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from multiloop.flexible.beams.centreline import BeamCentreline, ElasticMotion, PointPath, gauss_points
from multiloop.model.beams.beam_line import COINCIDENCE
from multiloop.spatial import cross_matrices, rotations_from_vectors

BLOCK = 512
"""Number of instants for which section forces are computed at a time, which bounds the memory."""


@dataclass(frozen=True, eq=False)
class Loading:
    """Motion of a beam's frame and wrenches at its markers, in components along the axes of the frame.

    The angular velocity `omega`, the angular acceleration `alpha` and the acceleration `a` of the origin minus gravity
    are instants × 3. `marker_wrenches` has for each marker the moment about the frame's origin and the force, [n; f],
    instants × 6.
    """

    omega: np.ndarray
    alpha: np.ndarray
    a: np.ndarray
    marker_wrenches: Mapping[str, np.ndarray]

    def at(self, instants: np.ndarray | slice) -> Loading:
        """The loading at selected instants only, given by their indices, a mask or a slice."""
        acting = {name: wrench[instants] for name, wrench in self.marker_wrenches.items()}
        return Loading(self.omega[instants], self.alpha[instants], self.a[instants], acting)


def section_wrenches(
    line: BeamCentreline, loading: Loading, motion: ElasticMotion, xi: np.ndarray, end: str = "b"
) -> np.ndarray:
    """Section wrenches [n; f], moment and force, at positions ξ, instants × positions × 6.

    Components are along the axes of the deformed section, with x along the beam. The wrenches follow from equilibrium
    of the part between the cut and the marker `end`; both ends give the same result.
    """
    blocks = [slice(k, k + BLOCK) for k in range(0, len(motion.eta), BLOCK)]
    parts = [
        _block_wrenches(
            line,
            loading.at(one),
            ElasticMotion(motion.eta[one], motion.rate[one], motion.acceleration[one]),
            xi,
            end == "b",
        )
        for one in blocks
    ]
    return np.concatenate(parts) if parts else np.zeros((0, len(xi), 6))


def _block_wrenches(
    line: BeamCentreline, loading: Loading, motion: ElasticMotion, xi: np.ndarray, beyond: bool
) -> np.ndarray:
    carried = np.zeros((len(motion.eta), len(xi), 6))
    for name in line.places:
        carried += loading.marker_wrenches[name][:, None, :] * _on_cut_part(line, name, xi, beyond)
    for name, mass in line.masses.items():
        carried -= (
            mass
            * _inertia_wrench_of_points(loading, line.marker_path(motion, name))
            * _on_cut_part(line, name, xi, beyond)
        )
    carried -= _inertia_wrench(line, loading, motion, xi, beyond)
    r = line.point(motion.eta, xi)
    n, f = carried[..., :3] - np.cross(r, carried[..., 3:]), carried[..., 3:]
    if not beyond:
        n, f = -n, -f
    R = rotations_from_vectors(line.rotation(motion.eta, xi)) @ line.section_axes(xi)
    return np.concatenate([np.einsum("tnij,tni->tnj", R, part) for part in (n, f)], axis=-1)


def _on_cut_part(line: BeamCentreline, name: str, xi: np.ndarray, beyond: bool) -> np.ndarray:
    """Whether a marker belongs to the part beyond (or before) the cut at each position ξ (fraction of the beam length),
    1 × positions × 1.

    A load at marker `a` or `b` always belongs to the part that contains this end. At other markers, a cut at the marker
    is placed just behind it, so that the marker belongs to the part before the cut.
    """
    place = line.places[name]
    there = ((place > xi + COINCIDENCE) | (place > 1 - COINCIDENCE)) & (place > COINCIDENCE)
    return np.asarray((there if beyond else ~there)[None, :, None])


def _inertia_wrench(
    line: BeamCentreline, loading: Loading, motion: ElasticMotion, xi: np.ndarray, beyond: bool
) -> np.ndarray:
    """Inertia wrench ∫ [r × x; x] dm about the frame's origin, instants × positions × 6.

    x is the acceleration minus gravity. The integral extends over the part of the beam beyond each position ξ (fraction
    of the beam length), or over the part before it.
    """
    edges = np.unique(np.concatenate([line.nodes, xi]))
    points, weights = gauss_points(edges, line.quadrature)
    density = _inertia_density(line, loading, motion, points.ravel()).reshape(-1, *points.shape, 6)
    each = np.einsum("tpgk,pg->tpk", density, weights)
    before = np.concatenate([np.zeros((len(each), 1, 6)), np.cumsum(each, axis=1)], axis=1)
    taken = before[:, -1:] - before if beyond else before
    found: np.ndarray = line.length * taken[:, np.searchsorted(edges, xi)]
    return found


def _inertia_density(
    line: BeamCentreline, loading: Loading, motion: ElasticMotion, xi: np.ndarray
) -> np.ndarray:
    """Inertia wrench per unit length, [r × x; x] dm/ds with x the acceleration minus gravity, instants × positions × 6.

    Inertia moments of the rotating sections are included.
    """
    found: np.ndarray = line.mass_along(xi)[:, None] * _inertia_wrench_of_points(
        loading, line.path(motion, xi)
    )
    found[..., :3] += section_inertia_moments(line, loading, motion, xi)
    return found


def _inertia_wrench_of_points(loading: Loading, path: PointPath) -> np.ndarray:
    """Inertia wrench per unit mass, [r × x; x] with x the acceleration minus gravity, instants × positions × 6.

    `path` has the positions r, velocities and accelerations of the points relative to the beam's frame.
    """
    x = point_accelerations(loading, path)
    return np.concatenate([np.cross(path[0], x), x], axis=-1)


def point_accelerations(loading: Loading, path: PointPath) -> np.ndarray:
    """Acceleration minus gravity of points that move relative to the beam's frame, instants × positions × 3."""
    r, rate, acceleration = path
    found: np.ndarray = (
        loading.a[:, None, :]
        + _apply(_rotation_tensor(loading), r)
        + 2 * np.cross(loading.omega[:, None, :], rate)
        + acceleration
    )
    return found


def section_inertia_moments(
    line: BeamCentreline, loading: Loading, motion: ElasticMotion, xi: np.ndarray
) -> np.ndarray:
    """Inertia moments of the rotating sections per unit length: axial vector of ∫ x dᵀ dm, with d = (1 + A) d₀.

    d and d₀ are vectors from the centreline to a point of the deformed and undeformed section, A is the matrix of the
    section's displacement and x the acceleration of the point relative to the centreline.
    """
    D, U = line.section_tensors(xi), _rotation_tensor(loading)
    angle, rate, acceleration = line.section_path(motion, xi)
    turned = D @ np.swapaxes(np.eye(3) + angle, -1, -2)  # ∫ d₀ dᵀ dm
    K = U[:, None] @ ((np.eye(3) + angle) @ turned)
    K += 2 * cross_matrices(loading.omega)[:, None] @ (rate @ turned) + acceleration @ turned
    return _axial_vector(K)


def _axial_vector(K: np.ndarray) -> np.ndarray:
    return np.stack(
        [K[..., 2, 1] - K[..., 1, 2], K[..., 0, 2] - K[..., 2, 0], K[..., 1, 0] - K[..., 0, 1]], axis=-1
    )


def _rotation_tensor(loading: Loading) -> np.ndarray:
    """The matrix U = α̃ + ω̃ ω̃, with ω and α the angular velocity and acceleration of the beam's frame."""
    spin = cross_matrices(loading.omega)
    found: np.ndarray = cross_matrices(loading.alpha) + spin @ spin
    return found


def _apply(U: np.ndarray, r: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.einsum("tij,tnj->tni", U, r)
    return found
