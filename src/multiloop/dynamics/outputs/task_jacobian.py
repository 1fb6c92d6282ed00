"""Outputs of markers that relate their velocity to the rates of the inputs: task Jacobian and manipulability.

    v = J θ̇,      ω = J_ω θ̇,      w = √det(J Jᵀ),  or √det(JᵀJ) if there are fewer inputs than components of v

v and ω are the velocity and the angular velocity of the marker in inertial axes, θ̇ the rates of the inputs
(`input_motions`). For a mechanism with one input, w is the speed of the marker per unit rate.

Source: [yoshikawa], for at least as many inputs as components of v.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import casadi as ca

from multiloop.dynamics.outputs.input_motions import InputMotions, input_motions_of
from multiloop.dynamics.outputs.output import AXES, Output, refused
from multiloop.dynamics.outputs.traced_instant import TracedInstant
from multiloop.kinematics import marker_motion
from multiloop.spatial import Matrix


def task_outputs(at: TracedInstant, reference: str) -> Iterator[Output]:
    """Task Jacobian and manipulability of a marker "body.marker"."""
    inputs = input_motions_of(at.equations)
    words = ("jacobian", "angular_jacobian", "manipulability")
    if inputs.refusal:
        yield from (refused(reference, word, inputs.refusal) for word in words)
        return
    lengths = [one.is_length for one in inputs.inputs]
    for word, axes, what, unit in (
        ("jacobian", AXES[: 2 if at.planar else 3], "velocity of the marker", "m"),
        ("angular_jacobian", AXES[2:] if at.planar else AXES, "angular velocity of the marker", "rad"),
    ):
        yield Output(
            reference,
            word,
            tuple(_per(unit, is_length) for _ in axes for is_length in lengths),
            f"{what} per unit rate of each input",
            partial(_flat_jacobian, reference=reference, angular=unit == "rad"),
            tuple(f"{axis}_{name}" for axis in axes for name in inputs.names),
            recorded=False,
            tabulated=False,
        )
    rows = 2 if at.planar else 3
    if len(set(lengths)) > 1 and len(lengths) != rows:
        reason = "the inputs are angles and lengths, whose squares cannot be added."
        yield refused(reference, "manipulability", reason)
        return
    power = (
        len(lengths) - sum(lengths) if len(lengths) == rows else min(rows, len(lengths)) * (not lengths[0])
    )
    yield Output(
        reference,
        "manipulability",
        {0: "1", 1: "m/rad"}.get(power, f"m{power}/rad{power}"),
        "√det(J Jᵀ) of the task Jacobian J; with fewer inputs than components √det(JᵀJ)",
        partial(_manipulability, reference=reference),
        recorded=False,
        tabulated=False,
    )


def _per(unit: str, is_length: bool) -> str:
    """Unit of a rate in "m" or "rad" per unit rate of an input."""
    divisor = "m" if is_length else "rad"
    return "1" if unit == divisor else f"{unit}/{divisor}"


def marker_rows(at: TracedInstant, reference: str, *, angular: bool = False) -> Matrix:
    """The rows that map the rates of joints to the velocity, or the angular velocity, of a marker in inertial axes."""
    moving, inputs = marker_motion(at.equations, reference)[1], input_motions_of(at.equations)
    rates = moving.omega[2 if at.planar else slice(0, 3)] if angular else moving.v[: 2 if at.planar else 3]
    return ca.jacobian(ca.SX(rates), at.equations.v)[:, inputs.joint_rates]


def _jacobian(at: TracedInstant, reference: str, inputs: InputMotions, angular: bool = False) -> Matrix:
    return ca.densify(marker_rows(at, reference, angular=angular) @ inputs.motions)


def _flat_jacobian(at: TracedInstant, reference: str, angular: bool) -> Matrix:
    """The Jacobian row by row as a column."""
    J = _jacobian(at, reference, input_motions_of(at.equations), angular)
    return ca.reshape(J.T, -1, 1)


def _manipulability(at: TracedInstant, reference: str) -> Matrix:
    J = _jacobian(at, reference, input_motions_of(at.equations))
    rows, columns = J.shape
    if rows == columns:
        return ca.fabs(ca.det(J))
    square = ca.det(J @ J.T if rows < columns else J.T @ J)
    # unlike fmax, this keeps the NaN of undefined motions
    return ca.sqrt((square + ca.fabs(square)) / 2)
