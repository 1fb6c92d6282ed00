"""Cam profiles in numbers: points, normals, radii of curvature and pressure angles, for checks, drawing and milling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.model.contours import Outline
from multiloop.model.contours.contour import COUNT
from multiloop.model.markers import value_of

if TYPE_CHECKING:
    import pandas as pd

    from multiloop.model.pairs.cam import Cam


def outline_of(cam: Cam, count: int = COUNT) -> Outline:
    """Points of the profile at the described values of parameters; the pitch curve is that of the roller's centre."""
    contour, r = cam.contour, value_of(cam.roller) or 0.0
    u = contour.variable(count)
    return contour.faced(u) if cam.flat else contour.outline(u, r)


def pressure_angles(cam: Cam, count: int = COUNT) -> np.ndarray | None:
    """Signed pressure angles of a follower that moves by its motion law; None for a cam without a motion law."""
    contour = cam.contour
    return contour.pressure_angles(contour.variable(count), value_of(cam.roller) or 0.0, cam.flat)


def profile_table(cam: Cam, count: int = 360) -> pd.DataFrame:
    """Points of the profile with outward normals, in metres and radians in the cam's frame, one row each.

    `angle` is the cam angle of contact for a cam made from a motion law, else the parameter of the curve; `radius` is
    the radius of curvature, negative where the profile is concave; `pitch_x` and `pitch_y` are the centre of the
    roller, and of a milling cutter of the same radius.
    """
    import pandas as pd

    if isinstance(count, bool) or not isinstance(count, int) or count < 3:
        raise ValueError(f"profile_table: count is {count!r}. Give the number of points, at least 3.")
    found = outline_of(cam, count)
    columns: dict[str, Any] = {"angle": found.u}
    for name, pair in (("", found.points), ("normal_", found.normals), ("pitch_", found.pitch)):
        columns |= {f"{name}x": pair[:, 0], f"{name}y": pair[:, 1]}
    angles = pressure_angles(cam, count)
    if angles is not None:
        columns["pressure_angle"] = angles
    return pd.DataFrame(columns | {"radius": found.radius})
