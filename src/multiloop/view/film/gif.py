"""A film as a GIF, which shows itself wherever pictures do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from multiloop.view.film.raster import frame_times, frames_of
from multiloop.view.film.reel import Reel

FASTEST = 50.0
"""Frames a second that viewers of GIFs keep up with."""


def write(reel: Reel, path: Path, rate: float, width: int, reached: Callable[[float], None]) -> None:
    """All frames with one palette, over and over; a frame lasts whole hundredths of a second."""
    from PIL import Image

    hundredths = max(round(100 / min(rate, FASTEST)), 2)
    rate = 100 / hundredths
    count, frames = len(frame_times(reel, rate)), []
    palette = None
    for k, pixels in enumerate(frames_of(reel, rate, width)):
        picture = Image.fromarray(pixels)
        if palette is None:
            palette = picture.quantize(128, method=Image.Quantize.MEDIANCUT)
        frames.append(picture.quantize(palette=palette, dither=Image.Dither.NONE))
        reached((k + 1) / count)
    if _closed(reel):
        frames.pop()  # it is the first one again
    options = {"duration": 10 * hundredths, "loop": 0, "optimize": False, "disposal": 1}
    frames[0].save(path, save_all=True, append_images=frames[1:], **options)


def _closed(reel: Reel) -> bool:
    """Whether the last instant looks like the first, but for the cursor and the clock."""
    moving = [s.points for s in reel.strands if not s.rests and s.layer == "mechanism"]
    return bool(moving) and all(np.abs(points[-1] - points[0]).max(initial=0.0) < 0.5 for points in moving)
