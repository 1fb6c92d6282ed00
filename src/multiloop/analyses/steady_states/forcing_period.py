"""The period of time-dependent drives, loads and efforts, and the check that forces repeat along a periodic motion.

Theory: docs/theory/13-equilibrium-and-vibrations.md, eq. (13.14).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.prescribed_motion import forced_period
from multiloop.analyses.steady_states.shooting import Orbit, ShootingProblem
from multiloop.analyses.steady_states.steady_state import SteadyState
from multiloop.model import Expression, Mechanism, SolveError, count_text

PERIOD_TOLERANCE = 1e-9
"""Largest deviation of a given period from an integer multiple of the period of the forces, relative to the given
period."""

COMPARED_PHASES = (0.0, 0.21, 0.43, 0.77)
"""Phases, as fractions of the period, at which forces are compared with the forces one period later."""

FORCE_TOLERANCE = 1e-8
"""Largest permitted change of the forces after one given period, relative to the largest force."""


def period_of_forcing(base: SteadyState, efforts: Mapping[str, Any], given: float | None) -> float:
    """The period of the time-dependent drives, loads and efforts, or `given`, which must be a multiple of that period.

    If the period of the forces is unknown, as for a Result or a table that ends, `given` is verified by comparing the
    forces at the base state one period apart.
    """
    mechanism = base.balance.mechanism
    try:
        own = forced_period(mechanism, efforts)
    except SolveError as error:
        if given is None:
            raise _unknown_period(mechanism, error.faults[0].what) from None
        return _verified_period(base, float(given))
    recorded = [name for name, effort in efforts.items() if not isinstance(effort, Expression | int | float)]
    if given is None and (recorded or not own):
        what = (
            f"the period of the effort at '{recorded[0]}' is unknown."
            if recorded
            else "it is not determined by the drives, loads and efforts."
        )
        raise _unknown_period(mechanism, what)
    if given is None:
        return own
    count = float(given) / own if own else 1.0
    if abs(count - round(count)) > PERIOD_TOLERANCE * count or count < 0.5:
        what = f"is {float(given):.6g} s, but drives, loads and efforts have the period {own:.6g} s."
        raise analysis_error(
            mechanism, "E06", "period", what, "Omit `period`, or give an integer multiple of this period."
        )
    return _verified_period(base, float(given))


def _verified_period(base: SteadyState, period: float) -> float:
    """The given period; an error is raised if the forces at the configuration of `base` differ one period later."""
    at, balance = base.configuration, base.balance
    for part in COMPARED_PHASES:
        t = at.t + part * period
        now, later = (balance.values(t=when, q=at.q, x=at.x, p=at.p)["force"] for when in (t, t + period))
        if np.abs(later - now).max(initial=0.0) > FORCE_TOLERANCE * np.abs(now).max(initial=0.0):
            what = f"is {period:.6g} s, but the forces at t = {t:.6g} s differ one period later."
            remedy = (
                "Give a common period of all time-dependent drives, loads and efforts; without one "
                "there is no periodic motion."
            )
            raise analysis_error(balance.mechanism, "E06", "period", what, remedy)
    return period


LEAST_TURN = 1e-6
"""Largest change of a joint coordinate over one period, in radians or characteristic lengths, with which the joint
counts as returned to its initial position."""

MOST_PERIODS = 360
"""Largest number of periods of the motion for which it is tested whether the forces repeat after them."""

REPETITION_TOLERANCE = 1e-6
"""Largest permitted change of the generalized forces after one period of the motion, relative to the largest force."""


def require_repeating_forces(
    shooting: ShootingProblem, orbit: Orbit, turn: str | None, turns: int = 1
) -> None:
    """Raise an error if loads or inertia forces differ after one period, in which joints make turns or parts of turns.

        F(t + T, q(t) + Δq, v(t)) = F(t, q(t), v(t)),      Δq = q(T) − q(0)

    F are the generalized forces, including the inertia forces of accelerations of the size 2π v/T, and T is the period.
    After one period the independent coordinates have returned to their initial values or made whole turns. The forces
    may differ nevertheless: a load may depend on half an angle, and a shaft driven by gears may make a part of a turn.
    """
    flow, start = shooting.flow, shooting.steady_state(orbit)
    balance, chart = flow.base.balance, flow.base.balance.equations.chart
    states = [flow.state_after(start, part * orbit.period) for part in (*COMPARED_PHASES, 1.0)]
    # no simulation fails, since the simulation over the whole period did not
    *compared, (end, _) = [state for state in states if state]
    change = chart.step_between(start.configuration.q, end.q)
    if np.abs(change / flow.base.scale).max(initial=0.0) <= LEAST_TURN:
        return

    def forces_after(periods: int) -> np.ndarray:
        found = []
        for at, v in compared:
            moved = {"t": at.t + periods * orbit.period, "q": chart.apply_step(at.q, periods * change)}
            found.append(
                balance.values(**moved, v=v, a=2 * np.pi * v / orbit.period, x=at.x, p=at.p)["force"]
            )
        return np.asarray(flow.base.scale * np.array(found))

    initial = forces_after(0)
    limit = REPETITION_TOLERANCE * np.abs(initial).max(initial=0.0)
    repeating = (
        count
        for count in range(1, MOST_PERIODS + 1)
        if np.abs(forces_after(count) - initial).max(initial=0.0) <= limit
    )
    count = next(repeating, None)
    if count != 1:
        raise _changing_force_error(balance.mechanism, turn, turns, orbit.period, count)


def _changing_force_error(
    mechanism: Mechanism, turn: str | None, turns: int, period: float, count: int | None
) -> SolveError:
    """The error for forces that repeat only after `count` periods of the computed motion; None means never. `turn` is
    the joint whose turns define the period, if any."""
    where, argument, length = (
        ("period", "period", period) if turn is None else (f"turn '{turn}'", "turns", turns)
    )
    after = f"{period:.6g} s" if turn is None else count_text(turns, "turn")
    what = f"a motion was found, but forces differ after {after}, so that it does not repeat."
    repeating = "the period" if turn is None else "the number of turns"
    remedy = f"Give {repeating} after which all loads and gears repeat, {argument}=...."
    if count is not None:
        remedy = (
            f"All loads and gears repeat after {count} times as long: give {argument}={count * length:.6g}."
        )
    return analysis_error(mechanism, "E06", where, what, remedy)


def _unknown_period(mechanism: Mechanism, what: str) -> SolveError:
    """The error for time-dependent forces whose period is unknown; `what` states the cause."""
    remedy = (
        "Give the common period of all time-dependent drives, loads and efforts, period=..., if there is one."
    )
    return analysis_error(mechanism, "E06", "period", what, remedy)
