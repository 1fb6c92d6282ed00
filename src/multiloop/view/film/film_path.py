"""The path of a film, which a notebook displays as the film."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from pathlib import Path

PAPER = "background:#ffffff;max-width:100%;height:auto"
"""White background of a film, for pages with a dark theme."""

LARGEST_EMBEDDED = 30_000_000
"""Largest size in bytes of a film that is embedded in the notebook; a larger one is linked by its path."""

FRAME_HEIGHT = 640
"""Height in pixels of the frame in which a film plays."""


class FilmPath(type(Path())):  # type: ignore[misc]  # PosixPath or WindowsPath
    """The path of a film; a notebook plays the film when it displays the path."""

    def _repr_html_(self) -> str:
        if not self.is_file():
            return f"<p>{escape(str(self))}: the film is no longer there.</p>"
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
