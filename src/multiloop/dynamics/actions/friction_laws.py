"""Friction as a function of slip and normal force: regularised near rest, and its direction in the tangent plane.

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
"""Default creep speed relative to √(g ℓ), and relative to ℓ per second without gravity."""


def creep_speed(at: Snapshot, given: Scalar | None, turns: bool = False) -> Any:
    """The given creep speed, or the default; `turns` states whether it is an angular speed."""
    if given is not None:
        return expression_value(at, given)
    return default_creep_speed(at.skeleton, turns)


def default_creep_speed(skeleton: Skeleton, turns: bool = False) -> Any:
    """The default creep speed in m/s or rad/s; an expression of the parameters that gravity or lengths depend on."""
    size = skeleton.parametric_length
    fall = ca.norm_2(ca.densify(ca.SX(skeleton.gravity)))
    with_gravity = GRAVITY_FRACTION * ca.sqrt(fall * size)
    speed = ca.if_else(fall > 0, with_gravity, ZERO_GRAVITY_FRACTION * size)
    return speed / size if turns else speed


TINY = 1e-300
"""Added under the root of a magnitude so that its derivative at zero is finite; it changes no digit elsewhere."""


def regularised_sign(speeds: Matrix) -> Matrix:
    """σ(u) = u (15 − 10 u² + 3 u⁴)/8 between −1 and 1, and ±1 beyond."""
    u = ca.fmax(-1.0, ca.fmin(1.0, speeds))
    s = u * u
    return u * (15 - s * (10 - 3 * s)) / 8


def magnitude(force: Matrix) -> Matrix:
    """|F|, with a finite derivative everywhere."""
    if force.shape[0] == 1:
        return ca.fabs(force)
    return ca.sqrt(ca.dot(force, force) + TINY)


SLOW_SPEED_FACTOR, MIN_SLOW_SPEED_FACTOR = 1e-2, 10.0
"""The slow speed s is SLOW_SPEED_FACTOR/√resolution times the rate of rest, and at least MIN_SLOW_SPEED_FACTOR times
this rate. It is well above the errors of the integrator, which are the resolution times the speeds of the mechanism,
and so small that s² is below them."""

DIRECTION_DELAY = 1 / 32
"""Fraction of the slow speed above which the friction direction d follows the velocity v when slip begins. For
redundant contacts that share their friction, the initial direction e is known to 1e-3 rad only: with a larger
fraction more friction is lost, with a smaller one the equations become stiffer."""

DIRECTION_THRESHOLD = 1e-3
"""Fraction of the rate of rest below which the direction of a velocity is not defined."""

MIN_DIRECTION_COSINE = 0.5
"""Cosine of the angle (60°) by which the velocity may deviate from e before the mode ends."""

SLIP_END_FRACTION = 0.25
"""Fraction of the slow speed at which slip ends; also the largest speed against e, as a fraction of the slow speed,
when slip begins."""


@dataclass(frozen=True, eq=False)
class TangentialFriction(SetValuedForce):
    """One of the two components of friction in space, with index `axis`, 0 or 1; `v` and `y` have both components,
    `slip_direction` is e."""

    v: Matrix = field(kw_only=True)
    y: Matrix = field(kw_only=True)
    slip_direction: Matrix = field(kw_only=True)
    axis: int = field(kw_only=True)

    @property
    def _along(self) -> Matrix:
        """Component e · v of the sliding velocity."""
        return ca.dot(self.slip_direction, self.v)

    @property
    def slow_speed(self) -> Matrix:
        return ca.fmax(SLOW_SPEED_FACTOR / ca.sqrt(self.resolution), MIN_SLOW_SPEED_FACTOR) * self.rest_rate

    def _direction(self, mode: Matrix) -> Matrix:
        """Direction d of friction."""
        slides = (
            ca.if_else(self._along < 0, -1.0, 1.0) * self.v
            + DIRECTION_THRESHOLD * self.rest_rate * self.slip_direction
        )
        way = ca.if_else(
            is_slow(mode), self.v + DIRECTION_DELAY * self.slow_speed * self.slip_direction, slides
        )
        return way / ca.norm_2(way)

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
    """Whether the mode is the beginning of slip, or rest at the limit of the friction cone."""
    return ca.fmax(is_closed(mode), mode < (Mode.OPEN + Mode.BEGINS_TO_SLIP) / 2)
