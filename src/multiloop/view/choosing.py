"""Number of assembly modes between which a drawing chose although neither start nor guess determines one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from multiloop.kinematics.assembly import Assembly, closures
from multiloop.model import AssemblyError
from multiloop.questions.assembling import chosen_among, standing_alone


def choices_among(
    found: Sequence[Assembly], start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None
) -> int:
    """Number of assembly modes among which `assemble` would refuse to choose; 1 if start and guess determine one."""
    if len(found) == 1:
        return 1
    try:
        chosen = chosen_among(found, start, 0.0)
    except AssemblyError as error:
        return max(1, len(error.choices))
    return 1 if chosen.full or not chosen.freedoms else _left_by_the_guess(chosen, start, guess)


def _left_by_the_guess(
    chosen: Assembly, start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None
) -> int:
    """Number of assembly modes that remain when undetermined degrees of freedom are fixed at the guess."""
    mechanism = chosen.mechanism
    guessed = dict(mechanism.guess if guess is None else guess)
    driven = {motion.of for motion in mechanism.drives}
    held = {name: value for name, value in guessed.items() if name not in driven} | dict(start or {})
    try:
        return max(1, len(standing_alone(closures(mechanism, start=held, guess={}))))
    except AssemblyError:  # the guess names more coordinates than there are degrees of freedom
        return 1
