"""Names stand near their things, on nothing else, and inside the page."""

import numpy as np

from multiloop.view.labels import Obstacles, around, beside, extent, placed, plain

PAGE = np.array([[0.0, 0.0], [200.0, 200.0]])


def test_name_alone_stands_right_beside_its_point():
    label = around("A", np.array([100.0, 100.0]), 9.0, radius=5.0)
    (centre,) = placed([label], Obstacles(PAGE))
    assert np.hypot(*(centre - 100)) < 20


def test_two_names_of_one_place_do_not_overlap():
    labels = [around("first", np.array([100.0, 100.0]), 9.0, radius=5.0) for _ in range(2)]
    a, b = placed(labels, Obstacles(PAGE))
    gap = np.abs(a - b) - labels[0].box
    assert gap.max() > 0


def test_name_does_not_stand_on_a_line():
    obstacles = Obstacles(PAGE)
    obstacles.add_line(np.array([[0.0, 100.0], [200.0, 100.0]]), width=10.0)
    label = around("joint", np.array([100.0, 100.0]), 9.0, radius=6.0)
    (centre,) = placed([label], obstacles)
    assert abs(centre[1] - 100) > label.box[1] / 2 + 5


def test_name_at_the_rim_stays_on_the_page():
    label = around("a long name", np.array([198.0, 198.0]), 9.0, radius=5.0)
    (centre,) = placed([label], Obstacles(PAGE))
    assert (centre + label.box / 2 <= 200).all()


def test_name_of_a_body_stands_nearer_to_it_than_to_another():
    obstacles = Obstacles(PAGE)
    own, other = np.array([[20.0, 100.0], [180.0, 100.0]]), np.array([[20.0, 114.0], [180.0, 114.0]])
    obstacles.add_line(own, owner="own")
    obstacles.add_line(other, owner="other")
    (centre,) = placed([beside("own", own, 9.0, radius=4.0)], obstacles)
    assert abs(centre[1] - 100) < abs(centre[1] - 114)


def test_name_of_an_area_prefers_its_middle():
    ring = np.array([[50.0, 50.0], [150.0, 50.0], [100.0, 150.0], [50.0, 50.0]])
    (centre,) = placed([beside("plate", ring, 9.0, radius=4.0)], Obstacles(PAGE))
    assert np.allclose(centre, ring[:-1].mean(axis=0))


def test_dollar_signs_are_no_formula():
    assert plain("$a$") == r"\$a\$"
    assert extent("$a$", 9.0)[0] > extent("a", 9.0)[0]
