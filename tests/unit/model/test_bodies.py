"""Bodies, rods and plates: known shapes, markers, and parameters wherever a number may stand."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.testing import assert_allclose

import multiloop as ml
from multiloop.model.checks.body_checks import inertia_values
from multiloop.model.expressions import evaluate
from multiloop.model.parameters import substitute_parameters

lengths = st.floats(0.01, 10.0)
masses = st.just(0.0) | st.floats(1e-200, 50.0)
"""Far above subnormal numbers, whose products have no digits: m h² / 12 of 5e-324 kg is 0 or 5e-324 kg m²."""
places = st.tuples(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0))


def numbers(vector):
    return np.array([evaluate(component) for component in vector])


def square(side, at=(0.0, 0.0), turned=1):
    corners = [(0, 0), (side, 0), (side, side), (0, side)][::turned]
    return {f"c{k}": (at[0] + x, at[1] + y) for k, (x, y) in enumerate(corners)}


# rods ---------------------------------------------------------------------------------------------


@given(lengths, masses)
def test_a_rod_is_slender_and_uniform(length, mass):
    body = ml.rod("crank", length=length, mass=mass)
    across = mass * length**2 / 12
    assert body.com == (length / 2,)
    assert_allclose(body.inertia, (0.0, across, across), rtol=1e-14)
    assert body.marker("a").point == (0.0,)
    assert body.marker("b").point == (length,)
    assert body.outline == ("a", "b")


def test_what_is_given_for_a_rod_is_kept():
    body = ml.rod(
        "link", length=2, mass=3, inertia=0.5, com=(0.9, 0.1), inertia_at="a", markers={"m": 0.4, "n": (1, 1)}
    )
    assert body.inertia == (0.0, 0.5, 0.5)
    assert body.com == (0.9, 0.1)
    assert body.inertia_at == "a"
    assert body.marker("m").point == (0.4,)
    assert body.marker("n").point == (1.0, 1.0)
    assert ml.rod("link", length=2, mass=3, inertia=np.diag([1, 2, 3])).inertia[2] == (0.0, 0.0, 3.0)
    assert ml.rod("link", length=2, mass=3, com=0.5).com == (0.5,)


def test_the_ends_of_a_rod_may_be_given_anew_to_turn_their_axes():
    body = ml.rod("link", length=2, mass=3, markers={"b": ml.marker((2, 0, 0), z=(0, 1, 0))})
    assert body.marker("b").z == (0.0, 1.0, 0.0)
    assert body.marker_names == ("a", "b", "origin", "com")


@pytest.mark.parametrize("length", [0, -0.3, np.inf, np.nan, None, "long", ml.Parameter("L", 0.0)])
def test_a_rod_that_has_no_length_is_refused_at_once(length, texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.rod("link", length=length, mass=3)
    texts.fault(caught.value, "M13", "'link'")


def test_a_point_for_the_inertia_of_a_uniform_body_is_refused(texts):
    for build in (
        lambda: ml.rod("link", length=2, mass=3, inertia_at="a"),
        lambda: ml.plate("link", corners=square(1.0), mass=3, inertia_at="c0"),
    ):
        with pytest.raises(ml.ModelError) as caught:
            build()
        texts.fault(caught.value, "M08", "`inertia_at`")


def test_what_is_wrong_with_a_rod_comes_together(texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.rod("link", length=-2, mass=3, inertia_at="a")
    texts(caught.value, "[M13]", "[M08]", "'link'", "2")


# plates -------------------------------------------------------------------------------------------


@given(lengths, masses)
def test_an_equilateral_triangle(side, mass):
    """m s²/12 about the centroid, across the plate; half of it about any axis in the plate."""
    height = side * np.sqrt(3) / 2
    body = ml.plate("platform", corners={"a": (0, 0), "b": (side, 0), "c": (side / 2, height)}, mass=mass)
    assert_allclose(body.com, (side / 2, height / 3), rtol=1e-12)
    moment = mass * side**2 / 12
    assert_allclose(body.inertia, np.diag([moment / 2, moment / 2, moment]), atol=1e-12 * max(moment, 1e-300))


@given(lengths, lengths, masses, places)
def test_a_rectangle(width, height, mass, at):
    x, y = at
    corners = {"a": (x, y), "b": (x + width, y), "c": (x + width, y + height), "d": (x, y + height)}
    body = ml.plate("plate", corners=corners, mass=mass)
    about_x, about_y = mass * height**2 / 12, mass * width**2 / 12
    size = mass * max(width, height) ** 2
    assert_allclose(body.com, (x + width / 2, y + height / 2), atol=1e-12)
    # relative to the longer side: the width of a thin strip 5 m away carries its own round-off
    assert_allclose(body.inertia, np.diag([about_x, about_y, about_x + about_y]), atol=1e-11 * size)


def test_a_right_triangle_has_a_product_of_inertia():
    """I_xy = −∫xy dm about the centroid is +m b h / 36 for legs b and h along x and y."""
    body = ml.plate("wedge", corners={"a": (0, 0), "b": (0.6, 0), "c": (0, 0.3)}, mass=2.0)
    assert_allclose(body.com, (0.2, 0.1), rtol=1e-14)
    xx, yy, xy = 2 * 0.3**2 / 18, 2 * 0.6**2 / 18, 2 * 0.6 * 0.3 / 36
    assert_allclose(body.inertia, [[xx, xy, 0], [xy, yy, 0], [0, 0, xx + yy]], rtol=1e-13)


def test_a_regular_polygon_comes_near_a_disc():
    """m r²/2, and m r²/4 about a diameter; the polygon of n corners errs by order 1/n²."""
    turns = 2 * np.pi * np.arange(400) / 400
    body = ml.plate("disc", corners={f"p{k}": (np.cos(t), np.sin(t)) for k, t in enumerate(turns)}, mass=3.0)
    assert_allclose(body.com, (0, 0), atol=1e-14)
    assert_allclose(body.inertia, np.diag([0.75, 0.75, 1.5]), atol=2e-4)


def test_corners_may_run_either_way_round():
    one, other = (ml.plate("p", corners=square(0.4, turned=way), mass=2.0) for way in (1, -1))
    assert_allclose(one.inertia, other.inertia, atol=1e-16)
    assert_allclose(one.com, other.com, atol=1e-16)


def test_a_plate_far_from_its_origin_loses_no_digits():
    body = ml.plate("p", corners=square(0.5, at=(1e6, -1e6)), mass=2.0)
    assert_allclose(body.inertia, np.diag([1, 1, 2]) * 2 * 0.25 / 12, rtol=1e-9)


def test_in_space_a_plate_has_its_mass_centre_in_space():
    body = ml.plate("p", corners={name: (*point, 0) for name, point in square(1.0).items()}, mass=1.0)
    assert body.com == (0.5, 0.5, 0.0)


def test_what_is_given_for_a_plate_is_kept():
    corners = {"a": (0, 0), "b": (1, 0)}
    body = ml.plate(
        "bar", corners=corners, mass=1.0, com=(0.5, 0), inertia=0.2, inertia_at="a", markers={"m": (2, 2)}
    )
    assert (body.com, body.inertia, body.inertia_at) == ((0.5, 0.0), 0.2, "a")
    assert body.marker_names == ("a", "b", "m", "origin", "com")
    assert body.outline == ("a", "b")


@pytest.mark.parametrize("listed", [list, tuple, np.array])
def test_corners_listed_without_names_are_numbered(listed):
    points = [(0, 0), (1, 0), (1, 1)]
    named = ml.plate("p", corners={"c1": (0, 0), "c2": (1, 0), "c3": (1, 1)}, mass=1.0)
    assert ml.plate("p", corners=listed(points), mass=1.0) == named


def test_corners_listed_with_their_names_keep_them():
    points = {"a": (0, 0), "b": (1, 0), "c": (1, 1)}
    assert ml.plate("p", corners=list(points.items()), mass=1.0) == ml.plate("p", corners=points, mass=1.0)


@pytest.mark.parametrize(
    "corners",
    [
        {},
        [],
        {"a": (0, 0), "b": (1, 0)},
        {"a": (0, 0), "b": (1, 1), "c": (3, 3)},
        {"a": 0.0, "b": 1.0, "c": 2.0},
        [0.0, 1.0, 2.0],
    ],
)
def test_corners_that_enclose_no_area_are_refused(corners, texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.plate("p", corners=corners, mass=1.0)
    texts.fault(caught.value, "M04", "'p'")


def test_corners_off_the_plane_are_refused(texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.plate("p", corners={"a": (0, 0, 0), "b": (1, 0, 0), "c": (0, 1, 0.2)}, mass=1.0)
    texts.fault(caught.value, "M04", "'c'", "0.2 m")


# parameters ---------------------------------------------------------------------------------------


def test_parameters_stand_in_length_and_mass_of_a_rod():
    length, mass = ml.Parameter("L", 0.3), ml.Parameter("m", 2.0)
    body = ml.rod("crank", length=length, mass=mass)
    plain = ml.rod("crank", length=0.3, mass=2.0)
    assert isinstance(body.inertia[1], ml.Expression)
    assert_allclose(numbers(body.inertia), plain.inertia, rtol=1e-15)
    assert_allclose(numbers(body.com), plain.com)
    longer = substitute_parameters(body, {"L": 0.5})
    assert evaluate(longer.marker("b").point[0]) == 0.5
    assert_allclose(inertia_values(longer), inertia_values(ml.rod("crank", length=0.5, mass=2.0)), rtol=1e-15)


def test_parameters_stand_in_the_corners_and_mass_of_a_plate():
    side, mass = ml.Parameter("s", 0.4), ml.Parameter("m", 8.0)
    body = ml.plate(
        "platform", corners={"a": (0, 0), "b": (side, 0), "c": (side / 2, side * 3**0.5 / 2)}, mass=mass
    )
    assert_allclose(inertia_values(body)[2, 2], 8 * 0.4**2 / 12, rtol=1e-13)
    wider = substitute_parameters(body, {"s": 0.9, "m": 1.0})
    assert_allclose(inertia_values(wider), np.diag([0.5, 0.5, 1.0]) * 0.9**2 / 12, atol=1e-15)
    assert_allclose(numbers(wider.com), (0.45, 0.9 * 3**0.5 / 6), rtol=1e-14)


def test_parameters_at_which_a_plate_has_no_area_are_refused(texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.plate("p", corners={"a": (0, 0), "b": (1, 0), "c": (1, ml.Parameter("h", 0.0))}, mass=1.0)
    texts.fault(caught.value, "M04")


# markers and inertia ------------------------------------------------------------------------------


def test_every_body_has_an_origin_and_a_mass_centre():
    body = ml.Body("link", mass=1, com=(0.1, 0.2), markers={"p": (1, 2)})
    assert body.marker("origin").point == (0.0,)
    assert body.marker("com").point == (0.1, 0.2)
    assert body.marker_names == ("p", "origin", "com")


def test_an_unknown_marker_is_named_with_a_suggestion(texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.Body("link").marker("origni")
    texts.fault(caught.value, "T03", "'origni'", "'origin'")


def test_the_ground_takes_its_markers_by_name_or_as_a_mapping():
    assert ml.ground(A=(0, 0), D=(1, 0)) == ml.ground({"A": (0, 0), "D": (1, 0)})
    assert ml.ground({"A 1": (0, 0)}, B=1.0).marker_names == ("A 1", "B", "origin", "com")


@pytest.mark.parametrize(
    ("inertia", "expected"),
    [
        (2, np.diag([0, 0, 2])),
        ([1, 2, 2.5], np.diag([1, 2, 2.5])),
        (np.array([[1, 0.1, 0], [0.1, 2, 0], [0, 0, 2.5]]), [[1, 0.1, 0], [0.1, 2, 0], [0, 0, 2.5]]),
    ],
)
def test_an_inertia_is_a_number_three_moments_or_a_tensor(inertia, expected):
    assert_allclose(inertia_values(ml.Body("link", inertia=inertia)), expected)


@given(st.floats(0.1, 10.0), st.floats(-3.0, 3.0), st.floats(0.01, 3.0))
def test_inertia_at_another_point_must_hold_the_steiner_part(mass, offset, about_com):
    """m d² more than about the mass centre is possible, m d² less than nothing is not."""
    link = {"mass": mass, "com": offset, "markers": {"p": (0, 0)}}

    def described(inertia, at):
        bodies = [ml.ground(A=(0, 0)), ml.Body("link", inertia=inertia, inertia_at=at, **link)]
        return ml.Mechanism(
            "pendulum", planar=True, bodies=bodies, joints=[ml.Revolute("A", "ground.A", "link.p")]
        )

    for at in ("p", "origin"):
        described(about_com + mass * offset**2, at)
    described(about_com, "com")
    with pytest.raises(ml.ModelError, match=r"\[M04\] .*'p'"):
        described(mass * offset**2 - about_com, "p")


def test_bodies_are_frozen_and_compared_by_value():
    body = ml.rod("crank", length=1, mass=1)
    with pytest.raises(FrozenInstanceError):
        body.mass = 2.0
    assert body == ml.rod("crank", length=1.0, mass=np.float64(1.0))
    assert hash(body) == hash(ml.rod("crank", length=1.0, mass=1.0))
    assert body != ml.rod("crank", length=1, mass=2)


def test_bodies_sections_and_boxes_are_sentences(texts):
    """Their representations are sentences, as those of beams and solids are."""
    section = ml.rectangle(0.02, 0.006)
    link = ml.beam("rod", length=0.5, E=7e10, density=2700, section=section)
    texts(repr(link.rigid()), "'rod'", "0.162 kg")
    texts(repr(ml.Section(1e-4, 3e-10)), "0.0001", "3e-10")
    texts(repr(section), "Iy = 4e-09 m⁴", "J = 1.168e-09 m⁴", "y = 0.003 m", "z = 0.01 m")
    box = ml.box_mesh(0.9, 0.02, 0.01)
    texts(repr(box), "0.9", "0.02", "0.01 m", "(0.0, -0.01, -0.005)", "8")


@pytest.mark.parametrize(
    ("end", "place"), [("b", 0.5), ("b", (0.12, 0.01)), ("a", 0.01), ("b", ml.marker((0.0, 0.12), angle=0.3))]
)
def test_an_end_of_a_rod_is_not_moved_away_from_its_length(end, place, texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.rod("x", length=0.12, mass=1.0, markers={end: place})
    texts.fault(caught.value, "M13", f"'{end}'", "0.12 m")


def test_an_end_of_a_rod_may_be_turned():
    length = ml.Parameter("L", 0.12)
    for size in (0.12, length):
        found = ml.rod("x", length=size, mass=1.0, markers={"b": ml.marker((size, 0.0), angle=0.3), "c": 0.5})
        assert dict(found.markers)["b"].angle == 0.3
