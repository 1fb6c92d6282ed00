"""Wrench of a Force at a marker, in inertial or body axes."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.dynamics.actions.action import Action, Applied
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import expression_value, marker_motion
from multiloop.model import Force, Scalar
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class ForceAction(Action):
    """A force at a marker: w = [0; f], power f · v."""

    load: Force

    def _force(self, at: Snapshot) -> Matrix:
        """f in inertial axes."""
        return directed(at, self.load.force, self.load.frame, self.load.at)

    def wrenches(self, at: Snapshot) -> tuple[Applied, ...]:
        return (Applied(self.load.at, ca.vertcat(ca.DM(3, 1), self._force(at))),)

    def power(self, at: Snapshot) -> Matrix:
        return ca.dot(self._force(at), marker_motion(at, self.load.at)[1].v)

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        return {"force": self._force(at)[: 2 if at.skeleton.planar else 3]}


def directed(at: Snapshot, components: tuple[Scalar, ...], frame: str, marker: str) -> Matrix:
    """A vector in inertial axes, from components in inertial axes or in body axes at a marker."""
    values = [expression_value(at, component) for component in components]
    vector = ca.sparsify(ca.vertcat(*values, *[0.0] * (3 - len(values))))
    return body_axes(at, marker) @ vector if frame == "body" else vector


def body_axes(at: Snapshot, reference: str) -> Matrix:
    """Axes of a body in space; on a flexible body those of the section at the marker, rotated by its deformation."""
    body, _, marker = reference.partition(".")
    k = at.skeleton.index[body]
    if k < 0 or not at.skeleton.links[k].reduced.elastic:
        return marker_motion(at, f"{body}.origin")[0].R
    straight = at.skeleton.links[k].reduced.markers
    return marker_motion(at, reference)[0].R @ straight[marker].R.T @ straight["origin"].R
