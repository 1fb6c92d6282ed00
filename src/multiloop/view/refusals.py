"""The error of a picture that cannot be drawn as requested."""

from __future__ import annotations

from multiloop.model import DrawingError, Fault, Mechanism


def refused(mechanism: Mechanism, code: str, where: str, what: str, remedy: str) -> DrawingError:
    """A `DrawingError` with a single fault."""
    return DrawingError(f"picture of '{mechanism.name}'", [Fault(code, where, what, remedy)])
