"""Wrench of a Torque on a body, in inertial or body axes."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import Action, Applied
from multiloop.dynamics.actions.force import directed
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import marker_motion
from multiloop.model import Torque
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class TorqueAction(Action):
    """A torque on a body: w = [n; 0], power n · ω."""

    load: Torque

    def _torque(self, at: Snapshot) -> Matrix:
        """n in inertial axes; about z in the plane."""
        given = self.load.torque
        components = given if isinstance(given, tuple) else (given,)
        return directed(at, (0.0, 0.0, *components)[-3:], self.load.frame, self.load.markers[0])

    def wrenches(self, at: Snapshot) -> tuple[Applied, ...]:
        return (Applied(self.load.markers[0], ca.vertcat(self._torque(at), ca.DM(3, 1))),)

    def power(self, at: Snapshot) -> Matrix:
        return ca.dot(self._torque(at), marker_motion(at, self.load.markers[0])[1].omega)

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        n = self._torque(at)
        return {"torque": n[2] if at.skeleton.planar else n}
