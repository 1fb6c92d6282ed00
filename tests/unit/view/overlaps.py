"""The law of pictures: no two words overlap, and none is outside the page."""

from itertools import combinations

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from mpl_toolkits.mplot3d import proj3d


def word_boxes(figure):
    """Boxes of all words of a picture, in pixels at 100 per inch; in space as projected."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw_without_rendering()
    found = [(text, figure) for text in figure.texts]
    for axes in figure.axes:
        for text in axes.texts if axes.name == "3d" else ():
            text.set_position(proj3d.proj_transform(*text.get_position_3d(), axes.get_proj())[:2])
        titles = [axes.title, axes._left_title, axes._right_title, axes.xaxis.label, axes.yaxis.label]
        legend = axes.get_legend()
        found += [(text, axes) for text in (*axes.texts, *titles, *(legend.get_texts() if legend else ()))]
        if axes.axison:
            found += [(tick, axes) for tick in axes.get_xticklabels() if _within(tick, 0, axes.get_xlim())]
            found += [(tick, axes) for tick in axes.get_yticklabels() if _within(tick, 1, axes.get_ylim())]
    told = [(text, owner) for text, owner in found if text.get_text() and text.get_visible()]
    return [(text.get_text(), Text.get_window_extent(text, renderer)) for text, _ in told]


def _within(tick, axis, limits):
    """Whether a tick is drawn: matplotlib keeps some beyond either end."""
    return tick.get_visible() and min(limits) <= tick.get_position()[axis] <= max(limits)


def overlaps(figure, allowed=3.0):
    """Pairs of words whose boxes overlap by more than their rims, and words outside the page."""
    boxes, page = word_boxes(figure), figure.bbox
    found = []
    for (one, a), (other, b) in combinations(boxes, 2):
        width = min(a.x1, b.x1) - max(a.x0, b.x0)
        height = min(a.y1, b.y1) - max(a.y0, b.y0)
        if min(width, height) >= allowed:
            found.append((one, other))
    outside = [
        words
        for words, box in boxes
        if box.x0 < page.x0 or box.y0 < page.y0 or box.x1 > page.x1 or box.y1 > page.y1
    ]
    return found, outside
