"""Several closures and nothing that chooses: the error that lists them, with a guess that does choose."""

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
"""Closures written out in the message; `.choices` of the error has them all."""

DIGITS = 3
"""Of the values in the guess that the message advises."""

CLEARLY = 2.0
"""A guess chooses a closure where every other one is this many times as far from it."""

LEAST = 0.01
"""And at least this far, in radians or characteristic lengths."""

MOST_NAMED = 4
"""Joints written out for each closure."""

Values = dict[str, tuple[float, ...]]


def ambiguous(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None,
    t: float,
    tied: Sequence[Assembly],
    found: Sequence[Assembly],
) -> AssemblyError:
    """The error of closures that are tied among all that were found, with a guess that leads to the first of them."""
    choices = [plain_tuples(assembly.coordinates()) for assembly in tied]
    varying = [
        name for name, q in choices[0].items() if any(not np.allclose(c[name], q, atol=1e-6) for c in choices)
    ]
    told = _telling(choices, varying)
    lines = [
        f"({number}) " + ", ".join(f"{name} = {shown(choice[name])}" for name in told)
        for number, choice in enumerate(choices[:MOST_LISTED], 1)
    ]
    more = f" and {len(choices) - MOST_LISTED} more" if len(choices) > MOST_LISTED else ""
    advice = _choosing(mechanism, start, t, tied[0], found)
    said = ", ".join(f'"{name}": {shown(values, DIGITS)}' for name, values in advice.items())
    fault = Fault(
        "K02",
        "assembly",
        f"{len(choices)} closures meet what is held: {'; '.join(lines)}{more}.",
        f"Choose one with a guess, e.g. guess={{{said}}} for (1).",
    )
    return AssemblyError(f"mechanism '{mechanism.name}'", [fault], choices=choices)


def plain_tuples(values: Mapping[str, np.ndarray]) -> Values:
    """Numbers by name, as they are handed out."""
    return {name: tuple(map(float, value)) for name, value in values.items()}


def _telling(choices: Sequence[Values], varying: Sequence[str]) -> list[str]:
    """Up to four joints whose values tell the closures apart; in the order of the description."""
    told: list[str] = []
    apart = 1
    for name in varying:
        kinds = len({tuple(shown(choice[one], DIGITS) for one in (*told, name)) for choice in choices})
        if kinds > apart and len(told) < MOST_NAMED:
            told, apart = [*told, name], kinds
    return [name for name in varying if name in told] or list(varying[:MOST_NAMED])


def _choosing(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None,
    t: float,
    wanted: Assembly,
    found: Sequence[Assembly],
) -> Values:
    """A short guess that leads to the wanted closure, tried before it is said: one joint, or a few, or else all."""
    whole = {name: _rounded(q) for name, q in plain_tuples(wanted.coordinates()).items() if q}
    closures_found = [wanted, *(other for other in found if other is not wanted)]
    names = sorted(whole, key=lambda name: len(whole[name]))
    alone = [name for name in names if _clear(_distances(closures_found, {name: whole[name]}))]
    guess: Values = {}
    for name in alone[:1] or names:
        guess[name] = whole[name]
        if _clear(_distances(closures_found, guess)):
            return guess if _leads(mechanism, start, t, guess, wanted) else whole
    return whole


def _clear(far: Sequence[float]) -> bool:
    """Whether the first is clearly the nearest."""
    return all(CLEARLY * far[0] + LEAST < other for other in far[1:])


def _distances(found: Sequence[Assembly], guess: Values) -> list[float]:
    """How far each of several closures with the same held values is from a guess, all of it weighed."""
    mechanism, held = found[0].mechanism, found[0].held
    wished = left_to_wish(position_requests(mechanism, guess, "guess"), held)
    own = Guess(Parts(mechanism, held_shapes(mechanism, held)), held, wished)
    poses = [body_poses(one.equations, one.q, one.p) for one in found]
    return [own.distance(np.array([X[body] for body in own.parts.bodies])).weighed for X in poses]


def _leads(
    mechanism: Mechanism, start: Mapping[str, Any] | None, t: float, guess: Values, wanted: Assembly
) -> bool:
    """Whether a guess really leads to the closure and to no other as near."""
    nearest, *others = closures(mechanism, start=start, guess=guess, t=t)
    clear = _clear([one.weighed for one in (nearest, *others)])
    return clear and bool(np.abs(nearest.points - wanted.points).max(initial=0.0) < 1e-6)


def _rounded(values: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(float(f"{value:.{DIGITS}g}") for value in values)
