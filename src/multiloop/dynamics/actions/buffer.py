"""Elastic unilateral contact with damping, as of elastic stops and of backlash: forces push and never pull."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import Action
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import expression_value
from multiloop.spatial import Matrix


@dataclass(frozen=True, eq=False)
class Flank:
    """One side: penetration δ, its rate δ̇, and the force F; `sign` is that of the motion that it limits."""

    sign: int
    deep: Matrix
    rate: Matrix
    force: Matrix


@dataclass(frozen=True)
class BufferAction(Action):
    """Contact at one or more sides with a `stiffness` k and a `damping` c.

        F = max(0, k δ + c δ̇) where δ > 0,      V = k δ²/2,      power −(F − k δ) δ̇

    The power of the damper is never positive: −c δ̇² while the contact pushes; where the force would become tensile, on
    the return, the energy that the spring still stores is dissipated.
    """

    @abstractmethod
    def flanks(self, at: Snapshot) -> list[Flank]:
        """All sides of the contact."""

    def flank(self, at: Snapshot, sign: int, beyond: Matrix, rate: Matrix) -> Flank:
        """One side; `beyond` is the distance past it, positive in contact, for a coordinate that moves at `rate`."""
        k, c = (expression_value(at, value) for value in (self.load.stiffness, self.load.damping))
        deep = ca.fmax(0.0, beyond)
        force = ca.if_else(deep > 0, ca.fmax(0.0, k * deep + c * sign * rate), 0.0)
        return Flank(sign, deep, sign * rate, force)

    def push(self, at: Snapshot) -> Matrix:
        """Sum of the forces of all sides along the coordinate."""
        return sum((-flank.sign * flank.force for flank in self.flanks(at)), start=ca.DM(1, 1))

    def potential(self, at: Snapshot) -> Matrix:
        k = expression_value(at, self.load.stiffness)
        return sum((k * flank.deep**2 / 2 for flank in self.flanks(at)), start=ca.DM(1, 1))

    def power(self, at: Snapshot) -> Matrix:
        k, lost = expression_value(at, self.load.stiffness), ca.DM(1, 1)
        for flank in self.flanks(at):
            lost = lost - ca.if_else(flank.deep > 0, (flank.force - k * flank.deep) * flank.rate, 0.0)
        return lost
