"""A film as a GIF, which shows itself wherever pictures do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.view.colours import PAPER
from multiloop.view.film.raster import Brush, frame_times
from multiloop.view.film.reel import Reel

if TYPE_CHECKING:
    from PIL import Image

FASTEST = 50.0
"""Frames a second that viewers of GIFs keep up with."""

COLOURS, SAMPLES = 256, 6
"""Colours of the palette, and frames from which they are chosen."""

ALIKE = 8
"""Difference from one of the film's own colours below which another is not needed."""

COLOURED = ("colour", "face", "edge")
"""Colours in the look of a strand."""


def write(reel: Reel, path: Path, rate: float, width: int, reached: Callable[[float], None]) -> None:
    """All frames with one palette, over and over; a frame lasts whole hundredths of a second."""
    from PIL import Image

    hundredths = max(round(100 / min(rate, FASTEST)), 2)
    brush, times = Brush(reel, width), frame_times(reel, 100 / hundredths)
    palette = _palette(reel, [brush.paint(float(t)) for t in times[:: -(-len(times) // SAMPLES)]])
    times = times[:-1] if _closed(reel) else times  # the last one would be the first again

    def frames() -> Iterator[Image.Image]:
        for k, t in enumerate(times):
            yield Image.fromarray(brush.paint(float(t))).quantize(palette=palette, dither=Image.Dither.NONE)
            reached((k + 1) / len(times))

    first = next(rest := frames())
    options: Any = {"duration": 10 * hundredths, "loop": 0, "optimize": False, "disposal": 1}
    first.save(path, save_all=True, append_images=rest, **options)


def _palette(reel: Reel, frames: Sequence[np.ndarray]) -> Image.Image:
    """The film's own colours, paper first, and what else is in some of its frames: edges between two of them."""
    from PIL import Image

    names = {str(strand.look[key]) for strand in reel.strands for key in COLOURED if key in strand.look}
    own = [PAPER, *sorted(names - {PAPER, "none"})][: COLOURS // 2]
    mixed = Image.fromarray(np.vstack(frames)).quantize(COLOURS - len(own), method=Image.Quantize.MEDIANCUT)
    exact = np.array([[int(name[k : k + 2], 16) for k in (1, 3, 5)] for name in own])
    found = np.array(mixed.getpalette()).reshape(-1, 3)
    apart = np.abs(found[:, None] - exact).max(axis=2).min(axis=1)
    palette = Image.new("P", (1, 1))
    palette.putpalette([int(c) for c in np.vstack([exact, found[apart > ALIKE]]).ravel()][: 3 * COLOURS])
    return palette


def _closed(reel: Reel) -> bool:
    """Whether the last instant looks like the first, but for the cursor and the clock."""
    moving = [s.points for s in reel.strands if not s.rests and s.layer == "mechanism"]
    return bool(moving) and all(np.abs(points[-1] - points[0]).max(initial=0.0) < 0.5 for points in moving)
