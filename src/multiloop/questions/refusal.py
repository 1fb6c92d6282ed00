"""Construction of the errors that analyses raise: one fault with code, place, description and remedy."""

from __future__ import annotations

from multiloop.model import Fault, Mechanism, SolveError

INVERSE = "inverse dynamics"
"""Name of inverse dynamics in messages."""


def refusal(
    mechanism: Mechanism, code: str, where: str, what: str, remedy: str, *, time: float | None = None
) -> SolveError:
    """The SolveError with one fault, to be raised by the caller."""
    return SolveError(f"mechanism '{mechanism.name}'", [Fault(code, where, what, remedy)], time=time)


def require_rigid(mechanism: Mechanism, where: str, remedy: str = "") -> None:
    """Refuse an analysis that requires rigid links: prescribed motion does not determine elastic coordinates."""
    bending = [f"'{body.name}'" for body in mechanism.all_bodies if body.elastic]
    if bending:
        what = f"{', '.join(bending)} {'bends' if len(bending) == 1 else 'bend'}, and drives do not tell how."
        forward = "Ask `simulate` with the same Motions, of many designs too: its Results hold efforts and reactions."
        if where == INVERSE:
            forward = 'Give elastic="stable", from rest to rest or over a cycle, or ask `simulate` with its Motions.'
        raise refusal(mechanism, "S14", where, what, remedy or forward)
