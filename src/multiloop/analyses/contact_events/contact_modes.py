"""Choice of the modes of all set-valued forces, such that they are consistent with forces and accelerations.

Sliding and open contacts keep their modes. The modes of all contacts and joints that are closed and at rest are found
together (`consistent_modes`).

Source: [pfeiffer], ch. 3; [painleve] for cases with several solutions or none.
Theory: docs/theory/12-contact.md, section 12.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiloop.analyses.contact_events.consistent_modes import ModeSolution, ModeSolutions
from multiloop.analyses.contact_events.load_sharing import indeterminate_loads
from multiloop.analyses.contact_events.principal_pivoting import PrincipalPivoting
from multiloop.analyses.contact_events.set_valued_forces import (
    ImpulseResponse,
    SetValuedForces,
    StictionContact,
)
from multiloop.analyses.errors import analysis_error
from multiloop.analyses.run_models import LocalChoice, RunModel
from multiloop.dynamics.actions import (
    ACCELERATION,
    GAP,
    GAP_TOLERANCE,
    RATE,
    REST_RATE,
    SIGNIFICANT,
    SLACK,
    SLIP_END_FRACTION,
    SLOW_SPEED,
    UNHELD,
    Mode,
)
from multiloop.model import ResultWarning, SolveError, value_of

LARGEST_PENETRATION = 1e4
"""Largest penetration that is accepted at the start of a simulation, as a multiple of the gap that counts as closed; an
accepted penetration decays smoothly."""

ZERO_ACCELERATION = 1e-9
"""Accelerations below this fraction of the accelerations of the mechanism and of gravity count as zero."""

LEAVING_SPEED = 2 * SLIP_END_FRACTION
"""A contact in space that slides is considered to be at rest below this multiple of the speed in the column SLOW_SPEED
of its outputs (`actions.set_valued_force_law`). The multiple is necessary because the speeds of contacts that start to
slide at the same time differ by round-off."""

KEPT_RATE = 0.5
"""Fraction of the rest rate (the rate below which a joint counts as at rest) that is used in place of the rest rate
for a joint whose friction was at its limit while the joint was at rest.

Such a joint starts to slide when its rate exceeds the rest rate, at an instant that is known only approximately. If it
counted as at rest due to this error, its rate would be set to zero, and with it the rates of all joints coupled to it,
which may be large: the fast shaft of a gearbox may turn a million times as fast as the slow shaft with friction."""

TIME_DIGITS = 4.0
"""Tolerance of the time of an event, as a multiple of the spacing of floating-point numbers at this time."""

NO_FORCES = np.zeros(0, int)
"""Empty array of indices of set-valued forces."""

AMBIGUOUS = "may hold or release: both satisfy the equations of motion (Painlevé paradox)"


@dataclass(frozen=True, eq=False)
class ChosenModes:
    """A state with the modes of its set-valued forces, and warnings about these modes (`warnings`).

    `shared` are the names of the loads whose forces equilibrium does not determine; `undetermined` states whether any
    forces are statically indeterminate.
    """

    y: np.ndarray
    warnings: tuple[ResultWarning, ...] = ()
    shared: tuple[str, ...] = ()
    undetermined: bool = False


def choose_modes(
    set_valued: SetValuedForces, t: float, y: np.ndarray, choice: LocalChoice, ended: np.ndarray = NO_FORCES
) -> ChosenModes:
    """Copy of the state y with the contact modes that are valid from time t on, and with zero rates of the contacts and
    joints that are held at rest.

    `ended` are the indices of set-valued forces that have just reached their limits: they are released, or share the
    load with other forces such that they are within their limits again.
    """
    y = set_valued.with_shares(y, np.zeros(len(set_valued.names)))
    response, outputs = set_valued.impulse_response(t, y, choice), set_valued.outputs(t, y, choice)
    gap = response.impact_laws[:, 2] > 0
    modes, at_rest = _moving_modes(set_valued, outputs, gap, t, set_valued.modes(y))
    driven = at_rest & _prescribed_contacts(set_valued, set_valued.are_prescribed(y, response))
    _set_mode(set_valued, modes, at_rest, driven & ~gap, Mode.OPEN)
    if (driven & gap).any():
        carried = driven & gap & _without_acceleration(set_valued, t, y, choice, outputs, response)
        _set_mode(set_valued, modes, at_rest, carried, Mode.STANDS_FORWARD)
    rows = np.flatnonzero(at_rest)
    of_parts = [
        rows[set_valued.connected_parts[rows] == part]
        for part in dict.fromkeys(set_valued.connected_parts[rows].tolist())
    ]
    for own in of_parts:
        y = _stop(set_valued, y, own, outputs, response.v, response.compliance)
    modes[at_rest & ~set_valued.directions] = Mode.HELD
    D = response.compliance @ set_valued.friction_coupling(modes, outputs, response)
    size = np.sqrt(set_valued.tree_compliance(y, response))
    mu = set_valued.coefficients(response)
    y, messages = set_valued.with_modes(y, modes), list[ResultWarning]()
    for own in of_parts:  # connected parts are independent of each other, and so are their modes
        pivots = PrincipalPivoting(set_valued, t, y, choice, own, D, size, mu, ended)
        solutions = ModeSolutions(pivots)
        solved = solutions.solve(set_valued.modes(y))
        if solved is None:
            raise _no_modes_error(set_valued, t, solutions)
        messages += _ambiguity_warnings(set_valued, t, solutions, solved)
        y = solutions.final_state(solved)
    y = _start_sliding(set_valued, t, y, choice, response)
    return ChosenModes(y, tuple(messages), *indeterminate_loads(set_valued, y, outputs, response))


def _set_mode(
    set_valued: SetValuedForces, modes: np.ndarray, at_rest: np.ndarray, which: np.ndarray, mode: Mode
) -> None:
    """Set the entries of the forces `which` in `modes` to `mode`, and remove these forces from the mask `at_rest`.

    If a normal force is among them, the mode of the friction of its contact is set to OPEN.
    """
    modes[which & ~set_valued.directions] = mode
    at_rest &= ~which
    for contact in set_valued.stiction_contacts:
        if which[contact.normal]:
            modes[contact.mode] = Mode.OPEN
            at_rest[list(contact.tangential)] = False


def _start_sliding(
    set_valued: SetValuedForces, t: float, y: np.ndarray, choice: LocalChoice, response: ImpulseResponse
) -> np.ndarray:
    """Copy of the state y with directions of sliding of the contacts in space that start to slide while joints keep
    their gaps closed.

    The distribution of the load between such a contact and the joints is indeterminate: here the contact is assumed to
    carry no load, so that it slides without friction. If it carried a load, its friction would change the motion;
    `load_sharing` warns that the motion is not unique.
    """
    modes, outputs = set_valued.modes(y), set_valued.outputs(t, y, choice)
    idle = [
        contact
        for contact in set_valued.stiction_contacts
        if modes[contact.normal] == Mode.STANDS_FORWARD
        and modes[contact.mode] == Mode.OPEN
        and np.linalg.norm(outputs[list(contact.tangential), RATE]) <= outputs[contact.mode, REST_RATE]
    ]
    if not idle:
        return y
    unmoved = _without_acceleration(set_valued, t, y, choice, outputs, response)
    for contact in idle:
        rows = list(contact.tangential)
        if not unmoved[rows].all():
            a = outputs[rows, ACCELERATION]
            forward = contact.direction is not None or a[0] > 0
            modes[contact.mode] = Mode.FORWARD if forward else Mode.BACKWARD
            if contact.direction is not None:
                modes[contact.direction] = contact.angle(a)
    return set_valued.with_modes(y, modes)


def modes_at(run: RunModel, t: float, y: np.ndarray, choice: LocalChoice) -> ChosenModes:
    """The contact modes in the state y at a single instant t; raises an error if an impact occurs at this instant."""
    set_valued = SetValuedForces(run)
    y = set_valued.with_scales(t, y, choice)
    require_no_penetration(set_valued, t, y, choice)
    outputs = set_valued.outputs(t, y, choice)
    for k in np.flatnonzero(
        set_valued.are_unilateral(outputs)
        & (outputs[:, GAP] <= outputs[:, GAP_TOLERANCE])
        & (outputs[:, RATE] < -outputs[:, REST_RATE])
    ).tolist():
        speed = f"{-outputs[k, RATE]:.3g} {set_valued.unit(k)}/s"
        what = f"closes with {speed}: accelerations are not defined in an impact."
        remedy = (
            "Use `simulate`, which computes the impulses and continues, or give rates with which "
            "the gap opens or stays constant."
        )
        raise analysis_error(run.model.plan.mechanism, "S17", set_valued.describe([k]), what, remedy, time=t)
    return choose_modes(set_valued, t, y, choice)


def require_no_penetration(set_valued: SetValuedForces, t: float, y: np.ndarray, choice: LocalChoice) -> None:
    """Raise an error for an initial state in which a stop, rope or contact is penetrated."""
    outputs = set_valued.outputs(t, y, choice)
    for k in np.flatnonzero(outputs[:, GAP] < -LARGEST_PENETRATION * outputs[:, GAP_TOLERANCE]).tolist():
        found = f"{outputs[k, GAP]:.6g} {set_valued.unit(k)}"
        what = f"its gap is {found} at t = {t:g} s, a penetration at the start."
        remedy = "Start with a gap ≥ 0 (a rope: ends no farther apart than its length), or move the contact partner."
        mechanism = set_valued.run.model.plan.mechanism
        raise analysis_error(mechanism, "S17", set_valued.describe([k]), what, remedy, time=t)


def require_complementary(set_valued: SetValuedForces, t: float, y: np.ndarray, choice: LocalChoice) -> None:
    """Raise an error if a closed gap g closes further: ġ ≥ 0 is required where g = 0, and g̈ ≥ 0 where also ġ = 0.

    The chosen modes satisfy these conditions. They are verified for the state from which the integrator starts, because
    the integrator detects a contact by the sign change of its gap, and a gap that is negative from the beginning does
    not change its sign.
    """
    outputs = set_valued.outputs(t, y, choice)
    shut = (
        (set_valued.modes(y) == Mode.FORWARD)
        & ~set_valued.directions
        & (outputs[:, GAP] <= outputs[:, GAP_TOLERANCE])
    )
    sinks = outputs[:, RATE] < -outputs[:, REST_RATE]
    sinks |= (outputs[:, RATE] <= outputs[:, REST_RATE]) & (
        outputs[:, UNHELD] < -SIGNIFICANT * outputs[:, SLACK]
    )
    if not (shut & sinks).any():
        return
    with_gap = set_valued.impulse_response(t, y, choice).impact_laws[:, 2] > 0
    for k in np.flatnonzero(shut & sinks & with_gap).tolist():
        unit = set_valued.unit(k)
        closes = (
            f"at {0.0 - outputs[k, RATE]:.3g} {unit}/s and {0.0 - outputs[k, ACCELERATION]:.3g} {unit}/s²"
        )
        what = (
            f"at t = {t:.6g} s its gap is closed and closes further {closes}, and no contact "
            "force was found that prevents it."
        )
        remedy = "Change the initial state, rtol or the coefficient of friction slightly."
        raise analysis_error(
            set_valued.run.model.plan.mechanism, "S17", set_valued.describe([k]), what, remedy
        )


def _moving_modes(
    set_valued: SetValuedForces, outputs: np.ndarray, with_gap: np.ndarray, t: float, before: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Modes of all moving or open contacts and joints, and the mask of those that are closed and at rest.

    The time at which a rate vanishes is known only up to its last digits, so that the rate may differ from zero by the
    acceleration times this uncertainty. Friction of a contact is at rest if the contact is closed and does not slide.
    `outputs` are the output quantities of all set-valued forces (one row each), `with_gap` is the mask of the forces
    that have a gap, and `before` are the previous modes.
    """
    rate, gap = outputs[:, RATE], outputs[:, GAP]
    stands = outputs[:, REST_RATE]
    still = stands + TIME_DIGITS * np.spacing(abs(t)) * np.abs(outputs[:, ACCELERATION])
    leaves = (rate * before > 0) & (np.abs(before) == Mode.STANDS_FORWARD) & ~set_valued.directions
    still = np.where(leaves, KEPT_RATE * still, still)
    away = np.where(with_gap, (gap > outputs[:, GAP_TOLERANCE]) | (rate > stands), np.abs(rate) > still)
    modes = np.where(with_gap, float(Mode.FORWARD), np.sign(rate))
    for contact in set_valued.stiction_contacts:
        rows = list(contact.tangential)
        speed, least = float(np.linalg.norm(rate[rows])), float(still[rows].max())
        if contact.direction is not None:
            slides = before[contact.mode] not in (Mode.OPEN, Mode.HELD)
            least = max(least, (LEAVING_SPEED if slides else 1.0) * outputs[contact.mode, SLOW_SPEED])
        away[rows] = away[contact.normal] or speed > least
        if away[contact.normal]:
            modes[contact.mode] = Mode.OPEN
        elif contact.direction is not None:
            modes[contact.mode], modes[contact.direction] = Mode.FORWARD, contact.angle(rate[rows])
            if speed <= least and _slip_continues(contact, before, outputs):
                away[rows] = True
                modes[[contact.mode, contact.direction]] = before[[contact.mode, contact.direction]]
    return modes, ~away


def _slip_continues(contact: StictionContact, modes: np.ndarray, outputs: np.ndarray) -> bool:
    """Whether slip that has begun at a contact in space continues after an event at another contact; `outputs` are the
    output quantities of all set-valued forces."""
    along = contact.start_direction(modes) @ outputs[list(contact.tangential), RATE]
    return bool(
        modes[contact.mode] == Mode.BEGINS_TO_SLIP
        and along > -SLIP_END_FRACTION / 2 * outputs[contact.mode, SLOW_SPEED]
    )


def _prescribed_contacts(set_valued: SetValuedForces, prescribed: np.ndarray) -> np.ndarray:
    """Mask of the set-valued forces along which drives prescribe the rate of the gap or of sliding; friction of a
    contact in space is included only if both sliding rates are prescribed."""
    found = prescribed.copy()
    for contact in set_valued.stiction_contacts:
        found[list(contact.tangential)] = prescribed[list(contact.tangential)].all()
    return found


def _without_acceleration(
    set_valued: SetValuedForces,
    t: float,
    y: np.ndarray,
    choice: LocalChoice,
    outputs: np.ndarray,
    response: ImpulseResponse,
) -> np.ndarray:
    """Mask of the set-valued forces whose gaps or sliding rates have no acceleration (in their `outputs`), within the
    round-off of all accelerations and of gravity."""
    model = set_valued.run.model
    a = np.abs(set_valued.run.solve_at(t, y, choice).a)
    length = np.array(
        [
            model.skeleton.characteristic_length if set_valued.unit(k) == "rad" else 1.0
            for k in range(len(outputs))
        ]
    )
    gravity = [value_of(part) or 0.0 for part in model.skeleton.mechanism.gravity or ()]
    falling = float(np.linalg.norm(gravity)) / length
    found: np.ndarray = np.abs(outputs[:, ACCELERATION]) <= ZERO_ACCELERATION * (
        np.abs(response.rates) @ a + falling
    )
    return found


def _stop(
    set_valued: SetValuedForces,
    y: np.ndarray,
    candidates: np.ndarray,
    outputs: np.ndarray,
    jumps: np.ndarray,
    D: np.ndarray,
) -> np.ndarray:
    """Copy of the state y after minimum-norm impulses of the forces `candidates`, which set the rates along these
    forces to zero.

    Per unit impulse of each force, `jumps` are the changes of the joint rates and D those of the rates along the
    forces. `outputs` are the output quantities of all forces, which contain these rates.
    """
    layout, found = set_valued.run.layout, y.copy()
    block = D[np.ix_(candidates, candidates)]
    impulses = np.linalg.lstsq(block, -outputs[candidates, RATE], rcond=1e-9)[0]
    found[layout["v"]] += jumps[:, candidates] @ impulses
    return found


def _ambiguity_warnings(
    set_valued: SetValuedForces, t: float, solutions: ModeSolutions, solved: ModeSolution
) -> tuple[ResultWarning, ...]:
    """The warning that the motion is not unique or that its uniqueness was not verified; empty if it is unique."""
    which = solutions.pivots.candidates
    called, place = set_valued.describe(which), ", ".join(dict.fromkeys(set_valued.names[k] for k in which))
    if solved.several:
        return (ResultWarning("W76", place, f"at t = {t:.6g} s {called} {AMBIGUOUS}", time=t),)
    if solved.unexamined:
        tried = len(solutions.pivots.tried)
        why = f"{tried} of {solutions.sets:.6g} combinations of sticking, sliding and separation were tried"
        text = f"at t = {t:.6g} s it was not verified that the motion of {called} is unique: {why}"
        return (ResultWarning("W77", place, text, float(tried), "1", t),)
    return ()


def _no_modes_error(set_valued: SetValuedForces, t: float, solutions: ModeSolutions) -> SolveError:
    mechanism = set_valued.run.model.plan.mechanism
    what = f"at t = {t:.6g} s no contact forces satisfy the equations of rigid bodies (Painlevé paradox)."
    if not solutions.countable:
        tried = len(solutions.pivots.tried)
        many = f"{tried} of {solutions.sets:.6g} combinations of sticking, sliding and separation were tried"
        what = (
            f"at t = {t:.6g} s no contact forces were found that satisfy the equations of rigid "
            f"bodies; {many}."
        )
    remedy = (
        "Lower the coefficient of friction, or use a compliant element, such as a Stop with "
        "a stiffness or a Bushing."
    )
    return analysis_error(
        mechanism, "S17", set_valued.describe(solutions.pivots.candidates), what, remedy, time=t
    )
