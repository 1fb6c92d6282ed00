"""Consistency check of motion subspace P and constraint wrenches W, done once for every joint type:

Wᵀ P = 0,   f + c = 6 (3 in the plane),   Pᵀ P = 1 for joints that may be cut, since their rates are read by Pᵀ
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from multiloop.model.joints.joint import Joint

KEPT = 1e-9
"""Tolerance for numbers of order one."""

_SOUND: set[tuple[type[Joint], bool]] = set()


def require_contract(joint: Joint, planar: bool) -> None:
    """Raise TypeError if motion subspace and wrenches of a joint are inconsistent in its neutral pose."""
    pose = joint.pose(ca.DM(joint.neutral(planar)), planar)
    P, W = joint.freedom(pose, planar), joint.wrenches(pose, planar)
    if (type(joint), planar) in _SOUND or isinstance(P, ca.SX) or isinstance(W, ca.SX):
        return  # symbols cannot be checked
    fault = _fault(joint, planar, ca.DM(P).full(), ca.DM(W).full())
    if fault:
        raise TypeError(f"joint '{joint.name}': a {type(joint).__name__} {fault}")
    _SOUND.add((type(joint), planar))


def _fault(joint: Joint, planar: bool, P: np.ndarray, W: np.ndarray) -> str:
    """Error of motion subspace and wrenches as text; empty if they are consistent."""
    size, f = (3 if planar else 6), joint.freedoms(planar)
    if P.shape != (6, f):
        return f"has a freedom P of shape {P.shape}, expected (6, {f})."
    if P.shape[1] + W.shape[1] != size:
        return f"has {P.shape[1]} freedoms and {W.shape[1]} wrenches, which should be {size} together."
    if np.abs(W.T @ P).max(initial=0.0) > KEPT:
        return "transmits wrenches W along its own freedom P: Wᵀ P is not zero."
    if not joint.must_stay and np.abs(P.T @ P - np.eye(f)).max(initial=0.0) > KEPT:
        return "has a freedom P whose columns are not orthonormal, so that it must stay in the tree: say `must_stay`."
    return ""
