"""Validation of arguments that name a choice, such as a method or integrator, and of the number of instants."""

from __future__ import annotations

from collections.abc import Iterable

from multiloop.model import Mechanism, suggestion
from multiloop.model.brief import called
from multiloop.questions.refusal import refusal

MOST_INSTANTS = 10_000_000
"""Largest number of instants of one result that fits into memory."""


BYTES = 1200
"""Memory of a result per instant and moving body."""

MOST_BYTES = 4e9
"""Largest memory of one result."""


def require_memory(mechanism: Mechanism, name: str, instants: int) -> None:
    """Refuse more instants than fit into memory."""
    each = BYTES * max(len(mechanism.moving), 1)
    if instants * each > MOST_BYTES:
        what = f"asks for {instants:,} instants, which take about {instants * each / 1e9:.3g} GB of memory."
        remedy = f"Give up to {int(MOST_BYTES / each):,} instants, or ask in several parts."
        raise refusal(mechanism, "S02", name, what, remedy)


def require(mechanism: Mechanism, kind: str, name: str, known: Iterable[str]) -> None:
    """Refuse an unknown choice, with the nearest known name."""
    if not isinstance(name, str) or name not in known:
        raise refusal(
            mechanism, "S08", f"{kind} '{called(name)}'", "does not exist.", suggestion(name, known)
        )
