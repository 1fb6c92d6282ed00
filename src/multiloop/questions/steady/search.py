"""Solution of the equilibrium equations from an initial guess: damped Newton steps, then pseudo-transient continuation.

    K ζ = −f                          Newton's method, damped by Levenberg's rule
    (K + 1/h) ζ = −f,   h → ∞         an overdamped motion, whose steps grow as it comes to rest

The second finds only stable positions, also from far away; the first finds any, from nearby. Both close the loops at
each step.

Source: [kelley_keyes], switched evolution relaxation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.kinematics.newton import LONGEST, Solve, damped_solver, descend
from multiloop.kinematics.requests import Request
from multiloop.model import SolveError
from multiloop.model.expressions import Expression, depends_on_state, evaluate
from multiloop.model.names import shown
from multiloop.model.sources import acting
from multiloop.questions.refusal import refusal
from multiloop.questions.steady.balance import Balance
from multiloop.questions.steady.coordinates import rate_names, with_named_coordinates
from multiloop.questions.steady.placing import moved, stand
from multiloop.questions.steady.small_motion import SmallMotion
from multiloop.questions.steady.standing import Place, Standing

BALANCED = 1e-9
"""Unbalanced moments below this part of the acting moments count as equilibrium."""

LIMIT = 60
"""Largest number of damped Newton steps."""

SETTLING = 400
"""Largest number of steps of the overdamped motion."""

SHARPER, NEUTRAL, EXACT = 20, 1e-13, 1e-14
"""Of the final Newton steps: their largest number, the relative size of slopes treated as zero, the smallest length."""

SLACK = 1e12
"""The largest h."""

GROWTH = (0.3, 2.5)
"""Smallest and largest factor by which h changes from one step to the next."""


@dataclass(frozen=True, eq=False)
class Unbalanced:
    """The equilibrium equations for `descend`: f relative to the acting moments, and the rates of state variables."""

    balance: Balance
    requests: Sequence[Request]
    size: float

    def residual(self, at: Standing) -> np.ndarray:
        """Residual: scaled f, and ẋ."""
        return np.concatenate([at.force / self.size, at.x_rate])

    def solver(self, at: Standing) -> Solve:
        """Solver of the damped Newton equations."""
        return damped_solver(slope(SmallMotion(at), self.size))

    def moved(self, at: Standing, step: np.ndarray) -> Standing:
        """The steady state after a step, or the same one if the loops do not close."""
        count = at.C_q.shape[1]
        place = moved(
            self.balance,
            at.place,
            at.C_q @ step[:count],
            x=self.balance.with_states(at.place.x, step[count:]),
        )
        return at if place is None else stand(self.balance, place, self.requests)


def slope(small: SmallMotion, size: float) -> np.ndarray:
    """Derivative of f / size and ẋ with respect to ζ and x."""
    by_q, _, by_x = small.x_slopes()
    return np.block([[small.K / size, small.K_x / size], [by_q, by_x]])


def moments(standing: Standing) -> float:
    """Scale of the acting moments: the largest force, force at zero rates, or change of force per radian."""
    small, forces = SmallMotion(standing), [standing._needed]
    if standing.v.any():  # driving and braking forces may cancel
        forces.append(standing.scale * standing.balance.values(**standing.at)["force"])
    parts = [*(np.abs(force).max(initial=0.0) for force in forces), np.abs(small.K).max(initial=0.0)]
    return float(max(*parts, 1e-300))


def unbalanced_part(standing: Standing, size: float | None = None) -> float:
    """Largest unbalanced moment relative to the acting moments or to `size`, or largest rate of the state variables."""
    out = np.abs(standing.force).max(initial=0.0) / (moments(standing) if size is None else size)
    return float(max(out, np.abs(standing.x_rate).max(initial=0.0)))


def balanced(balance: Balance, place: Place, requests: Sequence[Request] = ()) -> Standing:
    """The equilibrium computed from a position; raises an error with the residual if none is found."""
    first = stand(balance, place, requests)
    if not (np.isfinite(first.force).all() and np.isfinite(first.x_rate).all()):
        raise _not_finite(first)
    system = Unbalanced(balance, requests, moments(first))
    tried = []
    for settles in (False, True):
        begin = _settled(system, first) if settles else first
        found, _, _ = descend(system, begin, allowed=1e-11, least=1e-15, limit=LIMIT)
        found = _sharpened(system, found)
        if unbalanced_part(found) <= BALANCED:
            return found
        tried.append(found)
    raise _no_equilibrium(min(tried, key=unbalanced_part))


def _sharpened(system: Unbalanced, at: Standing) -> Standing:
    """Undamped Newton steps, as long as each is shorter than the previous one.

    The unbalanced moment is measured relative to the largest acting moments. With stiff bodies it is small long before
    the soft directions are in equilibrium; the lengths of Newton steps do not depend on this scale.

    Source: the natural test of monotonicity, [deuflhard].
    """
    step = _newton_step(system, at)
    for _ in range(SHARPER):
        length = float(np.linalg.norm(step))
        if not EXACT < length < LONGEST:
            break
        further = system.moved(at, step)
        following = _newton_step(system, further)
        if np.linalg.norm(following) >= length:
            break
        at, step = further, following
    return at


def _newton_step(system: Unbalanced, at: Standing) -> np.ndarray:
    """Undamped Newton step, without components along neutral directions."""
    found, *_ = np.linalg.lstsq(slope(SmallMotion(at), system.size), -system.residual(at), rcond=NEUTRAL)
    return np.asarray(found)


def _settled(system: Unbalanced, at: Standing) -> Standing:
    """The state in which an overdamped motion comes to rest, or its last state."""
    small = SmallMotion(at)
    h = 1e-2 / max(float(np.abs(slope(small, system.size)).max(initial=0.0)), 1e-6)
    r = system.residual(at)
    for _ in range(SETTLING):
        if np.abs(r).max(initial=0.0) <= BALANCED:
            break
        step = _oiled(SmallMotion(at), system.size, h)
        longest = np.abs(step).max(initial=0.0)
        step = step * min(1.0, LONGEST / max(longest, 1e-300))
        at = system.moved(at, step)
        new = system.residual(at)
        ratio = float(np.linalg.norm(r)) / max(float(np.linalg.norm(new)), 1e-300)
        grown = float(np.clip(2 * ratio - 1 if ratio < 1 else 1.5 * ratio, *GROWTH))
        h, r = min(h * grown, SLACK), new
    return at


def _oiled(small: SmallMotion, size: float, h: float) -> np.ndarray:
    """One implicit step of the overdamped motion, over ζ and x."""
    st, N = small.standing, small.N
    freedoms, states = N.shape[1], len(st.x_rate)
    by_q, _, by_x = small.x_slopes()
    left = np.block([[small.K @ N / size, small.K_x / size], [-by_q @ N, -by_x]])
    left = left + np.eye(freedoms + states) / h
    right = np.concatenate([-st.force / size, st.x_rate])
    found, *_ = np.linalg.lstsq(left, right, rcond=None)
    return np.concatenate([N @ found[:freedoms], found[freedoms:]])


def worst(standing: Standing) -> tuple[str, float, str]:
    """The independent coordinate with the largest unbalanced force, the effort that would balance it, and its unit."""
    named = with_named_coordinates(standing)
    f = named.C.T @ named._needed
    places = np.argmax(named.B, axis=1)
    k = int(np.argmax(np.abs(f)))
    name, is_length = rate_names(standing.balance.equations)[places[k]]
    return name, float(f[k] / standing.scale[places[k]]), "N" if is_length else "N·m"


def _not_finite(standing: Standing) -> SolveError:
    """Error for forces that are not finite at the initial position, with the load that is not finite."""
    balance, t = standing.balance, standing.place.t
    given = [(f"the effort at '{at}'", value) for at, value in balance.efforts.items()]
    what = f"what acts is not finite at t = {t:g} s."
    for called, value in [*acting(balance.mechanism), *given]:
        if isinstance(value, Expression) and not depends_on_state(value):
            try:
                evaluate(value, time=t)
            except ValueError as error:
                what = f"{called} has no value at t = {t:g} s: {str(error).rstrip('.')}."
                break
    return refusal(balance.mechanism, "E01", "equilibrium", what, "Give a time t= at which it is finite.")


def _no_equilibrium(best: Standing) -> SolveError:
    """Error if no equilibrium is found, with the smallest residual."""
    if not best.force.size:
        names = best.balance.states
        k = int(np.argmax(np.abs(best.x_rate)))
        what = (
            f"there is none: the integral '{names[k]}' changes at {best.x_rate[k]:.3g} per second, "
            "and nothing can move that would stop it."
        )
        remedy = "Let its rate become zero, or leave it out; `simulate` integrates it."
        return refusal(best.balance.mechanism, "E01", "equilibrium", what, remedy)
    name, value, unit = worst(best)
    where = {joint: tuple(q) for joint, q in _positions(best).items()}
    first = ", ".join(f"{joint} {shown(q)}" for joint, q in list(where.items())[:4])
    what = (
        f"none was found from here: at best, '{name}' lacks {abs(value):.3g} {unit} "
        f"(a part {unbalanced_part(best):.1e} of what acts) at {first}."
    )
    remedy = (
        "Begin nearer to it, start={...}; see whether anything holds the mechanism against its loads; "
        "or follow it there from smaller ones, along={...}."
    )
    return refusal(best.balance.mechanism, "E01", "equilibrium", what, remedy)


def _positions(standing: Standing) -> dict[str, np.ndarray]:
    eq = standing.balance.equations
    return {name: standing.place.q[own.q] for name, own in eq.skeleton.coordinates.items() if own.names}
