"""Outputs of the whole mechanism: energies, power, momentum, shaking force and moment, residual of the loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import casadi as ca

from multiloop.dynamics.outputs.energy import dissipated_power, kinetic_energy, momentum, potential_energy
from multiloop.dynamics.outputs.joint_outputs import joint_power
from multiloop.dynamics.outputs.load_outputs import coupling_power, load_loss
from multiloop.dynamics.outputs.output import AXES, WHOLE, Output
from multiloop.dynamics.outputs.traced_instant import TracedInstant
from multiloop.spatial import Matrix


def mechanism_outputs(at: TracedInstant) -> Iterator[Output]:
    """Outputs of the whole mechanism."""
    axes, turn = AXES[: 2 if at.planar else 3], () if at.planar else AXES
    scalars: list[tuple[str, str, str, Callable[[TracedInstant], Matrix], bool]] = [
        ("power", "W", "power of efforts, couplings, and loads without a potential", supplied_power, True),
        ("losses", "W", "power converted into heat", lost_power, False),
        ("kinetic_energy", "J", "kinetic energy", lambda one: kinetic_energy(one.equations), True),
        ("potential_energy", "J", "potential energy", lambda one: potential_energy(one.equations), True),
        ("energy", "J", "kinetic and potential energy", _energy, False),
    ]
    for name, unit, text, trace, tabulated in scalars:
        yield Output(WHOLE, name, unit, text, trace, tabulated=tabulated)
    d = 2 if at.planar else 3
    vectors: list[tuple[str, str, str, Callable[[TracedInstant], Matrix], tuple[str, ...]]] = [
        ("momentum", "kg m/s", "linear momentum", lambda one: momentum(one.equations)[3 : 3 + d], axes),
        (
            "angular_momentum",
            "kg m2/s",
            "angular momentum about the inertial origin",
            _angular_momentum,
            turn,
        ),
        ("shaking_force", "N", "force on the frame", lambda one: one.ground_wrench[3 : 3 + d], axes),
        ("shaking_moment", "N m", "moment on the frame about the inertial origin", _shaking_moment, turn),
    ]
    for name, unit, text, trace, components in vectors:
        yield Output(WHOLE, name, unit, text, trace, components)
    text = "largest residual of the loop constraints, with lengths divided by the characteristic length"
    yield Output(WHOLE, "constraint_violation", "1", text, _residual)
    text = "moment and force of all loads and couplings on the frame, at the inertial origin"
    parts = (*(f"moment_{axis}" for axis in AXES), *(f"force_{axis}" for axis in AXES))
    units = (*["N m"] * 3, *["N"] * 3)
    trace = _loads_on_frame
    yield Output(WHOLE, "loads_on_frame", units, text, trace, parts, tabulated=False)
    text = "mass centre of all moving bodies; not a number if they have no mass"
    yield Output(WHOLE, "mass_centre", "m", text, _mass_centre, axes, recorded=False, tabulated=False)


def supplied_power(at: TracedInstant) -> Matrix:
    """Power Σ τᵀ v of the efforts of all joints, plus the power of every load and coupling, in W."""
    total = ca.DM(1, 1)
    for joint in at.mechanism.connections:
        if joint.components(at.planar):
            total = total + joint_power(at, joint.name)
    for outputs in at.load_outputs.values():
        total = total + outputs["power"]
    for name in at.couplings:
        total = total + coupling_power(at, name)
    return total


def lost_power(at: TracedInstant) -> Matrix:
    """Power that loads and the damping of flexible bodies convert into heat, in W."""
    total = dissipated_power(at.equations)
    for load in at.mechanism.all_loads:
        total = total + load_loss(at, load.name, load.dissipates)
    return total


def _mass_centre(at: TracedInstant) -> Matrix:
    """Σ ∫ r dm / Σ m over all moving bodies, with the positions r of their points in the inertial frame."""
    mass, moment = ca.SX(1, 1), ca.SX(3, 1)
    for link, place in zip(at.equations.skeleton.links, at.equations.placements, strict=True):
        body = link.reduced
        mass += body.mass
        moment += body.mass * place.pose.p + place.pose.R @ body.moment_at(place.eta)
    return (moment / mass)[: 2 if at.planar else 3]


def _energy(at: TracedInstant) -> Matrix:
    return kinetic_energy(at.equations) + potential_energy(at.equations)


def _residual(at: TracedInstant) -> Matrix:
    eq = at.equations
    rows = len(eq.loop_constraints.position_rows)
    scaled = ca.diag(ca.DM(eq.row_scale[:rows])) @ eq.phi[:rows, :]
    return ca.mmax(ca.fabs(scaled)) if rows else ca.DM(1, 1)


def _angular_momentum(at: TracedInstant) -> Matrix:
    found = momentum(at.equations)
    return found[2] if at.planar else found[:3]


def _loads_on_frame(at: TracedInstant) -> Matrix:
    return at.load_wrench_on_ground


def _shaking_moment(at: TracedInstant) -> Matrix:
    return at.ground_wrench[2] if at.planar else at.ground_wrench[:3]
