"""A ball on a plane: it touches, and does not slip; it may be kept from pivoting on the spot."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import casadi as ca

from multiloop.model.pairs.rolling_contact import RollingContact
from multiloop.spatial import Matrix, Pose, zeros


@dataclass(frozen=True)
class RollingBall(RollingContact):
    """A ball rolls on a plane without slipping; in a planar mechanism, on a line.

    The first marker is in the middle of the ball, the second lies in the plane, its z along the normal n (in the plane:
    its y, the line being its x). The ball touches at c = −r n from its middle, however it is turned:

        Φ = n · p + r,      n · v_c = 0,   x · v_c = 0,   y · v_c = 0

    p being the place of the second marker seen from the middle. With `pivots=False` it does not turn about the normal
    either, n · ω = 0, as a soft ball on a rough plane; that row is a moment.

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
        """Whether it has the row of not pivoting; in the plane nothing could."""
        return not planar and not self.pivots

    def row_lengths(self, planar: bool) -> tuple[bool, ...]:
        return (True,) * len(super().wrench_names(planar)) + (False,) * self._held(planar)

    def wrenches(self, pose: Pose, planar: bool) -> Matrix:
        """Forces at the point of contact, in the frame of the ball, and the moment about the normal if there is one."""
        forces = super().wrenches(pose, planar)
        return ca.horzcat(forces, ca.vertcat(pose.R[:, 2], zeros(3))) if self._held(planar) else forces

    def wrench_names(self, planar: bool) -> tuple[str, ...]:
        return super().wrench_names(planar) + ("moment about the normal",) * self._held(planar)
