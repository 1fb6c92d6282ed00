"""What a traced function of a mechanism depends on, in words: kernels of earlier runs are found by them untraced."""

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
    """The words that stand for a function; none where a part is of a kind from outside, whose text nobody watches.

    Such functions are traced anew in every process, and their machine code is found by its own text.
    """
    mechanism = skeleton.mechanism
    parts = (*mechanism.all_bodies, *mechanism.connections, *mechanism.all_loads, *actions_of(skeleton))
    ours = all(type(part).__module__.partition(".")[0] == "multiloop" for part in parts)
    return words if ours else ()


def tree_keys(skeleton: Skeleton) -> tuple[str, ...]:
    """The description and the tree.

    The description has its parameters' values in it: most functions take them as inputs, but what is limited or
    scaled by them does not.
    """
    tree = skeleton.tree
    return (
        skeleton.mechanism.fingerprint,
        repr((tree.branches, tree.cuts, tree.splits, tree.closures)),
    )


def signal_keys(signals: Signals) -> tuple[str, ...]:
    """Known efforts, what a controller gives, and what is watched."""
    sources = [(name, _source(value)) for name, value in signals.known.sources.items()]
    watched = [(name, written(event)) for name, event in signals.events.items()]
    return (repr((sources, signals.known.controlled, watched)),)


def _source(value: Any) -> str:
    """An effort as far as it is traced: curves and functions of time are read outside."""
    if isinstance(value, Expression):
        return written(value)
    if isinstance(value, Commanded):
        return value.words
    if isinstance(value, Curve):
        return "curve"
    return "function" if callable(value) else repr(float(value or 0.0))
