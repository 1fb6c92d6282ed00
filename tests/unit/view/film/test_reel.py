"""Strokes of many drawings become strands: strokes at rest are stored once, and each way of drawing has separate
strands."""

import numpy as np

from multiloop.view.film.reel import Reel, Stroke, StrokeCanvas, join_strokes


def stroke(thing, points, *, level=1.0, colour="#000000"):
    look = (("colour", colour), ("width", 1.0))
    return Stroke(thing, "line", look, np.array(points, float), level)


def test_what_rests_is_kept_once_and_what_moves_at_every_instant():
    frames = [[stroke("foot", [(0, 0), (1, 0)]), stroke("bar", [(0, 0), (k, 1)])] for k in range(3)]
    foot, bar = join_strokes(frames)
    assert foot.rests
    assert foot.points.shape == (1, 2, 2)
    assert bar.points[:, 1, 0].tolist() == [0, 1, 2]
    assert bar.shown is None


def test_an_object_drawn_in_several_ways_shows_one_at_a_time():
    long, short = [(0, 0), (9, 0), (9, 1)], [(0, 0)]
    frames = [[stroke("spring", long if k < 2 else short), stroke("bar", [(k, 0)])] for k in range(4)]
    zigzag, bar, dot = sorted(join_strokes(frames), key=lambda strand: -strand.points.shape[1])[:3]
    assert zigzag.shown.tolist() == [True, True, False, False]
    others = [strand for strand in (bar, dot) if strand.shown is not None]
    assert [strand.shown.tolist() for strand in others] == [[False, False, True, True]]


def test_an_object_that_is_missing_at_first_appears_later():
    frames = [[], [stroke("arm", [(1, 1)])], [stroke("arm", [(5, 1)])]]
    (arm,) = join_strokes(frames)
    assert arm.shown.tolist() == [False, True, True]
    assert arm.points[:, 0, 0].tolist() == [1, 1, 5]  # waits where it will appear


def test_the_order_follows_the_levels():
    frames = [[stroke("a", [(0, 0)], level=1 + k), stroke("b", [(0, 0)], level=2.5)] for k in range(3)]
    reel = Reel("m", (10.0, 10.0), np.arange(3.0), 1.0, join_strokes(frames))
    assert [(k, order.tolist()) for k, order in reel.orders] == [(0, [0, 1]), (2, [1, 0])]


def test_round_areas_have_no_more_corners_than_one_sees():
    canvas = StrokeCanvas(None, np.eye(2, 3), np.zeros(2))
    turn = np.linspace(0, 2 * np.pi, 480, endpoint=False)
    rim = np.column_stack([np.cos(turn), np.sin(turn), 0 * turn])
    for radius in (5.0, 100.0):
        canvas.area(radius * rim, "#ffffff", "#000000", 1.0, level=1.0)
        corners = canvas.notes.strokes[-1].points
        assert 12 <= len(corners) < 240
        middles = (corners + np.roll(corners, 1, axis=0)) / 2
        assert radius - np.linalg.norm(middles, axis=1).min() < 0.4
