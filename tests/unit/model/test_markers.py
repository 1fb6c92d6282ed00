"""Markers: the forms in which a user may write a point, and the one form in which it is stored."""

from dataclasses import FrozenInstanceError
from fractions import Fraction
from math import copysign, inf, isinf

import numpy as np
import pytest
from hypothesis import given, strategies as st

from multiloop import Marker, Parameter, marker, time
from multiloop.model.expressions import Constant
from multiloop.model.markers import are_pairs, as_marker, as_pairs, finite_value_of, scalar, value_of, vector


@pytest.mark.parametrize(
    "number", [3, 3.0, np.float32(3), np.int64(3), Fraction(6, 2), np.array(3.0), Constant(3.0)]
)
def test_every_real_number_becomes_a_float(number):
    assert scalar(number) == 3.0
    assert type(scalar(number)) is float


@pytest.mark.parametrize("thing", [True, "3", None, 3j, np.complex128(3), [3], Parameter("L", 3), time])
def test_anything_else_is_left_as_it_is(thing):
    assert scalar(thing) is thing


def test_there_is_no_negative_zero():
    assert copysign(1.0, scalar(-0.0)) == 1.0
    assert copysign(1.0, vector(np.array([-0.0, 1.0]))[0]) == 1.0


def test_a_number_beyond_all_floats_is_infinite():
    assert scalar(10**400) == inf
    assert scalar(-(10**400)) == -inf


def test_a_vector_is_a_list_an_array_or_a_distance_along_x():
    assert vector([1, 2]) == vector((1.0, 2.0)) == vector(np.array([1, 2])) == (1.0, 2.0)
    assert vector(0.5) == (0.5,)
    assert vector(Parameter("L", 1.0)) == (Parameter("L", 1.0),)


@given(st.floats(allow_nan=False))
def test_the_number_behind_a_plain_number_is_itself_where_it_can_be_computed_with(number):
    assert finite_value_of(number) == (None if isinf(number) else number)
    assert value_of(number) == (None if abs(number) > 1e60 else number)


def test_the_number_behind_an_expression_is_that_at_its_own_parameters():
    length = Parameter("L", 0.5)
    assert value_of(2 * length) == 1.0
    assert value_of(1 / (length - 0.5)) is None
    assert value_of(2 * time) is None
    assert value_of("2") is None
    assert value_of(float("nan")) is None


def test_pairs_come_from_mappings_and_lists_of_two():
    assert as_pairs({"a": 1, "b": 2}) == as_pairs([("a", 1), ["b", 2]]) == (("a", 1), ("b", 2))
    assert are_pairs(as_pairs({}))
    for thing in (5, None, "ab", ["ab", "cd"], [("a", 1, 2)], [("a",)]):
        assert as_pairs(thing) is thing
        assert not are_pairs(thing)


def test_a_marker_is_written_as_a_point_or_in_full():
    assert as_marker((0, 1)) == Marker((0.0, 1.0))
    assert as_marker(0.25) == Marker((0.25,))
    given = marker((0, 0, 1), z=[1, 0, 0], x=np.array([0, 1, 0]))
    assert as_marker(given) is given
    assert given == Marker((0.0, 0.0, 1.0), z=(1.0, 0.0, 0.0), x=(0.0, 1.0, 0.0))
    assert marker((1, 2), angle=1).angle == 1.0
    assert type(marker((1, 2), angle=1).angle) is float


def test_markers_are_frozen():
    with pytest.raises(FrozenInstanceError):
        Marker((0.0,)).angle = 1.0
