"""Where two bodies touch: what a pair says of it so that a result tells normal force and pressure angle."""

from __future__ import annotations

from dataclasses import dataclass

from multiloop.spatial import Matrix


@dataclass(frozen=True)
class Contact:
    """The touching point and the normal, from the first body to the second, in the frame of the first marker.

    `carried` is the point of the second body whose motion the contact drives: the touching point itself, or the middle
    of a roller. `radius` is the radius of curvature of the first body, negative where it is hollow. Where it is not
    `two_sided` the bodies can but press on each other: a normal force below zero means that they would part. `limit` is
    the largest pressure angle that is wanted.
    """

    point: Matrix
    normal: Matrix
    carried: Matrix
    radius: Matrix
    two_sided: bool = False
    limit: float | None = None
