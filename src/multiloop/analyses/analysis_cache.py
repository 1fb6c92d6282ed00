"""Cache of the assemblies, plans and models of recent analyses.

Mechanisms are immutable, so that a cached object stays valid.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from multiloop.analyses.assemble import assemble_with_rates
from multiloop.analyses.assembly_modes import choose_assembly_mode
from multiloop.kinematics.assembly import Assembly
from multiloop.model import Mechanism
from multiloop.plan import Plan, plan_at, require_unlocked

ANALYSIS_CACHE_SIZE = 64
"""Largest number of cached objects (assemblies, plans and models together)."""

Value = TypeVar("Value")


class _CacheEntry:
    """A cache key with the function that computes the cached value; two entries are equal if their keys are."""

    def __init__(self, words: Hashable, answer: Callable[[], Any]) -> None:
        self.words, self.answer = words, answer

    def __hash__(self) -> int:
        return hash(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _CacheEntry) and self.words == other.words


@lru_cache(maxsize=ANALYSIS_CACHE_SIZE)
def _compute(question: _CacheEntry) -> Any:
    return question.answer()


def cached_value(answer: Callable[[], Value], *words: Any) -> Value:
    """The cached value for the key `words`; the function `answer` computes it if it is not cached or if the key is
    unhashable."""
    try:
        question = _CacheEntry(_hashable(words), answer)
        hash(question)
    except TypeError:
        return answer()
    found: Value = _compute(question)
    return found


def _hashable(value: Any) -> Hashable:
    """A hashable form of a value; values of different type, such as 1, 1.0 and True, have different forms."""
    if isinstance(value, Mapping):
        return "mapping", tuple((name, _hashable(part)) for name, part in value.items())
    if isinstance(value, list | tuple):
        return type(value).__name__, tuple(_hashable(part) for part in value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
        return "array", value.dtype.str, value.shape, value.tobytes()
    return type(value).__name__, value


def cached_assembly(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None,
    guess: Mapping[str, Any] | None,
    rates: Mapping[str, Any] | None,
    t: float,
    held: bool = False,
) -> tuple[Assembly, dict[str, np.ndarray]]:
    """The result of `assemble_with_rates` for these arguments, computed once and then taken from the cache."""
    asked = (mechanism, start, guess, rates, t, held)
    return cached_value(lambda: assemble_with_rates(*asked), "assembled", *asked)


def cached_assembly_mode(
    mechanism: Mechanism, start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None, t: float
) -> Assembly:
    """The result of `choose_assembly_mode` for these arguments, computed once and then taken from the cache."""
    asked = (mechanism, start, guess, t)
    return cached_value(lambda: choose_assembly_mode(*asked), "closure", *asked)


def cached_plan(assembly: Assembly, cuts: Sequence[str] | None = None, prefer: Sequence[str] = ()) -> Plan:
    """The plan from `plan_at` for the cut joints `cuts` and the joints `prefer` that should belong to the spanning
    tree, cached; an error is raised if the loops prevent a flexible link without axial mode shape from bending.

    Assemblies are compared by identity: the plan is taken from the cache only if `assembly` is the same object as in
    an earlier call, as returned by `cached_assembly` or `cached_assembly_mode`.
    """
    plan = cached_value(lambda: plan_at(assembly, cuts, prefer), "plan", assembly, cuts, prefer)
    require_unlocked(assembly.mechanism, plan.bending)
    return plan
