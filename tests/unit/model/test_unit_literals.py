"""Numbers with their unit in expressions and files, in the units of one table."""

from math import pi

import pytest

import multiloop as ml
from multiloop.model.expressions import Constant, parse
from multiloop.model.expressions.units import (
    DIMENSIONS,
    UNITS,
    MixedUnitsError,
    dimension_of,
    dimension_with,
    find_unit,
    number_with_unit,
    to_si,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("30 mm", 0.03),
        ("57mm", 0.057),
        ("-3e2 mm", -0.3),
        ("20 deg", 20 * (pi / 180)),
        ("45 rpm", 45 * (pi / 30)),
        ("70 GPa", 70e9),
        ("300 N/mm", 3e5),
        ("5 N m", 5.0),
        ("5 Nm", 5.0),
        ("5 N·m", 5.0),
        ("7.85 g/cm^3", 7850.0),
        ("3 N/mm²", 3e6),
        ("1 in", 0.0254),
    ],
)
def test_a_number_with_its_unit_is_a_number_in_si(text, value):
    assert parse(text) == Constant(value)


def test_units_stand_within_expressions():
    assert parse("2 * 30 mm + 45 rpm * time") == parse("2 * 0.03 + rpm(45) * time")
    assert parse('parameter("3 mm", 30 mm)') == ml.Parameter("3 mm", 0.03)
    assert parse("table([0 s, 1 s], [0, 5 mm])") == parse("table([0, 1], [0, 0.005])")


def test_every_unit_of_the_table_is_read():
    for quantity, units in UNITS.items():
        for unit in units:
            read = parse(f"3 {unit}")
            assert read == Constant(to_si(3.0, quantity, unit)), unit
            assert find_unit(unit) == (quantity, unit), "two units have one spelling"
    assert find_unit("N m / deg") == find_unit("N·m/°") == ("rotational stiffness", "N·m/°")
    assert set(DIMENSIONS) == set(UNITS)


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("1/4 in", (-1, 0, 0)),
        ("1000/8 mm", (-1, 0, 0)),
        ("2 * 30 mm", (1, 0, 0)),
        ("45 rpm * time + 20 deg", (0, 0, 0)),
        ("45 mm * time", (1, 0, 1)),
        ("100 N / 5 mm", (0, 1, -2)),
        ("(20 mm)**2", (2, 0, 0)),
        ('parameter("r", 30 mm)', (1, 0, 0)),
        ("constant_speed(45 rpm)", (0, 0, 0)),
        ("0 + 20 mm", (1, 0, 0)),
        ("0.2 * time * 30 mm", None),  # 0.2 may be a rate in SI units
        ("4.7 * time + 20 deg", None),
        ("sin(20 deg) * 30 mm", None),
        ("0.3 + 0.2", None),
        ('parameter("30 mm", 0.2)', None),
    ],
)
def test_the_dimension_of_an_expression_follows_from_its_units(text, dimension):
    assert dimension_of(text) == dimension


@pytest.mark.parametrize(
    "text", ["100 + 20 mm", "100 mm + 20 kg", "maximum(0.1, 20 mm)", "cycloidal(0, 5 kg - 5 mm)"]
)
def test_sums_of_different_quantities_are_errors(text):
    with pytest.raises(MixedUnitsError):
        dimension_of(text)


def test_options_take_one_number_with_its_unit():
    assert number_with_unit("-20 deg") == -20 * (pi / 180)
    assert number_with_unit("800mm") == 0.8
    assert [number_with_unit(text) for text in ("1/4in", "3", "mm", "20 deg + 1", "3 foo")] == [None] * 5


def test_an_unknown_unit_is_named_with_the_nearest(texts):
    with pytest.raises(ValueError) as caught:
        parse("45 rmp * time")
    texts(caught.value, "`rmp`", "'rpm'")


def test_columns_of_errors_are_those_of_the_given_text(texts):
    with pytest.raises(ValueError) as caught:
        parse("sin(3 mm) + foo(2)")
    texts(caught.value, "13", "`foo`")
    with pytest.raises(ValueError) as caught:
        parse("sin(20 deg) + foo(2)")
    texts(caught.value, "15", "`foo`")


def test_long_rows_of_digits_take_no_longer_than_they_are(texts):
    with pytest.raises(ValueError) as caught:
        parse("1" * 300_000 + " mn")
    texts(caught.value)  # a minute and more where numbers are tried at every digit


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ('parameter("L", 0.3)', (1, 0, 0)),
        ('-parameter("L", 0.3) + 0.1', (1, 0, 0)),
        ('parameter("L", 0.3) + parameter("M", 1)', (1, 0, 0)),
        ('parameter("L", 0.3) * parameter("L", 0.3)', (2, 0, 0)),
        ('parameter("L", 0.3) ** 3', (3, 0, 0)),
        ('parameter("L", 0.3) / time', (1, 0, -1)),
        ('minimum(parameter("L", 0.3), 0.2)', (1, 0, 0)),
        ('2 * parameter("L", 0.3)', None),  # 2 may be a force per length
        ('parameter("L", 0.3) * parameter("M", 1)', None),
        ('parameter("M", 1)', None),
        ("0.3", None),
    ],
)
def test_a_parameter_gives_its_dimension_to_expressions(text, dimension):
    assert parse(text) is not None
    assert dimension_with(text, "L", (1, 0, 0)) == dimension


def test_a_parameter_added_to_a_time_is_a_time():
    with pytest.raises(MixedUnitsError):
        dimension_with('parameter("L", 0.3) + time', "L", (1, 0, 0))
