"""What links that bend cost before anything is traced: operations of one evaluation, and what their compilation takes.

    operations ≈ those of the rigid tree + Σ of links that bend (8 s² + 120 e + 150)      in space (8 s² + 350 e + 300)

e are the link's elastic coordinates, s its shapes, those of second order with them: with e bending shapes up to
e + e (e + 1)/2. The first term is the body, of whose shapes each meets each; the others are its part of the recursion.
The numbers are ours, read off tapes of planar and spatial mechanisms with one to twelve coordinates a link, and hold
within a third (`python -m benchmarks tapes`).
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from multiloop.kinematics.skeleton import Link, Skeleton
from multiloop.model import Fault, Mechanism, SolveError
from multiloop.model.names import counted

BUDGET = 100_000
"""Operations of one evaluation up to which a mechanism with links that bend is traced and compiled."""

VARIABLE = "MULTILOOP_BUDGET"
"""The variable of the environment that allows for more."""

SECONDS, MEGABYTES = 1e-3, (130.0, 4.5e-3)
"""Per operation of the rate: a run has three kernels of about that size, traced and compiled in 0.3 ms an operation;
the compiler's memory, at first and per operation."""


@dataclass(frozen=True)
class TapeEstimate:
    """Operations of one evaluation of forward dynamics, and what a run of it takes to be traced and compiled."""

    coordinates: int
    operations: int

    @property
    def seconds(self) -> float:
        """On one processor, when nothing of it is in the cache."""
        return SECONDS * self.operations

    @property
    def megabytes(self) -> float:
        """Memory of the compiler."""
        first, more = MEGABYTES
        return first + more * self.operations

    def __str__(self) -> str:
        took = f"{self.seconds:.0f} s" if self.seconds < 100 else f"{self.seconds / 60:.0f} min"
        memory = f"{self.megabytes:.0f} MB" if self.megabytes < 1000 else f"{self.megabytes / 1000:.1f} GB"
        return f"about {self.operations:,} operations an evaluation, some {took} and {memory} to compile"


def tape_estimate(skeleton: Skeleton, rigid: int) -> TapeEstimate:
    """That of a mechanism whose rigid tree has `rigid` operations."""
    bending = [link for link in skeleton.links if link.reduced.elastic]
    own = sum(_operations(link, skeleton.planar) for link in bending)
    return TapeEstimate(sum(link.reduced.elastic for link in bending), rigid + own)


def _operations(link: Link, planar: bool) -> int:
    assert link.reduced.modes is not None
    e, s = link.reduced.elastic, len(link.reduced.modes.moments)
    return 8 * s * s + (120 * e + 150 if planar else 350 * e + 300)


def require_budget(mechanism: Mechanism, skeleton: Skeleton, rigid: int) -> None:
    """Refuse links with so many shapes that tracing and compiling them would take minutes."""
    found, most = tape_estimate(skeleton, rigid), _budget()
    if not found.coordinates or found.operations <= most:
        return
    worst = max(skeleton.links, key=lambda link: link.reduced.elastic)
    what = f"they have {found.coordinates} elastic coordinates: {found}."
    remedy = (
        f"Give fewer modes, '{worst.body}' has {worst.reduced.elastic}: high ones hardly move. "
        f"{VARIABLE}={found.operations} in the environment allows for it."
    )
    raise SolveError(f"mechanism '{mechanism.name}'", [Fault("S19", "links that bend", what, remedy)])


def _budget() -> float:
    try:
        return float(os.environ.get(VARIABLE, ""))
    except ValueError:
        return float(BUDGET)


def bending_words(skeleton: Skeleton, rigid: int) -> str:
    """The line of `explain`, nothing where no link bends."""
    found = tape_estimate(skeleton, rigid)
    if not found.coordinates:
        return ""
    bending = sum(1 for link in skeleton.links if link.reduced.elastic)
    verb, coordinates = "bends" if bending == 1 else "bend", counted(found.coordinates, "elastic coordinate")
    return f"{counted(bending, 'link')} that {verb}, {coordinates}: {found}."
