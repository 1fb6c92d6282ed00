"""Drawings of flexible links: centrelines, exaggerated deflections between fixed joints, and diagrams."""

import re

import numpy as np
import pytest
from unit.view.overlaps import overlaps
from zoo.plain import free_body

import multiloop as ml
from multiloop.view.body_outlines import body_outlines
from multiloop.view.film.trajectory import trajectory_of
from multiloop.view.scene import scene_at

STRIP = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.004)}


@pytest.fixture(scope="module")
def run():
    machine = ml.examples.four_bar().without_drives()
    machine = machine.with_body(ml.beam("coupler", length=0.9, markers={"p": 0.45}, **STRIP))
    start = {"A": 1.0, "coupler.eta": (0.02, 0.005)}
    return ml.simulate(machine, start=start, until=0.05, samples=11)


def test_a_deformed_link_is_drawn_through_its_own_points(run):
    state = run.final
    shape = body_outlines(scene_at(state))["coupler"]
    assert shape.is_open
    assert not shape.closed
    places = np.linspace(0.0, 0.9, len(shape.points))
    assert shape.points[:, :2] == pytest.approx(run.link("coupler").position(places)[-1], abs=1e-12)
    assert shape.points[0, :2] == pytest.approx(state.marker("coupler.a"), abs=1e-12)


def test_exaggerated_deflection_moves_markers_but_not_joints(run):
    plain, large = (scene_at(run.final, scale=scale) for scale in (1.0, 3.0))
    for end in ("coupler.a", "coupler.b"):
        assert large.point(end) == pytest.approx(plain.point(end), abs=1e-12)
    line = body_outlines(large)["coupler"].points
    assert large.point("coupler.p") == pytest.approx(line[len(line) // 2], abs=1e-12)
    chord = (plain.point("coupler.a") + plain.point("coupler.b")) / 2
    away, farther = (scene.point("coupler.p") - chord for scene in (plain, large))
    assert farther == pytest.approx(3.0 * away, abs=1e-12)


def test_a_drawing_states_the_scale_of_deflections(run, texts):
    figures = [
        run.mechanism.draw(start={"A": 1.0, "coupler.eta": (0.02, 0.0)}, scale=scale) for scale in (1.0, 5.0)
    ]
    said = [[text.get_text() for text in figure.axes[0].texts] for figure in figures]
    assert not any("× 5" in text for text in said[0])
    assert any("× 5" in text for text in said[1])
    undeformed, relaxed = (
        run.mechanism.draw(start={"A": 1.0, **start}, scale=5) for start in ({}, {"eta": "relaxed"})
    )
    texts("\n".join(text.get_text() for text in undeformed.axes[0].texts))
    texts("\n".join(text.get_text() for text in relaxed.axes[0].texts), "× 5")
    with pytest.raises(ml.DrawingError) as caught:
        run.mechanism.draw(scale=-1)
    texts.fault(caught.value, "V01", "-1")


@pytest.fixture(scope="module", params=["straight", "cranked"])
def bracket(request):
    """An arm on a pin off its centreline: the pin's marker is on a bracket."""
    line = {"straight": {"length": 1.0}, "cranked": {"through": [(0, 0), (0.6, 0), (0.9, 0.2)]}}[
        request.param
    ]
    arm = ml.beam("arm", markers={"m": (0.5, -0.1), "free": (0.8, 0.3)}, frame="a", **line, **STRIP)
    machine = ml.Mechanism(
        "lever",
        planar=True,
        bodies=[ml.ground(O=(0, 0), K=(0.5, -0.5)), arm, ml.rod("link", length=0.4, mass=0.1)],
        joints=[
            ml.Revolute("root", "ground.O", "arm.a"),
            ml.Revolute("top", "arm.m", "link.b"),
            ml.Revolute("foot", "ground.K", "link.a"),
        ],
        guess={"link.b": (0.5, -0.1)},
    )
    return ml.simulate(machine, start={"arm.eta": (0.02, 0.002)}, until=0.01, samples=5)


def test_a_joint_off_the_centreline_is_drawn_on_a_bracket(bracket):
    plain, large = (scene_at(bracket.final, scale=scale) for scale in (1.0, 4.0))
    shape, wide = (body_outlines(scene)["arm"] for scene in (plain, large))
    assert shape.is_open
    assert np.abs(wide.points - shape.points).max() > 1e-3
    foot, joint = wide.brackets[0]
    assert joint == pytest.approx(plain.point("arm.m"), abs=1e-12)
    assert foot[:2] == pytest.approx(bracket.link("arm").position(0.5)[-1], abs=1e-12)
    course = trajectory_of(bracket, bracket.time, scale=4.0)
    assert course.outlines(len(bracket.time) - 1)["arm"].brackets == pytest.approx(wide.brackets, abs=1e-12)


def test_a_marker_off_the_centreline_rotates_with_its_section(bracket):
    """Both displacement and rotation are drawn k times as large: the lever from the centreline to the marker rotates by
    k times the angle."""
    line = bracket.mechanism.body("arm").centreline()
    eta, place = bracket.link("arm").eta[-1:], np.array([line.places["free"]])
    body, rotation = bracket.final.poses["arm"][:, :3], line.rotation(eta, place)[0, 0]
    lever = np.array([0.8, 0.3, 0.0]) - line.point(0 * eta, place)[0, 0]
    turned = body @ np.cross(rotation, lever)
    shifts = [
        scene_at(bracket.final, scale=scale).point("arm.free") - scene_at(bracket.final).point("arm.free")
        for scale in (2.0, 4.0)
    ]
    assert shifts[1] == pytest.approx(3 * shifts[0], abs=1e-12)
    on_line = body @ _line_shift(bracket, place)
    second = np.linalg.norm(rotation) ** 2 * np.linalg.norm(lever)
    assert shifts[0] - on_line == pytest.approx(turned, abs=second)
    assert np.linalg.norm(turned) > 4 * second


def _line_shift(run, place):
    """The displacement of the centreline at scale 2: its deflection less that of the line through its joints."""
    line, eta = run.mechanism.body("arm").centreline(), run.link("arm").eta[-1:]
    seats = np.array([line.places[name] for name in ("a", "m")])
    there = line.deflection(eta, seats)[0]
    straight = there[0] + (there[1] - there[0]) * (place[0] - seats[0]) / (seats[1] - seats[0])
    return line.deflection(eta, place)[0, 0] - straight


def test_joints_in_one_place_hold_it_once():
    """0.3 and 0.1 + 0.2 are one place: there is no interpolation between two joints at it."""
    arm = ml.beam("arm", length=1.0, markers={"m": 0.3, "n": 0.1 + 0.2}, frame="a", **STRIP)
    machine = ml.Mechanism(
        "two pins",
        planar=True,
        bodies=[ml.ground(O=(0, 0)), arm, *(ml.rod(name, length=0.4, mass=0.1) for name in ("p", "q"))],
        joints=[
            ml.Revolute("root", "ground.O", "arm.a"),
            ml.Revolute("P", "arm.m", "p.a"),
            ml.Revolute("Q", "arm.n", "q.a"),
        ],
    )
    from multiloop.view.deformed_bodies import deformed_centreline

    there = deformed_centreline(machine, "arm", np.eye(4)[None, :3], np.array([[0.01, 0.0]]), 10.0)
    assert np.abs(there).max() < 1.2


def test_a_link_that_floats_is_exaggerated_as_it_is():
    machine = free_body(ml.beam("bar", length=1.0, **STRIP), "floating", joint="floating", planar=True)
    from multiloop.view.deformed_bodies import deformed_centreline

    pose, eta = np.eye(4)[None, :3], np.array([[0.01, 0.0]])
    once, twice = (deformed_centreline(machine, "bar", pose, eta, scale)[0, :, 1] for scale in (1.0, 2.0))
    assert twice == pytest.approx(2 * once, abs=1e-15)


def test_a_film_shows_what_drawings_show(run):
    course = trajectory_of(run, run.time, scale=3.0)
    last = body_outlines(scene_at(run.final, scale=3.0))["coupler"].points
    assert course.outlines(len(run.time) - 1)["coupler"].points == pytest.approx(last, abs=1e-12)


@pytest.mark.parametrize("kind", ["deflection", "moment", "stress"])
def test_diagrams_show_the_worst_instant(run, kind):
    figure = run.plot(show=kind, of="coupler")
    axes = figure.axes[0]
    place, value = axes.lines[1].get_data()
    link = run.link("coupler")
    known = link.deflection(place)[..., 1] if kind == "deflection" else getattr(link, kind)(place)
    if kind == "stress":
        known = known / 1e6
    worst = np.abs(known).max(axis=1).argmax()
    assert value == pytest.approx(known[worst], rel=1e-9, abs=1e-12)
    assert overlaps(figure)[0] == []


def test_a_diagram_along_a_link_requires_a_link(run, texts):
    with pytest.raises(ml.DrawingError) as caught:
        run.plot(show="loads", of="coupler")
    texts.fault(caught.value, "V01")


def test_a_film_states_the_scale_of_deflections(run, tmp_path, texts):
    """A browser that changes the speed rewrites the clock, and keeps the note."""
    page = run.film(tmp_path / "bent.html", scale=3.0, arrows=()).read_text(encoding="utf-8")
    (remark,) = re.findall(r'"remark": ?"([^"]*)"', page)
    texts(remark, "× 3")
    assert "${speedInWords(speed)}${look.remark}" in page


def test_a_weld_on_the_ground_stands_on_a_wall_that_keeps_still(monkeypatch):
    """Perpendicular to the beam at its clamp, for any deflection; between two bodies there is no wall."""
    arm = ml.beam("arm", length=1.0, modes=2, **STRIP)
    machine = ml.Mechanism(
        "cantilever",
        planar=True,
        bodies=[ml.ground(A=(0, 0)), arm, ml.rod("hand", length=0.2, mass=0.1)],
        joints=[ml.Fixed("weld", "ground.A", "arm.a"), ml.Fixed("grip", "arm.b", "hand.a")],
    )
    walls = []
    monkeypatch.setattr(
        "multiloop.view.symbols.planar_joints.draw_hatching",
        lambda canvas, a, b, away, *, level: walls.append((b - a) / np.linalg.norm(b - a)),
    )
    for bent in (0.05, -0.05):
        machine.draw(start={"arm.eta": (bent, 0.01)})
    assert len(walls) == 2
    assert np.abs(walls) == pytest.approx(np.array([[0, 1, 0], [0, 1, 0]]), abs=1e-12)
