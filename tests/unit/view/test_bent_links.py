"""Links that bend on paper: through their own points, exaggerated between joints that stay, and their diagrams."""

import numpy as np
import pytest
from unit.view.overlapping import overlaps

import multiloop as ml
from multiloop.view.film.course import course_of
from multiloop.view.scene import scene_at
from multiloop.view.shapes import shapes_of

STRIP = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.004)}


@pytest.fixture(scope="module")
def run():
    machine = ml.examples.four_bar().without_drives()
    machine = machine.with_body(ml.beam("coupler", length=0.9, markers={"p": 0.45}, **STRIP))
    start = {"A": 1.0, "coupler.eta": (0.02, 0.005)}
    return ml.simulate(machine, start=start, until=0.05, outputs=11)


def test_a_bent_link_goes_through_its_own_points(run):
    state = run.final
    shape = shapes_of(scene_at(state))["coupler"]
    assert shape.bent
    assert not shape.closed
    places = np.linspace(0.0, 0.9, len(shape.points))
    assert shape.points[:, :2] == pytest.approx(run.link("coupler").position(places)[-1], abs=1e-12)
    assert shape.points[0, :2] == pytest.approx(state.marker("coupler.a"), abs=1e-12)


def test_exaggerated_bending_leaves_joints_and_takes_markers_along(run):
    plain, large = (scene_at(run.final, scale=scale) for scale in (1.0, 3.0))
    for end in ("coupler.a", "coupler.b"):
        assert large.point(end) == pytest.approx(plain.point(end), abs=1e-12)
    line = shapes_of(large)["coupler"].points
    assert large.point("coupler.p") == pytest.approx(line[len(line) // 2], abs=1e-12)
    chord = (plain.point("coupler.a") + plain.point("coupler.b")) / 2
    away, farther = (scene.point("coupler.p") - chord for scene in (plain, large))
    assert farther == pytest.approx(3.0 * away, abs=1e-12)


def test_a_drawing_says_how_far_bending_is_exaggerated(run):
    figures = [
        run.mechanism.draw(start={"A": 1.0, "coupler.eta": (0.02, 0.0)}, scale=scale) for scale in (1.0, 5.0)
    ]
    said = [[text.get_text() for text in figure.axes[0].texts] for figure in figures]
    assert "bending × 5" not in said[0]
    assert "bending × 5" in said[1]
    with pytest.raises(ml.DrawingError, match=r"\[V01\] scale: is -1"):
        run.mechanism.draw(scale=-1)


def test_a_film_shows_what_drawings_show(run):
    course = course_of(run, run.time, scale=3.0)
    last = shapes_of(scene_at(run.final, scale=3.0))["coupler"].points
    assert course.shapes(len(run.time) - 1)["coupler"].points == pytest.approx(last, abs=1e-12)


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


def test_a_diagram_along_a_link_asks_for_a_link(run):
    with pytest.raises(ml.DrawingError, match="names links, of which loads shows none"):
        run.plot(show="loads", of="coupler")


def test_a_film_says_how_far_bending_is_exaggerated(run, tmp_path):
    """A browser that changes the speed writes the clock anew, and keeps the remark."""
    page = run.film(tmp_path / "bent.html", scale=3.0, arrows=()).read_text(encoding="utf-8")
    assert '"remark":", bending × 3"' in page.replace(": ", ":")
    assert "${speedInWords(speed)}${look.remark}" in page
