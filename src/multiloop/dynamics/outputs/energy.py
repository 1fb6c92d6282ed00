"""Energy and momentum of a mechanism, and the power of every effort, load, coupling and damped flexible link.

d/dt (T + V) = Σ supplied power − Σ lost power, with the kinetic energy T and the potential energy V.

Theory: docs/theory/07-time-integration.md, eq. (7.11).
"""

from __future__ import annotations

from collections.abc import Iterator

import casadi as ca

from multiloop.dynamics.actions import actions_of, outputs_of, power_of, stored_energy
from multiloop.dynamics.inertia_matrix import body_inertias
from multiloop.kinematics import Equations, Snapshot
from multiloop.kinematics.tree import Link, Skeleton
from multiloop.spatial import Matrix


def kinetic_energy(at: Snapshot) -> Matrix:
    """Kinetic energy T = ½ Σ ẋᵢᵀ Mᵢ ẋᵢ in J, with ẋ = [ω; v; η̇] and mass matrix Mᵢ of each body."""
    total = ca.DM(1, 1)
    for inertia, rates in zip(body_inertias(at), _rates(at), strict=True):
        total = total + ca.dot(rates, inertia.wrench(rates)) / 2
    return total


def _rates(at: Snapshot) -> list[Matrix]:
    """Twist of every body, followed by its elastic rates."""
    return [
        ca.vertcat(motion.column, at.v[link.eta_rate]) if link.reduced.elastic else motion.column
        for link, motion in zip(at.skeleton.links, at.body_twists, strict=True)
    ]


def potential_energy(at: Snapshot) -> Matrix:
    """Potential energy V = Σ (−mᵢ g · cᵢ + ½ ηᵢᵀ Kᵢ ηᵢ) + Σ V of loads, in J.

    cᵢ are the positions of the mass centres, ηᵢ the elastic coordinates. The potential of gravity is zero if all mass
    centres lie in the plane through the origin perpendicular to g."""
    total, g = ca.DM(1, 1), at.skeleton.gravity
    for link, place in zip(at.skeleton.links, at.placements, strict=True):
        body, modes = link.reduced, link.reduced.modes
        total = total - body.mass * ca.dot(g, place.pose.point(body.com))
        if modes is not None:
            total = total - ca.dot(g, place.pose.R @ modes.moment_of(place.eta))
            total = total + ca.dot(place.eta, modes.stiffness @ place.eta) / 2
    return total + stored_energy(at)


def links_stiffness(skeleton: Skeleton) -> Matrix:
    """Stiffness matrix K of all flexible bodies, rates × rates, with zeros for the rates of joints."""
    found = ca.SX(skeleton.rates, skeleton.rates)
    for link in skeleton.links:
        if link.reduced.modes is not None:
            found[link.eta_rate, link.eta_rate] = link.reduced.modes.stiffness
    return found


def dissipated_power(at: Snapshot) -> Matrix:
    """Power Σ η̇ᵢᵀ Dᵢ η̇ᵢ, in W, dissipated by the damping of all flexible bodies."""
    total = ca.DM(1, 1)
    for link in at.skeleton.links:
        total = total + dissipated_by(at, link)
    return total


def dissipated_by(at: Snapshot, link: Link) -> Matrix:
    """Power η̇ᵀ D η̇, in W, dissipated by the damping of one flexible body; zero for a rigid body."""
    if link.reduced.modes is None:
        return ca.DM(1, 1)
    rate = at.v[link.eta_rate]
    return ca.dot(rate, link.reduced.modes.damping @ rate)


def momentum(at: Snapshot) -> Matrix:
    """Angular momentum about the inertial origin, followed by linear momentum, 6×1."""
    total = ca.DM(6, 1)
    for inertia, rates, place in zip(body_inertias(at), _rates(at), at.placements, strict=True):
        h = inertia.wrench(rates)
        total = total + ca.vertcat(h[:3] + ca.cross(place.pose.p, h[3:6]), h[3:6])
    return total


SUPPLIED, LOST = "supplied", "lost"
"""Kinds of items of the energy balance: an item supplies power (negative if it absorbs power), or converts power into
heat."""

HEAT = "heat"
"""Name of a load's state variable for the time integral of its dissipated power."""

EnergyItem = tuple[str, str]
"""Key of an item of the energy balance: SUPPLIED or LOST, and the name of a joint, load, coupling or body."""


def energy_items(eq: Equations, forces: Matrix, lam: Matrix) -> dict[EnergyItem, Matrix]:
    """Power of every item of the energy balance, in W, for forces along all rates and multipliers of the loop
    constraints; items without power are omitted."""
    return {item: power for item, power in _items(eq, forces, lam) if ca.SX(power).nnz()}


def _items(eq: Equations, forces: Matrix, lam: Matrix) -> Iterator[tuple[EnergyItem, Matrix]]:
    for link in (link for link in eq.skeleton.links if link.v.start < link.v.stop):
        yield (SUPPLIED, link.joint.name), ca.sparsify(ca.dot(forces[link.v], eq.v[link.v]))
    for action in actions_of(eq.skeleton):
        power = power_of(action, eq)
        loss = -power if action.load.dissipates else outputs_of(action, eq).get("loss", ca.DM(1, 1))
        if not action.load.dissipates:
            yield (SUPPLIED, action.name), ca.sparsify(ca.SX(power + loss))
        if HEAT not in action.load.states:  # otherwise the loss is integrated as a state variable of the load
            yield (LOST, action.name), ca.sparsify(ca.SX(loss))
    if eq.loop_constraints.rheonomic:
        bias = eq.loop_constraints.bias(eq, eq.prescribed)
        for one, rows in zip(eq.loop_constraints.constraints, eq.loop_constraints.slices, strict=True):
            yield (SUPPLIED, one.name), ca.sparsify(ca.dot(lam[rows], bias[rows]))
    for link in eq.skeleton.links:
        yield (LOST, link.body), ca.sparsify(ca.SX(dissipated_by(eq, link)))
