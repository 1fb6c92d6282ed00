"""A film as an MP4, for slides and for sending; the extra `film` installs ffmpeg, which writes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from multiloop.extras import install_command
from multiloop.io.refusals import refused
from multiloop.view.film.raster import Brush, frame_times, frames_of
from multiloop.view.film.reel import Reel

ENCODER = ["-crf", "20", "-movflags", "+faststart"]
"""Fine enough for thin lines, and it begins before it is loaded whole."""


def write(reel: Reel, path: Path, rate: float, width: int, reached: Callable[[float], None]) -> None:
    """Frames go to ffmpeg one by one."""
    count, size = len(frame_times(reel, rate)), Brush(reel, width).size
    options = {"codec": "libx264", "quality": None, "macro_block_size": 2, "ffmpeg_log_level": "error"}
    sink = require_ffmpeg(path).write_frames(str(path), size, fps=rate, output_params=ENCODER, **options)
    sink.send(None)
    try:
        for k, pixels in enumerate(frames_of(reel, rate, width)):
            sink.send(pixels.tobytes())
            reached((k + 1) / count)
    finally:
        sink.close()


def require_ffmpeg(path: Path) -> Any:
    """The package that brings ffmpeg; refuses where it is not installed."""
    try:
        import imageio_ffmpeg
    except ImportError:
        what = "an MP4 is written by ffmpeg, which is not installed."
        remedy = f"Install it by {install_command('film')}, or write an .html or a .gif."
        raise refused(path, what, remedy) from None
    return imageio_ffmpeg
