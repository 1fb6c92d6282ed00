"""Power of every item that supplies or dissipates energy: efforts, loads, couplings and damped elastic bodies.

Their sum is the rate of the energy of the mechanism,

    d/dt (T + V) = Σ supplied − Σ lost
"""

from __future__ import annotations

from collections.abc import Iterator

import casadi as ca

from multiloop.dynamics.actions import actions_of
from multiloop.dynamics.energy import dissipated_by
from multiloop.kinematics.equations import Equations
from multiloop.spatial import Matrix

SUPPLIED, LOST = "supplied", "lost"
"""An item supplies power (negative if it absorbs power), or converts power into heat."""

HEAT = "heat"
"""The state variable of a load that is the integral of its loss."""

Item = tuple[str, str]
"""SUPPLIED or LOST, and the name of a joint, load, coupling or body."""


def energy_items(eq: Equations, forces: Matrix, lam: Matrix) -> dict[Item, Matrix]:
    """Power of every item for forces along all rates and multipliers of the description; zeros are left out."""
    return {item: power for item, power in _items(eq, forces, lam) if ca.SX(power).nnz()}


def _items(eq: Equations, forces: Matrix, lam: Matrix) -> Iterator[tuple[Item, Matrix]]:
    for link in (link for link in eq.skeleton.links if link.v.start < link.v.stop):
        yield (SUPPLIED, link.joint.name), ca.sparsify(ca.dot(forces[link.v], eq.v[link.v]))
    for action in actions_of(eq.skeleton):
        power = action.power(eq)
        loss = -power if action.load.dissipates else action.readouts(eq).get("loss", ca.DM(1, 1))
        if not action.load.dissipates:
            yield (SUPPLIED, action.name), ca.sparsify(ca.SX(power + loss))
        if HEAT not in action.load.states:  # else the loss is a state variable of the load
            yield (LOST, action.name), ca.sparsify(ca.SX(loss))
    if eq.own.rheonomic:
        bias = eq.own.bias(eq, eq.given)
        for one, rows in zip(eq.own.constraints, eq.own.slices, strict=True):
            yield (SUPPLIED, one.name), ca.sparsify(ca.dot(lam[rows], bias[rows]))
    for link in eq.skeleton.links:
        yield (LOST, link.body), ca.sparsify(ca.SX(dissipated_by(eq, link)))
