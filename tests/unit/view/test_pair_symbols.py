"""Drawings of pairs: a wheel has its size and touches its road, relations are lines between joints."""

from dataclasses import dataclass

import casadi as ca
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml
from multiloop.spatial import zeros
from multiloop.view.scene import scene_of
from multiloop.view.symbols.pair_symbols import contact_of, pair_extent

mpl.use("Agg")


@ml.register
@dataclass(frozen=True)
class OnLine(ml.Pair):
    """A point on the x axis of another marker; it has no symbol."""

    def degrees_of_freedom(self, planar):
        return 2 if planar else 5

    def wrench_names(self, planar):
        return ("force across the line",)

    def wrenches(self, pose, planar):
        return ca.vertcat(zeros(3), 0, 1, 0)

    def closure(self, pose, planar):
        return pose.p[1]


def wheel(pair):
    return ml.Mechanism(
        "wheel",
        planar=True,
        bodies=[ml.ground(road=ml.Marker((0, 0), angle=-0.3)), ml.Body("wheel", mass=1.0, inertia=0.1)],
        pairs=[pair],
    )


ROLLING = ml.Rolling("contact", "wheel.origin", "ground.road", radius=0.2)
START = {"wheel floats": (0.1, None, 0.4)}
BALL = (0.2, 0, 0.3, 1, 0, 0, 0)


def test_a_wheel_touches_its_road():
    scene = scene_of(wheel(ROLLING), START)
    (site,) = (site for site in scene.sites if site.kind == "Rolling")
    touch = contact_of(site, planar=True)
    assert touch[1] == pytest.approx(-np.tan(0.3) * touch[0])  # on the line
    assert np.linalg.norm(touch - site.F[:, 3]) == pytest.approx(0.2)
    assert np.linalg.norm(np.array(pair_extent(site, True)) - site.F[:, 3], axis=1).max() > 0.25  # the road


def test_a_wheel_in_space_is_drawn_and_named_where_it_touches():
    disc = ml.Mechanism(
        "disc",
        bodies=[ml.ground(plane=(0, 0, 0)), ml.Body("disc", mass=1.0, inertia=(0.02, 0.02, 0.04))],
        pairs=[ml.Rolling("contact", "disc.origin", "ground.plane", radius=0.3)],
    )
    figure = disc.draw(start={"disc": (0.2, 0, None, np.cos(0.6), np.sin(0.6), 0, 0)})
    assert "contact" in {text.get_text() for text in figure.axes[0].texts}
    plt.close(figure)


def test_a_ball_in_space_is_three_circles_and_touches():
    ball = ml.Mechanism(
        "ball",
        bodies=[ml.ground(), ml.Body("ball", mass=1.0, inertia=(0.02, 0.02, 0.02))],
        pairs=[ml.RollingBall("contact", "ball.origin", "ground.origin", radius=ml.Parameter("r", 0.3))],
    )
    start = {"ball": (0.2, 0, 0.3, 1, 0, 0, 0)}  # its own z is vertical: a wheel would have no lowest point
    (site,) = (site for site in scene_of(ball, start).sites if site.kind == "RollingBall")
    assert contact_of(site, planar=False) == pytest.approx((0.2, 0, 0))
    figure = ball.draw(start=start)
    assert "contact" in {text.get_text() for text in figure.axes[0].texts}
    assert len(figure.axes[0].collections) >= 4  # three circles on a patch of the plane
    plt.close(figure)


def test_a_skate_is_a_blade_along_its_x():
    sled = ml.Mechanism(
        "sled",
        planar=True,
        bodies=[ml.ground(), ml.Body("sled", mass=1.0, inertia=0.1, com=(0.3, 0))],
        pairs=[ml.Skate("edge", "sled.origin", "ground.origin")],
    )
    figure = sled.draw(start={"sled": (0.1, 0.2, 0.7)})
    blade = max(
        figure.axes[0].lines, key=lambda line: line.get_linewidth() if len(line.get_xdata()) == 3 else 0.0
    )
    ends = blade.get_xydata()
    assert np.arctan2(*(ends[-1] - ends[0])[::-1]) == pytest.approx(0.7)
    assert "edge" in {text.get_text() for text in figure.axes[0].texts}
    plt.close(figure)


def dashed(figure):
    return [line for line in figure.axes[0].lines if line.is_dashed() and len(line.get_xdata()) == 2]


def test_a_relation_is_a_dashed_line_between_its_joints_with_its_name():
    gears = ml.Mechanism(
        "gears",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), B=(0.3, 0.1)),
            ml.rod("one", length=0.1, mass=1.0),
            ml.rod("two", length=0.15, mass=2.0),
        ],
        joints=[ml.Revolute("A", "ground.A", "one.a"), ml.Revolute("B", "ground.B", "two.a")],
        pairs=[ml.Relation("mesh", ml.position("A") + 2 * ml.position("B"))],
    )
    figure = gears.draw(start={"A": 0.4})
    (line,) = dashed(figure)
    assert line.get_xydata() == pytest.approx(np.array([[0, 0], [0.3, 0.1]]))
    assert "mesh" in {text.get_text() for text in figure.axes[0].texts}
    plt.close(figure)


def test_a_pair_without_a_symbol_is_a_dashed_line_between_its_markers():
    figure = wheel(OnLine("slot", "ground.road", "wheel.origin")).draw(start=START)
    (line,) = dashed(figure)
    assert line.get_xydata()[0] == pytest.approx([0, 0])
    assert "slot" in {text.get_text() for text in figure.axes[0].texts}
    plt.close(figure)


def levels_of_road_and_ball(mechanism, start=None):
    """The height of the patch of road on the page, and that of the lowest circle of the ball."""
    areas = mechanism.draw(start=start).axes[0].collections
    road = [area.get_zorder() for area in areas if area.get_alpha() == 0.7]
    circles = [area.get_zorder() for area in areas if area.get_alpha() == 0.3]
    assert (len(road), len(circles)) == (1, 3)
    return road[0], min(circles)


def test_a_ball_is_drawn_over_the_plate_on_which_it_rolls():
    """The hinge of the plate is in front of the ball, nearer to the viewer."""
    road, ball = levels_of_road_and_ball(ZOO["ball-on-plate"].build())
    assert road < ball


def test_a_ball_below_its_ceiling_is_drawn_under_it():
    ball = ml.Mechanism(
        "ball",
        bodies=[
            ml.ground(down=ml.marker((0, 0, 0), z=(0, 0, -1))),
            ml.Body("ball", 1.0, inertia=(0.02,) * 3),
        ],
        pairs=[ml.RollingBall("contact", "ball.origin", "ground.down", radius=0.3)],
    )
    road, below = levels_of_road_and_ball(ball, {"ball": (0.2, 0, -0.3, 1, 0, 0, 0)})
    assert road > below


def test_a_ball_is_on_the_paper_on_all_sides():
    """Its own x–y circle is horizontal and does not show its height."""
    ball = ml.Mechanism(
        "ball",
        bodies=[ml.ground(), ml.Body("ball", 1.0, inertia=(0.02,) * 3)],
        pairs=[ml.RollingBall("contact", "ball.origin", "ground.origin", radius=0.3)],
    )
    (site,) = (site for site in scene_of(ball, {"ball": BALL}).sites if site.kind == "RollingBall")
    points = np.array(pair_extent(site, planar=False))
    assert points[:, 2].max() == pytest.approx(0.6)
    assert np.abs(points[:, :2] - BALL[:2]).max() >= 0.3
