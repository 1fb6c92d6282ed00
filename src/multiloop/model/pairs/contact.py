"""Contact geometry of a pair, from which results derive normal force and pressure angle."""

from __future__ import annotations

from dataclasses import dataclass

from multiloop.spatial import Matrix


@dataclass(frozen=True)
class Contact:
    """Contact point and normal, from the first body to the second, in the frame of the first marker.

    `carried` is the point of the second body that the contact drives: the contact point itself, or the centre of a
    roller. `radius` is the radius of curvature of the first body, negative where it is concave. Unless the contact is
    `two_sided`, it can only transmit compression: a negative normal force means that the bodies would separate.
    `limit` is the largest allowed pressure angle.
    """

    point: Matrix
    normal: Matrix
    carried: Matrix
    radius: Matrix
    two_sided: bool = False
    limit: float | None = None
