"""A wheel on a road: it touches, and does not slip."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import casadi as ca

from multiloop.model.expressions import Scalar
from multiloop.model.markers import scalar, value_of
from multiloop.model.pairs.pair import Pair
from multiloop.spatial import Matrix, Pose


@dataclass(frozen=True)
class Rolling(Pair):
    """A disc rolls on a plane without slipping; in a planar mechanism, on a line.

    The first marker is in the middle of the disc, its z along the axle; the second lies in the plane, its z along the
    normal (in the plane: its y, the line being its x). With a the axle and n the normal, seen from the plane, the rim
    touches at

        c = r d,   d = ((n·a) a − n) / |(n·a) a − n|

    from the middle. Touching holds a position, not slipping the two velocities along the plane alone:

        Φ = n · (p − c),      n · v_c = 0,   x · v_c = 0,   y · v_c = 0

    p being the place of the second marker seen from the middle. Where the disc lies flat on the plane, a parallel to
    n, no point of the rim is the lowest: there it cannot be put together.
    """

    hint: ClassVar[str] = (
        "Check the height and the radius. A wheel in space must not lie flat: its axle, z of the first marker, and the "
        "normal, z of the second, must not be parallel."
    )

    radius: Scalar = field(kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", scalar(self.radius))

    def reach(self) -> float:
        return value_of(self.radius) or 0.0

    def freedoms(self, planar: bool) -> int:
        return 1 if planar else 3

    def position_rows(self, planar: bool) -> int:
        return 1

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """Forces at the point of contact, in the frame of the disc: the normal one, then those along the plane."""
        plane = pose.R
        c = self._contact(pose, planar)
        axes = (1, 0) if planar else (2, 0, 1)
        forces = [plane[:, k] for k in axes]
        # At the origin of the plane's marker, which is p away from the middle of the disc.
        return ca.horzcat(*[ca.vertcat(ca.cross(c - pose.p, f), f) for f in forces])

    def _contact(self, pose: Pose, planar: bool) -> Matrix:
        """From the middle of the disc to the point of contact, in its frame."""
        radius: Any = self.radius
        if planar:
            return -radius * pose.R[:, 1]
        n, axle = pose.R[:, 2], ca.DM([0, 0, 1])
        down = n[2] * axle - n
        return radius * down / ca.sqrt(n[0] ** 2 + n[1] ** 2)

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        along = (
            ("force along the line",)
            if planar
            else ("force along the plane's x", "force along the plane's y")
        )
        return ("normal force", *along)

    def closure(self, pose: Pose, planar: bool) -> Matrix:
        """How far the plane lies above the rim, along the normal."""
        n = pose.R[:, 1] if planar else pose.R[:, 2]
        return ca.dot(n, pose.p - self._contact(pose, planar))
