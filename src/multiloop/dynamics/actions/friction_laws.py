"""Laws of friction: regularisation of the sign near zero speed, default creep speeds, and friction in a tangent plane.

Theory: docs/theory/05-inverse-dynamics.md, eq. (5.15); docs/theory/12-contact.md, eqs. (12.6), (12.7).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import casadi as ca

from multiloop.dynamics.actions.set_valued_force_law import (
    UNBOUNDED,
    Mode,
    SetValuedForce,
    is_chosen,
    is_closed,
    is_held,
)
from multiloop.kinematics import Snapshot, expression_value
from multiloop.kinematics.tree import Skeleton
from multiloop.model.expressions import Scalar
from multiloop.spatial import Matrix

GRAVITY_FRACTION, ZERO_GRAVITY_FRACTION = 1 / 3000, 1 / 1000
"""Default creep speed as a fraction of √(g ℓ), and without gravity as a fraction of ℓ per second; g is the acceleration
of gravity and ℓ the characteristic length."""


def creep_speed(at: Snapshot, given: Scalar | None, turns: bool = False) -> Any:
    """The creep speed `given` by the user, or the default if it is None; with `turns` it is an angular speed."""
    if given is not None:
        return expression_value(at, given)
    return default_creep_speed(at.skeleton, turns)


def default_creep_speed(skeleton: Skeleton, turns: bool = False) -> Any:
    """The default creep speed in m/s, or in rad/s with `turns`; if gravity or lengths depend on parameters, it is an
    expression of these parameters."""
    size = skeleton.parametric_length
    fall = ca.norm_2(ca.densify(ca.SX(skeleton.gravity)))
    with_gravity = GRAVITY_FRACTION * ca.sqrt(fall * size)
    speed = ca.if_else(fall > 0, with_gravity, ZERO_GRAVITY_FRACTION * size)
    return speed / size if turns else speed


TINY = 1e-300
"""Number added under the square root of `magnitude`, so that the derivative at zero is finite; too small to change
other values."""


def regularised_sign(speeds: Matrix) -> Matrix:
    """Regularised sign: σ(u) = u (15 − 10 u² + 3 u⁴)/8 for −1 ≤ u ≤ 1, otherwise ±1."""
    u = ca.fmax(-1.0, ca.fmin(1.0, speeds))
    s = u * u
    return u * (15 - s * (10 - 3 * s)) / 8


def magnitude(force: Matrix) -> Matrix:
    """Magnitude |F| of a vector, with a finite derivative everywhere."""
    if force.shape[0] == 1:
        return ca.fabs(force)
    return ca.sqrt(ca.dot(force, force) + TINY)


SLOW_SPEED_FACTOR, MIN_SLOW_SPEED_FACTOR = 1e-2, 10.0
"""Factors of the slow speed s, below which a sliding contact counts as beginning to slip. With the relative resolution
ε of the simulation, s is SLOW_SPEED_FACTOR/√ε times the rest rate (the speed below which a contact counts as at rest),
and at least MIN_SLOW_SPEED_FACTOR times the rest rate. If s is divided by the speeds of the mechanism, it is well above
the relative errors of the integrator, which are of the order of ε, and its square is below these errors."""

DIRECTION_DELAY = 1 / 32
"""Sliding speed, as a fraction of the slow speed, at which the direction of friction changes, while slip begins, from
the predicted slip direction e at lower speeds to the direction of the sliding velocity v at higher speeds. If several
redundant contacts carry the friction together, e is accurate only to about 1e-3 rad: a larger fraction then makes the
friction too small, a smaller fraction makes the equations stiffer."""

DIRECTION_THRESHOLD = 1e-3
"""Speed, as a fraction of the rest rate, below which the direction of a sliding velocity counts as undefined."""

MIN_DIRECTION_COSINE = 0.5
"""Cosine of the largest angle (60°) between the sliding velocity and the slip direction e up to which the mode
"sliding along e" lasts."""

SLIP_END_FRACTION = 0.25
"""Sliding speed below which the mode "sliding along e" ends; also the largest speed opposite to the slip direction e
in the mode in which slip begins. Both are fractions of the slow speed."""


@dataclass(frozen=True, eq=False)
class TangentialFriction(SetValuedForce):
    """One of the two tangential components of the friction force of a contact in space.

    `axis` (0 or 1) is the index of the component; `v` and `y` are the sliding velocity and the friction force with both
    components, and `slip_direction` is the unit vector e in which slip begins."""

    v: Matrix = field(kw_only=True)
    y: Matrix = field(kw_only=True)
    slip_direction: Matrix = field(kw_only=True)
    axis: int = field(kw_only=True)

    @property
    def _along(self) -> Matrix:
        """Component e · v of the sliding velocity along the slip direction."""
        return ca.dot(self.slip_direction, self.v)

    @property
    def slow_speed(self) -> Matrix:
        return ca.fmax(SLOW_SPEED_FACTOR / ca.sqrt(self.resolution), MIN_SLOW_SPEED_FACTOR) * self.rest_rate

    def _direction(self, mode: Matrix) -> Matrix:
        """Unit vector d opposite to which friction acts while the contact slips."""
        slides = (
            ca.if_else(self._along < 0, -1.0, 1.0) * self.v
            + DIRECTION_THRESHOLD * self.rest_rate * self.slip_direction
        )
        along = ca.if_else(
            is_slow(mode), self.v + DIRECTION_DELAY * self.slow_speed * self.slip_direction, slides
        )
        return along / ca.norm_2(along)

    def law(self, mode: Matrix, x: Matrix, left: Matrix) -> Matrix:
        moves = ca.dot(self.v, self.v) > self.rest_rate**2
        slides = -self.upper_limit * self._direction(mode)[self.axis]
        given = ca.if_else(is_chosen(mode), slides, ca.if_else(moves, slides, 0.0))
        return ca.if_else(is_held(mode), x - left, given)

    def guard(self, mode: Matrix, x: Matrix, acceleration: Matrix, slack: Matrix) -> Matrix:
        speed = ca.sqrt(ca.dot(self.v, self.v))
        held = self.upper_limit - ca.sqrt(ca.dot(self.y, self.y)) + slack
        begins = ca.fmin(self.slow_speed - speed, self._along + SLIP_END_FRACTION * self.slow_speed)
        slips = (self._along - MIN_DIRECTION_COSINE * speed) / (
            1 - MIN_DIRECTION_COSINE
        ) - SLIP_END_FRACTION * self.slow_speed
        found = ca.if_else(is_held(mode), held, ca.if_else(is_slow(mode), begins, slips))
        assert self.closed is not None
        return ca.if_else(self.closed * is_chosen(mode), found, UNBOUNDED)


def is_slow(mode: Matrix) -> Matrix:
    """Whether the mode of friction in space is the beginning of slip, sticking, or rest at the limit of the friction
    cone."""
    return ca.fmax(is_closed(mode), mode < (Mode.OPEN + Mode.BEGINS_TO_SLIP) / 2)
