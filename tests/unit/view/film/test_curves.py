"""Curves below a film: the requested ones, by name, with a moving cursor."""

from itertools import combinations

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml
from multiloop.view.film.film_curves import (
    _tick,
    _ticks,
    box_of,
    curve_strands,
    dots_on_page,
    film_panels,
    height_of,
)
from multiloop.view.label_placement import text_extent


@pytest.fixture(scope="module")
def turning():
    return ml.inverse(ZOO["four-bar"].build(), cycle=25)


def names(panels):
    return [[curve.name for curve in panel.curves] for panel in panels]


def test_efforts_are_shown_unless_something_else_is_asked_for(turning, texts):
    (panel,) = film_panels(turning, None)
    assert names([panel]) == [["A"]]
    texts(panel.label, "(N·m)")
    assert panel.curves[0].values == pytest.approx(turning["A"].effort)
    assert film_panels(turning, ()) == []


def test_what_falls_freely_shows_its_position_in_degrees(texts):
    free = ZOO["four-bar"].build().without_drives()
    fall = ml.simulate(free, until=0.2, start={"A": 1.0}, samples=9)
    (panel,) = film_panels(fall, None)
    assert names([panel]) == [["A"]]
    texts(panel.label, "(°)")
    assert panel.curves[0].values == pytest.approx(np.degrees(fall["A"].position))


def test_quantities_are_asked_for_by_name(turning, texts):
    panels = film_panels(turning, ["C.load", "D.load", "A.rate", "A.effort"])
    assert names(panels) == [["C", "D"], ["A"], ["A"]]
    texts("\n".join(panel.label for panel in panels), "(N)", "(rad/s)", "(N·m)")
    assert panels[0].curves[1].values == pytest.approx(turning["D"].load)


@pytest.mark.parametrize("name", ["C.lod", "X.load", "effort", "C"])
def test_an_unknown_curve_is_refused(turning, name, texts):
    with pytest.raises(ml.UnknownNameError) as caught:
        film_panels(turning, name)
    texts.fault(caught.value, "R01", f"'{name}'")


def test_a_group_without_curves_is_refused(texts):
    """A driven motion has no free position: a film would have no curves."""
    result = ml.inverse(ml.examples.valve_train(), cycle=13)
    with pytest.raises(ml.DrawingError) as caught:
        film_panels(result, ["O.rate", "positions"])
    texts.fault(caught.value, "V01", "show 'positions'", "efforts, loads")


@pytest.mark.parametrize("name", ["cam.rate", "cam.position"])
def test_a_pair_without_coordinates_has_no_rate(name, texts):
    result = ml.inverse(ml.examples.valve_train(), cycle=13)
    with pytest.raises(ml.UnknownNameError) as caught:
        film_panels(result, ["O.rate", name])
    texts.fault(caught.value, "R01", f"output '{name}'")


@pytest.mark.parametrize("of", ["cam", "guide", "O", "spring"])
def test_every_name_that_is_accepted_has_curves(of):
    result = ml.inverse(ml.examples.valve_train(), cycle=13)
    words = ("position", "rate", "acceleration", "effort", "load", "moment_size", "force", "power", "length")
    shown = 0
    for what in words:
        try:
            panels = film_panels(result, f"{of}.{what}")
        except ml.MultiloopError:
            continue
        shown += 1
        assert all(len(curve.values) == 13 for panel in panels for curve in panel.curves)
        assert sum(len(panel.curves) for panel in panels) > 0, what
    assert shown > 0


def test_the_cursor_runs_from_end_to_end_and_its_dot_on_the_curve(turning):
    panels, width = film_panels(turning, None), 400.0
    strands = curve_strands(panels, width, turning.time)
    box = box_of(panels, width, 0)
    cursor = next(s for s in strands if s.kind == "line" and not s.rests)
    assert cursor.points[[0, -1], 0, 0] == pytest.approx(box[:, 0])
    curve = next(s for s in strands if s.kind == "line" and s.rests and s.points.shape[1] == 25)
    dot = next(s for s in strands if s.kind == "dot")
    assert dot.points[:, 0] == pytest.approx(curve.points[0])
    assert dots_on_page(panels, width, turning.time)[:, 0] == pytest.approx(curve.points[0])


def test_panels_stand_one_above_another(turning):
    panels, width = film_panels(turning, ["C.load", "A.rate"]), 400.0
    first, second = (box_of(panels, width, k) for k in (0, 1))
    assert first[0, 1] > second[1, 1]
    assert first[1, 1] < height_of(panels)
    assert second[0, 1] > 0


@pytest.mark.parametrize(
    ("ticks", "told"),
    [
        ([0.0, 0.25, 0.5], ["0.00", "0.25", "0.50"]),
        ([-20.0, 0.0, 20.0], ["−20", "0", "20"]),
        ([0.0, 0.2, 0.4], ["0.0", "0.2", "0.4"]),
        ([0.0, 0.0005], ["0.0000", "0.0005"]),
    ],
)
def test_ticks_have_the_digits_they_need(ticks, told):
    assert [_tick(tick, np.array(ticks)) for tick in ticks] == told


def test_ticks_lie_within_their_limits():
    for low, high in ((0.0, 1.33), (-7.2, 101.3), (1e-6, 3e-6)):
        ticks = _ticks(low, high, 5)
        assert len(ticks) >= 2
        assert ticks.min() >= low
        assert ticks.max() <= high


def test_no_words_of_the_panels_overlap():
    """The gas force is never positive: its tick 0 is at the top, below the name of the quantity."""
    panels = film_panels(ml.examples.ask("four_stroke_engine"), None)
    strands = curve_strands(panels, 400.0, np.linspace(0.0, 0.08, 5))
    boxes = []
    for strand in (one for one in strands if one.look.get("words")):
        (x, y), (width, height) = strand.points[0, 0], text_extent(strand.look["words"], strand.look["size"])
        left = x - {"left": 0.0, "right": 1.0}.get(strand.look["anchor"], 0.5) * width
        boxes.append((strand.look["words"], left, left + width, y - height / 2, y + height / 2))
    assert {"effort (N·m)", "effort (kN)", "0"} <= {words for words, *_ in boxes}
    for (one, *a), (other, *b) in combinations(boxes, 2):
        across, up = min(a[1], b[1]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[2], b[2])
        assert min(across, up) <= -2.0, (one, other)  # two points of paper between
