"""Check that a motion is steady: comparison of its force balance and its linearised equations at later instants.

Theory: docs/theory/13-equilibrium-and-vibrations.md, section 13.4.
"""

from __future__ import annotations

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.steady_states.equilibrium_search import (
    displaced_configuration,
    moment_scale,
    most_unbalanced,
    unbalanced_part,
)
from multiloop.analyses.steady_states.linearised_equations import (
    LinearisedMotion,
    Pencil,
    moving_rates,
    rate_names,
)
from multiloop.analyses.steady_states.steady_state import SteadyState
from multiloop.model import SolveError

COMPARED_PHASES = (0.83, 2.31, 4.57)
"""Advances of the fastest coordinate, in radians or characteristic lengths, after which the linearised equations of a
motion are compared with those at its beginning."""

LATER_TIMES = (0.37, 1.41)
"""Times (s) after which the linearised equations at a state of rest are compared with those at the beginning, if the
equations depend explicitly on time."""

STEADY_TOLERANCE = 1e-6
"""Largest unbalanced moment, divided by the largest acting moment (`moment_scale`), and largest relative change of the
linearised equations and of the kinetic energy, for which a motion counts as steady."""


def require_balance(steady: SteadyState) -> None:
    """Raise an error, with the largest residual, if a state is neither an equilibrium nor a steady motion."""
    if unbalanced_part(steady) <= STEADY_TOLERANCE:
        return
    mechanism = steady.balance.mechanism
    remedy = (
        "Compute an equilibrium with ml.equilibrium(mechanism, start=...), and give its state. For a position that "
        "motors hold, give the efforts of ml.inverse(mechanism, state=..., accelerations=...) to its actuators."
    )
    names = steady.balance.state_names
    k = int(np.argmax(np.abs(steady.x_rate))) if len(names) else 0
    if np.abs(steady.force).max(initial=0.0) <= STEADY_TOLERANCE * moment_scale(steady):
        what = f"'{names[k]}' changes at {steady.x_rate[k]:.3g} per second: the state is not a steady motion."
        raise analysis_error(mechanism, "E02", "the State", what, remedy)
    name, value, unit = most_unbalanced(steady)
    what = (
        f"'{name}' is out of balance by {abs(value):.3g} {unit}: the state is neither an "
        "equilibrium nor a steady motion."
    )
    raise analysis_error(mechanism, "E02", "the State", what, remedy)


def steady_pencil(steady: SteadyState, *, timed: bool = False) -> Pencil:
    """Linearised equations about a steady motion in joint coordinates; an error is raised if the motion is not steady.

    With `timed`, the equations at a state of rest are also compared with those at later times if they depend explicitly
    on time.
    """
    turning = moving_rates(steady)
    if not turning.any() and steady.a.any():
        raise _accelerated_error(steady)
    after = list[SteadyState]()
    for later in _later_states(steady, timed=timed):
        if (
            later is None
            or unbalanced_part(later) > STEADY_TOLERANCE
            or _energy_change(steady, later) > STEADY_TOLERANCE
        ):
            raise _unsteady_error(steady, later)
        after.append(later)
        turning = turning | moving_rates(later)
    first = Pencil(LinearisedMotion(steady), turning)
    for later in after:
        _require_constant_matrices(first, Pencil(LinearisedMotion(later), turning))
    small = first.linearised
    size = max(float(np.abs(part).max(initial=0.0)) for part in (small.S, small.N, small.K))
    if np.abs(first.turning_dependence).max(initial=0.0) > STEADY_TOLERANCE * max(size, 1e-300):
        raise _varying_model_error(first, "the forces depend on this motion")
    return first


def _later_states(steady: SteadyState, *, timed: bool) -> list[SteadyState | None]:
    """States of the motion at later instants, with which its beginning is compared.

    The list is empty at rest, unless `timed` is true and the equations depend explicitly on time. An entry is None if
    the loops cannot be closed.
    """
    v, place = steady.v / steady.scale, steady.configuration
    fastest = float(np.abs(v).max(initial=0.0))
    if not moving_rates(steady).any() and not (timed and steady.balance.depends_on_time):
        return []
    found: list[SteadyState | None] = []
    for h in [phase / fastest for phase in COMPARED_PHASES] if fastest > 0 else LATER_TIMES:
        t = place.t if steady.balance.held else place.t + h
        other = displaced_configuration(steady.balance, place, h * v, t=t)
        found.append(
            None
            if other is None
            else SteadyState(steady.balance, other, steady.B, steady.u, steady.independent)
        )
    return found


def _require_constant_matrices(first: Pencil, other: Pencil) -> None:
    """Raise an error if the linearised equations at a later instant, `other`, differ from the first ones."""
    for one, two in zip(first.scaled, other.scaled, strict=True):
        size, off = float(np.abs(one).max(initial=0.0)), np.abs(one - two)
        if off.max(initial=0.0) > STEADY_TOLERANCE * max(size, 1e-300):
            row, column = np.unravel_index(int(np.argmax(off)), off.shape)
            part = 100 * off[row, column] / size
            raise _varying_model_error(
                first,
                f"the dependence of '{first.states[row]}' on '{first.states[column]}' changes by {part:.2g} %",
            )


def _varying_model_error(pencil: Pencil, how: str) -> SolveError:
    steady = pencil.linearised.steady_state
    turning, names = pencil.turning, rate_names(steady.balance.equations)
    moving = ", ".join(f"'{name}'" for (name, _), turns in zip(names, turning, strict=True) if turns)
    what = f"the linear model varies along the motion, while {moving or 'the time'} advances: {how}."
    remedy = "Use ml.periodic, whose multipliers determine the stability of the motion."
    return analysis_error(steady.balance.mechanism, "E03", "linearise", what, remedy)


def _energy_change(one: SteadyState, other: SteadyState) -> float:
    """Relative difference of the kinetic energies of two states; the energy is constant in a steady motion."""
    first, second = (float(st.v @ st.derivatives["inertia"] @ st.v) for st in (one, other))
    return abs(second - first) / max(first, second, 1e-300)


def _unsteady_error(steady: SteadyState, later: SteadyState | None) -> SolveError:
    turning, names = moving_rates(steady), rate_names(steady.balance.equations)
    advancing = [f"'{name}'" for (name, _), turns in zip(names, turning, strict=True) if turns]
    if later is None:
        left = "the loops do not close"
    elif (part := _energy_change(steady, later)) > STEADY_TOLERANCE:
        left = f"the kinetic energy changes by {100 * part:.2g} %"
    else:
        name, value, unit = most_unbalanced(later)
        left = f"'{name}' is out of balance by {abs(value):.3g} {unit}"
    moving = f"{', '.join(advancing) or 'time'} {'advance' if len(advancing) > 1 else 'advances'}"
    what = f"the motion is not steady: {left} as {moving}."
    remedy = "If drives keep the mechanism moving, use ml.periodic, or fix the drives: held=True."
    return analysis_error(steady.balance.mechanism, "E04", "steady motion", what, remedy)


def _accelerated_error(steady: SteadyState) -> SolveError:
    k = int(np.argmax(np.abs(steady.a / steady.scale)))
    name, is_length = rate_names(steady.balance.equations)[k]
    what = f"does not exist: the drives accelerate '{name}' by {steady.a[k]:.3g} {'m' if is_length else 'rad'}/s²."
    remedy = "Choose a time t=... at which the drives do not accelerate, or fix the drives: held=True."
    return analysis_error(steady.balance.mechanism, "E04", "equilibrium", what, remedy)
