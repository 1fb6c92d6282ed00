"""Choices by name: which method, which integrator; an unknown one is answered with those that exist."""

from __future__ import annotations

from collections.abc import Iterable

from multiloop.model import Fault, Mechanism, SolveError, suggestion


def require(mechanism: Mechanism, kind: str, name: str, known: Iterable[str]) -> None:
    """Refuse a choice that does not exist."""
    if name not in known:
        fault = Fault("S08", f"{kind} '{name}'", "does not exist.", suggestion(name, known))
        raise SolveError(f"mechanism '{mechanism.name}'", [fault])
