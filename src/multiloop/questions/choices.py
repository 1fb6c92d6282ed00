"""Choices by name: which method, which integrator; an unknown one is answered with those that exist."""

from __future__ import annotations

from collections.abc import Iterable

from multiloop.model import Mechanism, suggestion
from multiloop.model.brief import called
from multiloop.questions.refusal import refusal

MOST_INSTANTS = 10_000_000
"""Instants of one answer: as many as a machine can keep in memory."""


def require(mechanism: Mechanism, kind: str, name: str, known: Iterable[str]) -> None:
    """Refuse a choice that does not exist."""
    if not isinstance(name, str) or name not in known:
        raise refusal(
            mechanism, "S08", f"{kind} '{called(name)}'", "does not exist.", suggestion(name, known)
        )
