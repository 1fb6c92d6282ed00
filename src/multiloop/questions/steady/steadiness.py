"""Check that a motion is steady, by comparing its balance and its linearised equations at later instants."""

from __future__ import annotations

import numpy as np

from multiloop.model import SolveError
from multiloop.questions.refusal import refusal
from multiloop.questions.steady.coordinates import rate_names, spinning
from multiloop.questions.steady.pencil import Pencil
from multiloop.questions.steady.placing import moved
from multiloop.questions.steady.search import moments, unbalanced_part, worst
from multiloop.questions.steady.small_motion import SmallMotion
from multiloop.questions.steady.standing import Standing

PHASES = (0.83, 2.31, 4.57)
"""Changes of the fastest coordinate, in radians or characteristic lengths, after which a motion is compared."""

LATER = (0.37, 1.41)
"""Times (s) after which a state at rest is compared if the equations depend on time explicitly."""

STEADY = 1e-6
"""Relative tolerance of the unbalanced moments of a given state, and of changes of the linearised equations."""


def require_balance(standing: Standing, said: str) -> None:
    """Raise an error, with the residual by name, if a state is neither an equilibrium nor a steady motion."""
    if unbalanced_part(standing) <= STEADY:
        return
    mechanism = standing.balance.mechanism
    remedy = "Find one, ml.equilibrium(mechanism, start=...), and give its state."
    names = standing.balance.states
    k = int(np.argmax(np.abs(standing.x_rate))) if len(names) else 0
    if np.abs(standing.force).max(initial=0.0) <= STEADY * moments(standing):
        what = f"'{names[k]}' changes at {standing.x_rate[k]:.3g} per second: {said} is no steady motion."
        raise refusal(mechanism, "E02", "the State", what, remedy)
    name, value, unit = worst(standing)
    what = f"'{name}' is out of balance by {abs(value):.3g} {unit}: {said} is no equilibrium and no steady motion."
    raise refusal(mechanism, "E02", "the State", what, remedy)


def steady_pencil(standing: Standing, *, timed: bool = False) -> Pencil:
    """Linearised equations about a steady motion in joint coordinates; raises an error if it is not steady.

    With `timed`, a state at rest is also checked for changes due to explicit time dependence.
    """
    turning = spinning(standing)
    if not turning.any() and standing.a.any():
        raise _accelerated(standing)
    after = list[Standing]()
    for later in _later(standing, timed=timed):
        if later is None or unbalanced_part(later) > STEADY or _part_gained(standing, later) > STEADY:
            raise _unsteady(standing, later)
        after.append(later)
        turning = turning | spinning(later)
    first = Pencil(SmallMotion(standing), turning)
    for later in after:
        _require_alike(first, Pencil(SmallMotion(later), turning))
    small = first.small
    size = max(float(np.abs(part).max(initial=0.0)) for part in (small.S, small.N, small.K))
    if np.abs(first.left_out).max(initial=0.0) > STEADY * max(size, 1e-300):
        raise _varies(first, "the forces depend on it")
    return first


def _later(standing: Standing, *, timed: bool) -> list[Standing | None]:
    """The motion after parts of a revolution, or at later times; empty at rest without explicit time dependence."""
    v, place = standing.v / standing.scale, standing.place
    fastest = float(np.abs(v).max(initial=0.0))
    if not spinning(standing).any() and not (timed and standing.balance.timed):
        return []
    found: list[Standing | None] = []
    for h in [phase / fastest for phase in PHASES] if fastest > 0 else LATER:
        t = place.t if standing.balance.held else place.t + h
        other = moved(standing.balance, place, h * v, t=t)
        found.append(
            None
            if other is None
            else Standing(standing.balance, other, standing.B, standing.u, standing.independent)
        )
    return found


def _require_alike(first: Pencil, other: Pencil) -> None:
    """Raise an error if the linearised equations vary along the motion."""
    for one, two in zip(first.scaled, other.scaled, strict=True):
        size, off = float(np.abs(one).max(initial=0.0)), np.abs(one - two)
        if off.max(initial=0.0) > STEADY * max(size, 1e-300):
            row, column = np.unravel_index(int(np.argmax(off)), off.shape)
            part = 100 * off[row, column] / size
            raise _varies(
                first, f"how '{first.states[row]}' depends on '{first.states[column]}' by {part:.2g} %"
            )


def _varies(pencil: Pencil, how: str) -> SolveError:
    standing = pencil.small.standing
    turning, names = pencil.turning, rate_names(standing.balance.equations)
    moving = ", ".join(f"'{name}'" for (name, _), turns in zip(names, turning, strict=True) if turns)
    what = f"the linear model varies along the motion, in which {moving or 'the time'} goes on: {how}."
    remedy = (
        "There is no constant A. Ask ml.periodic, whose multipliers tell whether such a motion is stable."
    )
    return refusal(standing.balance.mechanism, "E03", "linearise", what, remedy)


def _part_gained(one: Standing, other: Standing) -> float:
    """Relative change of the kinetic energy, which is constant in a steady motion."""
    first, second = (float(st.v @ st.slopes["inertia"] @ st.v) for st in (one, other))
    return abs(second - first) / max(first, second, 1e-300)


def _unsteady(standing: Standing, later: Standing | None) -> SolveError:
    turning, names = spinning(standing), rate_names(standing.balance.equations)
    moving = ", ".join(f"'{name}'" for (name, _), turns in zip(names, turning, strict=True) if turns)
    if later is None:
        left = "the loops do not close"
    elif (part := _part_gained(standing, later)) > STEADY:
        left = f"the kinetic energy has changed by {100 * part:.2g} %"
    else:
        name, value, unit = worst(later)
        left = f"'{name}' is out of balance by {abs(value):.3g} {unit}"
    what = f"there is none that stays: {left} once {moving or 'the time'} has gone on."
    remedy = "Where drives turn the mechanism through itself ask ml.periodic, or hold them: held=True."
    return refusal(standing.balance.mechanism, "E04", "steady motion", what, remedy)


def _accelerated(standing: Standing) -> SolveError:
    k = int(np.argmax(np.abs(standing.a / standing.scale)))
    name, is_length = rate_names(standing.balance.equations)[k]
    what = f"there is none: the drives accelerate '{name}' by {standing.a[k]:.3g} {'m' if is_length else 'rad'}/s²."
    remedy = "Ask at a time when they do not, t=..., or hold them: held=True."
    return refusal(standing.balance.mechanism, "E04", "equilibrium", what, remedy)
