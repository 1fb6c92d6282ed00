"""Energy and momentum of the whole mechanism."""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.actions import stored_energy
from multiloop.dynamics.inertia import own_composites
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix


def kinetic_energy(at: Snapshot) -> Matrix:
    """T = ½ Σ tᵢᵀ Mᵢ tᵢ."""
    total = ca.DM(1, 1)
    for composite, motion in zip(own_composites(at), at.moving, strict=True):
        total = total + ca.dot(motion.twist, composite.wrench(motion.twist)) / 2
    return total


def potential_energy(at: Snapshot) -> Matrix:
    """V = −Σ mᵢ g · cᵢ, zero where all mass centres lie in the plane through the origin across g, and Σ V of loads."""
    total = ca.DM(1, 1)
    for link, place in zip(at.skeleton.links, at.placed, strict=True):
        total = total - link.reduced.mass * ca.dot(at.skeleton.gravity, place.pose.point(link.reduced.com))
    return total + stored_energy(at)


def momentum(at: Snapshot) -> Matrix:
    """[angular momentum about the inertial origin; linear momentum]."""
    total = ca.DM(6, 1)
    for composite, motion, place in zip(own_composites(at), at.moving, at.placed, strict=True):
        h = composite.wrench(motion.twist)
        total = total + ca.vertcat(h[:3] + ca.cross(place.pose.p, h[3:]), h[3:])
    return total
