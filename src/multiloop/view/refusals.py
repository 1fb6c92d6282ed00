"""How a picture is refused that cannot be drawn as asked: one fault, with what to do about it."""

from __future__ import annotations

from multiloop.model import DrawingError, Fault, Mechanism


def refused(mechanism: Mechanism, code: str, where: str, what: str, remedy: str) -> DrawingError:
    """The error to raise."""
    return DrawingError(f"picture of '{mechanism.name}'", [Fault(code, where, what, remedy)])
