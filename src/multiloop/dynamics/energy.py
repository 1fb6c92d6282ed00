"""Energy and momentum of the mechanism."""

from __future__ import annotations

import casadi as ca

from multiloop.dynamics.actions import stored_energy
from multiloop.dynamics.inertia import own_inertias
from multiloop.kinematics.skeleton import Link, Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix


def kinetic_energy(at: Snapshot) -> Matrix:
    """T = ½ Σ ẋᵢᵀ Mᵢ ẋᵢ,   ẋ = [ω; v; η̇]."""
    total = ca.DM(1, 1)
    for inertia, rates in zip(own_inertias(at), _rates(at), strict=True):
        total = total + ca.dot(rates, inertia.wrench(rates)) / 2
    return total


def _rates(at: Snapshot) -> list[Matrix]:
    """Twist of every body, followed by its elastic rates."""
    return [
        ca.vertcat(motion.twist, at.v[link.eta_rate]) if link.reduced.elastic else motion.twist
        for link, motion in zip(at.skeleton.links, at.moving, strict=True)
    ]


def potential_energy(at: Snapshot) -> Matrix:
    """V = Σ (−mᵢ g · cᵢ + ½ ηᵢᵀ Kᵢ ηᵢ) + Σ V of loads; that of gravity is zero with all mass centres in the plane
    through the origin perpendicular to g.
    """
    total, g = ca.DM(1, 1), at.skeleton.gravity
    for link, place in zip(at.skeleton.links, at.placed, strict=True):
        body, modes = link.reduced, link.reduced.modes
        total = total - body.mass * ca.dot(g, place.pose.point(body.com))
        if modes is not None:
            total = total - ca.dot(g, place.pose.R @ modes.moment_of(place.eta))
            total = total + ca.dot(place.eta, modes.stiffness @ place.eta) / 2
    return total + stored_energy(at)


def links_stiffness(skeleton: Skeleton) -> Matrix:
    """Stiffness matrix K of all elastic bodies, over the rates of the tree."""
    found = ca.SX(skeleton.rates, skeleton.rates)
    for link in skeleton.links:
        if link.reduced.modes is not None:
            found[link.eta_rate, link.eta_rate] = link.reduced.modes.stiffness
    return found


def dissipated_power(at: Snapshot) -> Matrix:
    """Σ η̇ᵢᵀ Dᵢ η̇ᵢ: power dissipated by the damping of elastic bodies."""
    total = ca.DM(1, 1)
    for link in at.skeleton.links:
        total = total + dissipated_by(at, link)
    return total


def dissipated_by(at: Snapshot, link: Link) -> Matrix:
    """η̇ᵀ D η̇ of one body."""
    if link.reduced.modes is None:
        return ca.DM(1, 1)
    rate = at.v[link.eta_rate]
    return ca.dot(rate, link.reduced.modes.damping @ rate)


def momentum(at: Snapshot) -> Matrix:
    """[angular momentum about the inertial origin; linear momentum]."""
    total = ca.DM(6, 1)
    for inertia, rates, place in zip(own_inertias(at), _rates(at), at.placed, strict=True):
        h = inertia.wrench(rates)
        total = total + ca.vertcat(h[:3] + ca.cross(place.pose.p, h[3:6]), h[3:6])
    return total
