"""What was worked out for questions asked lately: descriptions are frozen, so that what was found of them holds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from multiloop.kinematics.assembly import Assembly
from multiloop.model import Mechanism
from multiloop.plan import Plan, plan_at
from multiloop.plan.bending_room import require_bending_room
from multiloop.questions.assembling import assembled_with_rates, chosen_closure

REMEMBERED = 64
"""Answers that are kept: closures, plans, models of a motion."""

Found = TypeVar("Found")


class _Question:
    """A question by the words in which it was asked; what answers it is no part of the comparison."""

    def __init__(self, words: Hashable, answer: Callable[[], Any]) -> None:
        self.words, self.answer = words, answer

    def __hash__(self) -> int:
        return hash(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Question) and self.words == other.words


@lru_cache(maxsize=REMEMBERED)
def _answer(question: _Question) -> Any:
    return question.answer()


def remembered(answer: Callable[[], Found], *words: Any) -> Found:
    """The answer to a question, found anew where it was not asked lately or cannot be recognised."""
    try:
        question = _Question(_frozen(words), answer)
        hash(question)
    except TypeError:
        return answer()
    found: Found = _answer(question)
    return found


def _frozen(value: Any) -> Hashable:
    """A value as it can be compared, kind by kind: 1, 1.0 and True are three."""
    if isinstance(value, Mapping):
        return "mapping", tuple((name, _frozen(part)) for name, part in value.items())
    if isinstance(value, list | tuple):
        return type(value).__name__, tuple(_frozen(part) for part in value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
        return "array", value.dtype.str, value.shape, value.tobytes()
    return type(value).__name__, value


def remembered_assembly(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None,
    guess: Mapping[str, Any] | None,
    rates: Mapping[str, Any] | None,
    t: float,
    held: bool = False,
) -> tuple[Assembly, dict[str, np.ndarray]]:
    """As `assembled_with_rates`."""
    asked = (mechanism, start, guess, rates, t, held)
    return remembered(lambda: assembled_with_rates(*asked), "assembled", *asked)


def remembered_closure(
    mechanism: Mechanism, start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None, t: float
) -> Assembly:
    """As `chosen_closure`."""
    asked = (mechanism, start, guess, t)
    return remembered(lambda: chosen_closure(*asked), "closure", *asked)


def remembered_plan(
    assembly: Assembly, cuts: Sequence[str] | None = None, prefer: Sequence[str] = ()
) -> Plan:
    """As `plan_at`, if links have room to bend; an assembly is recognised if it is a remembered one itself."""
    plan = remembered(lambda: plan_at(assembly, cuts, prefer), "plan", assembly, cuts, prefer)
    require_bending_room(assembly.mechanism, plan.bending)
    return plan
