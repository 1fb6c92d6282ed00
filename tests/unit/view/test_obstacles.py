"""Ink on the page is counted at its position, and a box counts the ink that it covers."""

import numpy as np
import pytest

from multiloop.view.label_obstacles import STEP, Obstacles

PAGE = np.array([[0.0, 0.0], [200.0, 160.0]])


@pytest.fixture
def spotted():
    """A page of random dots, each of one weight at one position, and these positions and weights."""
    rng = np.random.default_rng(7)
    places, weights = rng.integers(0, (200, 160), (300, 2)) + 0.5, rng.uniform(0.5, 3.0, 300)
    obstacles = Obstacles(PAGE)
    for place, weight in zip(places, weights, strict=True):
        obstacles.add_line(place[None], weight)
    return obstacles, places, weights


def test_ink_under_a_box_is_the_sum_of_its_spots(spotted):
    obstacles, places, weights = spotted
    centres, box = (
        np.random.default_rng(8).integers(0, (200, 160), (50, 2)).astype(float),
        np.array([30.0, 12.0]),
    )
    inside = (np.abs(places[None] - centres[:, None]) < box / 2).all(axis=2)
    assert obstacles.covered(centres, box) == pytest.approx(inside @ weights)


def test_ink_added_later_counts_as_well(spotted):
    obstacles, _, _ = spotted
    centre, box = np.array([100.0, 80.0]), np.array([30.0, 12.0])
    before = obstacles.covered(centre, box)
    obstacles.add_disc(centre, 4.0, 1.0)
    assert obstacles.covered(centre, box) == pytest.approx(before + 17.0)


def test_crowd_is_the_ink_within_reach(spotted):
    obstacles, places, weights = spotted
    for centre in ([100.0, 80.0], [0.0, 0.0], [199.0, 3.0]):
        near = np.hypot(*(places - centre).T) < 17.0
        assert obstacles.ink_near(np.array(centre), 17.0) == pytest.approx(weights[near].sum())


def test_line_leaves_a_spot_every_few_points_whatever_its_pieces():
    straight, pieced = Obstacles(PAGE), Obstacles(PAGE)
    straight.add_line(np.array([[10.0, 20.0], [190.0, 20.0]]))
    pieced.add_line(np.column_stack([np.linspace(10.0, 190.0, 500), np.full(500, 20.0)]))
    assert straight.ink.sum() == pieced.ink.sum() == 180 / STEP + 1
    assert np.allclose(straight.ink.sum(axis=0), pieced.ink.sum(axis=0))


def test_wide_line_has_ink_at_both_edges():
    obstacles = Obstacles(PAGE)
    obstacles.add_line(np.array([[10.0, 20.5], [190.0, 20.5]]), width=10.0)
    rows = np.flatnonzero(obstacles.ink.sum(axis=0)) + obstacles.corner[1]
    assert list(rows) == [15.0, 20.0, 25.0]


def test_what_is_off_the_page_leaves_no_ink():
    obstacles = Obstacles(PAGE)
    obstacles.add_line(np.array([[1000.0, 20.0], [1100.0, 20.0]]))
    assert not obstacles.ink.any()


def test_leaving_the_page_is_measured_in_points():
    box = np.array([20.0, 10.0])
    centres = np.array([[100.0, 80.0], [195.0, 80.0], [3.0, 158.0]])
    assert Obstacles(PAGE).overhang(centres, box) == pytest.approx([0.0, 5.0, 7.0 + 3.0])
