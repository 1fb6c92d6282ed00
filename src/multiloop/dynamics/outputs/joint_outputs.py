"""Outputs of joints and pairs: coordinates, rates, accelerations, efforts, reactions, and contacts of pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import pi

import casadi as ca

from multiloop.dynamics.outputs.output import AXES, Output
from multiloop.dynamics.outputs.traced_instant import TracedInstant
from multiloop.kinematics import contact_expressions, expression_value
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.model import Connection, Strut
from multiloop.model.expressions import Scalar
from multiloop.spatial import Matrix

UNITS = {
    "position": ("rad", "m"),
    "rate": ("rad/s", "m/s"),
    "acceleration": ("rad/s2", "m/s2"),
    "effort": ("N m", "N"),
}
"""Units of the quantities along joint coordinates, for angles and for lengths, in characters that all files accept."""

QUATERNION = ("e0", "e1", "e2", "e3")
"""Components of a unit quaternion, scalar first; they have no unit."""


def coordinate_units(quantity: str, joint: Connection, planar: bool) -> tuple[str, ...]:
    """Units of a quantity ("position", "rate", "acceleration" or "effort") of a joint, one for each coordinate; for
    "position" one for each entry, including the components of a quaternion."""
    parts = joint.components(planar)
    own = [UNITS[quantity][part in LENGTH_COMPONENTS] for part in parts]
    more = joint.positions(planar) - len(parts)
    if quantity == "position" and more > 0:
        own[len(own) - (len(QUATERNION) - more) :] = ["1"] * len(QUATERNION)
    return tuple(own)


def position_components(joint: Connection, planar: bool) -> tuple[str, ...]:
    """Names of the entries of the position of a joint; the last four are those of a quaternion if the joint has one."""
    parts = joint.components(planar)
    more = joint.positions(planar) - len(parts)
    return (*parts[: len(parts) - (len(QUATERNION) - more)], *QUATERNION) if more > 0 else tuple(parts)


def joint_outputs(at: TracedInstant) -> Iterator[Output]:
    """Outputs of all joints and pairs."""
    for joint in at.mechanism.connections:
        yield from _coordinate_outputs(at, joint)
        yield from _reaction_outputs(at, joint)
    yield from _contact_outputs(at)
    yield from _motor_outputs(at)
    yield from _strut_outputs(at)


def _coordinate_outputs(at: TracedInstant, joint: Connection) -> Iterator[Output]:
    """Position, rate, acceleration, effort and power along the coordinates of a joint."""
    planar, name = at.planar, joint.name
    parts = tuple(joint.components(planar))
    if not parts:
        return
    several = parts if len(parts) > 1 else ()
    entries = position_components(joint, planar)
    yield Output(
        name,
        "position",
        coordinate_units("position", joint, planar),
        "coordinates of the joint",
        # coordinates of cut joints follow from poses by continuity over time
        partial(_position, name=name) if name in at.equations.skeleton.link_of_joint else None,
        entries if len(entries) > 1 else (),
    )
    for quantity, text in (("rate", "rates"), ("acceleration", "accelerations")):
        units = coordinate_units(quantity, joint, planar)
        trace = partial(_along_coordinates, name=name, quantity=quantity)
        yield Output(name, quantity, units, f"{text} of the coordinates", trace, several)
    units = coordinate_units("effort", joint, planar)
    text = "torques or forces of the drive or actuator along the coordinates, on the second body"
    yield Output(
        name, "effort", units, text, partial(_along_coordinates, name=name, quantity="effort"), several
    )
    text, trace = "power of the effort at the rates", partial(joint_power, name=name)
    yield Output(name, "power", "W", text, trace, tabulated=False)


def _position(at: TracedInstant, name: str) -> Matrix:
    return at.equations.q[at.equations.skeleton.link_of_joint[name].q]


def _along_coordinates(at: TracedInstant, name: str, quantity: str) -> Matrix:
    """Rates, accelerations or efforts along the coordinates of a joint; a cut joint has no effort."""
    eq = at.equations
    if name in eq.skeleton.link_of_joint:
        column = {"rate": eq.v, "acceleration": eq.a, "effort": at.tau}[quantity]
        return column[eq.skeleton.link_of_joint[name].v]
    first = 0
    for cut in eq.skeleton.cuts:
        count = len(cut.joint.components(at.planar))
        if cut.joint.name == name:
            rates, accelerations = eq.tree_functions.cut_motion_symbols
            columns = {"rate": rates, "acceleration": accelerations, "effort": ca.DM(rates.shape[0], 1)}
            return columns[quantity][first : first + count, 0]
        first += count
    raise KeyError(name)


def rate_of(at: TracedInstant, name: str) -> Matrix:
    """Rates of the coordinates of a joint, of a cut joint too."""
    return _along_coordinates(at, name, "rate")


def joint_power(at: TracedInstant, name: str) -> Matrix:
    effort, rate = (_along_coordinates(at, name, quantity) for quantity in ("effort", "rate"))
    return ca.dot(effort, rate)


# reactions --------------------------------------------------------------------------------------------


def _reaction_outputs(at: TracedInstant, joint: Connection) -> Iterator[Output]:
    axes, name = AXES[: 2 if at.planar else 3], joint.name
    at_marker = "by the first body on the second, at the second marker, in inertial axes"
    yield Output(name, "force", "N", f"constraint force {at_marker}", partial(_force, name=name), axes)
    yield Output(
        name,
        "moment",
        "N m",
        f"constraint moment {at_marker}",
        partial(_moment, name=name),
        () if at.planar else AXES,
    )
    yield Output(name, "load", "N", "magnitude of the constraint force", partial(_load, name=name))
    text = "magnitude of the constraint moment"
    yield Output(name, "moment_size", "N m", text, partial(_moment_size, name=name), tabulated=False)
    text = "of all efforts along the coordinates, those of couplings included"
    force, moment = partial(_effort_force, name=name), partial(_effort_moment, name=name)
    yield Output(name, "effort_force", "N", f"force {text}", force, axes, tabulated=False)
    turn = () if at.planar else AXES
    yield Output(name, "effort_moment", "N m", f"moment {text}", moment, turn, tabulated=False)


def _force(at: TracedInstant, name: str) -> Matrix:
    return at.reactions[name][3 : 5 if at.planar else 6]


def _moment(at: TracedInstant, name: str) -> Matrix:
    return at.reactions[name][2] if at.planar else at.reactions[name][:3]


def _load(at: TracedInstant, name: str) -> Matrix:
    return _norm(_force(at, name))


def _moment_size(at: TracedInstant, name: str) -> Matrix:
    moment = _moment(at, name)
    return ca.fabs(moment) if at.planar else _norm(moment)


def _effort_force(at: TracedInstant, name: str) -> Matrix:
    return _effort_wrench(at, name)[3 : 5 if at.planar else 6]


def _effort_moment(at: TracedInstant, name: str) -> Matrix:
    return _effort_wrench(at, name)[2] if at.planar else _effort_wrench(at, name)[:3]


def _effort_wrench(at: TracedInstant, name: str) -> Matrix:
    """Wrench of the efforts of a joint; zero for a cut joint, which has none."""
    return at.effort_wrenches.get(name, ca.DM(6, 1))


def _norm(vector: Matrix) -> Matrix:
    return ca.sqrt(ca.dot(vector, vector))


# contacts of pairs ------------------------------------------------------------------------------------


def _contact_outputs(at: TracedInstant) -> Iterator[Output]:
    """Outputs of pairs with a point of contact, such as a cam and its follower."""
    axes = AXES[: 2 if at.planar else 3]
    for name in contact_expressions(at.equations):
        yield Output(
            name,
            "normal",
            "N",
            "normal force on the second body, positive away from the first",
            partial(contact_normal_force, name=name),
        )
        text = "force perpendicular to the normal" + ("" if at.planar else ", magnitude")
        yield Output(name, "tangential", "N", text, partial(_tangential, name=name))
        yield Output(
            name, "contact", "m", "position of the contact point", partial(_contact, name=name), axes
        )
        text = "radius of curvature of the first body at the contact, negative where it is concave"
        yield Output(name, "radius_of_curvature", "m", text, partial(_curvature, name=name), tabulated=False)
        text = "unit normal of the contact, from the first body to the second"
        normal, velocity = (partial(_of_contact, name=name, part=part) for part in ("normal", "velocity"))
        yield Output(name, "contact_normal", "1", text, normal, axes, tabulated=False)
        text = "velocity of the driven point, whose direction determines the pressure angle"
        yield Output(name, "driven_velocity", "m/s", text, velocity, axes, tabulated=False)
        text = "angle between the normal and the velocity of the driven point"
        yield Output(name, "pressure_angle", "rad", text, None)


def contact_normal_force(at: TracedInstant, name: str) -> Matrix:
    """Normal force of a pair with a point of contact on its second body, positive away from the first."""
    return ca.dot(at.reactions[name][3:], contact_expressions(at.equations)[name]["normal"])


def _tangential(at: TracedInstant, name: str) -> Matrix:
    f, n = at.reactions[name][3:], contact_expressions(at.equations)[name]["normal"]
    if at.planar:
        return f[1] * n[0] - f[0] * n[1]
    across = f - ca.dot(f, n) * n
    return _norm(across)


def _contact(at: TracedInstant, name: str) -> Matrix:
    return _of_contact(at, name, "point")


def _of_contact(at: TracedInstant, name: str, part: str) -> Matrix:
    return contact_expressions(at.equations)[name][part][: 2 if at.planar else 3]


def _curvature(at: TracedInstant, name: str) -> Matrix:
    return contact_expressions(at.equations)[name]["radius"]


# motors and cylinders ---------------------------------------------------------------------------------


def _motor_outputs(at: TracedInstant) -> Iterator[Output]:
    """Efforts and speeds on the motor side of the gearboxes of all joints with actuators, along every coordinate."""
    ratios: dict[str, dict[str, Scalar]] = {}
    for actuator in at.mechanism.actuators:
        joint = at.mechanism.connection(actuator.joint)
        component = actuator.component or joint.components(at.planar)[0]
        ratios.setdefault(joint.name, {})[component] = actuator.ratio
    for name, by_component in ratios.items():
        parts = tuple(at.mechanism.connection(name).components(at.planar))
        own = [by_component.get(part, 1.0) for part in parts]
        # the ratio of a sliding coordinate is in rad/m
        rotary = [
            part not in LENGTH_COMPONENTS or ratio != 1.0 for part, ratio in zip(parts, own, strict=True)
        ]
        components = parts if len(parts) > 1 else ()
        units = tuple("N m" if one else "N" for one in rotary)
        text, trace = "effort on the motor side of the gearbox", partial(_motor_effort, name=name, ratios=own)
        yield Output(name, "motor_effort", units, text, trace, components, tabulated=False)
        units = tuple("rad/s" if one else "m/s" for one in rotary)
        speed = partial(_motor_rate, name=name, ratios=own)
        yield Output(name, "motor_rate", units, "speed of the motor", speed, components, tabulated=False)


def _motor_effort(at: TracedInstant, name: str, ratios: Sequence[Scalar]) -> Matrix:
    return _along_coordinates(at, name, "effort") / _column(at, ratios)


def _motor_rate(at: TracedInstant, name: str, ratios: Sequence[Scalar]) -> Matrix:
    return _along_coordinates(at, name, "rate") * _column(at, ratios)


def _column(at: TracedInstant, values: Sequence[Scalar]) -> Matrix:
    return ca.vertcat(*[ca.SX(expression_value(at.equations, value)) for value in values])


def _strut_outputs(at: TracedInstant) -> Iterator[Output]:
    """Pressure and volume flow of every strut that has a bore, that is of every hydraulic cylinder."""
    for strut in at.mechanism.composites:
        if isinstance(strut, Strut) and strut.bore is not None:
            text = "pressure on the loaded side of the piston"
            yield Output(strut.name, "pressure", "Pa", text, partial(_pressure, strut=strut))
            yield Output(
                strut.name, "flow", "m3/s", "volume flow into the strut", partial(_flow, strut=strut)
            )


def _areas(at: TracedInstant, strut: Strut) -> tuple[Matrix, Matrix]:
    """Areas of the piston in m²: the full area of the bore, and the annular area around the shaft."""
    assert strut.bore is not None
    D, d = (expression_value(at.equations, size) for size in (strut.bore, strut.shaft))
    return pi * D**2 / 4, pi * (D**2 - d**2) / 4


def _pressure(at: TracedInstant, strut: Strut) -> Matrix:
    effort = _along_coordinates(at, strut.name, "effort")
    return ca.fabs(effort) / ca.if_else(effort >= 0, *_areas(at, strut))


def _flow(at: TracedInstant, strut: Strut) -> Matrix:
    rate = _along_coordinates(at, strut.name, "rate")
    return ca.fabs(rate) * ca.if_else(rate >= 0, *_areas(at, strut))
