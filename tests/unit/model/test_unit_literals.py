"""Numbers with their unit in expressions and files, in the units of one table."""

from math import pi

import pytest

import multiloop as ml
from multiloop.model.expressions import Constant, parse
from multiloop.model.unit_table import UNITS, known_units, plain_spelling, to_si


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
    assert len(known_units()) == sum(map(len, UNITS.values())), "two units have one spelling"
    assert plain_spelling("N m / deg") == plain_spelling("N·m/°")


def test_an_unknown_unit_is_named_with_the_nearest():
    with pytest.raises(ValueError, match=r"unknown unit `rmp`. Did you mean 'rpm'\?"):
        parse("45 rmp * time")


def test_columns_of_errors_are_those_of_the_given_text():
    with pytest.raises(ValueError, match=r"at column 13: unknown function `foo`"):
        parse("sin(3 mm) + foo(2)")
    with pytest.raises(ValueError, match=r"at column 15: unknown function `foo`"):
        parse("sin(20 deg) + foo(2)")


def test_long_rows_of_digits_take_no_longer_than_they_are():
    with pytest.raises(ValueError, match="cannot read"):
        parse("1" * 300_000 + " mn")  # a minute and more where numbers are tried at every digit
