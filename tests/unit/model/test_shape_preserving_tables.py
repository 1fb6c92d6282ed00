"""Shape-preserving tables, and cubic ones with overshoot, which is reported."""

from itertools import pairwise

import casadi as ca
import numpy as np
import pytest
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.model.drives import overshooting_tables
from multiloop.model.expressions import breakpoints, derivative, evaluate, parse, trace
from multiloop.model.expressions.tables import overshoot, polynomial_pieces

GAS = [34.3, 25.0, 8.0, 1.0, 0.2, 0.2, 2.0, 20.0, 34.3]
TURN = [0, 20, 60, 180, 360, 540, 660, 700, 720]


def random_points(seed, count=9):
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.uniform(0.1, 2.0, count)), rng.normal(size=count)


def published_slope(before, after):
    """Weighted harmonic mean of the slopes of two adjacent pieces (width, slope), zero at a local extreme: Fritsch and
    Butland (1984), α = (1 + h₂/(h₁ + h₂))/3."""
    (h1, s1), (h2, s2) = before, after
    if s1 * s2 <= 0:
        return 0.0
    alpha = (1 + h2 / (h1 + h2)) / 3
    return s1 * s2 / (alpha * s2 + (1 - alpha) * s1)


def parabola_slope(outer, inner):
    """Slope at an end of the parabola through three points; zero if opposite to that of its piece, at most three times
    its slope before an extreme."""
    (h0, s0), (h1, s1) = outer, inner
    slope = s0 + (s0 - s1) * h0 / (h0 + h1)
    if slope * s0 <= 0:
        return 0.0
    return 3 * s0 if s0 * s1 <= 0 and abs(slope) > 3 * abs(s0) else slope


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("periodic", [False, True])
def test_its_slopes_are_the_published_ones(seed, periodic):
    x, y = random_points(seed)
    if periodic:
        y[-1] = y[0]
    pieces = list(zip(np.diff(x), np.diff(y) / np.diff(x), strict=True))
    inner = [published_slope(*pair) for pair in pairwise(pieces)]
    seam = published_slope(pieces[-1], pieces[0])
    first, last = parabola_slope(*pieces[:2]), parabola_slope(*pieces[:-3:-1])
    slopes = [seam, *inner, seam] if periodic else [first, *inner, last]
    breaks, c = polynomial_pieces(ml.table(x, y, kind="monotone", periodic=periodic))
    h = np.diff(breaks)
    assert c[2] == pytest.approx(slopes[:-1], rel=1e-12, abs=1e-13)
    assert (3 * c[0] * h + 2 * c[1]) * h + c[2] == pytest.approx(slopes[1:], rel=1e-12, abs=1e-13)
    assert c[3] == pytest.approx(y[:-1], abs=0)
    assert ((c[0] * h + c[1]) * h + c[2]) * h + c[3] == pytest.approx(y[1:], abs=1e-13)


@pytest.mark.parametrize("kind", ["monotone", "cubic", "linear"])
def test_slopes_that_overflow_are_refused(kind):
    with pytest.raises(ValueError, match="table"):
        polynomial_pieces(ml.table([0.0, 1e-300, 2e-300, 1.0], [0.0, 1e30, -1e30, 1e30], kind=kind))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("periodic", [False, True])
def test_it_stays_between_neighbouring_points_and_turns_only_at_them(seed, periodic):
    x, y = random_points(seed)
    y[-1] = y[0]
    curve = ml.table(x, y, kind="monotone", periodic=periodic)
    for k in range(len(x) - 1):
        values = evaluate(curve, time=np.linspace(x[k], x[k + 1], 101)[:-1])
        steps = np.diff([*values, y[k + 1]]) * np.sign(y[k + 1] - y[k])
        assert steps.min() >= -1e-14
    assert overshoot(curve) is None


def test_the_slope_is_the_same_on_both_sides_of_a_point_and_across_the_seam():
    x, y = random_points(1)
    y[-1] = y[0]
    breaks, slope = polynomial_pieces(ml.table(x, y, kind="monotone", periodic=True, derivative=1))
    h = np.diff(breaks)
    ends = (slope[0] * h + slope[1]) * h + slope[2]
    assert ends == pytest.approx([*slope[2, 1:], slope[2, 0]], abs=1e-13)


def test_few_points():
    assert evaluate(ml.table([0, 2], [1, 5], kind="monotone"), time=0.5) == 2.0
    assert evaluate(ml.table([0, 1, 2], [0, 1, 0], kind="monotone", periodic=True), time=[0, 0.5, 2.5]) == (
        pytest.approx([0.0, 0.5, 0.5])
    )
    assert evaluate(ml.table([0, 1, 2], [3, 3, 3], kind="monotone"), time=1.3) == 3.0


def test_it_is_written_read_and_traced():
    curve = ml.table([0, 1, 3], [0, 1, 0], kind="monotone", periodic=True, of=2 * ml.time)
    text = 'table([0, 1, 3], [0, 1, 0], of=2 * time, kind="monotone", periodic=True)'
    assert str(curve) == text
    assert parse(text) == curve
    t = ca.SX.sym("t")
    traced = ca.Function("curve", [t], [trace(curve, time=t)])
    for at in (0.1, 0.4, 0.9, 2.2):
        assert float(traced(at)) == pytest.approx(evaluate(curve, time=at), rel=1e-14)


def test_its_corners_are_where_its_slope_bends():
    curve = ml.table([0, 1, 2, 3], [0, 1, 3, 4], kind="monotone")
    assert breakpoints(curve) == (0.0, 3.0)
    assert breakpoints(derivative(curve)) == (0.0, 1.0, 2.0, 3.0)


def test_overshoot_of_a_cubic_table_is_measured():
    """Against a dense sampling of the curve itself."""
    for seed in range(20):
        x, y = random_points(seed)
        curve = ml.table(x, y)
        values = evaluate(curve, time=np.linspace(x[0], x[-1], 20_001))
        above, below, span = values.max() - y.max(), y.min() - values.min(), np.ptp(y)
        found = overshoot(curve)
        if max(above, below) < 0.0499 * span:
            assert found is None
        elif max(above, below) > 0.0501 * span:
            far, point = found
            assert abs(far - point) == pytest.approx(max(above, below), rel=1e-6)
            assert point == (y.max() if above > below else y.min())


def test_points_of_a_sine_are_not_worth_a_word():
    at = np.linspace(0, 2 * np.pi, 13) + 0.2
    assert overshoot(ml.table(at, np.sin(at), periodic=True)) is None
    assert overshoot(ml.table([0, 1, 2], [3, 3, 3])) is None
    assert overshoot(ml.table([0, 1], [3, 4])) is None


def pendulum(effort):
    return pinned_body(
        ml.rod("arm", length=0.3, mass=1.0),
        name="pendulum",
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(1.0))],
        actuators=[ml.Actuator("A")],
        loads=[ml.Torque("gas", "arm", effort)],
    )


def test_overshoot_of_a_cubic_table_is_reported_by_every_analysis(texts):
    turn = np.radians(TURN)
    cubic = ml.table(turn, GAS, of=ml.position("A"), periodic=True)
    mechanism = pendulum(cubic)
    (told,) = overshooting_tables(mechanism)
    assert (told.code, told.place, told.value) == ("W17", "gas", pytest.approx(-2.568, abs=5e-4))
    texts(told, "'gas'", "-2.568", "0.2", 'kind="monotone"')
    found = ml.inverse(mechanism, cycle=145)
    assert found.warnings == (told,)
    assert found["gas"].torque.min() == pytest.approx(-2.568, abs=0.01)  # between two of 145 instants
    assert told.text in repr(found)
    assert told.text in str(found.extremes())
    assert ml.forward(mechanism, {}).warnings == (told,)
    kept = pendulum(ml.table(turn, GAS, of=ml.position("A"), periodic=True, kind="monotone"))
    found = ml.inverse(kept, cycle=145)
    assert found.status == "ok"
    assert (found["gas"].torque.min(), found["gas"].torque.max()) == (0.2, 34.3)


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_overshoot_of_a_cubic_effort_table_is_reported_in_a_run(target, texts):
    """One cubic through four points, 1.5 + 3.25 u − u³ with u = t / 0.2 − 1.5: its minimum is at u² = 3.25 / 3."""
    effort = ml.table([0.0, 0.2, 0.4, 0.6], [0.0, 0.0, 3.0, 3.0])
    free = pendulum(0.0).replace(drives=[], actuators=[], loads=[])
    run = ml.simulate(free, until=0.5, start={"A": 0.0}, efforts={"A": effort}, samples=3, target=target)
    texts.warnings(run, ("W17", "A", "-0.7551", '"monotone"'))
    own = free.replace(actuators=[ml.Actuator("A", effort=effort)])
    assert ml.forward(own, {"A": 0.0}).status == run.status


def test_a_monotone_table_moves_a_run():
    """Integrated effort of a shape-preserving table over time, by the compiled loop and by the table's own pieces."""
    effort = ml.table([0.0, 0.2, 0.5, 1.0], [0.0, 3.0, 3.0, 0.0], kind="monotone")
    free = pendulum(effort).replace(drives=[], actuators=[], gravity=(0, 0))
    asked = {"until": 1.0, "start": {"A": 0.0}, "rates": {"A": 0.0}, "samples": 11}
    run = ml.simulate(free, **asked)
    given = ml.simulate(free.replace(loads=[]), efforts={"A": effort}, **asked)
    assert given["A"].rate[-1] == pytest.approx(run["A"].rate[-1], rel=1e-9)
    breaks, c = polynomial_pieces(effort)
    h = np.diff(breaks)
    impulse = sum(c[j] * h ** (4 - j) / (4 - j) for j in range(4)).sum()
    assert run["A"].rate[-1] == pytest.approx(impulse / (0.3**2 / 3), rel=1e-9)
