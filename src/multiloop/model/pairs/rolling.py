"""Rolling of a wheel on a plane without slip."""

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

    The first marker is at the centre of the disc, its z axis along the axle; the second lies in the plane, its z axis
    along the normal (in a planar mechanism its y axis, the line being its x axis). With the axle a and the normal n the
    rim touches at

        c = (r − ρ) d − ρ n,   d = ((n·a) a − n) / |(n·a) a − n|

    relative to the centre; ρ, the `crown`, is the radius of the cross-section of a rounded tread, as that of a
    motorcycle, and zero for a sharp rim. Contact constrains the position; rolling without slip constrains the two
    tangential velocities:

        Φ = n · (p − c),      n · v_c = 0,   x · v_c = 0,   y · v_c = 0

    p is the position of the second marker relative to the centre. If the disc lies flat on the plane, a parallel to n,
    the contact point is undefined and the mechanism cannot be assembled.

    With `sideways=True` the wheel slips freely along its axle, as an omni wheel on the rollers of its rim: of the two
    rows of rates one remains, e · v_c = 0, e = n × a / |n × a|.

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
        """Whether the row along its axle is omitted; in the plane there is none."""
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
