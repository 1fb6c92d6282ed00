"""Sines and cosines side by side: one vector call serves as many angles as a register holds.

A mechanism's kernel asks for sine and cosine of joint angles and of their sums, all known at its beginning; one
at a time they cost more than all its products.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from multiloop.symbols import Operation, Tape

FEW = 2
"""Angles from which it pays."""

VECTOR = 8
"""Angles are filled up to whole vectors of the widest kind."""

EARLY = ("input", "const", "add", "sub", "neg", "twice", "assign")
"""Operations that angles are made of."""


@dataclass(frozen=True)
class Turns:
    """Angles found together, in a room w that starts with them: angles, then sines, then cosines.

    `steps` are the operations that make the angles, by their places in the tape, each with the places of its
    operands; `angles` are the places whose values are angles; `slots` says which entry of w holds the answer of a
    sine or cosine of the tape.
    """

    steps: tuple[tuple[int, Operation, tuple[int, ...]], ...] = ()
    angles: tuple[int, ...] = ()
    slots: dict[int, int] = field(default_factory=dict)

    @property
    def room(self) -> int:
        """Angles with what fills the last vector."""
        return -(-len(self.angles) // VECTOR) * VECTOR

    @classmethod
    def of(cls, tape: Tape) -> Turns:
        """The sines and cosines in a tape whose angles are sums of inputs."""
        made: dict[int, int] = {}  # the place at which each register got its value, where that is early
        early: dict[int, tuple[Operation, tuple[int, ...]]] = {}
        number: dict[int, int] = {}
        asked: list[tuple[int, str, int]] = []
        for at, operation in enumerate(tape.operations):
            if operation.name == "output":
                continue
            plain = operation.name in ("input", "const")
            reads = () if plain else tuple(made.get(register, -1) for register in operation.reads)
            if operation.name in ("sin", "cos") and reads[0] >= 0:
                asked.append((at, operation.name, number.setdefault(reads[0], len(number))))
            made.pop(operation.writes[0], None)
            if operation.name in EARLY and all(place >= 0 for place in reads):
                made[operation.writes[0]] = at
                early[at] = (operation, reads)
        if len(number) < FEW:
            return cls()
        found = cls(_needed(early, list(number)), tuple(number))
        after = {"sin": found.room, "cos": 2 * found.room}
        return cls(found.steps, found.angles, {at: after[name] + angle for at, name, angle in asked})


def _needed(
    early: dict[int, tuple[Operation, tuple[int, ...]]], angles: list[int]
) -> tuple[tuple[int, Operation, tuple[int, ...]], ...]:
    """The operations that the angles are made of, in order."""
    wanted, waiting = set(angles), list(angles)
    while waiting:
        for place in early[waiting.pop()][1]:
            if place not in wanted:
                wanted.add(place)
                waiting.append(place)
    return tuple((at, *early[at]) for at in sorted(wanted))
