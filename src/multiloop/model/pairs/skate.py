"""Knife-edge (skate) constraint: a blade on a plane moves along its edge and turns, but does not slip sideways."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.model.pairs.pair import Pair
from multiloop.spatial import Matrix, Pose


@dataclass(frozen=True)
class Skate(Pair):
    """A point of a blade moves along the blade and not sideways: a knife edge, a skate or a keel.

    It is also the simplest model of a freely rotating wheel. The first marker is at the contact point, its x axis along
    the blade; the second is anywhere on the body below, its z axis along the normal n. A planar mechanism is the plane
    itself, seen from above. With e the direction of the blade

        s · v = 0,      s = n × e

    This is one nonholonomic row. The blade must be kept on the plane by other constraints, such as a Planar joint or
    wheels. Where e is parallel to n the row vanishes; this is a singular configuration.

    Source: derived here; the knife edge is an example of [neimark_fufaev].
    """

    def freedoms(self, planar: bool) -> int:
        return 2 if planar else 5

    def position_rows(self, planar: bool) -> int:
        return 0

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """The lateral force at the contact point, in the frame of the blade."""
        n = pose.R[:, 2]
        side = ca.DM([0, 1, 0]) if planar else ca.vertcat(0, n[2], -n[1])
        return ca.vertcat(ca.cross(-pose.p, side), side)

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return ("force across the blade",)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        return ca.DM(0, 1)
