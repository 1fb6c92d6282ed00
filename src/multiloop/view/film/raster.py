"""Frames of a film as pixels: drawing elements (strands) are drawn by Matplotlib's Agg renderer without figures.

Matplotlib's artists are not used, because they could not draw the same elements as the film in a browser
(`painter.js`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.view.figure import PAPER
from multiloop.view.film.reel import Reel, Strand
from multiloop.view.label_placement import escape_dollars

if TYPE_CHECKING:
    from matplotlib.path import Path as Outline

HEAD, SEEN, RIM = 8.0, 3.0, 2.4
"""Length of an arrow head and of the shortest visible arrow, and width of the white rim around text, in points."""


def frame_times(reel: Reel, rate: float) -> np.ndarray:
    """Evenly spaced instants of the frames of a film, `rate` frames for each second of film."""
    duration = float(reel.times[-1] - reel.times[0])
    return np.linspace(reel.times[0], reel.times[-1], max(2, round(duration / reel.speed * rate) + 1))


def frames_of(reel: Reel, rate: float, width: int) -> Iterator[np.ndarray]:
    """All frames of a film as arrays of height × width × 3 bytes; height and width are even, as video encoders
    require."""
    brush = Rasterizer(reel, width)
    for t in frame_times(reel, rate):
        yield brush.paint(float(t))


class Rasterizer:
    """Renderer of the frames of a film at any instant."""

    def __init__(self, reel: Reel, width: int) -> None:
        from matplotlib.backends.backend_agg import RendererAgg
        from matplotlib.transforms import Affine2D

        self.reel = reel
        dots = 72.0 * width / reel.page[0]
        self.size = 2 * round(width / 2), 2 * round(width * reel.page[1] / reel.page[0] / 2)
        agg: Any = RendererAgg  # Matplotlib has no type annotations for it
        self.renderer = agg(*self.size, dots)
        self.to_pixels = Affine2D().scale(dots / 72.0)
        self.orders = reel.orders

    def paint(self, t: float) -> np.ndarray:
        """The frame at time t (s), height × width × 3 bytes."""
        k, share = self._between(t)
        self.renderer.clear()
        right, top = self.reel.page[0] + 9, self.reel.page[1] + 9
        self._fill([(-9, -9), (right, -9), (right, top), (-9, top)], PAPER)
        nearest = k + (share > 0.5)
        order = next(order for begin, order in reversed(self.orders) if begin <= nearest)
        for n in order:
            strand = self.reel.strands[n]
            if strand.shown is None or strand.shown[nearest]:
                PAINTERS[strand.kind](self, strand, _interpolate(strand.points, k, share), k, share)
        return np.array(self.renderer.buffer_rgba())[:, :, :3]

    def _between(self, t: float) -> tuple[int, float]:
        times = self.reel.times
        k = int(np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2))
        return k, float(np.clip((t - times[k]) / (times[k + 1] - times[k]), 0, 1))

    # one drawing method for each kind of strand ---------------------------------------------------------

    def line(self, strand: Strand, points: np.ndarray, *_: Any) -> None:
        """Draw a line through points of the page."""
        look = strand.look
        self._draw(points, look["colour"], look["width"], dashes=look["dashes"], cap=look["cap"])

    def strokes(self, strand: Strand, points: np.ndarray, *_: Any) -> None:
        """Draw several straight lines; each line has two successive points."""
        from matplotlib.path import Path as Outline

        codes = [Outline.MOVETO, Outline.LINETO] * (len(points) // 2)
        self._outline(Outline(points, codes), strand.look["colour"], strand.look["width"])

    def area(self, strand: Strand, points: np.ndarray, *_: Any) -> None:
        """Draw a filled polygon."""
        look = strand.look
        self._fill(points, look["face"], look["edge"], look["width"], look["alpha"])

    def dot(self, strand: Strand, points: np.ndarray, *_: Any) -> None:
        """Draw a dot as a disc, a square, a diamond or two quarters of a disc."""
        look = strand.look
        mark = _marker_path(look["shape"]).transformed(_placed(look["diameter"], points[0]))
        self._outline(mark, look["edge"], look["width"], face=look["face"])

    def text(self, strand: Strand, points: np.ndarray, *_: Any) -> None:
        """Draw text with a white rim around the letters."""
        self._write(strand.look["words"], strand, points[0])

    def readout(self, strand: Strand, points: np.ndarray, k: int, share: float) -> None:
        """Draw the current value of a quantity between two texts.

        The value is interpolated at the fraction `share` of the interval between key instants k and k + 1.
        """
        look = strand.look
        assert strand.values is not None
        value = float((1 - share) * strand.values[k] + share * strand.values[k + 1])
        number = f"{round(value, look['decimals']) + 0.0:.{look['decimals']}f}".replace("-", "−")  # not −0
        self._write(f"{look['before']}{number}{look['after']}", strand, points[0])

    def arrow(self, strand: Strand, points: np.ndarray, *_: Any) -> None:
        """Draw an arrow along a line; the head of a short arrow is smaller."""
        length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
        if length < SEEN:
            return
        colour, head = strand.look["colour"], min(HEAD, 0.6 * length)
        shaft, way = _shorten(points, head)
        across = np.array([-way[1], way[0]])
        self._draw(np.vstack([shaft, shaft[-1] + 0.2 * head * way]), colour, strand.look["width"], cap="butt")
        foot = shaft[-1]
        corners = [foot + 0.4 * head * across, foot + head * way, foot - 0.4 * head * across]
        self._fill(corners, colour, colour, 0.3)

    # calls of the renderer ------------------------------------------------------------------------------

    def _draw(self, points: Any, colour: str, width: float, *, dashes: Any = (), cap: str = "butt") -> None:
        from matplotlib.path import Path as Outline

        self._outline(Outline(points), colour, width, dashes=dashes, cap=cap)

    def _fill(
        self, points: Any, face: str, edge: str = "none", width: float = 0.0, alpha: float = 1.0
    ) -> None:
        from matplotlib.path import Path as Outline

        closed = Outline([*points, points[0]], closed=True)
        self._outline(closed, edge, width, face=face, alpha=alpha, cap="round")

    def _outline(
        self,
        outline: Outline,
        colour: str,
        width: float,
        *,
        face: str = "none",
        dashes: Any = (),
        cap: Any = "butt",
        alpha: float = 1.0,
    ) -> None:
        from matplotlib.colors import to_rgba

        gc = self.renderer.new_gc()
        gc.set_foreground(to_rgba(colour), isRGBA=True)
        gc.set_linewidth(width if colour != "none" else 0.0)
        gc.set_capstyle(cap)
        gc.set_joinstyle("round")
        if alpha < 1:
            gc.set_alpha(alpha)
        if dashes:
            gc.set_dashes(0.0, list(dashes))
        filled = None if face == "none" else to_rgba(face)[:3]
        self.renderer.draw_path(gc, outline, self.to_pixels, filled)
        gc.restore()

    def _write(self, words: str, strand: Strand, place: np.ndarray) -> None:
        if not words:
            return
        look = strand.look
        letters, width = _text_path(words, look["size"], bool(look["italic"]), bool(look["bold"]))
        from matplotlib.transforms import Affine2D

        aside = {"left": 0.0, "center": -width / 2, "right": -width}[look["anchor"]]
        placed = letters.transformed(Affine2D().translate(place[0] + aside, place[1] - 0.36 * look["size"]))
        self._outline(placed, PAPER, RIM, cap="round")
        self._outline(placed, "none", 0.0, face=look["colour"])


PAINTERS: dict[str, Callable[..., None]] = {
    "line": Rasterizer.line,
    "strokes": Rasterizer.strokes,
    "area": Rasterizer.area,
    "dot": Rasterizer.dot,
    "text": Rasterizer.text,
    "readout": Rasterizer.readout,
    "arrow": Rasterizer.arrow,
}
"""Method that draws each kind of strand (drawing element); a new kind also needs a function in `painter.js`."""


def _interpolate(points: np.ndarray, k: int, share: float) -> np.ndarray:
    """Points of a drawing element at the fraction `share` of the interval between key instants k and k + 1."""
    if len(points) == 1:
        k, points = 0, points[[0, 0]]
    found: np.ndarray = (1 - share) * points[k] + share * points[k + 1]
    return found


def _shorten(points: np.ndarray, head: float) -> tuple[np.ndarray, np.ndarray]:
    """A line shortened at its end by the length of an arrow head, and the unit vector along the head."""
    left, kept = head, list(points)
    while len(kept) > 2 and np.linalg.norm(kept[-1] - kept[-2]) < left:
        left -= float(np.linalg.norm(kept[-1] - kept[-2]))
        kept.pop()
    step = kept[-1] - kept[-2]
    way = step / max(float(np.linalg.norm(step)), 1e-9)
    kept[-1] = kept[-1] - left * way
    return np.array(kept), way


def _placed(size: float, place: np.ndarray) -> Any:
    from matplotlib.transforms import Affine2D

    return Affine2D().scale(size).translate(*place)


@lru_cache(maxsize=8)
def _marker_path(shape: str) -> Outline:
    """Matplotlib path of the outline of a dot with diameter 1."""
    from matplotlib.path import Path as Outline
    from matplotlib.transforms import Affine2D

    half = Affine2D().scale(0.5)
    if shape in ("square", "diamond"):
        turned = Affine2D().translate(-0.5, -0.5).rotate_deg(45 if shape == "diamond" else 0)
        return Outline.unit_rectangle().transformed(turned)
    if shape == "disc":
        return Outline.unit_circle().transformed(half)
    quarters = Outline.make_compound_path(Outline.wedge(0, 90), Outline.wedge(180, 270))
    return quarters.transformed(half)


@lru_cache(maxsize=512)
def _text_path(words: str, size: float, italic: bool, bold: bool) -> tuple[Outline, float]:
    """Matplotlib path of the outlines of the letters of a text, and the width of the text in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath, text_to_path

    font = FontProperties(
        size=size, style="italic" if italic else "normal", weight="bold" if bold else "normal"
    )
    width, _, _ = text_to_path.get_text_width_height_descent(words, font, ismath=False)
    return TextPath((0, 0), escape_dollars(words), prop=font, usetex=False), float(width)
