"""Films have a suitable duration, and motions are interpolated between computed instants."""

import numpy as np
import pytest

from multiloop.view.film.reel import (
    LONG,
    default_speed,
    even_times,
    interpolate_linearly,
    interpolate_poses,
    interpolate_smoothly,
    key_instants,
    largest_turning,
    speed_in_words,
)


def turning(times):
    """A body on a crank: [R | p] with p on a circle."""
    c, s, o = np.cos(times), np.sin(times), np.zeros(len(times))
    rows = [[c, -s, o, c], [s, c, o, s], [o, o, o + 1, o]]
    return np.moveaxis(np.array(rows), 2, 0)


@pytest.mark.parametrize(
    ("duration", "speed"),
    [(0.04, 0.02), (0.9, 0.2), (1.0, 1.0), (1.33, 1.0), (60.0, 1.0), (61.0, 2.0), (1000.0, 20.0)],
)
def test_speed_is_round_and_real_time_where_it_can_be(duration, speed):
    assert default_speed(duration) == pytest.approx(speed)


def test_no_film_is_too_short_or_too_long():
    for duration in np.geomspace(1e-6, 1e6, 200):
        lasts = duration / default_speed(duration)
        assert 1.0 <= lasts <= LONG * (1 + 1e-9)
        assert lasts >= 2 * (1 - 1e-9) or default_speed(duration) == 1.0


def test_the_playback_speed_is_stated(texts):
    texts(speed_in_words(1.0))
    texts(speed_in_words(0.02), "50")
    texts(speed_in_words(20.0), "20")


def test_computed_instants_that_lie_evenly_are_taken_as_they_are():
    times = np.linspace(0.0, 1.0, 11)
    assert even_times(times, 11) is times
    assert np.allclose(even_times(times, 21), np.linspace(0.0, 1.0, 21))
    assert even_times(times**2, 11) == pytest.approx(times)


def test_poses_between_are_rotations_and_joints_stay_together():
    times = np.linspace(0.0, 2 * np.pi, 13)  # 30° apart
    asked = np.linspace(0.0, 2 * np.pi, 200)
    found = interpolate_poses(times, turning(times), asked)
    R = found[:, :, :3]
    assert np.allclose(R @ R.transpose(0, 2, 1), np.eye(3), atol=1e-12)
    assert np.linalg.det(R) == pytest.approx(np.ones(200))
    straight = np.abs(interpolate_linearly(times, turning(times), asked) - turning(asked)).max()
    assert np.abs(found - turning(asked)).max() < 0.4 * straight  # the curve follows the motion


def test_a_few_instants_are_joined_straight():
    times, values = np.array([0.0, 1.0, 3.0]), np.array([1.0, 3.0, -1.0])
    asked = np.array([0.0, 0.5, 2.0, 3.0])
    assert interpolate_smoothly(times, values, asked) == pytest.approx(np.interp(asked, times, values))
    columns = np.column_stack([values, -values])
    assert interpolate_linearly(times, columns, asked)[:, 1] == pytest.approx(
        -np.interp(asked, times, values)
    )


def test_angles_are_summed_up_over_turns():
    times = np.linspace(0.0, 6 * np.pi, 100)
    assert largest_turning(
        {"crank": turning(times), "ground": np.repeat(turning(times)[:1], 100, 0)}
    ) == pytest.approx(6 * np.pi)


def test_straight_motion_needs_its_ends_alone():
    times = np.linspace(0.0, 2.0, 50)
    places = np.stack([times, 3 - times], axis=-1)[:, None] * 100
    assert list(key_instants(times, places, 0.1, 100)) == [0, 49]


@pytest.mark.parametrize("tolerance", [0.1, 1.0])
def test_round_motion_keeps_as_many_as_its_tolerance_needs(tolerance):
    times = np.linspace(0.0, 2 * np.pi, 1000)
    places = 200 * np.stack([np.cos(times), np.sin(times)], axis=-1)[:, None]
    kept = key_instants(times, places, tolerance, 1000)
    off = interpolate_linearly(times[kept], places[kept], times) - places
    assert np.abs(off).max() <= tolerance
    chord = 2 * np.arccos(1 - tolerance / 200)
    assert 0.5 * 2 * np.pi / chord < len(kept) < 3 * 2 * np.pi / chord


def test_tolerance_grows_where_too_many_would_be_kept():
    times = np.linspace(0.0, 100.0, 2000)
    places = 200 * np.stack([np.cos(times), np.sin(times)], axis=-1)[:, None]
    assert len(key_instants(times, places, 0.01, 300)) <= 300
