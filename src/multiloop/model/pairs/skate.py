"""A blade on a plane: it goes ahead and turns, and does not slip sideways."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from multiloop.model.pairs.pair import Pair
from multiloop.spatial import Matrix, Pose


@dataclass(frozen=True)
class Skate(Pair):
    """The point of a blade moves along the blade, and not sideways: a knife edge, a skate, a keel, and the least model
    of a wheel that turns by itself.

    The first marker is at the point of the blade, its x along it; the second is anywhere on the body under it, its z
    along the normal n. A planar mechanism is the plane itself, seen from above. With e the blade

        s · v = 0,      s = n × e

    One row, which holds a rate alone. What keeps the blade on the plane is held by other means: a Planar joint, wheels.
    Where the blade stands upright, e parallel to n, it has no side: its row vanishes, a singular position.

    Source: derived here; the knife edge is an example of [neimark_fufaev].
    """

    def freedoms(self, planar: bool) -> int:
        return 2 if planar else 5

    def position_rows(self, planar: bool) -> int:
        return 0

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """A force across the blade at its point, in its frame."""
        n = pose.R[:, 2]
        side = ca.DM([0, 1, 0]) if planar else ca.vertcat(0, n[2], -n[1])
        return ca.vertcat(ca.cross(-pose.p, side), side)

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return ("force across the blade",)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        return ca.DM(0, 1)
