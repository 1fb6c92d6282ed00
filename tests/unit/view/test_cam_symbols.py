"""Drawings of cams and slots: the profile in its position, the follower in contact, and all of it on the page."""

import numpy as np
import pytest
from laws.cams import sliding, swinging

import multiloop as ml
from multiloop.view.scene import JointSite
from multiloop.view.symbols.pair_symbols import (
    contact_point,
    curve_points,
    extent_of_cam,
    follower_points,
    outline_points,
)

KINDS = [("program", "flat", sliding), ("spline", "knife", sliding), ("circle", "rolling", swinging)]


def site_of(mechanism, name):
    state = ml.assemble(mechanism)
    pair = mechanism.connection(name)
    frames = []
    for reference in (pair.first, pair.second):
        body, _, _ = reference.partition(".")
        pose = state.body(body) if body != "ground" else np.eye(3, 4)
        frame = pose.copy()
        frame[:2, 3] = state.marker(reference)
        frames.append(frame)
    return JointSite(pair, pair.first.partition(".")[0], pair.second.partition(".")[0], *frames, 0)


@pytest.mark.parametrize(("outline", "follower", "made"), KINDS)
def test_the_follower_touches_the_outline(outline, follower, made, tmp_path):
    """The contact point lies on the profile, whose points are two degrees apart, and on the follower."""
    mechanism = made(outline, follower)
    site = site_of(mechanism, "valve")
    ring, touch = outline_points(site), contact_point(site)
    step = np.linalg.norm(ring - np.roll(ring, 1, axis=0), axis=1).max()
    assert np.linalg.norm(ring - touch, axis=1).min() < step
    shape = follower_points(site)
    if follower == "flat":
        along = (shape[1] - shape[0]) / np.linalg.norm(shape[1] - shape[0])
        assert np.linalg.norm(np.cross(along, touch - shape[0])) == pytest.approx(0.0, abs=1e-12)
    elif follower == "knife":
        assert shape[0] == pytest.approx(touch, abs=1e-12)
    else:
        assert np.linalg.norm(touch - site.S[:, 3]) == pytest.approx(0.012, abs=1e-12)
    assert len(extent_of_cam(site)) > 20
    mechanism.draw(path=tmp_path / "cam.png")


def test_a_slot_is_drawn_along_its_curve(tmp_path):
    curve = ml.Curve(ml.cam_angle, 0.3 * ml.cam_angle**2, begin=-1.0, end=1.0, closed=False)
    mechanism = ml.Mechanism(
        "bead",
        planar=True,
        bodies=[ml.ground(wire=(0.2, 0.1)), ml.Body("bead", mass=1.0, inertia=0.01)],
        pairs=[ml.PointOnCurve("wire", "bead.origin", "ground.wire", curve=curve)],
        guess={"bead": (0.7, 0.2, 0.0)},
    )
    site = JointSite(mechanism.pairs[0], "bead", "ground", np.eye(3, 4), np.eye(3, 4), 0)
    x, y, _ = curve_points(site).T
    assert y == pytest.approx(0.3 * x**2, abs=1e-15)
    figure = mechanism.draw(start={"bead": (0.7, None, 0.0)}, path=tmp_path / "slot.png")
    (axes,) = figure.axes
    (name,) = (text for text in axes.texts if text.get_text() == "wire")
    places = axes.transData.transform([name.get_position(), (0.7, 0.1 + 0.3 * 0.5**2)])
    assert (
        np.linalg.norm(places[1] - places[0]) * 72 / figure.dpi < 60
    )  # at the bead, not halfway to the marker


def test_a_film_shows_the_force_where_they_touch(tmp_path):
    run = ml.inverse(sliding("circle", "flat"), cycle=13)
    path = tmp_path / "cam.html"
    run.film(path, arrows=("bearings",), progress=False)
    assert path.stat().st_size > 1000
