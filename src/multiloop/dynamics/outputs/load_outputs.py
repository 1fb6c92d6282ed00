"""Outputs of loads and couplings: forces, lengths, energies and powers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import casadi as ca

from multiloop.dynamics.actions import actions_of, units_of
from multiloop.dynamics.outputs.joint_outputs import coordinate_units
from multiloop.dynamics.outputs.output import AXES, Output
from multiloop.dynamics.outputs.traced_instant import TracedInstant
from multiloop.spatial import Matrix

DESCRIPTIONS = {
    "force": "force of the load, tension positive between two markers; of a bushing in the axes of its first marker",
    "torque": "torque of the load",
    "moment": "moment of the load; of a bushing in the axes of its first marker",
    "effort": "torque or force along the coordinate of the joint",
    "length": "distance between the markers",
    "length_rate": "time derivative of the distance between the markers",
    "displacement": "relative displacement; of a bushing in the axes of its first marker",
    "rotation": "relative rotation; of a bushing in the axes of its first marker",
    "energy": "energy stored in the load",
    "power": "power that the load supplies to the mechanism from outside",
    "loss": "power that the load converts into heat",
    "heat": "energy converted into heat since the start of the simulation",
    "normal": "normal force",
    "limit": "largest friction force or torque",
    "gap": "distance or angle that remains until contact",
    "sticking": "whether the load holds the motion at rest",
}
"""Descriptions of outputs that several types of loads have."""


def load_outputs(at: TracedInstant) -> Iterator[Output]:
    """Outputs of all loads: those that their actions define, including energy and power, and the power converted into
    heat."""
    for action in actions_of(at.equations.skeleton):
        units = units_of(action, at.equations.skeleton)
        columns = at.load_outputs[action.name]
        for quantity, column in columns.items():
            text = DESCRIPTIONS.get(quantity, f"{quantity.replace('_', ' ')} of the load")
            trace = partial(_of_load, name=action.name, quantity=quantity)
            components = _components(at, ca.SX(column).numel())
            yield Output(action.name, quantity, units.get(quantity, "1"), text, trace, components)
        if "loss" not in columns:
            trace = partial(load_loss, name=action.name, dissipates=action.load.dissipates)
            yield Output(action.name, "loss", "W", DESCRIPTIONS["loss"], trace, tabulated=False)


def _components(at: TracedInstant, count: int) -> tuple[str, ...]:
    """Names of the entries of a column: axes if there are as many as axes, otherwise numbers."""
    if count == 1:
        return ()
    axes = AXES[: 2 if at.planar else 3]
    return axes if count == len(axes) else tuple(map(str, range(count)))


def _of_load(at: TracedInstant, name: str, quantity: str) -> Matrix:
    return at.load_outputs[name][quantity]


def load_loss(at: TracedInstant, name: str, dissipates: bool) -> Matrix:
    """Power that a load converts into heat, in W: its output `loss`, or all its power if it only dissipates."""
    columns = at.load_outputs[name]
    if "loss" in columns:
        return columns["loss"]
    return -at.load_outputs[name]["power"] if dissipates else ca.DM(1, 1)


def coupling_outputs(at: TracedInstant) -> Iterator[Output]:
    """Outputs of all couplings: multipliers, efforts along coordinates, forces between bodies, and power."""
    for name, (constraint, place) in at.couplings.items():
        rows = place.stop - place.start
        numbered = tuple(map(str, range(rows))) if rows > 1 else ()
        text = "multiplier of the constraint of the coupling"
        units = tuple("N" if row.is_length else "N m" for row in constraint.rows)
        yield Output(name, "effort", units, text, partial(_multiplier, name=name), numbered, tabulated=False)
        for link in at.effort_links(name):
            joint = link.joint
            parts = tuple(joint.components(at.planar))
            yield Output(
                name,
                f"effort_{joint.name}",
                coordinate_units("effort", joint, at.planar),
                f"torque or force of the coupling along the coordinates of '{joint.name}'",
                partial(_effort_along, name=name, joint=joint.name),
                parts if len(parts) > 1 else (),
            )
        zero = constraint.outputs(at.equations, ca.SX(len(constraint.rows), 1))
        for quantity, column in zero.items():
            components = _components(at, ca.SX(column).numel())
            text = f"{quantity} force of the coupling" if quantity != "force" else "force on the second wheel"
            trace = partial(_of_coupling, name=name, quantity=quantity)
            yield Output(name, quantity, "N", text, trace, components)
        yield Output(
            name, "power", "W", "power that the coupling supplies", partial(coupling_power, name=name)
        )


def _multiplier(at: TracedInstant, name: str) -> Matrix:
    return at.lam[at.couplings[name][1]]


def _effort_along(at: TracedInstant, name: str, joint: str) -> Matrix:
    return at.efforts_of_coupling(name)[at.equations.skeleton.link_of_joint[joint].v]


def _of_coupling(at: TracedInstant, name: str, quantity: str) -> Matrix:
    constraint, place = at.couplings[name]
    return constraint.outputs(at.equations, at.lam[place])[quantity]


def coupling_power(at: TracedInstant, name: str) -> Matrix:
    """Power λᵀ J v, in W, that a coupling supplies, with its multipliers λ and its rows J of the loop Jacobian; zero
    unless the coupling depends on time."""
    constraint, place = at.couplings[name]
    if not constraint.rheonomic:
        return ca.DM(1, 1)
    return at.lam[place].T @ (at.jacobian_of_coupling(name) @ at.equations.v)
