"""Figures that notebooks display with or without `%matplotlib inline`."""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO

from matplotlib.figure import Figure

DOTS = 144
"""Resolution of pictures in dots per inch: two dots per point, for screens of high resolution."""

PAPER = "background:#ffffff;max-width:100%;height:auto"
"""CSS style of a picture in a notebook, with a white background also on pages with a dark theme."""


class Picture(Figure):
    """A Matplotlib figure that notebooks display without a Matplotlib backend."""

    def _repr_png_(self) -> bytes:
        return _png(self)


def image_html(figure: Figure) -> str:
    """A figure as an HTML image element with the width of the figure."""
    width = round(96 * figure.get_size_inches()[0])
    data = b64encode(_png(figure)).decode("ascii")
    return f'<img width="{width}" style="{PAPER}" src="data:image/png;base64,{data}"/>'


def _png(figure: Figure) -> bytes:
    file = BytesIO()
    figure.savefig(file, format="png", dpi=DOTS)
    return file.getvalue()
