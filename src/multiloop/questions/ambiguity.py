"""The error raised when several assembly modes fit start and guess, with a guess that selects one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.kinematics.assembly import Assembly, closures
from multiloop.kinematics.guessing import Guess
from multiloop.kinematics.parts import Parts
from multiloop.kinematics.readings import body_poses
from multiloop.kinematics.requests import held_shapes, left_to_wish, position_requests
from multiloop.model import AssemblyError, Fault, Mechanism
from multiloop.model.names import shown

MOST_LISTED = 8
"""Assembly modes written out in the message; `.choices` of the error has them all."""

DIGITS = (3, 6)
"""Significant digits of the values in the suggested guess; the larger number is used where assembly modes are close."""

CLEARLY = 2.0
"""A guess selects an assembly mode if every other one is this many times as far from the guess,"""

LEAST = 0.01
"""and at least this far, in radians or characteristic lengths."""

MOST_NAMED = 4
"""Joints written out for each assembly mode."""

Values = dict[str, tuple[float, ...]]


def ambiguous(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None,
    t: float,
    tied: Sequence[Assembly],
    found: Sequence[Assembly],
) -> AssemblyError:
    """The error for assembly modes `tied` among all `found` ones, with a guess that selects the first of them."""
    choices = [plain_tuples(assembly.coordinates()) for assembly in tied]
    differing = {name for other in tied[1:] for name in tied[0].differing(other)}
    varying = [name for name in choices[0] if name in differing]
    turned = [name for name in varying if _has_quaternion(mechanism, name, choices[0][name])]
    plain = [name for name in varying if name not in turned]
    telling = _telling(choices, [*plain, *turned])
    rest = [name for name in plain if name not in telling]
    told = sorted([*telling, *rest[: MOST_NAMED - len(telling)]], key=varying.index)
    lines = [
        f"({number}) " + ", ".join(f"{name} = {_read(choice[name], name in turned)}" for name in told)
        for number, choice in enumerate(choices[:MOST_LISTED], 1)
    ]
    more = f" and {len(choices) - MOST_LISTED} more" if len(choices) > MOST_LISTED else ""
    if tied[0].large:
        count, remedy = (
            "at least ",
            "Choose one with a guess of every body; the error's `.choices[0]` is one for (1).",
        )
    else:
        others = [other for other in found if other is not tied[0]]
        advice = _choosing(mechanism, start, t, [tied[0], *others], telling)
        said = ", ".join(f'"{name}": {shown(values)}' for name, values in advice.items())
        count, remedy = "", f"Choose one with a guess, e.g. guess={{{said}}} for (1)."
    what = f"{count}{len(choices)} closures meet what is held: {'; '.join(lines)}{more}."
    fault = Fault("K02", "assembly", what, remedy)
    return AssemblyError(f"mechanism '{mechanism.name}'", [fault], choices=choices)


def plain_tuples(values: Mapping[str, np.ndarray]) -> Values:
    """Arrays by name as tuples of floats."""
    return {name: tuple(map(float, value)) for name, value in values.items()}


def _has_quaternion(mechanism: Mechanism, name: str, values: Sequence[float]) -> bool:
    """Whether the last four values of a joint are a quaternion: it has one coordinate more than degrees of freedom."""
    known = {one.name: one for one in mechanism.connections}
    return name in known and len(values) > known[name].freedoms(mechanism.planar)


def _read(values: Sequence[float], turned: bool) -> str:
    """Coordinates as text; a quaternion is written as an angle in degrees about an axis."""
    if not turned:
        return shown(values)
    e = np.array(values[-4:])
    e = -e if e[0] < 0 else e
    sine = float(np.linalg.norm(e[1:]))
    angle = np.degrees(2 * np.arctan2(sine, e[0]))
    about = f" about {shown(e[1:] / sine, DIGITS[0])}" if sine > 1e-9 else ""
    before = f"{shown(values[:-4])}, " if values[:-4] else ""
    return f"{before}turned {angle:.1f}°{about}"


def _telling(choices: Sequence[Values], varying: Sequence[str]) -> list[str]:
    """A few joints whose values distinguish the assembly modes, as far as MOST_NAMED joints can."""
    told: list[str] = []
    apart = 1
    for name in varying:
        kinds = len({tuple(shown(choice[one], DIGITS[0]) for one in (*told, name)) for choice in choices})
        if kinds > apart and len(told) < MOST_NAMED:
            told, apart = [*told, name], kinds
    return told


def _choosing(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None,
    t: float,
    found: Sequence[Assembly],
    telling: Sequence[str],
) -> Values:
    """A short guess that selects the first assembly mode: one joint, a few joints, or all of them.

    A guess is tried before it is returned.
    """
    held = {(request.target.of, request.target.values()) for request in found[0].held}
    q = {
        name: q
        for name, q in plain_tuples(found[0].coordinates()).items()
        if q and (name, len(q)) not in held
    }
    rough, fine = ({name: _rounded(values, digits) for name, values in q.items()} for digits in DIGITS)
    far = _Distances(found)
    short = sorted(rough, key=lambda name: len(rough[name]))
    one = [name for name in short if _clear(far.of({name: rough[name]}))]
    for names in (one[:1], telling, rough):
        guess = {name: rough[name] for name in names if name in rough}
        if guess and _clear(far.of(guess)) and _leads(mechanism, start, t, guess, found[0]):
            return guess
    return fine


def _clear(far: Sequence[float]) -> bool:
    """Whether the first distance is clearly the smallest."""
    return all(CLEARLY * far[0] + LEAST < other for other in far[1:])


class _Distances:
    """Distances of assembly modes with the same held values from a guess, weighed over all guessed quantities."""

    def __init__(self, found: Sequence[Assembly]) -> None:
        self.mechanism, self.held = found[0].mechanism, found[0].held
        self.parts = Parts(self.mechanism, held_shapes(self.mechanism, self.held))
        poses = [body_poses(one.equations, one.q, one.p) for one in found]
        self.poses = [np.array([X[body] for body in self.parts.bodies]) for X in poses]

    def of(self, guess: Values) -> list[float]:
        wished = left_to_wish(position_requests(self.mechanism, guess, "guess"), self.held)
        own = Guess(self.parts, self.held, wished)
        return [own.distance(X).weighed for X in self.poses]


def _leads(
    mechanism: Mechanism, start: Mapping[str, Any] | None, t: float, guess: Values, wanted: Assembly
) -> bool:
    """Whether a guess selects the wanted assembly mode, and no other is about as near."""
    nearest, *others = closures(mechanism, start=start, guess=guess, t=t)
    clear = _clear([one.weighed for one in (nearest, *others)])
    return clear and bool(np.abs(nearest.points - wanted.points).max(initial=0.0) < 1e-6)


def _rounded(values: tuple[float, ...], digits: int) -> tuple[float, ...]:
    return tuple(float(f"{value:.{digits}g}") for value in values)
