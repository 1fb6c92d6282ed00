"""Films of a result with force arrows, paths and curves, written as an HTML page, a GIF or an MP4."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from multiloop.analyses import Result
from multiloop.analyses.progress import progress_display
from multiloop.io.atomic_file import as_path, atomic_file, require_writable
from multiloop.model import short_repr
from multiloop.model.expressions.expression import is_number
from multiloop.view.deformed_bodies import check_scale
from multiloop.view.figure import drawing_error
from multiloop.view.film import gif, html_page, mp4
from multiloop.view.film.arrows import ARROW_KINDS, check_arrow_names
from multiloop.view.film.composition import FilmOptions, compose_reel
from multiloop.view.film.film_curves import film_panels
from multiloop.view.film.reel import Reel, default_speed, instants_of

PAPER = "background:#ffffff;max-width:100%;height:auto"
"""CSS style of a film in a notebook, with a white background also on pages with a dark theme."""

LARGEST_EMBEDDED = 30_000_000
"""Largest size in bytes of a film that is embedded in a notebook; larger films are linked by their path."""

FRAME_HEIGHT = 640
"""Height in pixels of the frame in which a notebook plays a film."""


class FilmPath(type(Path())):  # type: ignore[misc]  # PosixPath or WindowsPath
    """Path of a film file; a notebook that displays this object plays the film."""

    def _repr_html_(self) -> str:
        if not self.is_file():
            return f"<p>{escape(str(self))}: the film no longer exists.</p>"
        embedded = self.stat().st_size <= LARGEST_EMBEDDED
        if self.suffix.lower() == ".html":
            source = f'srcdoc="{escape(self.read_text(encoding="utf-8"))}"' if embedded else self._linked()
            return f'<iframe {source} width="100%" height="{FRAME_HEIGHT}" style="border:0"></iframe>'
        kind = "image/gif" if self.suffix.lower() == ".gif" else "video/mp4"
        data = b64encode(self.read_bytes()).decode("ascii") if embedded else ""
        source = f'src="data:{kind};base64,{data}"' if embedded else self._linked()
        if kind == "image/gif":
            return f'<img {source} style="{PAPER}"/>'
        return f'<video {source} controls loop style="max-width:100%"></video>'

    def _linked(self) -> str:
        return f'src="{escape(self.as_posix())}"'


@dataclass(frozen=True)
class Format:
    """A file format of films.

    `write(reel, path, rate, width, report_progress)` writes the film data `reel` with the given frames per second and
    width in pixels, and calls `report_progress` with the fraction done. `rate` is the default number of frames per
    second, and `most` the largest number of frames. `require` raises an error if a program that the format needs is
    missing.
    """

    write: Callable[[Reel, Path, float, int, Callable[[float], None]], None]
    rate: float
    most: float = np.inf
    require: Callable[[Path], object] = lambda path: None


FORMATS = {
    ".html": Format(html_page.write, 60.0),
    ".gif": Format(gif.write, 25.0, 2000),
    ".mp4": Format(mp4.write, 30.0, 20_000, mp4.require_ffmpeg),
}
"""Film formats by the extension of the file name; a new format is one module and one line in this table."""

FASTEST, WIDEST, SQUARE = 100.0, 4096, 720
"""Largest frame rate (1/s), largest width in pixels, and side in pixels of the square into which a film of default size
fits."""


def film_result(
    result: Result,
    path: str | Path,
    *,
    speed: float | None = None,
    traces: str | Sequence[str] = (),
    arrows: str | Sequence[str] = ARROW_KINDS,
    show: str | Sequence[str] | None = None,
    names: bool = True,
    rate: float | None = None,
    width: int | None = None,
    progress: bool | None = None,
    scale: float = 1.0,
) -> Path:
    """Make a film of the motion of a result; the arguments are described in `Result.film`."""
    path = as_path(path)
    kind = _format(result, path)
    duration = _duration(result)
    speed = default_speed(duration) if speed is None else _check_positive(result, "speed", speed, np.inf)
    rate = kind.rate if rate is None else _check_positive(result, "rate", rate, FASTEST)
    pixels = None if width is None else int(_check_positive(result, "width", width, WIDEST))
    count = duration / speed * rate
    if count > kind.most:
        what = f"would have {count:.0f} frames; a {path.suffix} file may have up to {kind.most:g}."
        speeds = f"Give a larger speed=, such as {default_speed(duration):g}"
        remedy = f"{speeds}, a lower rate=, or the name of an .html file, which has no frames."
        raise drawing_error(result.mechanism, "V04", f"film '{path.name}'", what, remedy)
    wanted = (arrows,) if isinstance(arrows, str) else tuple(arrows)
    check_arrow_names(result, wanted)
    options = FilmOptions(
        speed=speed,
        rate=rate,
        traces=(traces,) if isinstance(traces, str) else tuple(traces),
        arrows=wanted,
        panels=film_panels(result, show),
        names=names,
        scale=check_scale(result.mechanism, scale),
    )
    require_writable(path)
    with progress_display(0, 100, progress, unit="%", doing="drawing") as report_progress:
        reel = compose_reel(result, options, lambda share: report_progress(100 * share))
    with (
        atomic_file(path) as file,
        progress_display(0, 100, progress, unit="%", doing="writing") as report_progress,
    ):
        kind.write(
            reel, file, rate, pixels or _default_width(reel), lambda share: report_progress(100 * share)
        )
    return FilmPath(path)


def _format(result: Result, path: Path) -> Format:
    """Film format by the extension of the file name; raises an error for an unknown format or a missing program."""
    if path.suffix.lower() in FORMATS:
        kind = FORMATS[path.suffix.lower()]
        kind.require(path)
        return kind
    remedy = f"Give a name that ends in {', '.join(list(FORMATS)[:-1])} or {list(FORMATS)[-1]}."
    raise drawing_error(
        result.mechanism, "V04", f"film '{path.name}'", "its extension is not a film format.", remedy
    )


def _duration(result: Result) -> float:
    times, _ = instants_of(result)
    if len(times) < 2:
        what = "the result has only one instant."
        remedy = (
            "Call `inverse` with cycle= or several instants t=, or call `simulate`; `plot` shows one instant."
        )
        raise drawing_error(result.mechanism, "V04", "film", what, remedy)
    return float(times[-1] - times[0])


def _default_width(reel: Reel) -> int:
    """Width in pixels of a film that fits into a square of `SQUARE` pixels."""
    return round(SQUARE * reel.page[0] / max(reel.page))


def _check_positive(result: Result, name: str, value: Any, most: float) -> float:
    if not is_number(value) or not 0 < value < np.inf or value > most:
        bound = "" if most == np.inf else f", up to {most:g}"
        remedy = f"Give a positive number{bound}."
        raise drawing_error(result.mechanism, "V04", name, f"is {short_repr(value)}.", remedy)
    return float(value)
