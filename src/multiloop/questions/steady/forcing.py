"""Period of the explicit time dependence of a mechanism: drives, loads and efforts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from multiloop.model import Expression, Mechanism, SolveError
from multiloop.questions.leading.cycle import forced_period
from multiloop.questions.refusal import refusal
from multiloop.questions.steady.standing import Standing

WHOLE = 1e-9
"""Relative tolerance within which a given period must be a multiple of the period of the forcing."""


LOOKS = (0.0, 0.21, 0.43, 0.77)
"""Phases, as parts of a given period, at which forces are compared with those one period later."""

REPEATED = 1e-8
"""Largest difference of these forces, relative to the largest force."""


def period_of_forcing(base: Standing, efforts: Mapping[str, Any], given: float | None) -> float:
    """Period of the time-dependent drives, loads and efforts, or the given one, which must be a multiple of it.

    If the period is unknown, as for a Result or a table that ends, the given one is verified by the forces at the base
    state.
    """
    mechanism = base.balance.mechanism
    try:
        own = forced_period(mechanism, efforts)
    except SolveError as error:
        if given is None:
            raise _unknown(mechanism, error.faults[0].what) from None
        return _tried(base, float(given))
    recorded = [name for name, effort in efforts.items() if not isinstance(effort, Expression | int | float)]
    if given is None and (recorded or not own):
        what = f"that of the effort at '{recorded[0]}' is not known." if recorded else "nothing tells it."
        raise _unknown(mechanism, what)
    if given is None:
        return own
    count = float(given) / own if own else 1.0
    if abs(count - round(count)) > WHOLE * count or count < 0.5:
        what = f"is {float(given):.6g} s, but what follows time repeats itself after {own:.6g} s."
        raise refusal(mechanism, "E06", "period", what, "Leave it out, or give a whole number of these.")
    return _tried(base, float(given))


def _tried(base: Standing, period: float) -> float:
    """Return the period; raise an error if the forces at the base state differ after one period."""
    at, balance = base.place, base.balance
    for part in LOOKS:
        t = at.t + part * period
        now, later = (balance.values(t=when, q=at.q, x=at.x, p=at.p)["force"] for when in (t, t + period))
        if np.abs(later - now).max(initial=0.0) > REPEATED * np.abs(now).max(initial=0.0):
            what = f"is {period:.6g} s, but the forces at t = {t:.6g} s are others a period later."
            remedy = "Give a time after which all that follows time comes again; without one nothing repeats itself."
            raise refusal(balance.mechanism, "E06", "period", what, remedy)
    return period


def _unknown(mechanism: Mechanism, what: str) -> SolveError:
    """Error for forces of unknown period."""
    remedy = "Give the time after which all that follows time comes again, period=..., if there is one."
    return refusal(mechanism, "E06", "period", what, remedy)
