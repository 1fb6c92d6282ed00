"""The seam between a body's make-up and the recursion: a rigid body is a reduced body with no modes.

The recursion asks a body three things: where a marker stands, how it moves, and what the body's motion
needs. A flexible link answers with a few elastic coordinates η; a rigid one with none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import casadi as ca

from multiloop.spatial import Matrix, Pose, skew


@dataclass(frozen=True)
class ReducedBody:
    """What the recursion needs of a body, in the frame of its inboard joint.

    mass, com (3), inertia about the frame's origin (3×3); `markers` are the undeformed marker poses.
    With e elastic coordinates η: `shapes[marker]` is 6×e, the rotation and translation of the marker per
    unit of each coordinate; `stiffness`, `damping` and `modal_mass` are e×e; `momentum` (∫ φ dm) and
    `moment` (∫ r × φ dm) are 3×e, the constant integrals that couple η with the rigid motion.
    """

    mass: Any
    com: Matrix
    inertia: Matrix
    markers: Mapping[str, Pose]
    elastic: int = 0
    shapes: Mapping[str, Matrix] = field(default_factory=dict)
    modal_mass: Matrix | None = None
    momentum: Matrix | None = None
    moment: Matrix | None = None
    stiffness: Matrix | None = None
    damping: Matrix | None = None

    def marker_pose(self, name: str, eta: Matrix) -> Pose:
        """Where a marker stands in the body's frame, to first order in the elastic coordinates.

            p = p₀ + Φ_t η,   R = (1 + (Φ_r η)~) R₀

        Source: [fattah], ch. 2, with the slope itself as the rotation of the section.
        """
        pose = self.markers[name]
        if not self.elastic:
            return pose
        bend = self.shapes[name] @ eta
        return Pose((ca.DM.eye(3) + skew(bend[:3])) @ pose.R, pose.p + bend[3:])
