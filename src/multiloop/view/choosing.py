"""Among how many closures did a drawing choose by itself?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from multiloop.kinematics.assembly import Assembly, closures
from multiloop.model import AssemblyError
from multiloop.questions.assembling import chosen_among, standing_alone


def choices_among(
    found: Sequence[Assembly], start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None
) -> int:
    """How many closures `assemble` would refuse to choose among; 1 where the start and the guess single one out."""
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
    """How many closures remain where freedoms that nothing holds are held as they are guessed."""
    mechanism = chosen.mechanism
    guessed = dict(mechanism.guess if guess is None else guess)
    driven = {motion.of for motion in mechanism.drives}
    held = {name: value for name, value in guessed.items() if name not in driven} | dict(start or {})
    try:
        return max(1, len(standing_alone(closures(mechanism, start=held, guess={}))))
    except AssemblyError:  # a guess of more than the freedoms has chosen
        return 1
