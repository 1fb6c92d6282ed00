"""Positions of joints and bodies in a drawing, and the directions of its drives."""

import numpy as np
import pytest
from zoo import ZOO
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.view.scene import scene_of


@pytest.mark.parametrize("name", ["scraper-C", "excavator", "RSSR", "6-UPS", "bennett"])
def test_both_markers_of_a_pin_or_ball_are_drawn_at_one_place(name):
    scene = scene_of(ZOO[name].build())
    for site in scene.sites:
        if site.kind in ("Revolute", "Spherical", "Universal"):
            assert np.linalg.norm(site.slide) < 1e-8 * scene.size


def _crank(speed):
    return pinned_body(
        ml.rod("crank", length=0.3, mass=1.0),
        name="crank",
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(speed))],
    )


@pytest.mark.parametrize(("speed", "sense"), [(2.0, 1), (-2.0, -1), (0.0, 1)])
def test_sense_of_a_drive_is_that_of_its_speed(speed, sense):
    assert scene_of(_crank(speed)).sites[0].sense == sense


def test_joint_without_drive_has_no_sense():
    assert scene_of(_crank(1.0).without_drives()).sites[0].sense == 0


def test_start_chooses_the_pose_that_is_drawn():
    mechanism = ZOO["four-bar"].build().without_drives()
    scene = scene_of(mechanism, start={"A": 1.0})
    assert np.allclose(scene.point("crank.b"), [0.3 * np.cos(1.0), 0.3 * np.sin(1.0), 0.0])


def test_slide_runs_along_x_in_the_plane_and_along_z_in_space():
    flat = next(s for s in scene_of(ZOO["slider-crank"].build()).sites if s.kind == "Prismatic")
    assert np.allclose(flat.axis(planar=True), [1, 0, 0])
    leg = next(s for s in scene_of(ZOO["6-UPS"].build()).sites if s.kind == "Prismatic")
    assert np.allclose(np.cross(leg.axis(planar=False), leg.slide), 0, atol=1e-8)
