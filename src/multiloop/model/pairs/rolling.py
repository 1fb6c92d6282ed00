"""A wheel on a road: it touches, and does not slip."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import casadi as ca

from multiloop.model.expressions import Scalar
from multiloop.model.markers import scalar
from multiloop.model.pairs.rolling_contact import RollingContact
from multiloop.spatial import Matrix, Pose


@dataclass(frozen=True)
class Rolling(RollingContact):
    """A disc rolls on a plane without slipping; in a planar mechanism, on a line.

    The first marker is in the middle of the disc, its z along the axle; the second lies in the plane, its z along the
    normal (in the plane: its y, the line being its x). With a the axle and n the normal, seen from the plane, the rim
    touches at

        c = (r − ρ) d − ρ n,   d = ((n·a) a − n) / |(n·a) a − n|

    from the middle; ρ, the `crown`, is the radius of a tread that is round from side to side, as that of a motorcycle,
    and zero for a sharp rim. Touching holds a position, not slipping the two velocities along the plane alone:

        Φ = n · (p − c),      n · v_c = 0,   x · v_c = 0,   y · v_c = 0

    p being the place of the second marker seen from the middle. Where the disc lies flat on the plane, a parallel to
    n, no point of the rim is the lowest: there it cannot be put together.

    With `sideways=True` the wheel slips freely along its axle, as an omni wheel does on the rollers of its rim: of the
    two rows of rates one is left, e · v_c = 0, e = n × a / |n × a|.

    Source: derived here.
    """

    hint: ClassVar[str] = (
        "Check the height and the radius. A wheel in space must not lie flat: its axle, z of the first marker, and the "
        "normal, z of the second, must not be parallel."
    )

    crown: Scalar = field(kw_only=True, default=0.0)
    sideways: bool = field(kw_only=True, default=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "crown", scalar(self.crown))

    def freedoms(self, planar: bool) -> int:
        return super().freedoms(planar) + int(self._slips(planar))

    def _slips(self, planar: bool) -> bool:
        """Whether it lacks the row along its axle; in the plane there is none."""
        return self.sideways and not planar

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        if not self._slips(planar):
            return super().wrenches(pose, planar)
        n = pose.R[:, 2]
        ahead = ca.vertcat(n[1], -n[0], 0) / ca.sqrt(n[0] ** 2 + n[1] ** 2)
        arm = self.contact(pose, planar) - pose.p
        return ca.horzcat(*[ca.vertcat(ca.cross(arm, f), f) for f in (n, ahead)])

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        if self._slips(planar):
            return ("normal force", "force in the direction of rolling")
        return super().wrench_names(planar)

    def contact(self, pose: Pose, planar: bool) -> Matrix:
        radius: Any = self.radius
        if planar:
            return -radius * pose.R[:, 1]
        n, axle = pose.R[:, 2], ca.DM([0, 0, 1])
        down = n[2] * axle - n
        across = ca.sqrt(n[0] ** 2 + n[1] ** 2)
        if isinstance(self.crown, float) and self.crown == 0.0:
            return radius * down / across
        crown: Any = self.crown
        return (radius - crown) * down / across - crown * n
