"""Cache keys of traced functions of a mechanism, by which compiled kernels are found without tracing."""

from __future__ import annotations

from typing import Any

from multiloop.dynamics.actions import actions_of
from multiloop.kinematics.skeleton import Skeleton
from multiloop.model import Expression
from multiloop.model.expressions.text import written
from multiloop.questions.signals.commanded import Commanded
from multiloop.questions.signals.curves import Curve
from multiloop.questions.signals.signals import Signals


def identifying_keys(skeleton: Skeleton, *words: str) -> tuple[str, ...]:
    """The keys of a function; none if a part has a user-defined type, whose source text is not tracked.

    Such functions are traced again in every process, and their machine code is found by the traced operations.
    """
    mechanism = skeleton.mechanism
    parts = (*mechanism.all_bodies, *mechanism.connections, *mechanism.all_loads, *actions_of(skeleton))
    ours = all(type(part).__module__.partition(".")[0] == "multiloop" for part in parts)
    return words if ours else ()


def tree_keys(skeleton: Skeleton) -> tuple[str, ...]:
    """Keys of the description and of the tree.

    The description includes the values of its parameters: most functions take them as inputs, but some limits and
    scales are evaluated once.
    """
    tree = skeleton.tree
    return (
        skeleton.mechanism.fingerprint,
        repr((tree.branches, tree.cuts, tree.splits, tree.closures)),
    )


def signal_keys(signals: Signals) -> tuple[str, ...]:
    """Keys of known efforts, of controlled efforts and of events."""
    sources = [(name, _source(value)) for name, value in signals.known.sources.items()]
    watched = [(name, written(event)) for name, event in signals.events.items()]
    return (repr((sources, signals.known.controlled, watched)),)


def _source(value: Any) -> str:
    """The text of an effort as far as it is traced: curves and functions of time are evaluated outside the kernels."""
    if isinstance(value, Expression):
        return written(value)
    if isinstance(value, Commanded):
        return value.words
    if isinstance(value, Curve):
        return "curve"
    return "function" if callable(value) else repr(float(value or 0.0))
