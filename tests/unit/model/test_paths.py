"""Paths of markers: their points, their smoothness, and mechanisms that follow them."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp
from zoo.paths import five_bar

import multiloop as ml
from multiloop.model.expressions import derivative, evaluate

S = ml.motion_laws.polynomial_345(0.0, 1.0, duration=2.0)
T = np.linspace(0.0, 2.0, 401)


def along(path, t=T, order=0):
    found = []
    for value in path.values():
        expression = value if hasattr(value, "operands") else ml.model.expressions.lift(value)
        for _ in range(order):
            expression = derivative(expression)
        found.append(np.broadcast_to(evaluate(expression, time=t), np.shape(t)))
    return np.transpose(found)


def test_a_line():
    path = ml.line((0.1, 0.2, 0.3), (0.7, -0.1, 0.3), S)
    assert list(path) == ["x", "y", "z"]
    assert path["z"] == 0.3
    s = evaluate(S, time=T)[:, None]
    assert along(path) == pytest.approx(np.array([0.1, 0.2, 0.3]) + s * [0.6, -0.3, 0.0], abs=1e-15)
    assert tuple(along(path, np.array([9.0]))[0]) == (0.7, -0.1, 0.3)


def test_an_arc_in_the_plane_and_in_space():
    flat = ml.arc((1.0, 2.0), (1.5, 2.0), np.pi / 2, S)
    assert along(flat)[-1] == pytest.approx([1.0, 2.5], abs=1e-15)
    assert np.linalg.norm(along(flat) - [1.0, 2.0], axis=1) == pytest.approx(0.5, abs=1e-15)
    n = np.array([0.0, 0.6, 0.8])
    tilted = along(ml.arc((0, 0, 1), (0.3, 0.0, 1.2), 2.0, S, normal=n))
    turned = Rotation.from_rotvec(2.0 * n).apply([0.3, 0.0, 0.2]) + np.array([0, 0, 1])
    assert tilted[-1] == pytest.approx(turned, abs=1e-15)
    assert (tilted - [0, 0, 1]) @ n == pytest.approx(0.16, abs=1e-15)


def test_waypoints_are_rounded_smoothly():
    points = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.2, 0.5)]
    path = ml.waypoints(points, ml.time / 2.3, blend=0.2)
    t = np.linspace(0, 2.3, 23001)
    place = along(path, t)
    assert place[0] == pytest.approx(points[0])
    assert place[-1] == pytest.approx(points[-1], abs=1e-14)
    straight = (t > 0.21) & (t < 0.79)
    assert place[straight, 1] == pytest.approx(0.0, abs=1e-15)
    corner = place[10000]
    assert np.linalg.norm(corner - [1.0, 0.0]) == pytest.approx(0.2 * 2**0.5 * 3 / 16, rel=1e-9)
    for order, size in ((1, 1e-3), (2, 0.1)):  # continuous: differences shrink with the step
        jumps = np.abs(np.diff(along(path, t, order), axis=0)).max()
        assert jumps < size
    h = 1e-6
    inside = np.array([0.9, 1.0, 1.1, 1.45, 1.6])
    difference = (along(path, inside + h) - along(path, inside - h)) / (2 * h)
    assert along(path, inside, 1) == pytest.approx(difference, abs=1e-8)


def test_a_turn_goes_the_short_way():
    first, second = Rotation.from_euler("xyz", [0.3, 0.2, -0.4]), Rotation.from_euler("xyz", [1.0, -0.5, 2.0])
    e, f = (np.roll(r.as_quat(), 1) for r in (first, second))
    for sign in (1, -1):
        (orientation,) = ml.turn(tuple(e), tuple(sign * f), S).values()
        found = np.transpose([evaluate(part, time=T) for part in orientation])
        expected = Slerp([0, 1], Rotation.concatenate([first, second]))(evaluate(S, time=T))
        off = Rotation.from_quat(np.roll(found, -1, axis=1)) * expected.inv()
        assert off.magnitude().max() < 1e-7
        assert np.linalg.norm(found, axis=1) == pytest.approx(1.0, abs=1e-15)


def test_a_path_is_followed_through_the_loops():
    s = ml.motion_laws.polynomial_345(0.0, 1.0, duration=0.5)
    path = ml.waypoints([(0.1, 0.45), (0.2, 0.45), (0.2, 0.4)], s, blend=0.02)
    robot, times = five_bar(path), np.linspace(0, 0.6, 25)
    needed = ml.inverse(robot, t=times)
    assert needed.marker("left rod.b") == pytest.approx(along(path, times), abs=1e-12)
    run = ml.simulate(robot, until=0.6, samples=25)
    assert run.marker("left rod.b") == pytest.approx(along(path, times), abs=1e-9)
    assert run["A"].effort == pytest.approx(needed["A"].effort, abs=1e-8)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (lambda: ml.line((0, 0), (1, 1, 1), S), ("(0, 0)", "(1, 1, 1)")),
        (lambda: ml.arc((0, 0), (0, 0), 1.0, S), ("(0, 0)",)),
        (lambda: ml.arc((0, 0), (1, 0), 1.0, S, normal=(0, 0, 0)), ("(0, 0, 0)",)),
        (lambda: ml.waypoints([(0, 0), (0, 0)], S, blend=0.1), ("0", "1")),
        (lambda: ml.waypoints([(0, 0), (1, 0), (1, 1)], S, blend=0.7), ("0.7", "0.5 m")),
        (lambda: ml.turn((1, 0, 0, 0), (0, 1, 0, 0), S), ()),
        (lambda: ml.turn((0, 0, 0, 0), (0, 1, 0, 0), S), ("(0, 0, 0, 0)",)),
    ],
)
def test_invalid_paths_are_refused(path, message, texts):
    with pytest.raises(ValueError) as refused:
        path()
    texts(refused.value, *message)
