"""Drawings of gears and belts: their names are at the contact of the teeth, or beside a span of the belt."""

from math import cos, pi, sin

import numpy as np
import pytest

import multiloop as ml
from multiloop.examples.mechanisms.belt_drive import AXES, RADII
from multiloop.examples.mechanisms.planetary_gearbox import MODULE, RING, SUN
from multiloop.view.scene import scene_of
from multiloop.view.symbols.pair_symbols import coupling_line

TURN = 0.4


def seat(mechanism, name, start=None):
    """The line at which the name of a coupling is placed, n×3."""
    scene = scene_of(mechanism, start)
    return coupling_line(scene, next(one for one in mechanism.couplings if one.name == name))


@pytest.mark.parametrize("planet", [0, 1, 2])
@pytest.mark.parametrize(("mesh", "teeth"), [("sun", SUN), ("ring", RING)])
def test_a_mesh_is_named_where_its_pitch_circles_touch(mesh, teeth, planet):
    gearbox = ml.examples.planetary_gearbox().without_drives()
    carrier = TURN * SUN / (SUN + RING)  # Willis: the ring is fixed
    angle, radius = carrier + 2 * pi * planet / 3, MODULE * teeth / 2
    (point,) = seat(gearbox, f"{mesh} mesh {planet}", {"input": TURN})
    assert point == pytest.approx((radius * cos(angle), radius * sin(angle), 0.0))


def test_a_belt_is_named_beside_one_of_its_spans():
    ends = seat(ml.examples.belt_drive(), "belt")
    assert np.linalg.norm(ends[0]) == pytest.approx(RADII[0])  # it leaves one pulley …
    assert np.linalg.norm(ends[1] - (AXES, 0, 0)) == pytest.approx(RADII[1])  # … and reaches the other
    for end, centre in zip(ends, ((0, 0, 0), (AXES, 0, 0)), strict=True):
        assert (end - centre) @ (ends[1] - ends[0]) == pytest.approx(0.0, abs=1e-12)  # along both rims


def test_a_relation_is_named_along_the_line_between_its_joints():
    robot = ml.examples.dado_robot()
    scene = scene_of(robot)
    for name, places in scene.coupling_lines:
        assert np.array_equal(seat(robot, name), places)


def test_names_of_meshes_stand_close_to_them():
    """Within 80 points, including leader lines: not in the middle between the axes."""
    gearbox = ml.examples.planetary_gearbox()
    figure = gearbox.draw()
    (axes,) = figure.axes
    page = {text.get_text(): axes.transData.transform(text.get_position()) for text in axes.texts}
    for coupling in gearbox.couplings:
        (point,) = seat(gearbox, coupling.name)
        away = np.linalg.norm(page[coupling.name] - axes.transData.transform(point[:2]))
        assert away * 72 / figure.dpi < 80, coupling.name
