"""The shape of each body in a drawing, compared with its geometry."""

import numpy as np
import pytest
from zoo import ZOO

from multiloop.view.body_outlines import body_outlines, ground_outline
from multiloop.view.label_obstacles import contains, convex_outline, nearest_on
from multiloop.view.scene import scene_of


def _shapes(name):
    scene = scene_of(ZOO[name].build())
    return scene, body_outlines(scene)


def test_rod_is_the_line_between_its_ends():
    scene, shapes = _shapes("four-bar")
    ends = [scene.point("coupler.a"), scene.point("coupler.b")]
    assert np.allclose(shapes["coupler"].points, ends)
    assert not shapes["coupler"].closed


def test_joint_on_the_line_of_a_rod_changes_nothing():
    _, shapes = _shapes("scraper-C")
    assert all(len(shape.points) == 2 for shape in shapes.values())


def test_plate_is_the_ring_of_its_corners():
    scene, shapes = _shapes("3-RRR")
    assert np.allclose(shapes["platform"].points, [scene.point(f"platform.c{k}") for k in (1, 2, 3)])
    assert len(shapes["platform"].ring) == 4


def test_rod_with_joints_beside_it_becomes_an_area_that_reaches_them_all():
    scene, shapes = _shapes("excavator")
    for seat in scene.joint_points("boom"):
        assert np.linalg.norm(nearest_on(shapes["boom"].ring, seat) - seat) < 1e-9


def test_barrel_is_wide_and_rod_in_it_narrow():
    for name, barrel, rod in (("excavator", "liftcyl", "liftpiston"), ("6-UPS", "lower1", "upper1")):
        _, shapes = _shapes(name)
        assert shapes[barrel].width > 1.0 > shapes[rod].width


def test_strut_of_one_seat_is_drawn_towards_its_partner():
    scene, shapes = _shapes("6-UPS")
    foot, tip = shapes["lower1"].points
    head, tail = shapes["upper1"].points
    leg = scene.point("upper1.origin") - scene.point("lower1.origin")
    assert (tip - foot) @ leg + (head - tail) @ leg > leg @ leg  # the two halves overlap


def test_block_stays_a_point_and_its_guide_becomes_a_bar():
    _, shapes = _shapes("scotch-yoke")
    assert len(shapes["block"].points) == 1
    assert len(shapes["yoke"].points) == 2


def test_ground_of_a_platform_is_the_ring_of_its_feet():
    scene, _ = _shapes("6-UPS")
    assert len(ground_outline(scene)) == 6


@pytest.mark.parametrize(
    ("points", "corners"), [([(0, 0, 0)] * 3, 1), ([(0, 0, 0), (1, 1, 1), (2, 2, 2)], 2)]
)
def test_ring_of_points_that_enclose_nothing(points, corners):
    assert len(convex_outline(np.array(points, float), 1e-9)) == corners


def test_inside_and_outside_of_a_square():
    square = np.array([(0, 0), (2, 0), (2, 2), (0, 2)])
    assert contains(square, np.array([1.0, 1.0]))
    assert not contains(square, np.array([3.0, 1.0]))
