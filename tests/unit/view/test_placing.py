"""Names are near their objects, on free space, inside the page, and their leader lines cross no other name."""

import numpy as np
import pytest

from multiloop.view.label_obstacles import STEP, Obstacles
from multiloop.view.label_placement import (
    _ambiguity,
    _crosses_box,
    _ink_under,
    _lines_cross,
    _neighbours,
    _points_met,
    label_around,
    label_beside,
    place_labels,
)

PAGE = np.array([[0.0, 0.0], [200.0, 200.0]])


def test_nothing_to_place():
    assert place_labels([], Obstacles(PAGE)) == []


def test_name_alone_stands_right_beside_its_point():
    label = label_around("A", np.array([100.0, 100.0]), 9.0, radius=5.0)
    (centre,) = place_labels([label], Obstacles(PAGE))
    assert np.hypot(*(centre - 100)) < 20


@pytest.mark.parametrize("count", [2, 5, 12])
def test_names_of_one_place_do_not_overlap(count):
    labels = [label_around("first", np.array([100.0, 100.0]), 9.0, radius=5.0) for _ in range(count)]
    centres = place_labels(labels, Obstacles(PAGE))
    for k, a in enumerate(centres):
        for b in centres[:k]:
            assert (np.abs(a - b) - labels[0].box).max() > 0


@pytest.mark.parametrize("height", [90.0, 100.0, 110.0])
def test_name_does_not_stand_on_a_line(height):
    obstacles = Obstacles(PAGE)
    obstacles.add_line(np.array([[0.0, height], [200.0, height]]), width=10.0)
    label = label_around("joint", np.array([100.0, 100.0]), 9.0, radius=6.0)
    (centre,) = place_labels([label], obstacles)
    assert abs(centre[1] - height) > label.box[1] / 2 + 5


def test_name_at_the_rim_stays_on_the_page():
    label = label_around("a long name", np.array([198.0, 198.0]), 9.0, radius=5.0)
    (centre,) = place_labels([label], Obstacles(PAGE))
    assert (centre + label.box / 2 <= 200).all()


def test_name_of_a_body_stands_nearer_to_it_than_to_another():
    own, other = np.array([[20.0, 100.0], [180.0, 100.0]]), np.array([[20.0, 114.0], [180.0, 114.0]])
    labels = [
        label_beside(name, line, 9.0, radius=4.0, kind="body")
        for name, line in (("own", own), ("other", other))
    ]
    low, high = place_labels(labels, Obstacles(PAGE))
    assert low[1] < 100
    assert high[1] > 114


def test_names_are_mistaken_only_for_those_of_their_kind():
    own = label_around("own", np.array([100.0, 100.0]), 9.0, radius=4.0, kind="joint")
    near = np.array([112.0, 100.0])
    other = label_around("other", near, 9.0, radius=4.0, kind="joint")
    bar = label_around("bar", near, 9.0, radius=4.0, kind="body")
    between = np.array([[106.0, 109.0]])
    assert own.gaps(between, own.box) == pytest.approx(other.gaps(between, own.box))
    assert _ambiguity(own, [other]).max() > 12
    assert not _ambiguity(own, [bar]).any()


def test_name_of_an_area_prefers_its_middle():
    ring = np.array([[50.0, 50.0], [150.0, 50.0], [100.0, 150.0], [50.0, 50.0]])
    (centre,) = place_labels([label_beside("plate", ring, 9.0, radius=4.0)], Obstacles(PAGE))
    assert np.allclose(centre, ring[:-1].mean(axis=0))


def test_line_through_a_box_is_found_as_by_walking_along_it():
    rng = np.random.default_rng(3)
    lines, box = rng.uniform(-30, 30, (200, 2, 2)), np.array([24.0, 9.0])
    walked = lines[:, None, 0] + np.linspace(0, 1, 2001)[:, None] * (lines[:, None, 1] - lines[:, None, 0])
    inside = (np.abs(walked) < box / 2 + 1.0).all(axis=2).any(axis=1)
    assert 20 < inside.sum() < 180
    assert (_crosses_box(lines, np.zeros(2), box) == inside).all()
    assert not _crosses_box(np.full((1, 2, 2), np.nan), np.zeros(2), box).any()


def test_intersections_of_lines_agree_with_their_equations():
    rng = np.random.default_rng(5)
    lines, others = rng.uniform(-1, 1, (2, 200, 2, 2))
    for line, other, found in zip(lines, others, _lines_cross(lines, others), strict=True):
        A = np.column_stack([line[1] - line[0], other[0] - other[1]])
        shares = np.linalg.solve(A, other[0] - line[0])
        assert found == ((shares > 0) & (shares < 1)).all()
    assert not _lines_cross(lines, np.full((200, 2, 2), np.nan)).any()


def test_line_pays_for_the_ink_along_it():
    obstacles = Obstacles(PAGE)
    obstacles.add_line(np.array([[0.0, 100.0], [200.0, 100.0]]), 2.0)
    along, across, aside = [[20, 100], [180, 100]], [[100, 20], [100, 180]], [[20, 50], [180, 50]]
    ink = _ink_under(np.array([along, across, aside, np.full((2, 2), np.nan)], float), obstacles)
    assert ink[0] == pytest.approx(2.0 * 160 / STEP)
    assert ink[0] > 5 * ink[1]
    assert ink[2] == ink[3] == 0.0


def test_line_to_a_name_strikes_out_no_other_name():
    things = np.column_stack(
        [np.full(9, 100.0), np.linspace(96.0, 104.0, 9)]
    )  # peaks that lie close together
    gaps = (2.5, 6.0, 12.0, 20.0, 32.0, 48.0, 66.0)
    labels = [label_around(f"name {k}", thing, 8.0, radius=2.0, gaps=gaps) for k, thing in enumerate(things)]
    centres = place_labels(labels, Obstacles(PAGE))
    leads = [label.leader_lines(centre) for label, centre in zip(labels, centres, strict=True)]
    assert np.isfinite(leads).any()
    for k, lead in enumerate(leads):
        others = np.delete(centres, k, axis=0)
        assert not _crosses_box(lead, others, labels[0].box - 2.0).any()


def test_line_to_a_name_does_not_run_through_the_point_of_another():
    own, other = (
        label_around(name, np.array([100.0, y]), 8.0, radius=2.0)
        for name, y in (("own", 100.0), ("other", 112.0))
    )
    above, beside_it = np.array([[100.0, 150.0]]), np.array([[150.0, 112.0]])
    assert _points_met(own.leader_lines(above), [other]) == [1]
    assert _points_met(own.leader_lines(beside_it), [other]) == [0]
    assert _points_met(own.leader_lines(own.centres[:3]), [other]).sum() == 0  # no line there


def test_distant_names_are_not_compared():
    things = np.stack(np.meshgrid(np.arange(30) * 100.0, np.arange(10) * 100.0), axis=-1).reshape(-1, 2)
    labels = [label_around(f"joint {k}", thing, 8.0, radius=5.0) for k, thing in enumerate(things)]
    assert max(map(len, _neighbours(labels))) < 20
    centres = place_labels(labels, Obstacles(np.array([[-50.0, -50.0], [2950.0, 950.0]])))
    assert (np.linalg.norm(centres - things, axis=1) < 40).all()
