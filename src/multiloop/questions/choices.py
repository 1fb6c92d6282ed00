"""Choices by name: which method, which integrator; an unknown one is answered with those that exist."""

from __future__ import annotations

from collections.abc import Iterable

from multiloop.model import Mechanism, suggestion
from multiloop.model.brief import called
from multiloop.questions.refusal import refusal

MOST_INSTANTS = 10_000_000
"""Instants of one answer: as many as a machine can keep in memory."""


BYTES = 1200
"""Memory of a result for each instant and moving body."""

MOST_BYTES = 4e9
"""Memory of one result."""


def require_memory(mechanism: Mechanism, name: str, instants: int) -> None:
    """Refuse more instants than a result can keep in memory."""
    each = BYTES * max(len(mechanism.moving), 1)
    if instants * each > MOST_BYTES:
        what = f"asks for {instants:,} instants, which take about {instants * each / 1e9:.3g} GB of memory."
        remedy = f"Give up to {int(MOST_BYTES / each):,} instants, or ask in several parts."
        raise refusal(mechanism, "S02", name, what, remedy)


def require(mechanism: Mechanism, kind: str, name: str, known: Iterable[str]) -> None:
    """Refuse a choice that does not exist."""
    if not isinstance(name, str) or name not in known:
        raise refusal(
            mechanism, "S08", f"{kind} '{called(name)}'", "does not exist.", suggestion(name, known)
        )
