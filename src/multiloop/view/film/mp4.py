"""Films as MP4 files, written by ffmpeg, which is installed with the optional dependencies `film`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryFile
from typing import Any

from multiloop.dependencies import install_command
from multiloop.io.atomic_file import file_error
from multiloop.view.film.raster import Rasterizer, frame_times, frames_of
from multiloop.view.film.reel import Reel

ENCODER = ["-vcodec", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart"]
"""Options of ffmpeg: H.264 with a quality that is sufficient for thin lines, and playback while the file is loading."""


def write(reel: Reel, path: Path, rate: float, width: int, report_progress: Callable[[float], None]) -> None:
    """Write a film as an MP4 file by sending frames to ffmpeg; if ffmpeg fails, raise an OSError with its message."""
    count, size = len(frame_times(reel, rate)), Rasterizer(reel, width).size
    given = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", str(rate), "-i", "-"]
    program = require_ffmpeg(path).get_ffmpeg_exe()
    command = [program, "-y", "-v", "error", *given, "-an", *ENCODER, str(path)]
    with TemporaryFile() as messages:
        process = Popen(command, stdin=PIPE, stdout=DEVNULL, stderr=messages, start_new_session=True)
        try:
            with suppress(BrokenPipeError):  # ffmpeg has ended early; its status and messages are read below
                for k, pixels in enumerate(frames_of(reel, rate, width)):
                    process.stdin.write(pixels.tobytes())  # type: ignore[union-attr]
                    report_progress((k + 1) / count)
                process.stdin.close()  # type: ignore[union-attr]
            status = process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
        if status:
            messages.seek(0)
            lines = messages.read().decode("utf-8", "replace").strip().splitlines()
            raise OSError(f"ffmpeg ended with status {status}: {lines[-1] if lines else 'no message'}")


def require_ffmpeg(path: Path) -> Any:
    """Import and return the package that provides ffmpeg; raise an error if it is not installed."""
    try:
        import imageio_ffmpeg
    except ImportError:
        what = "an MP4 is written by ffmpeg, which is not installed."
        remedy = f"Install it with {install_command('film')}, or write an .html or a .gif."
        raise file_error(path, what, remedy) from None
    return imageio_ffmpeg
