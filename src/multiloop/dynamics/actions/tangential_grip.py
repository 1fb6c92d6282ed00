"""Friction of a contact in space: the two components of the force are held, or slide, together.

    held      v̇ + 2 ω v = 0,  |y| ≤ μ x
    slides    y = −μ x d,  d = v/|v|

The direction of sliding is not defined at rest. There d is e, a unit vector that was chosen with the mode, in which the
contact begins to slide. In the half-plane against e, d is −v/|v|: a velocity that comes to rest passes
through zero with no change of the force, and the end of the mode is found as exactly as in the plane. A velocity that
turns away from e by more than 60° ends the mode too, and e is chosen anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import casadi as ca

from multiloop.dynamics.actions.grip import (
    BOUNDLESS,
    Grip,
    is_chosen,
    is_closed,
    is_held,
)
from multiloop.spatial import Matrix

SLOW = 10.0
"""Speeds below so many rates of rest are at rest: the direction of slower ones is that of the integrator's errors."""

LEANS = 1e-3
"""The part of the rate of rest below which a velocity has no direction of its own."""

ASIDE = 0.5
"""The cosine of the angle, 60°, by which a velocity may turn away from e before the mode ends."""

LAPSE = 0.5 * SLOW
"""How fast, in units of the rate of rest, a velocity may point against e before the mode ends."""


@dataclass(frozen=True, eq=False)
class TangentialGrip(Grip):
    """One of two components, by its `axis`, 0 or 1; `v` and `y` have both components, `towards` is e."""

    v: Matrix = field(kw_only=True)
    y: Matrix = field(kw_only=True)
    towards: Matrix = field(kw_only=True)
    axis: int = field(kw_only=True)

    @property
    def _along(self) -> Matrix:
        """e · v."""
        return ca.dot(self.towards, self.v)

    @property
    def direction(self) -> Matrix:
        """d."""
        way = ca.if_else(self._along < 0, -1.0, 1.0) * self.v + LEANS * self.stands * self.towards
        return way / ca.norm_2(way)

    def law(self, mode: Matrix, x: Matrix, left: Matrix) -> Matrix:
        moves = ca.dot(self.v, self.v) > self.stands**2
        stands = is_closed(mode)
        slides = -self.end * ca.if_else(stands, self.towards[self.axis], self.direction[self.axis])
        given = ca.if_else(is_chosen(mode), slides, ca.if_else(moves, slides, 0.0))
        return ca.if_else(is_held(mode), x - left, given)

    def guard(self, mode: Matrix, x: Matrix, acceleration: Matrix, slack: Matrix) -> Matrix:
        still = SLOW * self.stands - ca.sqrt(ca.dot(self.v, self.v))
        held = self.end - ca.sqrt(ca.dot(self.y, self.y)) + slack
        goes = self._along - ASIDE * ca.sqrt(ca.dot(self.v, self.v)) + LAPSE * self.stands
        found = ca.if_else(is_held(mode), held, ca.if_else(is_closed(mode), still, goes))
        assert self.closed is not None
        return ca.if_else(self.closed * is_chosen(mode), found, BOUNDLESS)
