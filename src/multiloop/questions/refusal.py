"""How a verb refuses: one fault, with the code, the place, what is wrong there and what to do about it."""

from __future__ import annotations

from multiloop.model import Fault, Mechanism, SolveError


def refusal(
    mechanism: Mechanism, code: str, where: str, what: str, remedy: str, *, time: float | None = None
) -> SolveError:
    """The error to raise."""
    return SolveError(f"mechanism '{mechanism.name}'", [Fault(code, where, what, remedy)], time=time)
