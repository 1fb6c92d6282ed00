"""Arrows have the directions of loads and efforts in the drawn pose."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.patches import Polygon
from unit.view.overlaps import word_boxes
from zoo.plain import pinned_body, two_shafts

import multiloop as ml
from multiloop.view.figure import DRIVE, LOAD
from multiloop.view.scene import scene_at, scene_of
from multiloop.view.symbols.load_symbols import INACTIVE


def arm(**options):
    return pinned_body(ml.rod("arm", length=1.0, mass=1.0), **options)


def cart(first="ground.A", second="cart.origin", **options):
    return ml.Mechanism(
        "cart",
        planar=True,
        bodies=[ml.ground(A=(0, 0)), ml.Body("cart", 1.0, inertia=0.1)],
        joints=[ml.Prismatic("slide", first, second)],
        **options,
    )


def arrow(figure, colour):
    """The point of the only arrow head of a colour, in metres."""
    from matplotlib.colors import same_color

    heads = [
        patch.get_xy()
        for patch in figure.axes[0].patches + figure.axes[0].artists
        if isinstance(patch, Polygon)
        and len(patch.get_xy()) == 4
        and same_color(patch.get_facecolor(), colour)
    ]
    (head,) = heads
    way = head[1] - (head[0] + head[2]) / 2
    return way / np.linalg.norm(way)


@pytest.mark.parametrize(("turn", "way"), [(0.3, -1.0), (-0.3, 1.0)])
def test_force_that_depends_on_the_position_points_as_it_acts(turn, way):
    push = ml.Force("push", "arm.b", (0, -100 * ml.position("A")))
    figure = arm(loads=[push]).draw(start={"A": turn})
    assert arrow(figure, LOAD) == pytest.approx([0.0, way])


def test_a_zero_component_does_not_rotate_the_arrow():
    push = ml.Force("push", "arm.b", (5 * ml.time, 100.0))
    figure = arm(loads=[push]).draw(start={"A": 0.3})
    assert arrow(figure, LOAD) == pytest.approx([0.0, 1.0])


def test_a_force_that_is_zero_at_the_instant_is_pale():
    push = ml.Force("push", "arm.b", (0, -5 * ml.time))
    figure = arm(loads=[push]).draw(start={"A": 0.3})
    assert arrow(figure, INACTIVE) == pytest.approx([0.0, 1.0])
    assert LOAD not in {line.get_color() for line in figure.axes[0].lines}


def test_force_at_a_later_state_is_the_one_of_then():
    push = ml.Force("push", "arm.b", (ml.expr.cos(ml.time), 0))
    result = ml.simulate(arm(loads=[push]), until=3.0, start={"A": -1.5}, samples=4, rtol=1e-6)
    assert arrow(result.at(0.0).draw(), LOAD) == pytest.approx([1.0, 0.0])
    assert arrow(result.at(3.0).draw(), LOAD) == pytest.approx([-1.0, 0.0])


def test_force_that_depends_on_a_rate_follows_the_drives():
    drag = ml.Force("drag", "cart.origin", (-3 * ml.rate("slide"), 0))
    figure = cart(loads=[drag], drives=[ml.Motion("slide", 2 * ml.time)]).draw()
    assert arrow(figure, LOAD) == pytest.approx([-1.0, 0.0])
    assert arrow(figure, DRIVE) == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize(("effort", "way"), [(-4.0, -1.0), (4.0, 1.0)])
def test_known_efforts_are_drawn_unlike_motors_and_as_they_act(effort, way):
    known = cart(actuators=[ml.Actuator("slide", effort=effort)]).draw(start={"slide": 0.2})
    assert arrow(known, LOAD) == pytest.approx([way, 0.0])
    assert DRIVE not in {line.get_color() for line in known.axes[0].lines}
    motor = cart(actuators=[ml.Actuator("slide")]).draw(start={"slide": 0.2})
    assert arrow(motor, DRIVE) == pytest.approx([1.0, 0.0])
    assert LOAD not in {line.get_color() for line in motor.axes[0].lines}


def test_drive_of_a_slide_named_from_the_body_to_the_ground_shows_the_body_go():
    figure = cart("cart.origin", "ground.A", drives=[ml.Motion("slide", 2 * ml.time)]).draw()
    assert arrow(figure, DRIVE) == pytest.approx([-1.0, 0.0])


def test_numbers_of_the_description_in_a_pose():
    spring = ml.Spring("tie", "arm.b", "ground.origin", stiffness=10.0, length=0.5)
    scene = scene_of(arm(loads=[spring]), {"A": 0.4})
    assert scene.value(ml.position("A") * 2) == pytest.approx(0.8)
    assert scene.value(ml.length("tie")) == pytest.approx(1.0)
    assert scene.value(3.0) == 3.0
    assert scene.value(ml.position("B")) is None
    late = ml.simulate(arm(), until=0.5, start={"A": 0.4}, samples=3, rtol=1e-6).final
    assert scene_at(late).value(ml.time + ml.rate("A")) == pytest.approx(0.5 + late["A"].rate)


@pytest.mark.parametrize("turn", [0.0, 0.5, 1.571, 3.142, -1.571])
def test_arrow_of_a_slide_stands_clear_of_its_guide(turn):
    mechanism = cart(drives=[ml.Motion("slide", 2 * ml.time)])
    tilted = mechanism.replace(bodies=[ml.ground(A=ml.marker((0, 0), angle=turn)), *mechanism.moving])
    axes = tilted.draw().axes[0]
    (shaft,) = (line.get_xydata().mean(axis=0) for line in axes.lines if line.get_color() == DRIVE)
    hatch = next(
        np.nanmean(line.get_xydata(), axis=0) for line in axes.lines if np.isnan(line.get_xydata()).any()
    )
    across = np.array([-np.sin(turn), np.cos(turn)])
    assert (shaft @ across) * (hatch @ across) < 0  # on the two sides of the block


def test_backlash_is_drawn_at_every_joint_where_it_acts():
    geared = two_shafts(
        ml.Body("one", 1.0, 0.1),
        ml.Body("two", 1.0, 0.1),
        distance=1,
        name="gears",
        loads=[ml.Backlash("play", along=ml.position("A") + ml.position("B"), stiffness=1.0)],
    )
    figure = geared.draw(start={"A": 0.0, "B": 0.0})
    teeth = [
        patch for patch in figure.axes[0].patches if isinstance(patch, Polygon) and len(patch.get_xy()) == 5
    ]
    middles = sorted(float(tooth.get_xy()[:, 0].mean()) for tooth in teeth)
    assert middles == pytest.approx([0.0, 1.0], abs=5e-3)  # the first corner of a closed polygon counts twice
    assert "play" in [text.get_text() for text in figure.axes[0].texts]


def test_spring_and_damper_beside_a_slide_are_clear_of_its_block():
    both = ml.JointSpring("stop", "slide", stiffness=50.0, damping=2.0)
    (axes,) = cart(loads=[both]).draw().axes
    blocks = [
        patch.get_xy() for patch in axes.patches if isinstance(patch, Polygon) and len(patch.get_xy()) == 5
    ]
    top = max(corners[:, 1].max() for corners in blocks)
    drawn = [line.get_xydata() for line in axes.lines if line.get_color() == LOAD]
    assert len(drawn) >= 5
    assert min(points[:, 1].min() for points in drawn) > top


def test_no_name_stands_on_a_spring():
    clamp = ml.examples.toggle_clamp()
    figure = clamp.draw()
    (axes,) = figure.axes
    boxes = dict(word_boxes(figure))
    dots = [
        axes.transData.transform(points)
        for line in axes.lines
        if line.get_color() == LOAD
        for points in [_filled(line.get_xydata())]
    ]
    ink = np.vstack(dots)
    for name in ("C", "slide", "guide", "knee"):
        box = boxes[name]
        on_it = (ink > (box.x0, box.y0)).all(axis=1) & (ink < (box.x1, box.y1)).all(axis=1)
        assert not on_it.any(), name


def _filled(points):
    """A line with twenty points on each of its pieces."""
    shares = np.linspace(0.0, 1.0, 20)[:, None]
    return np.vstack([a + shares * (b - a) for a, b in pairwise(points)])
