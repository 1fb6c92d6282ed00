"""Scale, frequency, stiffness and damping of the elastic coordinates of a link."""

from __future__ import annotations

import casadi as ca
import numpy as np

from multiloop.kinematics.skeleton import Link, Skeleton


def elastic_scale(skeleton: Skeleton, link: Link) -> np.ndarray:
    """For every elastic coordinate of a link, 1 over the largest rotation or displacement that one unit of it causes.

    These are the rotations and displacements of its markers, and the mean displacement √(tr S_ii / m) of the body, with
    displacements in characteristic lengths. η may thus be a length, an angle, or have any unit that the mode shapes
    were scaled to.
    """
    modes = link.reduced.modes
    if modes is None:
        return np.zeros(0)
    e = modes.count
    shapes = ca.horzcat(*[shape[:, :e].T for shape in modes.shapes.values()])
    mean = ca.vertcat(*[ca.trace(modes.products[i][i]) for i in range(e)])
    read = ca.Function("sizes", [skeleton.symbols], [ca.SX(x) for x in (shapes, mean, link.reduced.mass)])
    rows, weighed, mass = (np.array(x) for x in read(skeleton.values))
    turned, shifted = np.moveaxis(np.linalg.norm(rows.reshape(e, -1, 2, 3), axis=3), 2, 0)
    whole = np.sqrt(weighed / mass) if mass > 0 else np.zeros((e, 1))
    sizes = np.hstack([turned, np.hstack([shifted, whole]) / skeleton.length]).max(axis=1)
    found: np.ndarray = 1 / np.where(sizes > 0, sizes, 1.0)
    return found


def elastic_frequencies(skeleton: Skeleton, link: Link) -> np.ndarray:
    """√(K_ii / M_ii) of every elastic coordinate of a link, without coupling, in rad/s."""
    modes = link.reduced.modes
    if modes is None:
        return np.zeros(0)
    weighed = ca.vertcat(*[ca.trace(modes.products[i][i]) for i in range(modes.count)])
    read = ca.Function("stiff", [skeleton.symbols], [ca.SX(ca.diag(modes.stiffness)), ca.SX(weighed)])
    stiffness, mass = (np.array(x).ravel() for x in read(skeleton.values))
    found: np.ndarray = np.sqrt(np.maximum(stiffness, 0.0) / np.where(mass > 0, mass, 1.0))
    return found


def elastic_matrices(skeleton: Skeleton, link: Link) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and damping of the elastic coordinates of a link."""
    modes = link.reduced.modes
    if modes is None:
        return np.zeros((0, 0)), np.zeros((0, 0))
    read = ca.Function("modal", [skeleton.symbols], [ca.SX(modes.stiffness), ca.SX(modes.damping)])
    found = [np.array(x).reshape(modes.count, modes.count) for x in read(skeleton.values)]
    return found[0], found[1]
