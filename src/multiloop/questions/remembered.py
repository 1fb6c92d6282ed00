"""Cache of assemblies, plans and models of recent analyses: descriptions are immutable, so that results stay valid."""

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
"""Number of cached objects: assemblies, plans and models."""

Found = TypeVar("Found")


class _Question:
    """A cache key together with the function that computes the value; the function takes no part in comparisons."""

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
    """The cached value for the given key, computed if it is not cached or if the key cannot be hashed."""
    try:
        question = _Question(_frozen(words), answer)
        hash(question)
    except TypeError:
        return answer()
    found: Found = _answer(question)
    return found


def _frozen(value: Any) -> Hashable:
    """A hashable form of a value that distinguishes types: 1, 1.0 and True are different."""
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
    """Cached `assembled_with_rates`."""
    asked = (mechanism, start, guess, rates, t, held)
    return remembered(lambda: assembled_with_rates(*asked), "assembled", *asked)


def remembered_closure(
    mechanism: Mechanism, start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None, t: float
) -> Assembly:
    """Cached `chosen_closure`."""
    asked = (mechanism, start, guess, t)
    return remembered(lambda: chosen_closure(*asked), "closure", *asked)


def remembered_plan(
    assembly: Assembly, cuts: Sequence[str] | None = None, prefer: Sequence[str] = ()
) -> Plan:
    """Cached `plan_at`; an error is raised for flexible links that the loops lock to second order.

    An assembly is recognised if it is itself a cached one.
    """
    plan = remembered(lambda: plan_at(assembly, cuts, prefer), "plan", assembly, cuts, prefer)
    require_bending_room(assembly.mechanism, plan.bending)
    return plan
