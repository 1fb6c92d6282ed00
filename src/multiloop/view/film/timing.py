"""Speed and key instants of a film, and interpolation of the motion between computed instants."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from multiloop.questions import Result
from multiloop.view.annotation import round_down

SHORT, LONG = 1.0, 60.0
"""Shortest and longest duration in seconds of a motion that is shown in real time by default."""

TURN = np.radians(6.0)
"""Largest rotation of a body between two examined instants."""

FEW = 5
"""Largest number of instants for which the motion between them is interpolated linearly."""


def usual_speed(duration: float) -> float:
    """Real time from one second to a minute; shorter motions last two to five seconds, longer ones up to a minute.

    Speeds are 1, 2 or 5 times a power of ten, or the reciprocal of it.
    """
    if duration < SHORT:
        return round_down(duration / 2)
    return 1.0 if duration <= LONG else 1 / round_down(LONG / duration)


def speed_in_words(speed: float) -> str:
    """The speed of a film as text."""
    if abs(speed - 1) < 1e-9:
        return "real time"
    return f"{1 / speed:.4g} times slower" if speed < 1 else f"{speed:.4g} times faster"


def instants_of(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """The times of a result in ascending order without duplicates, and their indices in it."""
    times, places = np.unique(result.time, return_index=True)
    return times, places


def even_times(times: np.ndarray, count: int) -> np.ndarray:
    """Evenly spaced instants from the first to the last; the computed ones themselves where they are evenly spaced."""
    even = np.linspace(times[0], times[-1], count)
    same = len(times) == count and np.allclose(times, even, rtol=0, atol=1e-9 * np.ptp(times))
    return times if same else even


def turned(poses: Mapping[str, np.ndarray]) -> float:
    """The largest total rotation of a body, summed over all intervals; poses are n×3×4."""
    largest = 0.0
    for X in poses.values():
        R = X[:, :, :3]
        cosines = (np.einsum("tij,tij->t", R[1:], R[:-1]) - 1) / 2
        largest = max(largest, float(np.arccos(np.clip(cosines, -1, 1)).sum()))
    return largest


def between(times: np.ndarray, values: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Values at other times by Akima interpolation, which is smooth without overshoot; along the first axis."""
    if asked is times:
        return values
    if len(times) <= FEW:
        return straight_between(times, values, asked)
    from scipy.interpolate import Akima1DInterpolator

    curve: np.ndarray = Akima1DInterpolator(times, values, axis=0)(np.clip(asked, times[0], times[-1]))
    return curve


def straight_between(times: np.ndarray, values: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Values at other times by linear interpolation along the first axis."""
    if asked is times:
        return values
    k = np.clip(np.searchsorted(times, asked, side="right") - 1, 0, len(times) - 2)
    share = ((asked - times[k]) / (times[k + 1] - times[k])).reshape(-1, *[1] * (values.ndim - 1))
    found: np.ndarray = (1 - share) * values[k] + share * values[k + 1]
    return found


def poses_between(times: np.ndarray, poses: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Poses [R | p] at other times, n×3×4; interpolated rotations are projected onto the nearest orthogonal matrix.

    R ← U Vᵀ,   U Σ Vᵀ = R
    """
    if asked is times:
        return poses
    found = between(times, poses, asked)
    U, _, Vt = np.linalg.svd(found[:, :, :3])
    return np.concatenate([U @ Vt, found[:, :, 3:]], axis=2)


def key_instants(times: np.ndarray, places: np.ndarray, tolerance: float, most: int) -> np.ndarray:
    """A small set of instants between which linear interpolation of all points is within the tolerance.

    `places` are n×m×2 on the page. Where more than `most` would be needed, the tolerance is increased.
    """
    while True:
        kept = _split(times, places, tolerance)
        if len(kept) <= most:
            return kept
        tolerance *= 2


def _split(times: np.ndarray, places: np.ndarray, tolerance: float) -> np.ndarray:
    """Split intervals at the instant of the largest error until all errors are within the tolerance."""
    kept, open_ = {0, len(times) - 1}, [(0, len(times) - 1)]
    while open_:
        i, j = open_.pop()
        if j - i < 2:
            continue
        share = ((times[i + 1 : j] - times[i]) / (times[j] - times[i]))[:, None, None]
        straight = (1 - share) * places[i] + share * places[j]
        off = np.abs(places[i + 1 : j] - straight).max(axis=(1, 2), initial=0.0)
        worst = i + 1 + int(off.argmax())
        if off.max() > tolerance:
            kept.add(worst)
            open_ += [(i, worst), (worst, j)]
    return np.array(sorted(kept))
