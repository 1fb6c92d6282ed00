"""Names have a size, possible positions, and a leader line if they are far from their object."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from multiloop.view.label_obstacles import contains
from multiloop.view.label_placement import (
    LEADER_DISTANCE,
    escape_dollars,
    label_around,
    label_beside,
    text_extent,
)

ANCHOR = np.array([100.0, 100.0])
BAR = np.array([[20.0, 100.0], [180.0, 100.0]])
PLATE = np.array([[50.0, 50.0], [150.0, 50.0], [100.0, 150.0], [50.0, 50.0]])


@pytest.mark.parametrize("words", ["A", "link4-link5 787.8 N", "$a$", "Öse"])
@pytest.mark.parametrize("size", [6.0, 9.0])
def test_extent_is_that_of_the_drawn_words(words, size):
    figure = Figure(dpi=720)
    drawn = figure.text(0.5, 0.5, escape_dollars(words), fontsize=size)
    box = drawn.get_window_extent(FigureCanvasAgg(figure).get_renderer())
    assert text_extent(words, size)[0] == pytest.approx(
        box.width / 10, abs=0.2
    )  # pixels of a tenth of a point
    assert text_extent(words, size)[1] > 0.8 * box.height / 10  # letters with accents stand out a little


def test_dollar_signs_are_no_formula():
    assert escape_dollars("$a$") == r"\$a\$"
    assert text_extent("$a$", 9.0)[0] > text_extent("a", 9.0)[0]


def test_places_around_a_point_leave_it_free_and_the_nearest_are_cheapest():
    label = label_around("joint", ANCHOR, 9.0, radius=6.0, gaps=(3.0, 20.0))
    edges = ANCHOR + np.clip(label.centres - ANCHOR, -label.box / 2, label.box / 2)
    assert (np.linalg.norm(label.centres - edges, axis=1) >= 6.0).all()
    first, second = label.places[:24], label.places[24:]
    assert first[:, 2].max() < second[:, 2].min()


def test_places_beside_a_bar_are_clear_of_it_on_both_sides():
    label = label_beside("bar", BAR, 9.0, radius=4.0)
    clear = np.abs(label.centres[:, 1] - 100) - label.box[1] / 2
    assert clear.min() >= 4.0
    assert {-1.0, 1.0} == set(np.sign(label.centres[:, 1] - 100))
    assert label.centres[label.places[:, 2].argmin(), 0] == pytest.approx(100.0)


def test_name_of_an_area_may_stand_in_its_middle_for_nothing():
    label = label_beside("plate", PLATE, 9.0, radius=4.0)
    assert label.places[:, 2].argmin() == 0
    assert label.places[0] == pytest.approx([100.0, 250 / 3, 0.0])
    inside = label.places[label.places[:, 2] < 0.1]
    assert contains(PLATE, inside[:, :2]).all()
    assert len(inside) > 1  # if the middle is occupied


def test_a_distant_name_has_a_leader_to_its_object():
    label = label_around("joint", ANCHOR, 9.0, radius=6.0)
    start, end = label.leader_lines(ANCHOR + np.array([0.0, 60.0]))
    assert start == pytest.approx(ANCHOR + np.array([0.0, 60.0 - label.box[1] / 2 - 1.0]))
    assert end == pytest.approx(ANCHOR + np.array([0.0, 6.0]))
    near = ANCHOR + np.array([0.0, 5.9 + LEADER_DISTANCE + label.box[1] / 2])
    assert np.isnan(label.leader_lines(near)).all()


def test_lead_ends_at_the_nearest_place_of_a_body():
    leads = label_beside("bar", BAR, 9.0, radius=4.0).leader_lines(
        np.array([[60.0, 160.0], [140.0, 40.0], [90.0, 110.0]])
    )
    assert leads[0, 1] == pytest.approx([60.0, 104.0])
    assert leads[1, 1] == pytest.approx([140.0, 96.0])
    assert np.isnan(leads[2]).all()


def test_lead_does_not_arrive_at_the_joints_of_a_bar():
    _, end = label_beside("bar", BAR, 9.0, radius=4.0).leader_lines(np.array([0.0, 150.0]))
    assert 48 < end[0] < 52  # a fifth of the bar


def test_room_for_the_arrow_of_a_drive_keeps_the_name_off_but_not_its_lead():
    label = label_around("joint", ANCHOR, 9.0, radius=6.0, room=10.0)
    assert label.gaps(label.centres, label.box).min() > 12
    assert np.isnan(label.leader_lines(label.centres[:24])).all()
    _, end = label.leader_lines(ANCHOR + np.array([0.0, 60.0]))
    assert end == pytest.approx(ANCHOR + np.array([0.0, 6.0]))


def test_gap_is_from_the_box_to_the_thing_and_none_inside_its_area():
    plate, box = label_beside("plate", PLATE, 9.0, radius=4.0), np.array([20.0, 10.0])
    gaps = plate.gaps(np.array([[100.0, 80.0], [100.0, 30.0], [163.0, 40.0]]), box)
    assert gaps == pytest.approx([0.0, 15.0, np.hypot(3.0, 5.0)])


def test_name_inside_its_area_needs_no_lead():
    wide = 10 * PLATE
    label = label_beside("plate", wide, 9.0, radius=4.0)
    assert np.isnan(label.leader_lines(wide[:-1].mean(axis=0))).all()
    assert np.isfinite(label.leader_lines(np.array([200.0, 1400.0]))).all()


def test_a_line_without_length_is_a_point_and_no_name_stands_on_it():
    label = label_beside("tie", np.array([ANCHOR, ANCHOR]), 9.0, radius=2.0)
    edges = ANCHOR + np.clip(label.centres - ANCHOR, -label.box / 2, label.box / 2)
    assert (np.linalg.norm(label.centres - edges, axis=1) >= 4.0).all()
