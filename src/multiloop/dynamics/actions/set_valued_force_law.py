"""Set-valued forces (contact, rope, dry friction, freewheel): laws, modes and event functions.

    low ≤ x ≤ high,      x = low for ġ > 0,      x = high for ġ < 0,      any x between them for ġ = 0

x is the magnitude of the force, with a sign, along the coordinate or gap g; while ġ = 0 the force prevents the motion
along g (it holds the motion). A contact has low = 0 and no upper limit, and acts only if its gap g is closed; dry
friction has the limits −L and L; a freewheel has low = 0 and no upper limit. The mode states which of the three cases
(ġ > 0, ġ < 0, ġ = 0) applies. Modes are inputs of the equations of motion, and are determined at events, outside of
these equations.

Source: [pfeiffer], ch. 3 and 4: unilateral constraints by complementarity.
Theory: docs/theory/12-contact.md, eqs. (12.1), (12.3), (12.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import casadi as ca
import numpy as np

from multiloop.spatial import Matrix

UNBOUNDED = 1e300
"""Value used as the upper limit of a force without an upper limit."""

DRIFT_FACTOR = 100.0
"""Factor of the tolerances for gap and rate in the mode `HELD`: while a force prevents a motion, errors of the
integrator may cause displacements of up to this many times the resolution of the simulation."""

CLOSING_RATE_FRACTION = 0.5
"""Closing rate, as a fraction of the rest rate, above which a contact in the mode `FORWARD` (open contact) counts as
closing if its gap is 0 already; it then closes without an impact."""

SMALLEST_POSITIVE = 1e-300
"""Value of an event function that has just crossed zero from below, or starts at zero; positive, so that the next
crossing is detected."""

GUARD, FORCE, GAP, RATE, ACCELERATION, LOW, HIGH, UNHELD, SLACK, GAP_TOLERANCE, REST_RATE, SLOW_SPEED = range(
    12
)
"""Columns of the outputs of every set-valued force: event function, positive while the mode lasts; force x; gap g, its
rate ġ and acceleration g̈; lower and upper limit of x; residual acceleration of a prevented motion, expressed as a
force; round-off of x; gap below which the contact counts as closed and rate below which the motion counts as at rest,
both multiplied by `DRIFT_FACTOR` in the mode `HELD`; slip speed in space below which the mode determines the direction
of friction."""

COLUMN_COUNT = SLOW_SPEED + 1


class Mode(IntEnum):
    """Mode of a set-valued force x: moving forward or backward, at rest with x at a limit, held, or open (no mode).

    In `HELD` the force prevents the motion (closed contact, sticking). An open contact has the mode `FORWARD`. In
    `OPEN` the force follows from the rate alone, and is zero at rest: this is the initial mode, the mode of friction in
    an open contact, and the mode at rest if a drive prescribes the motion, since equilibrium then does not determine x.
    Friction of a contact in space has a direction instead of a sign, and the value of `BACKWARD` means that slip begins
    (`ContactAction`).
    """

    OPEN = 0
    FORWARD = 1
    BACKWARD = -1
    BEGINS_TO_SLIP = -1  # friction in space: slip begins
    STANDS_FORWARD = 2  # x is at its lower limit, and other forces prevent the motion
    STANDS_BACKWARD = -2
    HELD = 3


def is_held(mode: Matrix) -> Matrix:
    """Whether the mode is `HELD`: the force prevents the motion (closed contact, sticking)."""
    return mode > (Mode.HELD + Mode.STANDS_FORWARD) / 2


def is_closed(mode: Matrix) -> Matrix:
    """Whether the mode is `HELD`, or rest with the force at a limit: the gap is closed, or the joint does not move."""
    return ca.fabs(mode) > (Mode.STANDS_FORWARD + Mode.FORWARD) / 2


def is_chosen(mode: Matrix) -> Matrix:
    """Whether the mode is not `OPEN`; in `OPEN` the force follows from the rate."""
    return ca.fabs(mode) > (Mode.FORWARD + Mode.OPEN) / 2


@dataclass(frozen=True, eq=False)
class ContactSliding:
    """Sliding velocity v of a contact along the tangential `axes` (3×2 in inertial axes, 3×1 in the plane), coefficient
    of friction, and creep speed `slip`, above which friction has its full value."""

    v: Matrix
    axes: Matrix
    coefficient: Any
    slip: Any


@dataclass(frozen=True, eq=False)
class LimitParts:
    """Limits of a friction effort x that depend on joint reactions, |x + f| ≤ Σ |Fᵢ|: vectors Fᵢ and scalar shift f,
    which are linear and homogeneous functions of the reactions."""

    vectors: tuple[Matrix, ...]
    shift: Matrix


@dataclass(frozen=True, eq=False)
class SetValuedForce:
    """A set-valued force x: rate ġ, limits `low` and `high` of x (`high` is None without an upper limit), and gap g of
    a contact.

    After an impact ġ is −restitution times its value before the impact; rebounds slower than `rebound_speed` are
    suppressed. For friction in a contact, `closed` states whether the contact is closed; events of the friction mode
    are detected only in closed contacts. `rate_scale` is the characteristic rate ν, in 1/s, of the connected part of
    the mechanism; `gap_tolerance` is the gap, in m or rad, below which the contact counts as closed, and ν times this
    gap is the rate below which the motion counts as at rest. `resolution` is the relative resolution of the simulation,
    and `return_rate` the rate ω with which drift is corrected while the motion is prevented.
    """

    rate: Matrix
    low: Matrix
    high: Matrix | None
    gap: Matrix | None = None
    restitution: Any = 0.0
    rebound_speed: Any = 0.0
    slide: ContactSliding | None = None
    closed: Matrix | None = None
    rate_scale: Any = 1.0
    gap_tolerance: Any = 0.0
    resolution: Any = 0.0
    return_rate: Any = 0.0

    @property
    def rest_rate(self) -> Matrix:
        """Rate, in m/s or rad/s, below which the motion counts as at rest."""
        return self.gap_tolerance * self.rate_scale

    @property
    def slow_speed(self) -> Matrix:
        """Slip speed below which the mode, not the velocity, determines the direction of friction; in the plane the
        rest rate."""
        return self.rest_rate

    @property
    def upper_limit(self) -> Matrix:
        """Upper limit of x; `UNBOUNDED`, a very large number, if x has no upper limit."""
        return ca.SX(UNBOUNDED) if self.high is None else self.high

    def law(self, mode: Matrix, x: Matrix, left: Matrix) -> Matrix:
        """The force according to the mode; in the mode `HELD` the present force `x` minus `left`, the residual
        acceleration of the motion expressed as a force."""
        going = motion_direction(mode, self.rate, self.rest_rate)
        back = ca.SX(0) if self.high is None else self.high
        given = ca.if_else(going > 0, self.low, ca.if_else(going < 0, back, 0.0))
        return ca.if_else(is_held(mode), x - left, given)

    def held_residual(self, acceleration: Matrix) -> Matrix:
        """Residual acceleration g̈ + 2 ω ġ + ω² g of the gap or coordinate g, which the force makes zero in the mode
        `HELD`; the terms with the return rate ω correct drift due to round-off."""
        found = acceleration + 2 * self.return_rate * self.rate
        return found if self.gap is None else found + self.return_rate**2 * self.gap

    def guard(self, mode: Matrix, x: Matrix, acceleration: Matrix, slack: Matrix) -> Matrix:
        """Event function, which is positive as long as the mode remains valid; `acceleration` is that of the gap or
        coordinate, and `slack` the round-off of the force x."""
        held = x - self.low + slack
        if self.high is not None:
            held = ca.fmin(held, self.high - x + slack)
        if self.gap is None:
            open_ = stands = ca.SX(self.rest_rate - ca.fabs(self.rate))
            moves = ca.sign(mode)
            goes = _positive_until_falling(moves * self.rate, moves * acceleration, 0.0)
        else:
            open_, stands = ca.SX(UNBOUNDED), ca.SX(self.gap_tolerance - ca.fabs(self.gap))
            goes = _positive_until_falling(self.gap, self.rate, CLOSING_RATE_FRACTION * self.rest_rate)
        found = ca.if_else(is_held(mode), held, ca.if_else(is_closed(mode), stands, goes))
        found = ca.if_else(is_chosen(mode), found, open_)
        return found if self.closed is None else ca.if_else(self.closed, found, UNBOUNDED)


def _positive_until_falling(value: Matrix, rate: Matrix, round_off: Any) -> Matrix:
    """An event function that becomes negative when `value` falls below zero; a value that is not yet positive but rises
    counts as positive.

    Due to round-off a value that starts at 0, and its rate, may be slightly negative: the value counts as positive
    until it falls faster than `round_off`. Otherwise the event function would never change sign, and the event would
    not be detected.
    """
    return ca.if_else(value <= 0, ca.if_else(rate >= -round_off, SMALLEST_POSITIVE, value), value)


def motion_direction(mode: Matrix, rate: Matrix, stands: Matrix) -> Matrix:
    """Direction of motion, 1 or −1, according to the mode. If the mode is `OPEN`, it is the sign of the rate, or 0 for
    rates of magnitude up to `stands`."""
    by_rate = ca.if_else(ca.fabs(rate) > stands, ca.sign(rate), 0.0)
    return ca.if_else(is_chosen(mode), ca.sign(mode), by_rate)


SIGNIFICANT = 10.0
"""The residual acceleration of a prevented motion, expressed as a force, counts as nonzero above this multiple of its
round-off."""

BEYOND_LIMIT = 0.5
"""A force that prevents a motion is released if it exceeds its limit by more than this fraction of its round-off.

The integration stops when the event function of the mode (`SetValuedForce.guard`) crosses zero, that is when the force
exceeds its limit by its full round-off. The fraction is less than 1, so that such a force is certainly released; if it
were not, its event function would remain negative, and no further event would be detected.
"""


def alternative_mode(mode: float, values: np.ndarray) -> Mode | None:
    """The mode to try instead of `mode` if the outputs `values` of the force contradict it; None if they agree with
    it."""
    x, slack, residual = values[FORCE], values[SLACK], values[UNHELD]
    if mode == Mode.HELD:
        # a drive prescribes the motion, which the force cannot prevent
        if abs(residual) > SIGNIFICANT * slack:
            return Mode.FORWARD if residual > 0 or values[HIGH] > UNBOUNDED / 2 else Mode.BACKWARD
        if x < values[LOW] - BEYOND_LIMIT * slack:
            return Mode.FORWARD
        return Mode.BACKWARD if x > values[HIGH] + BEYOND_LIMIT * slack else None
    against = residual if mode > 0 else -residual
    return Mode.HELD if against < -slack else None


def departure_sign(mode: float, values: np.ndarray, part: float = 1.0) -> int:
    """The sign of the motion with which the contact or joint of a force leaves rest: ±1, or 0 if it stays at rest.

    `mode` is the mode of the force, `values` are its outputs; `part` is the fraction of the output SLACK that counts as
    round-off.
    """
    if mode == Mode.HELD or abs(values[UNHELD]) <= SIGNIFICANT * part * values[SLACK]:
        return 0
    return 1 if mode > 0 else -1
