"""The outline of a cam in numbers: to look at before anything runs, to draw, and to mill."""

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
    """Points around the outline, parameters at their own values; the pitch curve is that of the roller's middle."""
    contour, r = cam.contour, value_of(cam.roller) or 0.0
    u = contour.variable(count)
    return contour.faced(u) if cam.flat else contour.outline(u, r)


def pressure_angles(cam: Cam, count: int = COUNT) -> np.ndarray | None:
    """Of a follower that slides or swings as its program says, with their sign. None where there is no program."""
    contour = cam.contour
    return contour.pressure_angles(contour.variable(count), value_of(cam.roller) or 0.0, cam.flat)


def profile_table(cam: Cam, count: int = 360) -> pd.DataFrame:
    """Points of the outline with outward normals, in metres and radians in the cam's frame, one row each.

    `angle` is the cam angle at which the follower of a program touches there, else the variable of the curve; `radius`
    the radius of curvature, negative where the outline is hollow; `pitch_x`, `pitch_y` where the middle of the roller
    stands, and that of a cutter of its size.
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
