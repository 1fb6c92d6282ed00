"""Cam profiles in closed form, tables for manufacturing, and curves that are refused."""

import casadi as ca
import numpy as np
import pytest

import multiloop as ml
from multiloop.model.cams import CircleContour, CurveContour, LiftContour
from multiloop.model.cams.cam import cam_profile, pressure_angles
from multiloop.model.cams.contour import CamLaw
from multiloop.model.expressions.functions import cos, sin

A, B = 0.04, 0.01
ELLIPSE = ml.Curve(A * cos(ml.cam_angle), B * sin(ml.cam_angle))
BACKWARD = ml.Curve(A * cos(ml.cam_angle), -B * sin(ml.cam_angle))
ANGLES = np.linspace(0.0, 2 * np.pi, 57)


def numbers(*entries):
    return [float(entry) for entry in entries]


@pytest.mark.parametrize("curve", [ELLIPSE, BACKWARD], ids=["counter-clockwise", "clockwise"])
@pytest.mark.parametrize("angle", ANGLES)
def test_the_support_function_of_an_ellipse(curve, angle):
    """h = √(a² cos² θ + b² sin² θ), for any parametrisation of the curve; its ends are four times as sharp as it is
    long."""
    c, s = np.cos(angle), np.sin(angle)
    found = CurveContour(curve, {}).support((ca.DM(c), ca.DM(s)))
    h = np.sqrt(A**2 * c**2 + B**2 * s**2)
    slope = (B**2 - A**2) * s * c / h
    radius = A**2 * B**2 / h**3
    assert numbers(found.h, found.slope, found.second) == pytest.approx([h, slope, radius - h], abs=1e-12)


@pytest.mark.parametrize("r", [0.0, 0.006])
@pytest.mark.parametrize("angle", ANGLES)
def test_the_pitch_curve_of_an_ellipse(angle, r):
    """A point r outside the ellipse has no gap, the normal of the ellipse, and the curvature 1 / (ρ + r)."""
    c, s = np.cos(angle), np.sin(angle)
    size = np.hypot(B * c, A * s)
    n, radius = np.array([B * c, A * s]) / size, size**3 / (A * B)
    point = np.array([A * c, B * s]) + r * n
    found = CurveContour(ELLIPSE, {}, r).pitch(tuple(map(ca.DM, point)), r)
    assert numbers(found.gap, *found.normal) == pytest.approx([0.0, *n], abs=1e-12)
    assert float(found.curvature) == pytest.approx(1 / (radius + r), rel=1e-10)


def test_the_length_of_an_outline_is_that_of_its_integral():
    """Of an ellipse by its elliptic integral, of a circle by a constant cam law: to round-off."""
    from scipy.special import ellipe

    _, whole = CurveContour(ELLIPSE, {}, 0.0).pitch((ca.DM(A), ca.DM(0.0)), 0.0).arc()
    assert whole == pytest.approx(4 * A * ellipe(1 - (B / A) ** 2), rel=1e-9)
    lifted = LiftContour(CamLaw(ml.cam_angle * 0.0), 0.03, 0.004)
    y = np.sqrt(0.03**2 - 0.004**2)
    for turn in (0.3, 2.0, 4.5):
        p = [0.004 * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - 0.004 * np.sin(turn)]
        arc, whole = lifted.pitch(tuple(map(ca.DM, p)), 0.0).arc()
        assert numbers(arc, whole) == pytest.approx([-0.03 * turn, 0.06 * np.pi], rel=1e-12)


def eccentric(**kind):
    """An eccentric in three forms: as a circle, as the law of a flat face on it, and as a curve."""
    circle = ml.Circle(0.03, (0.0, 0.01))
    program = {"lift": 0.01 * cos(ml.cam_angle) + 0.01, "base": 0.02}
    curve = ml.Curve(0.03 * sin(ml.cam_angle), 0.03 * cos(ml.cam_angle) + 0.01)
    made = [{"profile": circle}, program, {"profile": curve}]
    return [ml.Cam("cam", "a.x", "b.y", **outline, **kind) for outline in made]


def test_three_descriptions_of_an_eccentric_agree():
    """A flat face has the same support function; the points of the profile are those of the circle."""
    n = (ca.DM(np.sin(0.7)), ca.DM(np.cos(0.7)))
    found = [numbers(s.h, s.slope, s.second) for s in (cam.contour.support(n) for cam in eccentric())]
    assert found[1] == pytest.approx(found[0], abs=1e-14)
    assert found[2] == pytest.approx(found[0], abs=1e-14)
    assert isinstance(eccentric()[0].contour, CircleContour)
    for cam in eccentric():
        outline = cam_profile(cam, 36)
        assert np.hypot(outline.points[:, 0], outline.points[:, 1] - 0.01) == pytest.approx(0.03, abs=1e-15)
        assert outline.radius == pytest.approx(0.03, rel=1e-12)


def test_the_table_for_the_mill(texts):
    """Normals are unit vectors perpendicular to the profile; a cutter of the roller's size is r outside."""
    cam = ml.Cam(
        "cam", "a.x", "b.y", lift=0.004 * (1 - cos(ml.cam_angle)), base=0.03, roller=0.01, offset=0.005
    )
    table = cam.profile_table(720)
    points, normals = table[["x", "y"]].to_numpy(), table[["normal_x", "normal_y"]].to_numpy()
    assert len(table) == 720
    assert np.hypot(*normals.T) == pytest.approx(1.0, abs=1e-15)
    chords = np.roll(points, -1, axis=0) - np.roll(points, 1, axis=0)
    assert np.abs(np.einsum("ti,ti->t", chords, normals)).max() < 1e-7
    assert table[["pitch_x", "pitch_y"]].to_numpy() == pytest.approx(points + 0.01 * normals, abs=1e-15)
    angle, steepness = table.angle.to_numpy(), table.pressure_angle.to_numpy()
    height = np.sqrt(0.04**2 - 0.005**2) + 0.004 * (1 - np.cos(angle))
    assert np.hypot(*(points + 0.01 * normals).T) == pytest.approx(np.hypot(height, 0.005), rel=1e-12)
    assert np.tan(steepness) == pytest.approx((0.004 * np.sin(angle) - 0.005) / height, abs=1e-12)
    with pytest.raises(ValueError) as caught:
        cam.profile_table(2)
    texts(caught.value, "2", "3")


def test_a_profile_has_no_pressure_angle_of_its_own():
    assert pressure_angles(eccentric(roller=0.01)[0]) is None
    assert (pressure_angles(eccentric()[1]) == 0).all()


def test_a_spline_runs_through_its_points():
    points = [(0.03, 0), (0.01, 0.02), (-0.02, 0.01), (-0.01, -0.02)]
    curve = ml.spline(points)
    laws = [CamLaw(law) for law in curve.coordinates]
    knots = np.array(curve.coordinates[0].knots)
    through = np.column_stack([law.numbers(knots) for law in laws])
    assert through == pytest.approx(np.array([*points, points[0]]), abs=1e-15)
    for law in laws:  # the curvature is continuous where the curve closes
        first, last = law.numbers(np.array([0.0, knots[-1] - 1e-9]), 2)
        assert last == pytest.approx(first, abs=1e-8)


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([(0, 0), (1, 0)], ("(2, 2)", "3")),
        ([(0, 0, 1), (1, 0, 1), (2, 2, 2)], ("(3, 3)",)),
        ([(0, 0), (1, 0), (1, 0)], ("1", "2")),
        ([(0, 0), (1, 0), (0, 0)], ("2", "0")),
    ],
)
def test_points_that_make_no_curve_are_refused(points, words, texts):
    with pytest.raises(ValueError) as caught:
        ml.spline(points)
    texts(caught.value, *words)
