"""Default body frame, mode basis and number of modes of a beam, from the wrench components that its joints transmit.

    frame       "a" if joints are only at `a`, or transmit moments only at `a`; else "chord"
    basis       "interface" for every deformation in which transmitted components do not vanish in the body frame: a
                constraint mode for each such component, and fixed-interface modes; "natural" for other deformations,
                and if fewer modes are requested than there are constraint modes
    interfaces  the transmitted components
    modes       the constraint modes and one fixed-interface mode, at least two, in each plane of bending; if joints
                connect both ends to the same body, also one axial mode, since bending then stretches the beam

A wrench component (a force along, or a moment about, an axis of the beam) is transmitted if any constraint wrench of
the joint has a part along it: a spatial revolute joint with its axis inclined between two axes of the beam transmits
moments about both. A joint that is driven by a motion or an actuator of the mechanism transmits all components: an arm
on its motor is a cantilever. If the drives of a mechanism are removed, its beams keep their modes
(`Mechanism.without_drives`). Axial and torsional modes are not chosen by default: their frequencies exceed those of
bending by a factor of about the slenderness of the beam. Source: [craig_bampton].

Theory: docs/theory/10-flexible-bodies.md, section 10.5.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from multiloop.model.beams.beam import AUTO, BOTH_ENDS, DEFAULT_MODE_COUNT, INTERFACE, NATURAL, Beam
from multiloop.model.beams.beam_interfaces import (
    AXIAL_DEFORMATIONS,
    SECTION_COMPONENTS,
    constraint_mode_count,
    deformation_components,
    frame_conditions,
    interface_parts,
)
from multiloop.model.beams.beam_line import COINCIDENCE, leaves_plane, line_faults
from multiloop.model.beams.sections import Section
from multiloop.model.connection import Connection
from multiloop.model.implied_parts import expanded_joints
from multiloop.model.joints import Free, Joint
from multiloop.model.marker_poses import marker_pose, nominal_value
from multiloop.model.markers import are_pairs, body_of, value_of
from multiloop.spatial import Pose

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

BENDING_DEFORMATIONS = ("y", "z", "space")
"""Deformations in which a beam bends: with deflection along y, along z, or in all directions (cranked beams)."""

TRANSMISSION_THRESHOLD = 1e-6
"""A joint transmits a wrench component if this component exceeds the threshold in one of its constraint wrenches of
unit size; moment arms are divided by the length of the beam."""

SAMPLE_ANGLES = (0.0, 0.5, 1.1)
"""Joint angles (rad) at which constraint wrenches are evaluated, since those of a universal joint depend on its
angles."""

FORCE_COMPONENTS = np.array([True] * 3 + [False] * 3)
"""Which of the six wrench components a higher pair is taken to transmit: the three forces, no moments."""


def beam_with_default_modes(beam: Beam, mechanism: Mechanism) -> Beam:
    """The beam in which frame, basis and modes that are "auto", and default interfaces, are chosen from its joints."""
    if not _has_valid_choices(beam):
        return beam
    driven = {drive.of for drive in mechanism.drives} | {motor.joint for motor in mechanism.actuators}
    at = {end: _transmitted_at_end(beam, end, mechanism, driven) for end in "ab"}
    open_frame = beam.frame == AUTO
    if open_frame:
        beam = replace(beam, frame=_default_frame(beam, at, mechanism.planar))
    if not (isinstance(beam.basis, str) and beam.basis == AUTO):
        return _with_mode_counts(beam, mechanism)
    chosen = _interface_names(beam, at) if beam.interfaces == BOTH_ENDS else beam.interfaces
    joined = replace(beam, interfaces=chosen, basis=INTERFACE)
    joined = _with_mode_counts(joined, mechanism)
    short = [way for way, count in _mode_counts(joined) if not _has_enough_modes(joined, way, count)]
    slopes = {
        way: _rotation_components(joined, way)
        for way, _ in _mode_counts(joined)
        if way in BENDING_DEFORMATIONS
    }
    if open_frame and short and slopes and all(at["a"][axes].any() for axes in slopes.values()):
        return replace(joined, frame="a", basis=NATURAL, interfaces=beam.interfaces)
    found = {
        way: INTERFACE if _uses_constraint_modes(joined, way, count) else NATURAL
        for way, count in _mode_counts(joined)
    }
    if all(basis == NATURAL for basis in found.values()):
        return replace(joined, basis=NATURAL, interfaces=beam.interfaces)
    pulled = dict.fromkeys(
        [
            way
            for way in found
            if way in AXIAL_DEFORMATIONS and _has_enough_modes(joined, way, dict(_mode_counts(joined))[way])
        ],
        INTERFACE,
    )
    return replace(joined, basis=tuple((found | pulled).items()))


def default_basis_adds_modes(beam: Beam, mechanism: Mechanism) -> bool:
    """Whether the default basis and interfaces, with the beam's own frame and numbers of modes, would give constraint
    modes that the beam does not have."""
    default = replace(beam, basis=AUTO, interfaces=BOTH_ENDS).with_defaults(mechanism)
    return bool(_interface_components(default) - _interface_components(beam))


def interfaces_add_modes(beam: Beam) -> bool:
    """Whether the beam would have more constraint modes of bending if all of its markers were interfaces."""
    full = replace(beam, interfaces=tuple(name for name, _ in beam.markers))
    return any(
        beam.basis_of(way) != INTERFACE or constraint_mode_count(full, way) > constraint_mode_count(beam, way)
        for way, _ in _mode_counts(beam)
        if way in BENDING_DEFORMATIONS
    )


def _interface_components(beam: Beam) -> set[tuple[str, str, int]]:
    """The set of all constraint modes of a beam, as tuples of deformation, marker name and index in
    SECTION_COMPONENTS."""
    return {
        (way, marker, k)
        for way, _ in _mode_counts(beam)
        if beam.basis_of(way) == INTERFACE
        for marker, parts in interface_parts(beam.interfaces)
        for k in set(parts) & set(deformation_components(beam, way))
    }


def _has_valid_choices(beam: Beam) -> bool:
    """Whether the centreline, sections, basis and interfaces of a beam are valid; invalid ones are reported by
    `beam_faults`."""
    lined = beam.through == () or not list(line_faults("", beam.through))
    named = isinstance(beam.interfaces, tuple) and all(isinstance(entry, str) for entry in beam.interfaces)
    sections = isinstance(beam.section, Section) and isinstance(beam.section_at_b, Section | None)
    return lined and named and sections and (isinstance(beam.basis, str) or are_pairs(beam.basis))


def _default_frame(beam: Beam, at: dict[str, np.ndarray], planar: bool) -> str:
    """The default body frame: "a" (fixed to the section at marker `a`) or "chord" (through both ends).

    `at` states for each end which of the six wrench components the joints at this end transmit.
    """
    slopes = [_rotation_components(beam, way) for way in default_deformations(beam, planar)]
    moments = {end: [bool(at[end][axes].any()) for axes in slopes] for end in "ab"}
    from_a = slopes and all(moments["a"]) and not any(moments["b"])
    return "a" if from_a or (at["a"].any() and not at["b"].any()) else "chord"


def default_deformations(beam: Beam, planar: bool) -> list[str]:
    """The bending deformations in `modes` of a beam or, if `modes` is "auto", those that are chosen by default."""
    counts = _mode_counts(beam)
    if not beam.has_default_modes:
        return [way for way, _ in counts if way in BENDING_DEFORMATIONS]
    if beam.through and leaves_plane(beam.through):
        return ["space"]
    return ["y"] if planar or not _bends_out_of_plane(beam) else ["y", "z"]


def _bends_out_of_plane(beam: Beam) -> bool:
    """Whether the sections of a beam have the stiffness that deflection along z requires: a positive Iy.

    A cranked beam also twists in this deflection and requires a positive torsion constant J.
    """
    for section in (beam.section, beam.section_at_b):
        needed = () if section is None else (section.Iy, section.J) if beam.through else (section.Iy,)
        if any(not (value_of(value) or 0.0) > 0 for value in needed):
            return False
    return True


def _with_mode_counts(beam: Beam, mechanism: Mechanism) -> Beam:
    """The beam with default numbers of modes if its field `modes` is "auto"; otherwise unchanged."""
    if not beam.has_default_modes:
        return beam
    modes = []
    for way in default_deformations(beam, mechanism.planar):
        static = constraint_mode_count(beam, way) if beam.basis_of(way) == INTERFACE else 0
        modes.append((way, max(static + len(_rotation_components(beam, way)), DEFAULT_MODE_COUNT)))
    shortens = beam.stiffening is True and not beam.through
    stretched = [("x", 1)] if shortens and _is_fixed_lengthwise(beam, mechanism) else []
    return replace(beam, modes=(*modes, *stretched))


def _is_fixed_lengthwise(beam: Beam, mechanism: Mechanism) -> bool:
    """Whether joints fix both ends of the beam to points of one other body, so that the ends keep their distance."""
    beyond = []
    for end in "ab":
        joints = [one for one, _ in _joints_at(mechanism, beam, end) if isinstance(one, Joint)]
        fixed = [one for one in joints if one.holds_point(mechanism.planar)]
        beyond.append({body_of(at) for one in fixed for at in (one.first, one.second)} - {beam.name})
    return bool(beyond[0] & beyond[1])


def _mode_counts(beam: Beam) -> tuple[tuple[str, Any], ...]:
    return beam.modes if are_pairs(beam.modes) else ()


def _rotation_components(beam: Beam, deformation: str) -> list[int]:
    """Indices in SECTION_COMPONENTS of those rotations, ry (4) and rz (5), that are not zero in a bending
    deformation."""
    return [k for k in deformation_components(beam, deformation) if k in (4, 5)]


def _has_enough_modes(beam: Beam, deformation: str, count: Any) -> bool:
    """Whether the number of modes `count` of a deformation is at least the number of its constraint modes."""
    return isinstance(count, int) and count >= constraint_mode_count(beam, deformation)


def _uses_constraint_modes(beam: Beam, deformation: str, count: Any) -> bool:
    """Whether a deformation with `count` modes is given constraint modes by default.

    False if `count` is smaller than the number of constraint modes, if there are no constraint modes, and for
    stretching and twist of a straight beam with the frame "chord".
    """
    if deformation in AXIAL_DEFORMATIONS and beam.frame == "chord" and not beam.through:
        return False
    return _has_enough_modes(beam, deformation, count) and constraint_mode_count(beam, deformation) > 0


def _interface_names(beam: Beam, at: dict[str, np.ndarray]) -> tuple[str, ...]:
    """Interface names, such as "b.rz", of those section components that are not zero in the body frame and whose forces
    or moments the joints transmit; `at` states for each end which of the six components are transmitted."""
    held = {
        (end, int(direction.argmax())) for end, direction in frame_conditions(beam) if (direction == 1).any()
    }
    return tuple(
        f"{end}.{name}"
        for end in "ab"
        for k, name in enumerate(SECTION_COMPONENTS)
        if at[end][k] and (end, k) not in held
    )


# wrench components that joints transmit ------------------------------------------------------------------------------


def _transmitted_at_end(beam: Beam, end: str, mechanism: Mechanism, driven: set[str]) -> np.ndarray:
    """Which of the six wrench components the joints and pairs at one end of a beam transmit (6 booleans).

    `driven` are the names of the joints with a motion or an actuator, which transmit all components.
    """
    found = np.zeros(6, dtype=bool)
    for joint, marker in _joints_at(mechanism, beam, end):
        found |= _transmitted_by_joint(joint, beam, marker, end, driven, mechanism.planar)
    return found


def _transmitted_by_joint(
    joint: Connection, beam: Beam, marker: str, end: str, driven: set[str], planar: bool
) -> np.ndarray:
    """Which of the six wrench components, taken at the end `end` of the beam, one joint or pair transmits (6 booleans).

    `marker` is the marker of the beam at which the joint is; `driven` are the names of the driven joints.
    """
    if joint.name in driven:
        return np.ones(6, dtype=bool)
    if not isinstance(joint, Joint):
        return FORCE_COMPONENTS
    try:
        R = np.array(ca.DM(marker_pose(beam.marker(marker), nominal_value, planar).R))
        lever = (_marker_point(beam, marker) - _marker_point(beam, end)) / (value_of(beam.length) or 1.0)
        W = np.hstack(list(_wrenches(joint, joint.first == f"{beam.name}.{marker}", planar)))
    except (ArithmeticError, RuntimeError, TypeError, ValueError):
        return FORCE_COMPONENTS  # a number of the joint is invalid, which the checks of the mechanism report
    n, f = R @ W[:3], R @ W[3:]
    found: np.ndarray = np.abs(np.vstack([f, n + np.cross(lever, f, axisb=0, axisc=0)])).max(
        axis=1, initial=0.0
    )
    return found > TRANSMISSION_THRESHOLD


def _wrenches(joint: Joint, first: bool, planar: bool) -> Any:
    """The 6×c constraint wrenches of a joint in the axes of the beam's marker, at each of SAMPLE_ANGLES; `first` states
    whether this marker is the joint's first."""
    resolved, neutral = joint.resolved(nominal_value), np.array(joint.neutral(planar), float)
    turns = np.array(joint.turning(planar), bool)
    for angle in SAMPLE_ANGLES if turns.any() and len(turns) == len(neutral) else SAMPLE_ANGLES[:1]:
        q = np.where(turns, neutral + angle, neutral) if len(turns) == len(neutral) else neutral
        R = np.array(ca.DM(resolved.pose(ca.DM(q), planar).R))
        W = np.array(ca.DM(resolved.wrenches(Pose(ca.DM(R), ca.DM.zeros(3)), planar))).reshape(6, -1)
        own = np.eye(3) if first else R.T
        yield np.vstack([own @ W[:3], own @ W[3:]])


def _joints_at(mechanism: Mechanism, beam: Beam, end: str) -> list[tuple[Connection, str]]:
    """Joints and pairs at one end of a beam, each with the beam's marker that it uses; Free joints are excluded."""
    held = [one for one in (*expanded_joints(mechanism), *mechanism.pairs) if isinstance(one, Connection)]
    there = {f"{beam.name}.{name}": name for name in beam.marker_names if _is_at_end(beam, name, end)}
    found = [(one, there[at]) for one in held for at in (one.first, one.second) if at in there]
    return [(one, marker) for one, marker in found if not isinstance(one, Free)]


def _is_at_end(beam: Beam, marker: str, end: str) -> bool:
    """Whether a marker is at an end of a beam; for a straight beam only its coordinate x is compared."""
    point, at = _marker_point(beam, marker), _marker_point(beam, end)
    size = COINCIDENCE * (value_of(beam.length) or 0.0)
    if beam.through:
        return bool(np.abs(point - at).max() <= size)
    return bool(point[0] <= size if end == "a" else point[0] >= at[0] - size)


def _marker_point(beam: Beam, marker: str) -> np.ndarray:
    """The position of a marker in the body frame (m), with parameters at the values of the description."""
    return np.array([value_of(c) or 0.0 for c in (*beam.marker(marker).point, 0.0, 0.0)[:3]])
