"""Sines and cosines computed together: one vector call computes as many as a register holds.

A kernel of a mechanism needs the sines and cosines of joint angles and of their sums, which are known at its beginning.
One at a time they cost more than all its products.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from multiloop.symbols import Operation, Tape

FEW = 2
"""Number of angles from which computing them together is faster."""

VECTOR = 8
"""The number of angles is padded to a multiple of this, the widest vector."""

EARLY = ("input", "const", "add", "sub", "neg", "twice", "assign")
"""Operations of which angles may consist."""


@dataclass(frozen=True)
class Turns:
    """Sines and cosines that are computed together, in a working array w of angles, then sines, then cosines.

    `steps` are the operations that compute the angles, by their positions in the tape, each with the positions of its
    operands; `angles` are the positions whose values are angles; `slots` maps the position of a sine or cosine in the
    tape to the entry of w that holds its value.
    """

    steps: tuple[tuple[int, Operation, tuple[int, ...]], ...] = ()
    angles: tuple[int, ...] = ()
    slots: dict[int, int] = field(default_factory=dict)

    @property
    def room(self) -> int:
        """Number of angles, padded to whole vectors."""
        return -(-len(self.angles) // VECTOR) * VECTOR

    @classmethod
    def of(cls, tape: Tape) -> Turns:
        """The sines and cosines in a tape whose angles are sums of inputs."""
        made: dict[int, int] = {}  # position at which each register was computed by such operations
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
    """The operations that compute the angles, in order."""
    wanted, waiting = set(angles), list(angles)
    while waiting:
        for place in early[waiting.pop()][1]:
            if place not in wanted:
                wanted.add(place)
                waiting.append(place)
    return tuple((at, *early[at]) for at in sorted(wanted))
