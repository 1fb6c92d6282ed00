"""Solution of the equilibrium equations from an initial guess: damped Newton steps, then pseudo-transient continuation.

    K ζ = −f                          Newton's method, damped by Levenberg's rule
    (K + 1/h) ζ = −f,   h → ∞         an overdamped motion, whose steps h grow as the motion comes to rest

f are the unbalanced forces, K is the stiffness and ζ the change of the independent coordinates. Pseudo-transient
continuation finds only stable positions, also from a distant guess; Newton's method finds stable and unstable positions
from a nearby guess. Both methods close the loops at every step.

Source: [kelley_keyes], switched evolution relaxation.
Theory: docs/theory/13-equilibrium-and-vibrations.md, eqs. (13.2)–(13.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.steady_states.force_balance import ForceBalance
from multiloop.analyses.steady_states.linearised_equations import (
    LinearisedMotion,
    independent_rows,
    moving_rates,
    rate_names,
    relevant_coordinates,
    with_named_coordinates,
)
from multiloop.analyses.steady_states.steady_state import Configuration, SteadyState, scaled_rows
from multiloop.kinematics import has_mirrored_cut
from multiloop.kinematics.assembly import (
    LONGEST_STEP,
    Request,
    StepSolver,
    close_loops,
    damped_newton,
    damped_solver,
)
from multiloop.kinematics.conditioning import null_space, rate_rows
from multiloop.kinematics.constraints import target_lengths
from multiloop.kinematics.tree import named_coordinates_text
from multiloop.model import AssemblyError, Fault, SolveError, load_expressions
from multiloop.model.expressions import Expression, depends_on_state, evaluate

RATE_TOLERANCE = 1e-9
"""Largest difference between requested and computed rates, as a fraction of the largest rate, that is accepted."""


def initial_configuration(balance: ForceBalance, t: float) -> Configuration:
    """The assembled position of the plan at time t, with all other state variables at their initial values."""
    eq, p = balance.equations, balance.plan.assembly.p
    return Configuration(float(t), balance.plan.assembly.coordinates_on(eq), eq.skeleton.initial_states(p), p)


def steady_state_at(
    balance: ForceBalance, place: Configuration, requests: Sequence[Request] = ()
) -> SteadyState:
    """Steady state at a configuration `place`, with the requested rates.

    The remaining degrees of freedom are at rest if possible.
    """
    eq = balance.equations
    J = scaled_rows(balance, balance.rows(t=place.t, q=place.q, x=place.x, p=place.p))
    targets = [request.target for request in requests]
    rows = rate_rows(eq, place.q, place.p, targets).toarray() * eq.chart.rate_units
    lengths = [flag for target in targets for flag in target_lengths(target)]
    unit = np.where(lengths, 1 / eq.skeleton.characteristic_length, 1.0) if lengths else np.zeros(0)
    rows = unit[:, None] * rows
    values = unit * np.array([value for request in requests for value in request.values])
    ways = null_space(np.vstack([J, rows]))
    u = np.concatenate([values, np.zeros(ways.shape[1])])
    found = SteadyState(balance, place, np.vstack([rows, ways.T]), u)
    _require_rates(found, rows, values)
    # if the mechanism moves, independent rates of coordinates on which forces depend are set to zero
    if found.v.any() and ways.shape[1]:
        matter, rest = relevant_coordinates(found), ~moving_rates(found)
        places = independent_rows(ways, [matter & rest, rest])
        found = SteadyState(balance, place, np.vstack([rows, np.eye(len(found.v))[places]]), u)
    return found


def _require_rates(steady: SteadyState, rows: np.ndarray, values: np.ndarray) -> None:
    """Raise an error if the requested rates `values` contradict the constraints or the drives; the matrix `rows` maps
    the rates of a steady state to those requested."""
    v = steady.v / steady.scale
    missed = [rows @ v - values, steady.row_scale * steady._values["rates"]]
    size = max(float(np.abs(v).max(initial=0.0)), float(np.abs(values).max(initial=0.0)))
    miss = float(np.abs(np.concatenate(missed)).max(initial=0.0))
    if miss > RATE_TOLERANCE * max(size, 1e-12):
        what = f"they contradict the loops or the drives (relative residual {miss / max(size, 1e-12):.3g})."
        remedy = "Give rates of undriven degrees of freedom only, no more than there are."
        raise AssemblyError(
            f"mechanism '{steady.balance.mechanism.name}'", [Fault("K05", "rates", what, remedy)]
        )


def displaced_configuration(
    balance: ForceBalance, place: Configuration, step: np.ndarray, **changes: object
) -> Configuration | None:
    """Configuration with closed loops after a `step` in the coordinates of `place` (lengths divided by the
    characteristic length); `changes` gives new values of its other fields.

    None if the loops cannot be closed, or if the axes of a cut joint point in opposite directions in the closed
    position.
    """
    eq = balance.equations
    other = replace(place, q=eq.chart.apply_step(place.q, eq.chart.rate_units * step), **changes)  # type: ignore[arg-type]
    closing = close_loops(eq, other.q, balance.prescribed(other.t, other.p), other.p)
    if not closing.closed or has_mirrored_cut(eq, closing.q, other.p):
        return None
    return replace(other, q=closing.q)


BALANCE_TOLERANCE = 1e-9
"""Largest unbalanced moment, as a fraction of the largest acting moment (`moment_scale`), at which a position counts as
an equilibrium."""

NEWTON_STEPS = 60
"""Largest number of damped Newton steps."""

RELAXATION_STEPS = 400
"""Largest number of steps of the pseudo-transient continuation."""

FINAL_STEPS, NEUTRAL_SLOPE, SHORTEST_STEP = 20, 1e-13, 1e-14
"""Three limits of the final Newton steps: their largest number; the singular value of the Jacobian that counts as zero,
as a fraction of the largest one; the step length (in radians or characteristic lengths) below which they end."""

LARGEST_H = 1e12
"""Largest pseudo-time step h of the pseudo-transient continuation, in which 1/h is added to the stiffness divided by
the scale of the acting moments (`moment_scale`)."""

H_GROWTH = (0.3, 2.5)
"""Smallest and largest factor by which the pseudo-time step h changes from one step to the next."""


@dataclass(frozen=True, eq=False)
class EquilibriumProblem:
    """The equilibrium equations in the form that `damped_newton` requires.

    They are the unbalanced forces f, divided by `size`, the scale of the acting moments, and the rates ẋ of the state
    variables.
    """

    balance: ForceBalance
    requests: Sequence[Request]
    size: float

    def residual(self, at: SteadyState) -> np.ndarray:
        """Residual of the equations at a steady state: f / size, and the rates ẋ of the state variables."""
        return np.concatenate([at.force / self.size, at.x_rate])

    def solver(self, at: SteadyState) -> StepSolver:
        """Solver of the damped Newton equations at a steady state."""
        return damped_solver(residual_jacobian(LinearisedMotion(at), self.size))

    def apply_step(self, at: SteadyState, step: np.ndarray) -> SteadyState:
        """The steady state after a step in the independent coordinates and state variables; if the loops cannot be
        closed, the state `at` unchanged."""
        count = at.C_q.shape[1]
        place = displaced_configuration(
            self.balance,
            at.configuration,
            at.C_q @ step[:count],
            x=self.balance.with_states(at.configuration.x, step[count:]),
        )
        return at if place is None else steady_state_at(self.balance, place, self.requests)


def residual_jacobian(small: LinearisedMotion, size: float) -> np.ndarray:
    """Derivative of the residual (unbalanced forces f / `size`, rates ẋ of state variables) of the linearised motion
    `small` with respect to the independent coordinates ζ and the state variables x."""
    by_q, _, by_x = small.state_derivatives()
    return np.block([[small.K / size, small.K_x / size], [by_q, by_x]])


def moment_scale(steady: SteadyState) -> float:
    """Scale of the acting moments (N m), with which unbalanced moments are compared.

    It is the largest magnitude among the generalized forces without constraint forces, in motion also the generalized
    forces at zero rates, and the entries of the stiffness matrix; forces are multiplied by the characteristic length.
    """
    small, forces = LinearisedMotion(steady), [steady._force_without_multipliers]
    if steady.v.any():  # in motion, driving and braking forces may cancel each other
        forces.append(steady.scale * steady.balance.values(**steady.inputs)["force"])
    parts = [*(np.abs(force).max(initial=0.0) for force in forces), np.abs(small.K).max(initial=0.0)]
    return float(max(*parts, 1e-300))


def unbalanced_part(steady: SteadyState, size: float | None = None) -> float:
    """Largest unbalanced moment divided by `size`, by default the scale of the acting moments (`moment_scale`), or
    largest rate of a state variable if larger."""
    out = np.abs(steady.force).max(initial=0.0) / (moment_scale(steady) if size is None else size)
    return float(max(out, np.abs(steady.x_rate).max(initial=0.0)))


def solve_equilibrium(
    balance: ForceBalance, place: Configuration, requests: Sequence[Request] = ()
) -> SteadyState:
    """The equilibrium computed from the initial guess `place`; an error with the residual is raised if this fails."""
    first = steady_state_at(balance, place, requests)
    if not (np.isfinite(first.force).all() and np.isfinite(first.x_rate).all()):
        raise _not_finite_error(first)
    system = EquilibriumProblem(balance, requests, moment_scale(first))
    tried = []
    for settles in (False, True):
        begin = _relaxed(system, first) if settles else first
        found, _, _ = damped_newton(system, begin, allowed=1e-11, least=1e-15, limit=NEWTON_STEPS)
        found = _refined(system, found)
        if unbalanced_part(found) <= BALANCE_TOLERANCE:
            return found
        tried.append(found)
    raise _no_equilibrium_error(min(tried, key=unbalanced_part))


def _refined(system: EquilibriumProblem, at: SteadyState) -> SteadyState:
    """The state after undamped Newton steps, taken as long as each is shorter than the previous one.

    The unbalanced moment is measured relative to the largest acting moments. With stiff bodies this ratio is small long
    before the soft directions are in equilibrium; the lengths of Newton steps do not depend on this scale.

    Source: the natural test of monotonicity, [deuflhard].
    """
    step = _newton_step(system, at)
    for _ in range(FINAL_STEPS):
        length = float(np.linalg.norm(step))
        if not SHORTEST_STEP < length < LONGEST_STEP:
            break
        further = system.apply_step(at, step)
        following = _newton_step(system, further)
        if np.linalg.norm(following) >= length:
            break
        at, step = further, following
    return at


def _newton_step(system: EquilibriumProblem, at: SteadyState) -> np.ndarray:
    """Undamped Newton step in the independent coordinates ζ and the state variables x, without components along
    directions of zero stiffness."""
    found, *_ = np.linalg.lstsq(
        residual_jacobian(LinearisedMotion(at), system.size), -system.residual(at), rcond=NEUTRAL_SLOPE
    )
    return np.asarray(found)


def _relaxed(system: EquilibriumProblem, at: SteadyState) -> SteadyState:
    """The state in which an overdamped motion from `at` comes to rest; its last state if it does not come to rest."""
    small = LinearisedMotion(at)
    h = 1e-2 / max(float(np.abs(residual_jacobian(small, system.size)).max(initial=0.0)), 1e-6)
    r = system.residual(at)
    for _ in range(RELAXATION_STEPS):
        if np.abs(r).max(initial=0.0) <= BALANCE_TOLERANCE:
            break
        step = _relaxation_step(LinearisedMotion(at), system.size, h)
        longest = np.abs(step).max(initial=0.0)
        step = step * min(1.0, LONGEST_STEP / max(longest, 1e-300))
        at = system.apply_step(at, step)
        new = system.residual(at)
        ratio = float(np.linalg.norm(r)) / max(float(np.linalg.norm(new)), 1e-300)
        grown = float(np.clip(2 * ratio - 1 if ratio < 1 else 1.5 * ratio, *H_GROWTH))
        h, r = min(h * grown, LARGEST_H), new
    return at


def _relaxation_step(small: LinearisedMotion, size: float, h: float) -> np.ndarray:
    """Change of the independent coordinates ζ and the state variables x in one implicit step of the overdamped motion,
    with the pseudo-time step h; forces are divided by `size`, the scale of the acting moments."""
    st, N = small.steady_state, small.N
    freedoms, states = N.shape[1], len(st.x_rate)
    by_q, _, by_x = small.state_derivatives()
    left = np.block([[small.K @ N / size, small.K_x / size], [-by_q @ N, -by_x]])
    left = left + np.eye(freedoms + states) / h
    right = np.concatenate([-st.force / size, st.x_rate])
    found, *_ = np.linalg.lstsq(left, right, rcond=None)
    return np.concatenate([N @ found[:freedoms], found[freedoms:]])


def most_unbalanced(steady: SteadyState) -> tuple[str, float, str]:
    """Name of the independent coordinate with the largest unbalanced force, the effort that would balance this force,
    and the unit of the effort."""
    named = with_named_coordinates(steady)
    f = named.C.T @ named._force_without_multipliers
    places = np.argmax(named.B, axis=1)
    k = int(np.argmax(np.abs(f)))
    name, is_length = rate_names(steady.balance.equations)[places[k]]
    return name, float(f[k] / steady.scale[places[k]]), "N" if is_length else "N·m"


def _not_finite_error(steady: SteadyState) -> SolveError:
    """The error for forces that are not finite at the initial position; it names a load or effort that is undefined."""
    balance, t = steady.balance, steady.configuration.t
    given = [(f"the effort at '{at}'", value) for at, value in balance.efforts.items()]
    what = f"the acting forces are not finite at t = {t:g} s."
    for called, value in [*load_expressions(balance.mechanism), *given]:
        if isinstance(value, Expression) and not depends_on_state(value):
            try:
                evaluate(value, time=t)
            except ValueError as error:
                what = f"{called} is undefined at t = {t:g} s: {str(error).rstrip('.')}."
                break
    return analysis_error(
        balance.mechanism, "E01", "equilibrium", what, "Give a time t= at which the forces are finite."
    )


def _no_equilibrium_error(best: SteadyState) -> SolveError:
    """The error raised if no equilibrium is found; `best` is the computed state with the smallest residual."""
    if not best.force.size:
        names = best.balance.state_names
        k = int(np.argmax(np.abs(best.x_rate)))
        what = (
            f"does not exist: the integral '{names[k]}' changes at {best.x_rate[k]:.3g} per "
            "second, and no coordinate influences this rate."
        )
        remedy = "Define a rate that becomes zero, or omit the integral; `simulate` integrates it."
        return analysis_error(best.balance.mechanism, "E01", "equilibrium", what, remedy)
    name, value, unit = most_unbalanced(best)
    where = {joint: tuple(q) for joint, q in _positions(best).items()}
    mechanism = best.balance.mechanism
    first = ", ".join(
        f"{name} {named_coordinates_text(mechanism, name, q)}" for name, q in list(where.items())[:4]
    )
    what = (
        f"none was found from this start: in the best approximation '{name}' is out of "
        f"balance by {abs(value):.3g} {unit} ({unbalanced_part(best):.1e} times the "
        f"acting forces) at {first}."
    )
    remedy = (
        "Start nearer to the equilibrium, start={...}; check that forces can balance the loads; or "
        "increase the loads gradually, along={...}."
    )
    return analysis_error(best.balance.mechanism, "E01", "equilibrium", what, remedy)


def _positions(steady: SteadyState) -> dict[str, np.ndarray]:
    eq = steady.balance.equations
    return {name: steady.configuration.q[own.q] for name, own in eq.skeleton.coordinates.items() if own.names}
