"""Traced points are marked and named; invalid paths are refused."""

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml


@pytest.fixture(scope="module")
def four_bar():
    return ZOO["four-bar"].build()


def test_path_with_points_that_are_no_numbers_is_refused(four_bar, texts):
    broken = np.array([[0.0, 0.0], [np.nan, 1.0], [1.0, 1.0]])
    with pytest.raises(ml.DrawingError) as caught:
        four_bar.draw(traces=[np.zeros((2, 2)), broken])
    texts.fault(caught.value, "V03", "2", "1", "3")
    with pytest.raises(ml.DrawingError) as caught:
        four_bar.draw(traces={"rocker.b": broken})
    texts.fault(caught.value, "V03", "'rocker.b'", "1", "3")


@pytest.mark.parametrize("wrong", [np.zeros(3), np.zeros((4, 5)), np.zeros((0, 2)), [["a", "b"]]])
def test_an_invalid_list_of_points_is_refused(four_bar, wrong, texts):
    with pytest.raises(ml.DrawingError) as caught:
        four_bar.draw(traces=[wrong])
    texts.fault(caught.value, "V03", "2", "3")


def test_marker_by_name_must_be_there(four_bar):
    with pytest.raises(ml.ModelError, match="couplr"):
        four_bar.draw(traces={"couplr.b": np.zeros((2, 2))})


def test_traced_point_is_marked_and_named_where_nothing_else_does(four_bar):
    state = ml.assemble(four_bar)
    path = state.marker("coupler.com") + np.array([[0.0, 0.0], [0.1, 0.2]])
    axes = state.draw(traces={"coupler.com": path, "coupler.b": path}).axes[0]
    words = [text.get_text() for text in axes.texts]
    assert "coupler.com" in words
    assert "coupler.b" not in words  # the joint there is called C
    marked = [line.get_xydata()[0] for line in axes.lines if len(line.get_xdata()) == 1]
    assert any(np.allclose(place, state.marker("coupler.com")) for place in marked)
