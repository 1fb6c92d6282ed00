"""Friction of a contact in space: a set-valued force with two components, which stick or slide together.

    held      v̇ + 2 ω v = 0,  |y| ≤ μ x
    slides    y = −μ x d,  d = v/|v|
    begins    y = −μ x d,  d = (v + s e/32)/|v + s e/32|

The direction of sliding is not defined at rest. Near rest it turns at a rate that grows as 1/|v|, towards the direction
in which the acceleration has no component across the velocity. Below the slow speed s, errors of integration would
decide it. Slip therefore begins from e, a unit vector that is chosen with the mode, and d turns at a bounded
rate towards the same direction. Where the speed falls to a fraction of s, slip ends: the contact sticks, or a new
direction of sliding is found. The error of the motion is of the order s². In the half-plane opposite to e,
d is −v/|v|, so that the force does not change in trial steps of the integrator beyond rest. A velocity that turns away
from e ends the mode too, and a new e is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import casadi as ca

from multiloop.dynamics.actions.grip import (
    BOUNDLESS,
    Grip,
    Mode,
    is_chosen,
    is_closed,
    is_held,
)
from multiloop.spatial import Matrix

SLOW, SLOWEST = 1e-2, 10.0
"""The slow speed s is SLOW/√grain times the rate of rest, and at least SLOWEST times this rate. It is well above the
errors of the integrator, which are the resolution (grain) times the speeds of the mechanism, and so small that s² is
below them."""

DELAY = 1 / 32
"""The fraction of the slow speed above which d follows v where slip begins. For redundant contacts that share their
friction e is known to 1e-3 rad: the longer d stays there, the more friction is lost; the shorter, the stiffer are the
equations.
"""

LEANS = 1e-3
"""The fraction of the rate of rest below which the direction of a velocity is not defined."""

ASIDE = 0.5
"""The cosine of the angle, 60°, by which a velocity may turn away from e before the mode ends."""

ENDS = 0.25
"""The fraction of the slow speed at which slip ends; also that against e where slip begins."""


@dataclass(frozen=True, eq=False)
class TangentialGrip(Grip):
    """One of the two components, with index `axis`, 0 or 1; `v` and `y` have both components, `towards` is e."""

    v: Matrix = field(kw_only=True)
    y: Matrix = field(kw_only=True)
    towards: Matrix = field(kw_only=True)
    axis: int = field(kw_only=True)

    @property
    def _along(self) -> Matrix:
        """e · v."""
        return ca.dot(self.towards, self.v)

    @property
    def slow(self) -> Matrix:
        return ca.fmax(SLOW / ca.sqrt(self.grain), SLOWEST) * self.stands

    def _direction(self, mode: Matrix) -> Matrix:
        """Direction d of friction."""
        slides = ca.if_else(self._along < 0, -1.0, 1.0) * self.v + LEANS * self.stands * self.towards
        way = ca.if_else(is_slow(mode), self.v + DELAY * self.slow * self.towards, slides)
        return way / ca.norm_2(way)

    def law(self, mode: Matrix, x: Matrix, left: Matrix) -> Matrix:
        moves = ca.dot(self.v, self.v) > self.stands**2
        slides = -self.end * self._direction(mode)[self.axis]
        given = ca.if_else(is_chosen(mode), slides, ca.if_else(moves, slides, 0.0))
        return ca.if_else(is_held(mode), x - left, given)

    def guard(self, mode: Matrix, x: Matrix, acceleration: Matrix, slack: Matrix) -> Matrix:
        speed = ca.sqrt(ca.dot(self.v, self.v))
        held = self.end - ca.sqrt(ca.dot(self.y, self.y)) + slack
        begins = ca.fmin(self.slow - speed, self._along + ENDS * self.slow)
        slips = (self._along - ASIDE * speed) / (1 - ASIDE) - ENDS * self.slow
        found = ca.if_else(is_held(mode), held, ca.if_else(is_slow(mode), begins, slips))
        assert self.closed is not None
        return ca.if_else(self.closed * is_chosen(mode), found, BOUNDLESS)


def is_slow(mode: Matrix) -> Matrix:
    """Whether it begins to slide, or is at rest at the limit of its cone."""
    return ca.fmax(is_closed(mode), mode < (Mode.OPEN + Mode.BEGINS_TO_SLIP) / 2)
