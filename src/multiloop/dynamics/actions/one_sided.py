"""Base class of unilateral forces x ≥ 0 (contact, hard stop, rope, freewheel), whose modes switch at events."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import Action, Felt
from multiloop.dynamics.actions.grip import is_closed
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class OneSidedAction(Action):
    """x does not depend on reactions, only on the motion that it holds; modes have no rates."""

    def slope_bound(self, at: Snapshot, change: Felt) -> tuple[Matrix, ...]:
        return tuple(ca.DM(1, 1) for _ in self.load.modes)

    def state_rates(self, at: Snapshot) -> tuple[Matrix, ...]:
        return tuple(ca.DM(1, 1) for _ in self.load.states)

    def holding(self, at: Snapshot) -> Matrix:
        """Whether some side is closed."""
        return ca.SX(sum((is_closed(mode) for mode in self._sides(at)), start=ca.SX(0)))

    def _sides(self, at: Snapshot) -> tuple[Matrix, ...]:
        """Modes of its sides."""
        return self.modes(at)
