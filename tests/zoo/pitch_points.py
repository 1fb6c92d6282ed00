"""Contact points of gears by independent formulas: from the positions of their centres and axes alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from multiloop import Bevel, Gear

Placed = Callable[[str], tuple[np.ndarray, np.ndarray]]
"""Place and axes of a marker in the inertial frame."""


def pitch_point(gear: Gear | Bevel, placed: Placed) -> np.ndarray:
    """The point at which the pitch circles touch; axes of bevel gears are those of their markers."""
    (o1, R1), (o2, R2), (z1, z2) = placed(gear.first), placed(gear.second), gear.teeth or (1, 1)
    if isinstance(gear, Gear):
        sign = -1 if gear.internal else 1
        return o1 + (o2 - o1) * z1 / (z1 + sign * z2)
    apart = np.column_stack([R1[:, 2], -R2[:, 2]])  # the axes meet: o₁ + s z₁ = o₂ + u z₂
    s = np.linalg.lstsq(apart, o2 - o1, rcond=None)[0][0]
    apex = o1 + s * R1[:, 2]
    b1, b2 = ((o - apex) / np.linalg.norm(o - apex) for o in (o1, o2))
    way = z2 * b1 + z1 * b2  # sin γ is in the ratio of the teeth
    return apex + way * ((o1 - apex) @ b1) / (way @ b1)


def pull(gear: Gear | Bevel, placed: Placed) -> np.ndarray:
    """The direction of the tooth force of spur or bevel gears: perpendicular to the line of centres and to the first
    axis."""
    o1, R1 = placed(gear.first)
    across = np.cross(R1[:, 2], pitch_point(gear, placed) - o1)
    return across / np.linalg.norm(across)
