"""Expressions of the drives, efforts and loads of a mechanism, each with its text for messages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from multiloop.model.expressions import Expression
from multiloop.model.expressions.overshoot import overshoots

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def moving(mechanism: Mechanism) -> Iterator[tuple[str, Expression]]:
    """The profiles of prescribed motions, without orientations."""
    for motion in mechanism.drives:
        for profile in motion.named().values():
            if isinstance(profile, Expression):
                yield f"the drive of '{motion.of}'", profile


def acting(mechanism: Mechanism) -> Iterator[tuple[str, Expression]]:
    """Given efforts, and expressions of loads."""
    for actuator in mechanism.actuators:
        if isinstance(actuator.effort, Expression):
            yield f"the effort at '{actuator.joint}'", actuator.effort
    for load in mechanism.all_loads:
        yield from ((f"the load '{load.name}'", value) for value in load.expressions)


@lru_cache(maxsize=64)
def overshooting(mechanism: Mechanism) -> tuple[str, ...]:
    """A sentence for every cubic table that overshoots its points."""
    sources = (*moving(mechanism), *acting(mechanism))
    return tuple(dict.fromkeys(said for called, value in sources for said in swung_out(called, value)))


def swung_out(called: str, value: Expression) -> Iterator[str]:
    """A sentence for every cubic table of one expression that overshoots its points."""
    for far, point in overshoots(value):
        yield (
            f"the cubic table of {called} goes to {far:.4g}, beyond its points at {point:.4g} "
            '(kind="monotone" stays within them)'
        )
