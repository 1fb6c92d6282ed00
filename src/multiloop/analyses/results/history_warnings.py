"""All warnings of a result, and those about its time histories: lost contact, pressure angles, strokes, sides of cam
followers, large deflections, modal truncation.

This module also contains the sentence about forces that equilibrium does not determine, used in all printed results.

Theory: docs/theory/10-flexible-bodies.md, eqs. (10.20), (10.21).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from multiloop.analyses.results.histories import ContactHistory, JointHistory, LinkHistory, struts_of
from multiloop.model import (
    GROUND,
    Cam,
    Mechanism,
    ResultWarning,
    implausible_numbers,
    overshooting_tables,
    percent_text,
    unique_warnings,
    value_of,
)
from multiloop.model.beams.beam import Beam
from multiloop.model.beams.default_modes import default_basis_adds_modes, interfaces_add_modes
from multiloop.model.checks.cam_checks import swing_mounting, translates
from multiloop.model.expressions.units import unsigned_zero
from multiloop.model.marker_poses import marker_pose, nominal_value
from multiloop.model.markers import body_of
from multiloop.spatial import numeric

if TYPE_CHECKING:
    from multiloop.analyses.results.histories import LoadHistory
    from multiloop.analyses.results.result import Result
    from multiloop.model import Body


def warnings_of(result: Result) -> tuple[ResultWarning, ...]:
    """All warnings of a result: about the description, the histories, the computation, the start-up transient and the
    modes of flexible links."""
    mechanism, histories = result.mechanism, result.whole_warnings
    return unique_warnings(
        [
            *implausible_numbers(mechanism),
            *overshooting_tables(mechanism),
            *(warnings_of_histories(result) if histories is None else histories),
            *result.reported,
            *(result.startup(result) if result.startup else ()),
            *truncation_warnings(result.links, mechanism),
        ]
    )


def warnings_of_histories(result: Result) -> tuple[ResultWarning, ...]:
    """Warnings about strokes, sides of cam followers, contacts and large deflections."""
    return unique_warnings(
        [
            *stroke_warnings(result.mechanism, result.joints),
            *follower_side_warnings(result),
            *contact_warnings(result.joints, result.time),
            *large_deflection_warnings(result.links),
        ]
    )


def contact_warnings(joints: Mapping[str, JointHistory], time: np.ndarray) -> Iterator[ResultWarning]:
    """Warnings about contacts that separate, and about pressure angles beyond their limit."""
    for name, one in joints.items():
        if isinstance(one, ContactHistory) and np.isfinite(one.separated_at):
            yield separation_warning(name, time, one.separated_at)
    for name, one in joints.items():
        if isinstance(one, ContactHistory) and one.limit is not None:
            k = int(np.argmax(one.pressure_angle))
            if one.pressure_angle[k] > one.limit:
                value, t = float(one.pressure_angle[k]), float(time[k])
                angle, limit = np.degrees(value), np.degrees(one.limit)
                text = (
                    f"the pressure angle of '{name}' is {angle:.3g}° at t = {t:.6g} s, above its limit of "
                    f"{limit:.3g}°"
                )
                yield ResultWarning("W61", name, text, value, "rad", t)


def separation_warning(name: str, time: np.ndarray, separated_at: float) -> ResultWarning:
    """The warning that the contact of the joint `name` is lost, with the two instants between which it is lost."""
    k = int(np.argmin(np.abs(time - separated_at)))
    when = f"at t = {time[0]:.6g} s"
    if k:  # only an event on ml.normal(name) would locate the zero of the normal force between two instants
        when = f"between t = {time[k - 1]:.6g} s and {time[k]:.6g} s"
    text = f"'{name}' loses contact {when}, where its normal force falls below zero"
    return ResultWarning("W60", name, text, time=float(separated_at))


STROKE_TOLERANCE = 1e-9
"""Largest excess of a strut's length over its maximum length, or shortfall below its minimum length, relative to that
limit, for which no warning is given."""


def stroke_warnings(mechanism: Mechanism, joints: Mapping[str, JointHistory]) -> Iterator[ResultWarning]:
    """Warnings for struts whose length is outside their stroke."""
    for strut in struts_of(mechanism):
        short, long = (value_of(end) or 0.0 for end in strut.length)
        least, most = float(joints[strut.name].position.min()), float(joints[strut.name].position.max())
        if most > long * (1 + STROKE_TOLERANCE):
            text = f"strut '{strut.name}' is up to {most:.6g} m long, but its maximum length is {long:g} m"
            yield ResultWarning("W64", strut.name, text, most, "m")
        if least < short * (1 - STROKE_TOLERANCE):
            text = f"strut '{strut.name}' is as short as {least:.6g} m, but its minimum length is {short:g} m"
            yield ResultWarning("W65", strut.name, text, least, "m")


def follower_side_warnings(result: Result) -> Iterator[ResultWarning]:
    """Warnings for followers assembled on a side of the cam for which its profile was not generated.

    The contact is closed there too, but the motion of the follower is not the given motion law.
    """
    for cam in (pair for pair in result.mechanism.pairs if isinstance(pair, Cam)):
        if cam.pivot is not None:
            yield from _swing_side_warnings(result, cam)
        elif cam.lift is not None and not cam.flat and translates(result.mechanism, cam):
            tip = _initial_pose(result, cam.second)
            if tip[:, 1] @ (tip[:, 3] - _initial_pose(result, cam.first)[:, 3]) < 0:
                text = (
                    f"the follower of cam '{cam.name}' is on the other side of the cam: the y axis of '{cam.second}' "
                    "points towards the cam axis, so that the follower has the lift of the opposite cam angle; turn "
                    f"the axes of '{cam.second}' by half a turn, or give a guess on the side of +y"
                )
                yield ResultWarning("W62", cam.name, text)


def _swing_side_warnings(result: Result, cam: Cam) -> Iterator[ResultWarning]:
    """The warning for a swinging follower on the other side of the line from the cam axis to the pivot.

    The profile is generated for a follower that swings outward counter-clockwise (σ = 1) or clockwise (σ = −1). With
    the vectors p from the cam axis to the pivot and g to the end of the arm (for a flat face, its outward normal), and
    the unit vector e_z of the cam axis, a follower on the side of the profile satisfies

        σ e_z · (p × g) < 0
    """
    mounting = swing_mounting(result.mechanism, cam)
    if mounting is None:
        return
    shaft, pivot, arm_end = mounting
    axis = _initial_pose(result, shaft.here)
    g = _initial_pose(result, arm_end)
    across = g[:, 1] if cam.flat else g[:, 3] - axis[:, 3]
    side = np.cross(_initial_pose(result, pivot.here)[:, 3] - axis[:, 3], across)
    if (-1 if cam.clockwise else 1) * float(side @ _initial_pose(result, cam.first)[:, 2]) > 0:
        asked, found = ("", "counter-")[:: 1 if cam.clockwise else -1]
        text = (
            f"the follower of cam '{cam.name}' swings outward {found}clockwise in this assembly mode, but its "
            f"profile is generated for a {asked}clockwise swing, so that it does not follow the motion law: "
            f"give clockwise={not cam.clockwise}, or a guess on the other side of the line from the cam axis to "
            "the pivot"
        )
        yield ResultWarning("W63", cam.name, text)


def _initial_pose(result: Result, reference: str) -> np.ndarray:
    """The 3×4 pose [rotation matrix | position] of a marker of a rigid body at the first instant."""
    mechanism, body = result.mechanism, body_of(reference)
    X = np.eye(3, 4) if body == GROUND else result.poses[body][0]
    marker = mechanism.body(body).marker(reference.partition(".")[2])
    pose = marker_pose(marker, nominal_value, mechanism.planar)
    R, p = numeric(pose.R), numeric(pose.p).ravel()
    return np.column_stack([X[:, :3] @ R, X[:, :3] @ p + X[:, 3]])


LARGE_DEFLECTION = 0.1
"""Deflection of a flexible link, as a fraction of the length of the link, beyond which its kinematics, of second order
in the elastic coordinates, is inaccurate."""


def large_deflection_warnings(links: Mapping[str, LinkHistory]) -> Iterator[ResultWarning]:
    """Warnings for links whose deflection or stretch is too large for their modes."""
    for name, link in links.items():
        deflection = link.largest_deflection if link.deflects_beyond(LARGE_DEFLECTION) else 0.0
        for code, verb, part in (("W80", "deflects", deflection), ("W81", "stretches", link.largest_stretch)):
            if part > LARGE_DEFLECTION:
                text = f"'{name}' {verb} {part:.2g} of its {link.measure}; its modes are inaccurate beyond "
                yield ResultWarning(code, name, f"{text}{LARGE_DEFLECTION:g}", float(part), "1")


LARGE_TRUNCATION = 0.05
"""Truncation error of the modes of a link, as a fraction of the link's elastic displacement or rotation, above which
the error is reported."""


AMPLIFIED = 10
"""Factor by which the truncation error may exceed its static estimate if the frequency of the loads is comparable to
that of an omitted mode."""

FAST_LOADS = 0.5
"""Value of (Ω/ω)² above which omitted modes do not respond quasi-statically to their loads; Ω is the frequency of the
loads, ω the natural frequency of the first omitted mode."""


def truncation_warnings(links: Mapping[str, LinkHistory], mechanism: Mechanism) -> Iterator[ResultWarning]:
    """Warnings for flexible links whose modes cannot represent a large part of the deformation."""
    for name, link in links.items():
        found = link.truncation
        if found is None:
            continue
        remedy = _truncation_remedy(mechanism.body(name), mechanism)
        if found.relative > LARGE_TRUNCATION:
            left_out = percent_text(found.relative)
            text = f"the modes of '{name}' leave out about {left_out} of its deformation: {remedy}"
            yield ResultWarning("W82", name, text, float(found.relative), "1")
        if found.speed > FAST_LOADS and found.relative > LARGE_TRUNCATION / AMPLIFIED:
            text = (
                f"loads of '{name}' vary as fast as its first omitted mode (squared ratio of the "
                f"frequencies {found.speed:.2g}): {remedy}"
            )
            yield ResultWarning("W83", name, text, float(found.speed), "1")


def _truncation_remedy(body: Body, mechanism: Mechanism) -> str:
    """Text with the measures that would add modes to a link and so reduce its truncation error."""
    measures = ["more modes"]
    if isinstance(body, Beam) and default_basis_adds_modes(body, mechanism):
        measures.append("the default basis")
    if isinstance(body, Beam) and interfaces_add_modes(body):
        measures.append("`interfaces` at the markers where it is loaded")
    separator = ", or " if len(measures) > 2 else " or "
    listed = ", ".join(measures[:-1]) + separator if len(measures) > 1 else ""
    return f"give it {listed}{measures[-1]}"


MOST = 10
"""Largest number of names listed in one sentence, since large mechanisms have hundreds of joints."""


def undetermined_note(result: Result) -> str:
    """A sentence that lists the forces which equilibrium does not determine; empty if all are determined."""
    undetermined = undetermined_forces(result)
    opening = "Equilibrium does not determine these forces (the minimum-norm solution is shown)"
    return f"{opening}: {undetermined}" if undetermined else ""


def undetermined_forces(result: Result) -> str:
    """Text that lists by name the reactions and forces of loads that equilibrium does not determine; empty if there are
    none."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, joint in result.joints.items():
        if joint.undetermined:
            alike.setdefault(joint.undetermined, []).append(name)
    for name, coupling in result.couplings.items():
        if not coupling.determined:
            alike.setdefault(tuple(word for word, _ in result.plan.unique[name]), []).append(name)
    texts = [f"{_first_names(names, ', ')} ({', '.join(parts)})" for parts, names in alike.items()]
    loads = [load for load in result.loads.values() if load.undetermined]
    texts += [f"{load.name} ({_range_text(load, result.time)})" for load in loads[:MOST]]
    texts += [f"{len(loads) - MOST} more loads"] if len(loads) > MOST else []
    return "; ".join(texts)


def _range_text(load: LoadHistory, time: np.ndarray) -> str:
    """Text with the first undetermined quantity of a load, and the interval of its admissible values at the instant at
    which its reported value is largest.

    The interval is computed at this instant only, because every instant requires the solution of two linear programs.
    """
    name = load.undetermined[0]
    k = load.largest_undetermined(name)
    ends = load.at_instants(np.array([k])).range(name)
    if ends.ndim > 2:  # a vector has one range per component; only its name is listed
        return name
    low, high = (f"{unsigned_zero(float(end), 9):.6g}" for end in ends[0])
    when = "" if len(time) == 1 else f" at t = {time[k]:.6g} s"
    return f"{name}: any value from {low} to {high} {load.units.get(name, '')}{when}"


def _first_names(words: list[str], between: str) -> str:
    """Text with the first MOST of the names `words`, separated by `between`, and the number of the other names."""
    more = [f"{len(words) - MOST} more"] if len(words) > MOST else []
    return between.join([*words[:MOST], *more])
