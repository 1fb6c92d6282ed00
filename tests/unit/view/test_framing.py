"""The projection from space to the page is that of matplotlib."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d import proj3d

from multiloop.view.canvas import MARGIN, planar_canvas, spatial_canvas
from multiloop.view.figure import page_of

CLOUD = np.array([[0.0, 0.0, 0.0], [2.0, 0.3, 0.4], [0.4, 1.1, 0.9], [1.0, 0.5, 1.4]])


def _drawn_at(axes, point):
    """Position of a point in a drawing of matplotlib, in points of the page."""
    if axes.name == "3d":
        point = proj3d.proj_transform(*point, axes.get_proj())
    return axes.transData.transform(point[:2]) * 72.0 / axes.figure.dpi


@pytest.mark.parametrize("canvas", [planar_canvas(CLOUD), spatial_canvas(CLOUD, 2), spatial_canvas(CLOUD, 1)])
def test_page_is_where_matplotlib_draws(canvas):
    canvas.axes.figure.draw_without_rendering()
    for point in CLOUD:
        assert np.allclose(canvas.page(point), _drawn_at(canvas.axes, point), atol=1e-6)


@pytest.mark.parametrize("canvas", [planar_canvas(CLOUD), spatial_canvas(CLOUD, 2)])
def test_everything_lies_within_the_margins(canvas):
    low, high = page_of(canvas.axes) + np.array([MARGIN[0], -MARGIN[1]])
    places = canvas.page(CLOUD)
    assert (places > low - 1e-6).all()
    assert (places < high + 1e-6).all()


@pytest.mark.parametrize("upward", [0, 1, 2])
def test_the_chosen_axis_points_up(upward):
    canvas = spatial_canvas(CLOUD, upward)
    assert int(np.argmax(canvas.up)) == upward
    assert np.allclose([np.linalg.norm(canvas.right), canvas.right @ canvas.up], [1.0, 0.0], atol=1e-9)


def test_page_and_space_are_inverse_to_each_other():
    canvas = spatial_canvas(CLOUD, 2)
    place = np.array([123.0, 45.0])
    assert np.allclose(canvas.page(canvas.from_page(place, CLOUD[1])), place)


def test_axes_of_the_wrong_kind_are_refused(texts):
    with pytest.raises(ValueError) as caught:
        spatial_canvas(CLOUD, 2, Figure().add_subplot())
    texts.fault(caught.value, "V02", "'3d'", "'rectilinear'")
    with pytest.raises(ValueError) as caught:
        planar_canvas(CLOUD, Figure().add_subplot(projection="3d"))
    texts.fault(caught.value, "V02")


def test_points_in_one_place_still_make_a_page():
    assert np.isfinite(planar_canvas(np.zeros((1, 3))).unit)
    assert np.isfinite(spatial_canvas(np.zeros((1, 3)), 2).unit)
