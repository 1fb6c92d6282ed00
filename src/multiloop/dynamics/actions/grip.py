"""A force that holds a motion as far as it can: contact, rope, dry friction, freewheel, in one of a few modes.

    low ≤ x ≤ high,      x = low where the motion goes on, ġ > 0,      x = high where it goes back, ġ < 0

x is the force along g, and what it holds is ġ = 0. A contact has low = 0 and no upper end, and holds only where its gap
g is closed; dry friction has −L and L; a freewheel 0 and no upper end. Which of these it is, its mode, is an input of
the equations, chosen outside of them where it changes.

Source: [pfeiffer], ch. 3 and 4: unilateral constraints by complementarity.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import casadi as ca

from multiloop.spatial import Matrix

BOUNDLESS = 1e300
"""The end of a force that has none."""

DRIFT = 100.0
"""What is held stays so while an integrator's errors move it by no more than so many grains."""

SINKS = 0.5
"""An open gap at 0 closes at this part of the rate of rest: it is then closed without an impact."""

JUST = 1e-300
"""What a guard is where it has just been passed the other way."""

GUARD, FORCE, GAP, RATE, ACCELERATION, LOW, HIGH, LEFT, SLACK, TOUCHES, STANDS, SLOW = range(12)
"""What is told of every grip, by columns: that its mode lasts (> 0); x; g, ġ, g̈; the ends of x; how much of g̈ is not
held; how much of x is round-off; the gap below which it is closed; the rate below which it is at rest, both larger
where it is held already; the slip speed in space below which the mode gives the direction of friction."""

TOLD = SLOW + 1


class Mode(IntEnum):
    """How a grip acts. `OPEN` is decided by the rate alone, without a state that remembers it: at rest x is nothing.

    So is, in a run, what a drive holds at rest: equilibrium does not tell x there. Friction of a contact in space has a
    direction in place of a sign, and `BACKWARD` means that slip begins (`tangential_grip`).
    """

    OPEN = 0
    FORWARD = 1
    BACKWARD = -1
    BEGINS_TO_SLIP = -1  # in space
    STANDS_FORWARD = 2  # x is at its lower end, while others hold the motion
    STANDS_BACKWARD = -2
    HELD = 3


def is_held(mode: Matrix) -> Matrix:
    """Whether the motion is held."""
    return mode > (Mode.HELD + Mode.STANDS_FORWARD) / 2


def is_closed(mode: Matrix) -> Matrix:
    """Whether it is held, or stands at an end of its force: the gap is closed, or the joint at rest."""
    return ca.fabs(mode) > (Mode.STANDS_FORWARD + Mode.FORWARD) / 2


def is_chosen(mode: Matrix) -> Matrix:
    """Whether a mode was chosen at all; else the rate decides."""
    return ca.fabs(mode) > (Mode.FORWARD + Mode.OPEN) / 2


@dataclass(frozen=True, eq=False)
class Slide:
    """How a contact slides: v along two axes across its normal (3×2, inertial), in the plane one; the coefficient of
    friction, and the rate `slip` from which on it is all there."""

    v: Matrix
    axes: Matrix
    coefficient: Any
    slip: Any


@dataclass(frozen=True, eq=False)
class LimitParts:
    """Limits that follow reactions, |x + f| ≤ Σ |Fᵢ|: the vectors Fᵢ and f, homogeneous and linear in reactions."""

    vectors: tuple[Matrix, ...]
    shift: Matrix


@dataclass(frozen=True, eq=False)
class Grip:
    """What is held, its rate ġ and its gap g where it has one; and the ends of x, None where it has none.

    After an impact ġ is −restitution times what it was; rebounds slower than `speed` are none, where it is given.
    `closed` says of friction in a contact whether the contact is closed: only then does its mode end. `pace` is the
    characteristic rate ν of its connected part, `touches` the gap below which it is closed, in m or rad, and ν
    times that the rate below which it is at rest; `grain` is the relative accuracy of the run, `returns` is ω of what
    is held.
    """

    rate: Matrix
    low: Matrix
    high: Matrix | None
    gap: Matrix | None = None
    restitution: Any = 0.0
    speed: Any = 0.0
    slide: Slide | None = None
    closed: Matrix | None = None
    pace: Any = 1.0
    touches: Any = 0.0
    grain: Any = 0.0
    returns: Any = 0.0

    @property
    def stands(self) -> Matrix:
        """The rate below which it is at rest."""
        return self.touches * self.pace

    @property
    def slow(self) -> Matrix:
        """The slip speed below which the mode gives the direction of friction."""
        return self.stands

    @property
    def end(self) -> Matrix:
        """The upper end, a very large number where it has none."""
        return ca.SX(BOUNDLESS) if self.high is None else self.high

    def law(self, mode: Matrix, x: Matrix, left: Matrix) -> Matrix:
        """x as the mode makes it; what is held takes off it what is `left` of the acceleration, as a force."""
        going = way_of(mode, self.rate, self.stands)
        back = ca.SX(0) if self.high is None else self.high
        given = ca.if_else(going > 0, self.low, ca.if_else(going < 0, back, 0.0))
        return ca.if_else(is_held(mode), x - left, given)

    def unheld(self, acceleration: Matrix) -> Matrix:
        """g̈ + 2 ω ġ + ω² g, which is nothing where it is held: ω brings it back from round-off."""
        found = acceleration + 2 * self.returns * self.rate
        return found if self.gap is None else found + self.returns**2 * self.gap

    def guard(self, mode: Matrix, x: Matrix, acceleration: Matrix, slack: Matrix) -> Matrix:
        """Positive as long as the mode lasts."""
        held = x - self.low + slack
        if self.high is not None:
            held = ca.fmin(held, self.high - x + slack)
        if self.gap is None:
            open_ = stands = ca.SX(self.stands - ca.fabs(self.rate))
            moves = ca.sign(mode)
            goes = _falling(moves * self.rate, moves * acceleration, 0.0)
        else:
            open_, stands = ca.SX(BOUNDLESS), ca.SX(self.touches - ca.fabs(self.gap))
            goes = _falling(self.gap, self.rate, SINKS * self.stands)
        found = ca.if_else(is_held(mode), held, ca.if_else(is_closed(mode), stands, goes))
        found = ca.if_else(is_chosen(mode), found, open_)
        return found if self.closed is None else ca.if_else(self.closed, found, BOUNDLESS)


def _falling(value: Matrix, rate: Matrix, round_off: Any) -> Matrix:
    """A value that is to stay positive; where it is not yet but rises, it counts as positive.

    A value that starts at 0 may be negative by round-off, and so may its rate: it counts as positive until it falls
    faster than `round_off`. Otherwise it would never change sign, and the fall would not be detected.
    """
    return ca.if_else(value <= 0, ca.if_else(rate >= -round_off, JUST, value), value)


def way_of(mode: Matrix, rate: Matrix, stands: Matrix) -> Matrix:
    """Which way it goes, ±1, by its mode, or by the rate where the mode is open; 0 where that is at most `stands`."""
    by_rate = ca.if_else(ca.fabs(rate) > stands, ca.sign(rate), 0.0)
    return ca.if_else(is_chosen(mode), ca.sign(mode), by_rate)
