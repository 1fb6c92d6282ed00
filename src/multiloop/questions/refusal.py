"""How a verb refuses: one fault, with the code, the place, what is wrong there and what to do about it."""

from __future__ import annotations

from multiloop.model import Fault, Mechanism, SolveError

INVERSE = "inverse dynamics"
"""How messages call it."""


def refusal(
    mechanism: Mechanism, code: str, where: str, what: str, remedy: str, *, time: float | None = None
) -> SolveError:
    """The error to raise."""
    return SolveError(f"mechanism '{mechanism.name}'", [Fault(code, where, what, remedy)], time=time)


def require_rigid(mechanism: Mechanism, where: str, remedy: str = "") -> None:
    """Refuse what cannot be asked of links that bend: how they do follows from the forces, not from the drives."""
    bending = [f"'{body.name}'" for body in mechanism.all_bodies if body.elastic]
    if bending:
        what = f"{', '.join(bending)} {'bends' if len(bending) == 1 else 'bend'}, and drives do not tell how."
        forward = "Ask `simulate` with the same Motions, of many designs too: its Results hold efforts and reactions."
        if where == INVERSE:
            forward = 'Give elastic="stable", from rest to rest or over a cycle, or ask `simulate` with its Motions.'
        raise refusal(mechanism, "S14", where, what, remedy or forward)
