"""Sines and cosines side by side: one vector call serves as many angles as a register holds.

A mechanism's kernel asks for sine and cosine of nearly every joint angle, all known at its beginning; one at a
time they cost more than all its products.
"""

from __future__ import annotations

from dataclasses import dataclass

from multiloop.symbols import Tape

FEW = 3
"""Angles from which it pays."""

VECTOR = 8
"""Angles are filled up to whole vectors of the widest kind."""


@dataclass(frozen=True)
class Turns:
    """Angles found together, in a room w that starts with them: angles, then sines, then cosines.

    `inputs` are the places (argument, entry) of the angles, `slots` says which entry of w holds the answer of an
    operation of the tape, by its position there.
    """

    inputs: tuple[tuple[int, int], ...] = ()
    slots: dict[int, int] | None = None

    @property
    def room(self) -> int:
        """Angles with what fills the last vector."""
        return -(-len(self.inputs) // VECTOR) * VECTOR

    @classmethod
    def of(cls, tape: Tape) -> Turns:
        """The sines and cosines of inputs in a tape."""
        held: dict[int, tuple[int, int]] = {}
        number: dict[tuple[int, int], int] = {}
        asked: list[tuple[int, str, int]] = []
        for at, operation in enumerate(tape.operations):
            if operation.name == "output":
                continue
            if operation.name in ("sin", "cos") and operation.reads[0] in held:
                angle = number.setdefault(held[operation.reads[0]], len(number))
                asked.append((at, operation.name, angle))
            held.pop(operation.writes[0], None)
            if operation.name == "input":
                held[operation.writes[0]] = (operation.reads[0], operation.reads[1])
        if len(number) < FEW:
            return cls()
        found = cls(tuple(number))
        after = {"sin": found.room, "cos": 2 * found.room}
        return cls(found.inputs, {at: after[name] + angle for at, name, angle in asked})
