"""Choice of one assembly mode among several, and the error that lists them if start and guess do not select one.

The error contains a guess that selects the first of the listed assembly modes; the guess is verified before it is
reported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from multiloop.analyses.idle_spins import undetermined_motions
from multiloop.kinematics import body_poses
from multiloop.kinematics.assembly import (
    SAME_MODE_DISTANCE,
    Assembly,
    Guess,
    SeparateBodies,
    close_loops,
    drive_of,
    drive_values,
    find_assembly_modes,
    held_elastic_coordinates,
    position_requests,
    requests_not_held,
)
from multiloop.kinematics.constraints import drive_targets
from multiloop.kinematics.continuation import advance_to, instant_at
from multiloop.kinematics.tree import named_coordinates_text
from multiloop.model import AssemblyError, Fault, Mechanism, SolveError, coordinate_text
from multiloop.model.expressions.expression import finite_number

MOST_LISTED = 8
"""Largest number of assembly modes that the error message lists; `.choices` of the error contains all modes."""

DIGITS = (3, 6)
"""Significant digits of the values in the suggested guess; the larger number is used where assembly modes are close."""

DISTANCE_RATIO = 2.0
"""A guess selects an assembly mode if every other mode is at least this many times as far from the guess."""

LEAST_DISTANCE = 0.01
"""Margin in radians or characteristic lengths: a guess selects an assembly mode if every other mode is farther from the
guess than DISTANCE_RATIO times the distance of the selected mode plus this margin."""

MOST_NAMED = 4
"""Largest number of joints whose coordinates the error message contains for each assembly mode."""

MOST_STEPS = 3000
"""Largest number of steps with which the motion that the drives prescribe is followed from t = 0, where the guess
applies, to the requested time (about one second of computing); if it is exceeded, the assembly mode nearest to the
guess is chosen instead."""

Values = dict[str, tuple[float, ...]]


def ambiguous_assembly_error(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None,
    t: float,
    tied: Sequence[Assembly],
    found: Sequence[Assembly],
) -> AssemblyError:
    """The error for assembly modes `tied`, which start and guess do not distinguish.

    Its remedy is a guess that selects the first one of them among all assembly modes `found`.
    """
    choices = [plain_tuples(assembly.coordinates()) for assembly in tied]
    differing = {name for other in tied[1:] for name in tied[0].differing_joints(other)}
    varying = [name for name in choices[0] if name in differing]
    turned = [name for name in varying if _has_quaternion(mechanism, name, choices[0][name])]
    plain = [name for name in varying if name not in turned]
    distinguishing = _distinguishing_joints(choices, [*plain, *turned])
    rest = [name for name in plain if name not in distinguishing]
    named = sorted([*distinguishing, *rest[: MOST_NAMED - len(distinguishing)]], key=varying.index)
    lines = [
        f"({number}) "
        + ", ".join(
            f"{name} = {_coordinates_text(mechanism, name, choice[name], name in turned)}" for name in named
        )
        for number, choice in enumerate(choices[:MOST_LISTED], 1)
    ]
    more = f" and {len(choices) - MOST_LISTED} more" if len(choices) > MOST_LISTED else ""
    if tied[0].search_was_limited:
        count, remedy = (
            "at least ",
            "Choose one with a guess for every body; the error's `.choices[0]` is a guess for (1).",
        )
    else:
        others = [other for other in found if other is not tied[0]]
        advice = _selecting_guess(mechanism, start, t, [tied[0], *others], distinguishing)
        said = ", ".join(f'"{name}": {coordinate_text(values)}' for name, values in advice.items())
        count, remedy = "", f"Choose one with a guess, e.g. guess={{{said}}} for (1)."
    what = (
        f"{count}{len(choices)} assembly modes satisfy the prescribed coordinates: {'; '.join(lines)}{more}."
    )
    fault = Fault("K02", "assembly", what, remedy)
    return AssemblyError(f"mechanism '{mechanism.name}'", [fault], choices=choices)


def plain_tuples(values: Mapping[str, np.ndarray]) -> Values:
    """The mapping with every array converted to a tuple of floats."""
    return {name: tuple(map(float, value)) for name, value in values.items()}


def _has_quaternion(mechanism: Mechanism, name: str, values: Sequence[float]) -> bool:
    """Whether the last four values of a joint are a quaternion: the joint then has one coordinate more than degrees of
    freedom."""
    known = {one.name: one for one in mechanism.connections}
    return name in known and len(values) > known[name].degrees_of_freedom(mechanism.planar)


def _coordinates_text(mechanism: Mechanism, name: str, values: Sequence[float], has_quaternion: bool) -> str:
    """Coordinates of a joint as text; if `has_quaternion` is true, the last four are written as an angle in degrees
    about an axis."""
    if not has_quaternion:
        return named_coordinates_text(mechanism, name, values)
    e = np.array(values[-4:])
    e = -e if e[0] < 0 else e
    sine = float(np.linalg.norm(e[1:]))
    angle = np.degrees(2 * np.arctan2(sine, e[0]))
    about = f" about {coordinate_text(e[1:] / sine, DIGITS[0])}" if sine > 1e-9 else ""
    before = f"{coordinate_text(values[:-4])}, " if values[:-4] else ""
    return f"{before}turned {angle:.1f}°{about}"


def _distinguishing_joints(choices: Sequence[Values], varying: Sequence[str]) -> list[str]:
    """Names of at most MOST_NAMED joints, of those in `varying`, whose coordinates together distinguish the assembly
    modes `choices`, or else as many of these modes as can be distinguished."""
    named: list[str] = []
    apart = 1
    for name in varying:
        kinds = len(
            {tuple(coordinate_text(choice[one], DIGITS[0]) for one in (*named, name)) for choice in choices}
        )
        if kinds > apart and len(named) < MOST_NAMED:
            named, apart = [*named, name], kinds
    return named


def _selecting_guess(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None,
    t: float,
    found: Sequence[Assembly],
    distinguishing: Sequence[str],
) -> Values:
    """A guess, with coordinates of as few joints as possible, that selects the first of the assembly modes `found`.

    One joint is tried first, then the joints `distinguishing`, then all joints. The guess is verified before it is
    returned.
    """
    held = {(request.target.of, request.target.value_count()) for request in found[0].held}
    q = {
        name: q
        for name, q in plain_tuples(found[0].coordinates()).items()
        if q and (name, len(q)) not in held
    }
    rough, fine = ({name: _rounded(values, digits) for name, values in q.items()} for digits in DIGITS)
    far = _Distances(found)
    short = sorted(rough, key=lambda name: len(rough[name]))
    one = [name for name in short if _is_clearly_nearest(far.of({name: rough[name]}))]
    for names in (one[:1], distinguishing, rough):
        guess = {name: rough[name] for name in names if name in rough}
        if (
            guess
            and _is_clearly_nearest(far.of(guess))
            and _guess_selects(mechanism, start, t, guess, found[0])
        ):
            return guess
    return fine


def _is_clearly_nearest(distances: Sequence[float]) -> bool:
    """Whether the first distance is the smallest, by the margins DISTANCE_RATIO and LEAST_DISTANCE."""
    return all(DISTANCE_RATIO * distances[0] + LEAST_DISTANCE < other for other in distances[1:])


class _Distances:
    """Computes the distance of each of the assembly modes `found` from a guess.

    Only guessed values that neither the drives nor the start prescribe count, since prescribed values are the same in
    all modes.
    """

    def __init__(self, found: Sequence[Assembly]) -> None:
        self.mechanism, self.held = found[0].mechanism, found[0].held
        self.parts = SeparateBodies(self.mechanism, held_elastic_coordinates(self.mechanism, self.held))
        poses = [body_poses(one.equations, one.q, one.p) for one in found]
        self.poses = [np.array([X[body] for body in self.parts.bodies]) for X in poses]

    def of(self, guess: Values) -> list[float]:
        wished = requests_not_held(position_requests(self.mechanism, guess, "guess"), self.held)
        own = Guess(self.parts, self.held, wished)
        return [own.distance(X).norm for X in self.poses]


def _guess_selects(
    mechanism: Mechanism, start: Mapping[str, Any] | None, t: float, guess: Values, wanted: Assembly
) -> bool:
    """Whether a guess selects the wanted assembly mode, and every other mode is clearly farther from the guess."""
    nearest, *others = find_assembly_modes(mechanism, start=start, guess=guess, t=t)
    clear = _is_clearly_nearest([one.guess_norm for one in (nearest, *others)])
    return clear and bool(np.abs(nearest.joint_points - wanted.joint_points).max(initial=0.0) < 1e-6)


def _rounded(values: tuple[float, ...], digits: int) -> tuple[float, ...]:
    return tuple(float(f"{value:.{digits}g}") for value in values)


def choose_assembly_mode(
    mechanism: Mechanism, start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None, t: float
) -> Assembly:
    """The assembly mode that start and guess select; an error is raised if several remain.

    The guess of the mechanism describes the position at t = 0. For another time, if neither a start nor another guess
    is given, the drives are followed from this position to the time t; if they cannot be followed, the assembly mode
    nearest to the guess is chosen.
    """
    followed = None  # also for an invalid time, for which the search below raises an error
    if finite_number(t) and not start and guess is None and mechanism.guess:
        with suppress(AssemblyError, SolveError):
            followed = _followed_mode(mechanism, t)
    try:
        chosen = choose_among(find_assembly_modes(mechanism, start=start, guess=guess, t=t), start, t)
    except AssemblyError:
        if followed is None:
            raise
        return followed
    return chosen if followed is None or _have_same_joint_points(chosen, followed) else followed


def _have_same_joint_points(one: Assembly, other: Assembly) -> bool:
    return bool(np.abs(one.joint_points - other.joint_points).max(initial=0.0) < SAME_MODE_DISTANCE)


def _followed_mode(mechanism: Mechanism, t: float) -> Assembly | None:
    """The assembly mode at time t that the drives reach from the guess at t = 0; None if they do not determine it.

    AssemblyError or SolveError is raised if the drives cannot be followed, because they reach a dead-centre position or
    because the time is too long.
    """
    # imported here, since the package prescribed_motion imports this module
    from multiloop.analyses.prescribed_motion.cycle import advance_whole_periods

    first = _mode_at_zero(mechanism)
    eq, p = first.equations, first.p
    if eq.targets != drive_targets(mechanism) or undetermined_motions(first).count:
        return None
    drive, held = drive_of(eq), drive_values(mechanism, t)
    begin = instant_at(eq, 0.0, first.q, drive, p)
    begin = advance_whole_periods(eq, begin, t, drive, p) or begin
    q = advance_to(eq, begin, t, drive, p, most_steps=MOST_STEPS).q
    closing = close_loops(eq, q, drive(t, 0), p)
    parts = SeparateBodies(mechanism, held_elastic_coordinates(mechanism, held))
    guessed = requests_not_held(position_requests(mechanism, dict(mechanism.guess), "guess"), held)
    distance = Guess(parts, held, guessed).distance(
        np.array([body_poses(eq, closing.q, p)[body] for body in parts.bodies])
    )
    return replace(
        first,
        q=closing.q,
        s=drive(t, 0),
        t=t,
        gap=closing.gap,
        distance=distance.farthest,
        guess_norm=distance.norm,
        farthest=distance.body,
        guess_deviations=(),
        held=held,
    )


@lru_cache(maxsize=8)
def _mode_at_zero(mechanism: Mechanism) -> Assembly:
    """The assembly mode at t = 0 that the guess of the mechanism selects."""
    return choose_among(find_assembly_modes(mechanism), None, 0.0)


def choose_among(found: Sequence[Assembly], start: Mapping[str, Any] | None, t: float) -> Assembly:
    """The assembly mode nearest to the guess; an error is raised if several different modes are equally near.

    `found` is sorted by distance from the guess. In space, assembly modes that differ only by rotations of
    bodies about the lines through their joints count as one; the one with the smallest joint angles is taken.
    """
    tied = [other for other in found if other.guess_norm <= found[0].guess_norm * (1 + 1e-6) + 1e-9]
    alone = _distinct_joint_positions(isolated_assembly_modes(tied)) if len(tied) > 1 else tied
    if len(alone) > 1:
        raise ambiguous_assembly_error(found[0].mechanism, start, t, alone, found)
    return (alone or found)[0]


def _distinct_joint_positions(found: Sequence[Assembly]) -> list[Assembly]:
    """One assembly mode for each set of modes in which all joint markers have the same positions in space.

    The attribute `half_turned` of the returned mode lists the joints whose coordinates differ between the modes of this
    set.

    In planar mechanisms no body can rotate about the line through its joints, so that all assembly modes differ.
    """
    if not found or found[0].mechanism.planar:
        return list(found)
    kinds: list[list[Assembly]] = []
    for one in found:
        same = [
            k
            for k in kinds
            if np.abs(k[0].joint_places - one.joint_places).max(initial=0.0) < SAME_MODE_DISTANCE
        ]
        if same:
            same[0].append(one)
        else:
            kinds.append([one])
    return [_nearest_to_zero_pose(kind) for kind in kinds]


def _nearest_to_zero_pose(alike: Sequence[Assembly]) -> Assembly:
    chosen = min(alike, key=lambda one: one.distance_from_zero_pose)
    own, planar = chosen.coordinates(), chosen.mechanism.planar
    differing = {name for one in alike if one is not chosen for name in chosen.differing_joints(one)}
    turned = [
        name
        for name, joint in chosen.mechanism.joints_by_name.items()
        if joint.degrees_of_freedom(planar) == len(own[name]) and name in differing
    ]
    return replace(chosen, half_turned=tuple(turned)) if turned else chosen


def isolated_assembly_modes(found: Sequence[Assembly]) -> list[Assembly]:
    """Assembly modes in which no degree of freedom is undetermined, apart from idle spins.

    Only modes with the smallest number of degrees of freedom are considered: a linkage may have more degrees of
    freedom in a folded position.
    """
    least = min(assembly.degrees_of_freedom for assembly in found)
    alone = [assembly for assembly in found if assembly.degrees_of_freedom == least]
    return alone if least == 0 or not undetermined_motions(alone[0]).count else []
