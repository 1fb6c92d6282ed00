"""Arrows are at the points of action of forces, in their directions, with the length stated in the legend."""

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml
from multiloop.view.figure import DRIVE, LOAD
from multiloop.view.film.arrows import (
    ARC_POINTS,
    arrow_legend,
    arrow_on_page,
    arrow_strands,
    arrows_of,
    scales_of,
)
from multiloop.view.film.reel import StrokeCanvas
from multiloop.view.film.trajectory import trajectory_of

PAGE = np.array([[0.0, 0.0], [500.0, 400.0]])
CANVAS = StrokeCanvas(None, 200 * np.eye(2, 3), np.array([150.0, 150.0]))


def press(**changes):
    """A slider-crank with a force at its slider, a brake at its crank, and a spring."""
    mechanism = ZOO["slider-crank"].build()
    loads = [
        ml.Force("gas", "slider.pin", (-200 * (1 + ml.expr.cos(20 * ml.time)), 0.0)),
        ml.Torque("brake", "crank", -3.0),
        ml.Spring("return", "ground.far", "slider.pin", stiffness=800.0, length=0.1),
    ]
    ground = ml.ground(O=(0, 0), far=(0.5, 0))
    bodies = [ground, *mechanism.moving]
    return mechanism.replace(bodies=bodies, loads=loads, **changes)


@pytest.fixture(scope="module")
def pressed():
    return ml.inverse(press(), cycle=25)


def found(result, *wanted):
    course = trajectory_of(result, result.time)
    return {(arrow.name, arrow.layer, arrow.turning): arrow for arrow in arrows_of(result, course, wanted)}


def test_forces_in_joints_are_those_on_the_second_body(pressed):
    arrow = found(pressed, "bearings")["B", "bearings", False]
    assert arrow.vector[:, :2] == pytest.approx(pressed["B"].force)
    assert arrow.at[:, :2] == pytest.approx(pressed.marker("connecting rod.a"))


def test_a_joint_that_is_named_the_other_way_round_shows_the_same_arrow():
    one = ZOO["four-bar"].build()
    turned = {joint.name: joint for joint in one.joints}
    D = turned["D"]
    joints = [ml.Revolute("D", D.second, D.first) if j.name == "D" else j for j in one.joints]
    both = [
        ml.inverse(one.replace(joints=j, guess={"coupler.b": _head(one)}), cycle=9)
        for j in (one.joints, joints)
    ]
    first, second = (found(result, "bearings")["D", "bearings", False] for result in both)
    assert both[0]["D"].force == pytest.approx(-both[1]["D"].force)
    assert first.vector == pytest.approx(second.vector, abs=1e-9)


def _head(mechanism):
    return tuple(ml.inverse(mechanism, t=0.0).marker("coupler.b")[0])


def test_loads_end_where_they_act_and_the_others_begin_there(pressed):
    arrows = found(pressed, "loads", "bearings")
    scales = scales_of(list(arrows.values()), CANVAS, PAGE)
    gas, bearing = arrows["gas", "loads", False], arrows["B", "bearings", False]
    assert arrow_on_page(gas, CANVAS, scales)[:, 1] == pytest.approx(CANVAS.page(gas.at))
    assert arrow_on_page(bearing, CANVAS, scales)[:, 0] == pytest.approx(CANVAS.page(bearing.at))
    way = np.diff(arrow_on_page(gas, CANVAS, scales), axis=1)[:, 0]
    assert way == pytest.approx(scales.force * pressed["gas"].force)


def test_a_spring_in_tension_draws_its_ends_together(pressed):
    (spring,) = (arrow for key, arrow in found(pressed, "return").items() if key[0] == "return")
    tension = pressed["return"].force  # the slider is on the left of the fixed end
    assert spring.vector[:, 0] == pytest.approx(tension)
    assert spring.vector[:, 1:] == pytest.approx(0.0, abs=1e-9 * tension.max())


def test_torques_turn_the_way_they_act(pressed):
    arrows = found(pressed, "efforts", "brake")
    scales = scales_of(list(arrows.values()), CANVAS, PAGE)
    brake = arrow_on_page(arrows["brake", "loads", True], CANVAS, scales)
    assert brake.shape == (25, ARC_POINTS, 2)
    assert (_turn(brake) < 0).all()
    effort = _turn(arrow_on_page(arrows["A", "efforts", True], CANVAS, scales))
    assert np.sign(effort) == pytest.approx(np.sign(pressed["A"].effort))
    largest = max(np.abs(pressed["A"].effort).max(), 3.0)
    assert effort == pytest.approx(np.radians(270) * pressed["A"].effort / largest)


def _turn(arc):
    """The angle that an arc covers."""
    centre_x = arc[:, :1] - 19.0 * np.cos(np.pi / 4) * np.array([1.0, 1.0])
    rim = arc - centre_x
    angles = np.unwrap(np.arctan2(rim[..., 1], rim[..., 0]), axis=1)
    return angles[:, -1] - angles[:, 0]


@pytest.mark.parametrize(("name", "joint"), [("rack", "axle"), ("6-UPS", "P1"), ("RSSR", "A")])
def test_efforts_are_those_of_the_drives_alone(name, joint):
    result = ml.inverse(ZOO[name].build(), t=np.linspace(0.0, 0.4, 7))
    (arrow,) = (arrow for key, arrow in found(result, "efforts").items() if key[0] == joint)
    assert np.linalg.norm(arrow.vector, axis=1) == pytest.approx(np.abs(result[joint].effort))
    if not result.couplings:
        vectors = result[joint].effort_moment if arrow.turning else result[joint].effort_force
        assert arrow.vector == pytest.approx(vectors)


def test_the_force_on_a_wheel_is_where_it_touches():
    road = ml.ground(road=ml.Marker((0, 0), angle=-0.3))
    wheel = ml.Mechanism(
        "wheel",
        planar=True,
        bodies=[road, ml.Body("wheel", mass=1.0, inertia=0.1)],
        pairs=[ml.Rolling("contact", "wheel.origin", "ground.road", radius=0.2)],
    )
    down = ml.simulate(wheel, until=0.5, start={"wheel floats": (0.1, None, 0.4)}, samples=7)
    arrow = found(down, "bearings")["contact", "bearings", False]
    assert np.linalg.norm(arrow.at[:, :2] - down.marker("wheel.origin"), axis=1) == pytest.approx(0.2)
    assert arrow.at[:, 1] == pytest.approx(-np.tan(0.3) * arrow.at[:, 0])
    assert (arrow.vector[:, 1] > 0).all()  # on the wheel, which it carries


def test_the_legend_arrow_has_the_stated_length(pressed):
    arrows = list(found(pressed, "bearings", "efforts", "loads").values())
    scales = scales_of(arrows, CANVAS, PAGE)
    strands = arrow_legend(arrows, scales, PAGE)
    line = next(strand for strand in strands if strand.kind == "arrow")
    words = [strand.look["words"] for strand in strands if strand.kind == "text"]
    size = float(words[0].removesuffix(" N"))
    assert np.ptp(line.points[0, :, 0]) == pytest.approx(scales.force * size)
    assert {"joint reactions", "efforts", "loads"} <= set(words)


def test_arrows_stay_on_the_page(pressed):
    arrows = list(found(pressed, "bearings", "loads").values())
    scales = scales_of(arrows, CANVAS, PAGE)
    ends = np.concatenate(
        [arrow_on_page(arrow, CANVAS, scales) for arrow in arrows if not arrow.turning], axis=1
    )
    assert (ends >= PAGE[0] - 1e-6).all()
    assert (ends <= PAGE[1] + 1e-6).all()


def test_what_is_only_round_off_has_no_arrow():
    result = ml.inverse(ZOO["four-bar"].build(), cycle=9)
    assert ("B", "efforts", True) not in found(result, "efforts")
    assert list(found(result, "efforts")) == [("A", "efforts", True)]


def test_an_unknown_arrow_is_refused(pressed, texts):
    with pytest.raises(ml.UnknownNameError) as caught:
        found(pressed, "bearing")
    texts.fault(caught.value, "R01", "'bearing'")


def test_the_legend_distinguishes_known_efforts_from_those_of_motors():
    result = ml.examples.ask("four_stroke_engine")
    course = trajectory_of(result, result.time)
    arrows = arrows_of(result, course, ("efforts",))
    assert {(arrow.name, arrow.known) for arrow in arrows} == {("O", False), ("bore", True)}
    scales = scales_of(arrows, CANVAS, PAGE)
    colours = {strand.look["colour"] for strand in arrow_strands(arrows, CANVAS, scales)}
    assert colours == {DRIVE, LOAD}
    told = {
        strand.look["words"]: (strand.look["colour"], strand.layer)
        for strand in arrow_legend(arrows, scales, PAGE)
        if "efforts" in strand.look.get("words", "")
    }
    assert told == {"efforts": (DRIVE, "efforts"), "known efforts": (LOAD, "efforts")}
