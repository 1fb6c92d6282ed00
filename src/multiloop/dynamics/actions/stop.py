"""Effort of an elastic Stop; a hard Stop is in `hard_stop`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from multiloop.dynamics.actions.action import Action
from multiloop.dynamics.actions.buffer import BufferAction, Flank
from multiloop.dynamics.actions.hard_stop import HardStopAction
from multiloop.dynamics.actions.joint_spring import effort_units
from multiloop.kinematics.skeleton import Skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import expression_value
from multiloop.model import Stop
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class StopAction(BufferAction):
    """Elastic contact at both ends, δ = max(0, ±(q − end))."""

    load: Stop

    def flanks(self, at: Snapshot) -> list[Flank]:
        link, (rate,) = at.skeleton.carrier[self.load.joint], self.rates(at.skeleton)
        q, v = at.q[link.q.start + rate - link.v.start], at.v[rate]
        return [
            self.flank(at, sign, sign * (q - expression_value(at, end)), v)
            for sign, end in ((1, self.load.high), (-1, self.load.low))
            if end is not None
        ]

    def efforts(self, at: Snapshot) -> tuple[Matrix, ...]:
        return (self.push(at),)

    def units(self, skeleton: Skeleton) -> Mapping[str, str]:
        return effort_units(skeleton, self.load.joint, self.load.component)

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        return {"effort": self.push(at)}


def stop_action(load: Stop) -> Action:
    """The action of a Stop: hard if it has a restitution, else elastic."""
    return StopAction(load) if load.restitution is None else HardStopAction(load)
