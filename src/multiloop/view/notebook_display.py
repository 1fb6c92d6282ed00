"""How a notebook displays what `draw` and `plot` return, whether or not `%matplotlib inline` was run."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO

from matplotlib.figure import Figure

DOTS = 144
"""Dots per inch: two to a point, for screens that have them."""

PAPER = "background:#ffffff;max-width:100%;height:auto"
"""Behind a picture, where the page may be dark."""


class Picture(Figure):
    """A matplotlib figure that notebooks display by itself."""

    def _repr_png_(self) -> bytes:
        return _png(self)


def image_html(figure: Figure) -> str:
    """A figure within a page, as wide as it was made."""
    width = round(96 * figure.get_size_inches()[0])
    data = b64encode(_png(figure)).decode("ascii")
    return f'<img width="{width}" style="{PAPER}" src="data:image/png;base64,{data}"/>'


def _png(figure: Figure) -> bytes:
    file = BytesIO()
    figure.savefig(file, format="png", dpi=DOTS)
    return file.getvalue()
