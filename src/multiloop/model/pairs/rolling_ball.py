"""Rolling of a ball on a plane without slip, optionally without pivoting about the normal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import casadi as ca

from multiloop.model.pairs.rolling_contact import RollingContact
from multiloop.spatial import Matrix, Pose, zeros


@dataclass(frozen=True)
class RollingBall(RollingContact):
    """A ball rolls on a plane without slipping; in a planar mechanism, on a line.

    The first marker is at the centre of the ball, the second lies in the plane, its z axis along the normal n (in a
    planar mechanism its y axis, the line being its x axis). The contact point relative to the centre is c = −r n for
    any orientation:

        Φ = n · p + r,      n · v_c = 0,   x · v_c = 0,   y · v_c = 0

    p is the position of the second marker relative to the centre. With `pivots=False` it does not rotate about the
    normal either, n · ω = 0, as a soft ball on a rough plane; the reaction of this row is a moment.

    Source: derived here.
    """

    hint: ClassVar[str] = (
        "Check the height and the radius; the normal, z of the second marker, points to the ball."
    )

    pivots: bool = field(kw_only=True, default=True)

    def contact(self, pose: Pose, planar: bool) -> Matrix:
        radius: Any = self.radius
        return -radius * pose.R[:, 1 if planar else 2]

    def freedoms(self, planar: bool) -> int:
        return super().freedoms(planar) - int(self._held(planar))

    def _held(self, planar: bool) -> bool:
        """Whether rotation about the normal is constrained; in the plane there is none."""
        return not planar and not self.pivots

    def row_lengths(self, planar: bool) -> tuple[bool, ...]:
        return (True,) * len(super().wrench_names(planar)) + (False,) * self._held(planar)

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """Forces at the contact point, in the frame of the ball, and the moment about the normal if constrained."""
        forces = super().wrenches(pose, planar)
        return ca.horzcat(forces, ca.vertcat(pose.R[:, 2], zeros(3))) if self._held(planar) else forces

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return super().wrench_names(planar) + ("moment about the normal",) * self._held(planar)
