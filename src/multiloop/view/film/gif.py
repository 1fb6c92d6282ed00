"""A film as a GIF, which shows itself wherever pictures do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.view.film.raster import Brush, frame_times
from multiloop.view.film.reel import Reel

if TYPE_CHECKING:
    from PIL import Image

FASTEST = 50.0
"""Frames a second that viewers of GIFs keep up with."""

COLOURS, SAMPLES = 128, 6
"""Colours of the palette, and frames from which they are chosen."""


def write(reel: Reel, path: Path, rate: float, width: int, reached: Callable[[float], None]) -> None:
    """All frames with one palette, over and over; a frame lasts whole hundredths of a second."""
    from PIL import Image

    hundredths = max(round(100 / min(rate, FASTEST)), 2)
    brush, times = Brush(reel, width), frame_times(reel, 100 / hundredths)
    sampled = np.vstack([brush.paint(float(t)) for t in times[:: -(-len(times) // SAMPLES)]])
    palette = _with_paper(Image.fromarray(sampled).quantize(COLOURS, method=Image.Quantize.MEDIANCUT))
    times = times[:-1] if _closed(reel) else times  # the last one would be the first again

    def frames() -> Iterator[Image.Image]:
        for k, t in enumerate(times):
            yield Image.fromarray(brush.paint(float(t))).quantize(palette=palette, dither=Image.Dither.NONE)
            reached((k + 1) / len(times))

    first = next(rest := frames())
    options: Any = {"duration": 10 * hundredths, "loop": 0, "optimize": False, "disposal": 1}
    first.save(path, save_all=True, append_images=rest, **options)


def _with_paper(palette: Image.Image) -> Image.Image:
    """The palette with its lightest colour made white, so that the paper is."""
    colours = np.array(palette.getpalette()).reshape(-1, 3)
    colours[colours.sum(axis=1).argmax()] = 255
    palette.putpalette(colours.ravel().tolist())
    return palette


def _closed(reel: Reel) -> bool:
    """Whether the last instant looks like the first, but for the cursor and the clock."""
    moving = [s.points for s in reel.strands if not s.rests and s.layer == "mechanism"]
    return bool(moving) and all(np.abs(points[-1] - points[0]).max(initial=0.0) < 0.5 for points in moving)
