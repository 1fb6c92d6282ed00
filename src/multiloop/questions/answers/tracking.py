"""Tracking errors of a run under a control law."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from multiloop.spatial import numeric

if TYPE_CHECKING:
    from multiloop.questions.answers.result import Result


def tracking_errors(result: Result) -> dict[str, np.ndarray]:
    """Desired less actual values, by the names of `result.desired`.

    For an orientation the angle of the relative rotation.
    """
    found: dict[str, np.ndarray] = {}
    for name, wanted in result.desired.items():
        owner, _, component = name.rpartition(".")
        if name in result.joints:
            found[name] = wanted - result.joints[name].position
        elif owner in result.joints:
            names = result.mechanism.joint(owner).components(result.mechanism.planar)
            found[name] = wanted - result.joints[owner].position[:, names.index(component)]
        elif component in ("x", "y", "z"):
            found[name] = wanted - result.marker(owner)[:, "xyz".index(component)]
        elif component == "angle":
            actual = _rotation(result, owner)
            turn = wanted - np.arctan2(actual[:, 1, 0], actual[:, 0, 0])
            found[name] = np.arctan2(np.sin(turn), np.cos(turn))
    for owner in {name.partition(".orientation.")[0] for name in result.desired if ".orientation." in name}:
        e = np.array([result.desired[f"{owner}.orientation.{k}"] for k in range(4)])
        between = np.einsum("tij,tij->t", _matrices(e), _rotation(result, owner))
        found[f"{owner}.orientation"] = np.arccos(np.clip((between - 1) / 2, -1.0, 1.0))
    return found


def _rotation(result: Result, marker: str) -> np.ndarray:
    """Rotation of a marker over time, instants × 3 × 3."""
    from multiloop.questions.answers.marker_poses import marker_frame

    turned: np.ndarray = result.body(marker.partition(".")[0])[:, :, :3] @ numeric(
        marker_frame(result.mechanism, marker).R
    )
    return turned


def _matrices(e: np.ndarray) -> np.ndarray:
    """Rotations of unit quaternions, scalar first, 4 × instants."""
    w, x, y, z = e
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)
