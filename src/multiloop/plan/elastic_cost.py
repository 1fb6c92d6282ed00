"""Operations of mechanisms with flexible bodies, and time and memory for their compilation, estimated before tracing.

    operations ≈ those of the rigid tree + Σ (8 s² + 120 e + 150) over flexible bodies, in space Σ (8 s² + 350 e + 300)

e is the number of elastic coordinates of a body and s that of its mode shapes including those of second order, up to
e + e (e + 1)/2 for e bending modes. The first term is that of the body, which couples all pairs of its shapes; the
others are its part of the recursion. The coefficients are ours, read off operation lists of planar and spatial
mechanisms with one to twelve coordinates per body, and hold within a third (`python -m benchmarks tapes`).
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from multiloop.kinematics.skeleton import Link, Skeleton
from multiloop.model import Fault, Mechanism, SolveError
from multiloop.model.names import counted

BUDGET = 100_000
"""Operations of one evaluation up to which a mechanism with flexible bodies is traced and compiled."""

VARIABLE = "MULTILOOP_BUDGET"
"""Environment variable that sets a larger budget."""

SECONDS, MEGABYTES = 1e-3, (130.0, 4.5e-3)
"""Compile time per operation of one evaluation: a run has three kernels of about that size, traced and compiled in
0.3 ms per operation. Memory of the compiler: constant part, and part per operation."""


@dataclass(frozen=True)
class TapeEstimate:
    """Operations of one forward-dynamics evaluation, with the time and memory for tracing and compiling a run."""

    coordinates: int
    operations: int

    @property
    def seconds(self) -> float:
        """Time on one processor if nothing is cached."""
        return SECONDS * self.operations

    @property
    def megabytes(self) -> float:
        """Memory used by the compiler."""
        first, more = MEGABYTES
        return first + more * self.operations

    def __str__(self) -> str:
        took = f"{self.seconds:.0f} s" if self.seconds < 100 else f"{self.seconds / 60:.0f} min"
        memory = f"{self.megabytes:.0f} MB" if self.megabytes < 1000 else f"{self.megabytes / 1000:.1f} GB"
        return f"about {self.operations:,} operations an evaluation, some {took} and {memory} to compile"


def tape_estimate(skeleton: Skeleton, rigid: int) -> TapeEstimate:
    """Estimate for a mechanism whose rigid tree has `rigid` operations."""
    bending = [link for link in skeleton.links if link.reduced.elastic]
    own = sum(_operations(link, skeleton.planar) for link in bending)
    return TapeEstimate(sum(link.reduced.elastic for link in bending), rigid + own)


def _operations(link: Link, planar: bool) -> int:
    assert link.reduced.modes is not None
    e, s = link.reduced.elastic, len(link.reduced.modes.moments)
    return 8 * s * s + (120 * e + 150 if planar else 350 * e + 300)


def require_budget(mechanism: Mechanism, skeleton: Skeleton, rigid: int) -> None:
    """Raise `SolveError` if flexible bodies have so many modes that tracing and compiling would take minutes."""
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
    """Text for `explain`; empty if no body is flexible."""
    found = tape_estimate(skeleton, rigid)
    if not found.coordinates:
        return ""
    bending = sum(1 for link in skeleton.links if link.reduced.elastic)
    verb, coordinates = "bends" if bending == 1 else "bend", counted(found.coordinates, "elastic coordinate")
    return f"{counted(bending, 'link')} that {verb}, {coordinates}: {found}."
