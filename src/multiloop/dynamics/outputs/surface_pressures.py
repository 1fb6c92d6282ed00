"""Outputs of loaded surfaces: mean pressure and PV value of pins, Hertz pressure of gears and cams.

Pin of a revolute joint with diameter d and width b, force F perpendicular to its axis, and rate q̇:

    p = F / (d b),      v = |q̇| d / 2,      PV = p v

Line contact of the width b with normal force N, contact modulus E* (`elastic_contact`) and radii of curvature R:

    p = √(N E* κ / (π b)),      κ = 1/R₁ + 1/R₂

R₁ is the radius of curvature of a cam, negative where it is concave, R₂ the radius of the roller; 1/R₂ is zero for a
flat face. For gears, at the pitch point, where one pair of teeth is assumed to carry the whole tangential force F_t:

    p = √(F_t E* κ₀ cos β_b / (π b cos α_t sin α_t)),    κ₀ = 1/ρ₁ ± 1/ρ₂

with pitch radii ρ (− for an internal gear), transverse pressure angle α_t, tan α_t = tan α_n / cos β, helix angle β and
base helix angle β_b, cos β_b = cos β cos α_n / cos α_t.

Source: [johnson], ch. 4, line contact; gears [iso6336_2], zone factor Z_H.
Differs: [iso6336_2] multiplies by factors for contact ratio and helix, which are 1 here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import pi
from typing import Any

import casadi as ca

from multiloop.dynamics.outputs.joint_outputs import contact_normal_force, rate_of
from multiloop.dynamics.outputs.output import Output, refused
from multiloop.dynamics.outputs.traced_instant import TracedInstant
from multiloop.kinematics import contact_expressions, expression_value, marker_motion
from multiloop.kinematics.constraints import GearingRow
from multiloop.model import Cam, Connection, Gear, Revolute
from multiloop.model.gears.elastic_contact import POISSON, contact_modulus, pair_of
from multiloop.spatial import Matrix

PIN_OUTPUTS: tuple[tuple[str, str, str], ...] = (
    ("mean_pressure", "Pa", "mean pressure in the pin: force across its axis / (diameter × width)"),
    ("sliding_speed", "m/s", "sliding speed in the pin: |rate| × diameter / 2"),
    ("pressure_velocity", "W/m2", "PV value of the pin: mean pressure × sliding speed"),
)
"""Outputs of pins: name, unit and description."""


def pressure_outputs(at: TracedInstant) -> Iterator[Output]:
    """Pressures of all pins, cams and gears."""
    for joint in at.mechanism.connections:
        if isinstance(joint, Revolute):
            yield from _pin_outputs(joint)
        elif isinstance(joint, Cam):
            yield _cam_output(joint)
    for pair in at.mechanism.couplings:
        if isinstance(pair, Gear):
            trace = partial(_gear_pressure, gear=pair)
            yield _hertz(pair, trace, "at the pitch point, if one pair of teeth carries the whole force")


# pins -------------------------------------------------------------------------------------------------


def _pin_outputs(joint: Revolute) -> Iterator[Output]:
    traces: tuple[Callable[..., Matrix], ...] = (_pin_pressure, _sliding_speed, _pressure_velocity)
    for (name, unit, text), trace in zip(PIN_OUTPUTS, traces, strict=True):
        if joint.diameter is None or (joint.width is None and trace is not _sliding_speed):
            example = f'Revolute("{joint.name}", …, diameter=0.01, width=0.012)'
            yield refused(joint.name, name, f"the joint has no dimensions. Give them: {example}.")
        else:
            yield Output(joint.name, name, unit, text, partial(trace, joint=joint))


def _pin_pressure(at: TracedInstant, joint: Revolute) -> Matrix:
    force = at.reactions[joint.name][3:]
    if not at.planar:
        axis = marker_motion(at.equations, joint.first)[0].R[:, 2]
        force = force - ca.dot(force, axis) * axis
    d, b = (
        expression_value(at.equations, size) for size in (joint.diameter, joint.width) if size is not None
    )
    return ca.sqrt(ca.dot(force, force)) / (d * b)


def _sliding_speed(at: TracedInstant, joint: Revolute) -> Matrix:
    assert joint.diameter is not None
    return ca.fabs(rate_of(at, joint.name)) * expression_value(at.equations, joint.diameter) / 2


def _pressure_velocity(at: TracedInstant, joint: Revolute) -> Matrix:
    return _pin_pressure(at, joint) * _sliding_speed(at, joint)


# line contacts ----------------------------------------------------------------------------------------


def _hertz(pair: Connection | Gear, trace: Callable[[TracedInstant], Matrix], where: str) -> Output:
    """The output of the Hertz pressure of a cam or gear pair, refused if width or elastic constants are missing."""
    assert isinstance(pair, Cam | Gear)
    if pair.width is None or pair.E is None:
        kind = type(pair).__name__
        reason = f'it has no width or no Young\'s modulus. Give both: {kind}("{pair.name}", …, width=0.02, E=2.1e11).'
        return refused(pair.name, "hertz_pressure", reason)
    return Output(pair.name, "hertz_pressure", "Pa", f"largest contact pressure by Hertz, {where}", trace)


def _modulus(at: TracedInstant, pair: Cam | Gear) -> Any:
    E, nu = (
        tuple(expression_value(at.equations, x) for x in pair_of(value))
        for value in (pair.E, POISSON if pair.nu is None else pair.nu)
    )
    return contact_modulus((E[0], E[1]), (nu[0], nu[1]))


def _cam_output(cam: Cam) -> Output:
    if cam.follower == "knife":
        return refused(cam.name, "hertz_pressure", "a knife edge has no radius of curvature.")
    if cam.groove:
        return refused(
            cam.name, "hertz_pressure", "the side of the groove that is in contact changes with the force."
        )
    return _hertz(cam, partial(_cam_pressure, cam=cam), "in the contact of cam and follower")


def _cam_pressure(at: TracedInstant, cam: Cam) -> Matrix:
    eq = at.equations
    curvature = 1 / contact_expressions(eq)[cam.name]["radius"]
    if not cam.flat:
        curvature = curvature + 1 / expression_value(eq, cam.roller)
    assert cam.width is not None
    load = ca.fmax(contact_normal_force(at, cam.name), 0) / expression_value(eq, cam.width)
    return ca.sqrt(load * _modulus(at, cam) * ca.fmax(curvature, 0) / pi)


def _gear_pressure(at: TracedInstant, gear: Gear) -> Matrix:
    constraint, place = at.couplings[gear.name]
    assert isinstance(constraint, GearingRow)
    assert gear.width is not None
    width, normal_angle, helix = (
        expression_value(at.equations, x) for x in (gear.width, gear.pressure_angle, gear.helix_angle)
    )
    first, second = constraint.pitch_radii
    curvature = ca.fabs(1 / first - 1 / second) if gear.internal else 1 / first + 1 / second
    transverse = ca.atan(ca.tan(normal_angle) / ca.cos(helix))
    base = ca.cos(helix) * ca.cos(normal_angle) / ca.cos(transverse)  # cos β_b
    shape = curvature * base / (ca.cos(transverse) * ca.sin(transverse))
    return ca.sqrt(ca.fabs(at.lam[place]) / width * _modulus(at, gear) * shape / pi)
