"""Set-valued forces (contact, rope, dry friction, freewheel): laws, modes and event functions.

    low ≤ x ≤ high,      x = low for ġ > 0,      x = high for ġ < 0,      any x between them for ġ = 0

x is the force along g; it holds the motion if ġ = 0. A contact has low = 0 and no upper limit, and acts only where its
gap g is closed; dry friction has the limits −L and L; a freewheel 0 and no upper limit. Which of the three cases
applies, the mode, is an input of the equations; it is chosen outside of them at events.

Source: [pfeiffer], ch. 3 and 4: unilateral constraints by complementarity.
Theory: docs/theory/12-contact.md, eqs. (12.1), (12.3), (12.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import casadi as ca

from multiloop.spatial import Matrix

UNBOUNDED = 1e300
"""Upper limit of a force that is not bounded."""

DRIFT_FACTOR = 100.0
"""A held motion counts as held while errors of the integrator move it by at most this many times the resolution."""

CLOSING_RATE_FRACTION = 0.5
"""Fraction of the rate of rest at which an open gap of size 0 closes: it is then closed without an impact."""

SMALLEST_POSITIVE = 1e-300
"""Value assigned to an event function whose zero has just been crossed in the other direction."""

GUARD, FORCE, GAP, RATE, ACCELERATION, LOW, HIGH, UNHELD, SLACK, GAP_TOLERANCE, REST_RATE, SLOW_SPEED = range(
    12
)
"""Columns of the outputs of every set-valued force: event function, positive while the mode lasts; x; g, ġ, g̈; lower
and upper limit of x; residual of a held acceleration, as a force; round-off of x; gap below which it is closed and rate
below which it is at rest, both larger if it is held already; slip speed in space below which the mode gives the
direction of friction."""

COLUMN_COUNT = SLOW_SPEED + 1


class Mode(IntEnum):
    """Mode of a set-valued force. In `OPEN` the force follows from the rate alone, without a state variable; at rest it
    is zero.

    `OPEN` is also the mode of a motion that a drive holds at rest in a simulation, where equilibrium does not determine
    x. Friction of a contact in space has a direction instead of a sign, and `BACKWARD` means that slip begins
    (`ContactAction`).
    """

    OPEN = 0
    FORWARD = 1
    BACKWARD = -1
    BEGINS_TO_SLIP = -1  # in space: slip begins
    STANDS_FORWARD = 2  # x is at its lower limit, while other forces hold the motion
    STANDS_BACKWARD = -2
    HELD = 3


def is_held(mode: Matrix) -> Matrix:
    """Whether the force holds the motion."""
    return mode > (Mode.HELD + Mode.STANDS_FORWARD) / 2


def is_closed(mode: Matrix) -> Matrix:
    """Whether the gap is closed or the joint at rest: the motion is held, or the force is at one of its limits."""
    return ca.fabs(mode) > (Mode.STANDS_FORWARD + Mode.FORWARD) / 2


def is_chosen(mode: Matrix) -> Matrix:
    """Whether a mode other than `OPEN` was chosen; in `OPEN` the force follows from the rate."""
    return ca.fabs(mode) > (Mode.FORWARD + Mode.OPEN) / 2


@dataclass(frozen=True, eq=False)
class ContactSliding:
    """Sliding of a contact: v along two tangential axes (3×2, inertial), in the plane one; the coefficient of friction,
    and the creep speed `slip`, above which friction is fully developed."""

    v: Matrix
    axes: Matrix
    coefficient: Any
    slip: Any


@dataclass(frozen=True, eq=False)
class LimitParts:
    """Limits that depend on reactions, |x + f| ≤ Σ |Fᵢ|: vectors Fᵢ and shift f, linear and homogeneous in them."""

    vectors: tuple[Matrix, ...]
    shift: Matrix


@dataclass(frozen=True, eq=False)
class SetValuedForce:
    """A set-valued force: rate ġ, gap g if it has one, and limits of x; `high` is None if x has no upper limit.

    After an impact ġ is −restitution times its value before; rebounds slower than `rebound_speed`, if given, are
    suppressed. For friction in a contact, `closed` states whether the contact is closed; events of the friction mode
    are detected only then. `rate_scale` is the characteristic rate ν of its connected part, `gap_tolerance` the gap
    below which it is closed, in m or rad, and ν times this gap the rate below which it is at rest; `resolution` is the
    relative resolution of the simulation, `return_rate` the rate ω with which drift of a held motion is corrected.
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
        """Rate below which it is at rest."""
        return self.gap_tolerance * self.rate_scale

    @property
    def slow_speed(self) -> Matrix:
        """Slip speed below which the mode gives the direction of friction."""
        return self.rest_rate

    @property
    def upper_limit(self) -> Matrix:
        """Upper limit, a very large number if there is none."""
        return ca.SX(UNBOUNDED) if self.high is None else self.high

    def law(self, mode: Matrix, x: Matrix, left: Matrix) -> Matrix:
        """The force x according to the mode; if it holds the motion, x minus the residual acceleration `left`,
        expressed as a force."""
        going = motion_direction(mode, self.rate, self.rest_rate)
        back = ca.SX(0) if self.high is None else self.high
        given = ca.if_else(going > 0, self.low, ca.if_else(going < 0, back, 0.0))
        return ca.if_else(is_held(mode), x - left, given)

    def held_residual(self, acceleration: Matrix) -> Matrix:
        """Residual g̈ + 2 ω ġ + ω² g, which is zero if the motion is held; the terms with ω correct drift due to
        round-off."""
        found = acceleration + 2 * self.return_rate * self.rate
        return found if self.gap is None else found + self.return_rate**2 * self.gap

    def guard(self, mode: Matrix, x: Matrix, acceleration: Matrix, slack: Matrix) -> Matrix:
        """Event function, positive as long as the mode lasts."""
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
    """An event function that triggers when the value falls below zero; a value that is not yet positive but rises
    counts as positive.

    A value that starts at 0 may be negative by round-off, and so may its rate: it counts as positive until it falls
    faster than `round_off`. Otherwise the event function would never change sign, and the event would not be detected.
    """
    return ca.if_else(value <= 0, ca.if_else(rate >= -round_off, SMALLEST_POSITIVE, value), value)


def motion_direction(mode: Matrix, rate: Matrix, stands: Matrix) -> Matrix:
    """Direction of motion, ±1, from the mode, or from the rate if the mode is open; 0 for rates of at most `stands`."""
    by_rate = ca.if_else(ca.fabs(rate) > stands, ca.sign(rate), 0.0)
    return ca.if_else(is_chosen(mode), ca.sign(mode), by_rate)
