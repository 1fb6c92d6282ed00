"""Films as GIF files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.view.figure import PAPER
from multiloop.view.film.raster import Rasterizer, frame_times
from multiloop.view.film.reel import Reel

if TYPE_CHECKING:
    from PIL import Image

FASTEST = 50.0
"""Largest frame rate that common GIF viewers display, in frames per second."""

COLOURS, SAMPLES = 256, 6
"""Number of colours in the palette, and number of frames from which its mixed colours (of smoothed edges) are taken."""

COLOUR_TOLERANCE = 8
"""Largest difference (0 to 255 in each channel) from a colour of the film's elements for which a mixed colour is
omitted from the palette."""

COLOURED = ("colour", "face", "edge")
"""Names of those properties of a drawing element that are colours."""


def write(reel: Reel, path: Path, rate: float, width: int, report_progress: Callable[[float], None]) -> None:
    """Write a film as a GIF file that plays in an endless loop; all frames have the same palette.

    `rate` is the number of frames per second, `width` the width in pixels. The duration of a frame is a whole number of
    hundredths of a second.
    """
    from PIL import Image

    hundredths = max(round(100 / min(rate, FASTEST)), 2)
    brush, times = Rasterizer(reel, width), frame_times(reel, 100 / hundredths)
    palette = _palette(reel, [brush.paint(float(t)) for t in times[:: -(-len(times) // SAMPLES)]])
    times = times[:-1] if _is_periodic(reel) else times  # the last frame would repeat the first

    def frames() -> Iterator[Image.Image]:
        for k, t in enumerate(times):
            yield Image.fromarray(brush.paint(float(t))).quantize(palette=palette, dither=Image.Dither.NONE)
            report_progress((k + 1) / len(times))

    first = next(rest := frames())
    options: Any = {"duration": 10 * hundredths, "loop": 0, "optimize": False, "disposal": 1}
    first.save(path, save_all=True, append_images=rest, **options)


def _palette(reel: Reel, frames: Sequence[np.ndarray]) -> Image.Image:
    """Palette with white, the colours of the film's elements, and mixed colours that occur in frames (smoothed
    edges)."""
    from PIL import Image

    names = {str(strand.look[key]) for strand in reel.strands for key in COLOURED if key in strand.look}
    own = [PAPER, *sorted(names - {PAPER, "none"})][: COLOURS // 2]
    mixed = Image.fromarray(np.vstack(frames)).quantize(COLOURS - len(own), method=Image.Quantize.MEDIANCUT)
    exact = np.array([[int(name[k : k + 2], 16) for k in (1, 3, 5)] for name in own])
    found = np.array(mixed.getpalette()).reshape(-1, 3)
    apart = np.abs(found[:, None] - exact).max(axis=2).min(axis=1)
    palette = Image.new("P", (1, 1))
    palette.putpalette(
        [int(c) for c in np.vstack([exact, found[apart > COLOUR_TOLERANCE]]).ravel()][: 3 * COLOURS]
    )
    return palette


def _is_periodic(reel: Reel) -> bool:
    """Whether the mechanism has the same configuration in the last frame as in the first."""
    moving = [s.points for s in reel.strands if not s.rests and s.layer == "mechanism"]
    return bool(moving) and all(np.abs(points[-1] - points[0]).max(initial=0.0) < 0.5 for points in moving)
