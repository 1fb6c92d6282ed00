"""The text of an expression is read back as the same expression, and invalid text is reported with its position."""

from math import pi

import pytest
from hypothesis import given, settings, strategies as st

import multiloop as ml
from multiloop.model import profiles
from multiloop.model.expressions import (
    Binary,
    Clip,
    Constant,
    Position,
    Rate,
    Step,
    Table,
    Unary,
    functions,
    parse,
)
from multiloop.model.expressions.operations import generic_operation_names

numbers = st.floats(allow_nan=False, allow_infinity=False)
names = st.text(min_size=1, max_size=6)
leaves = st.one_of(
    numbers.map(Constant),
    st.sampled_from([ml.time, Constant(pi), Constant(-pi), Constant(-1), Constant(2)]),
    st.builds(ml.Parameter, names, numbers),
    st.builds(Position, names, st.integers(0, 5)),
    st.builds(Rate, names, st.integers(0, 5)),
)


@st.composite
def tables(draw, argument):
    knots = sorted(draw(st.sets(st.floats(-1e3, 1e3), min_size=2, max_size=6)))
    values = draw(st.lists(numbers, min_size=len(knots), max_size=len(knots)))
    periodic = draw(st.booleans())
    if periodic:
        values[-1] = values[0]
    kind, derivative = draw(st.sampled_from([("cubic", 0), ("cubic", 3), ("linear", 0), ("linear", 1)]))
    return Table(draw(argument), tuple(knots), tuple(values), kind, periodic, derivative)


def branches(inner):
    return st.one_of(
        st.builds(Unary, st.sampled_from(generic_operation_names(1)), inner),
        st.builds(Unary, st.just("negative"), inner),
        st.builds(Binary, st.sampled_from(generic_operation_names(2)), inner, inner),
        st.builds(Binary, st.just("**"), inner, inner),
        st.builds(Clip, inner, inner, inner),
        st.builds(Step, inner),
        tables(inner),
    )


expressions = st.recursive(leaves, branches, max_leaves=12)


@given(expressions)
@settings(max_examples=500, deadline=None)
def test_the_text_of_any_expression_reads_back_as_itself(expression):
    assert parse(str(expression)) == expression
    assert repr(expression) == str(expression)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (2 * ml.time + 1, "2 * time + 1"),
        (2 * (ml.time + 1), "2 * (time + 1)"),
        (1 - (2 - ml.time), "1 - (2 - time)"),
        (ml.time - 2 - 1, "time - 2 - 1"),
        (ml.time / (2 * ml.time), "time / (2 * time)"),
        (Constant(-1) ** 2, "(-1) ** 2"),
        (-(ml.time**2), "-time ** 2"),
        ((-ml.time) ** 2, "(-time) ** 2"),
        (2 ** Constant(-1), "2 ** -1"),
        ((ml.time**2) ** 3, "(time ** 2) ** 3"),
        (ml.time ** (ml.time**3), "time ** time ** 3"),
        (Unary("negative", -ml.time), "--time"),
        (-ml.time * 2, "-time * 2"),
        (-(ml.time * 2), "-(time * 2)"),
        (ml.time - Constant(-2), "time - -2"),
        (Unary("negative", Constant(2)), "negative(2)"),
        (Constant(1e-300) * pi, "1e-300 * pi"),
        (ml.Parameter("L2", 0.3), 'parameter("L2", 0.3)'),
        (ml.position("it's", 1) + ml.rate('a"b'), """position("it's", 1) + rate('a"b')"""),
        (functions.atan2(ml.time, -2), "atan2(time, -2)"),
        (ml.table([0, 0.5], [1, 2]), "table([0, 0.5], [1, 2])"),
        (
            ml.table([0, 1], [1, 1], of=ml.position("A"), kind="linear", periodic=True, derivative=1),
            'table([0, 1], [1, 1], of=position("A"), kind="linear", periodic=True, derivative=1)',
        ),
    ],
)
def test_texts_are_written_as_one_would_by_hand(expression, text):
    assert str(expression) == text
    assert parse(text) == expression


def test_parameters_are_found_by_their_bare_names():
    L2 = ml.Parameter("L2", 0.3)
    assert parse("L2 * time", {"L2": L2}) == L2 * ml.time


def test_profiles_expand():
    assert parse("constant_speed(4.7, start=0.2)") == profiles.constant_speed(4.7, start=0.2)
    assert parse("cycloidal(0, pi, duration=2) + 1") == profiles.cycloidal(0, pi, duration=2) + 1
    speed = ml.Parameter("speed", 2.0)
    assert parse("constant_speed(2 * speed)", {"speed": speed}) == profiles.constant_speed(2 * speed)


def test_line_breaks_and_plus_signs_are_read():
    assert parse("  +time\n  + 1 ") == ml.time + 1


REMEDY = "Use numbers, names, the operators + - * / ** and functions such as sin(…)."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 * tme", ("`2 * tme`", "5", "`tme`", "'time'")),
        ("L3 + time", ("`L3 + time`", "1", "`L3`", "'L2'")),
        ("1 + sine(2)", ("`1 + sine(2)`", "5", "`sine`", "'sin'")),
        ("min(1, time)", ("`min(1, time)`", "`min`", "'minimum'")),
        ("time ^ 2", ("`time ^ 2`", "1", "`^`")),
        ("2 *", ("`2 *`", "4", REMEDY)),
        ("", ("``", "1", REMEDY)),
        ("1 + a.b", ("`1 + a.b`", "5", "`a.b`", REMEDY)),
        ("é + x[0]", ("`é + x[0]`", "1", "`é`")),
        ("'é' * 1", ("`'é' * 1`", "`'é'`", REMEDY)),
        ('rate("é") + y', ('`rate("é") + y`', "13", "`y`")),
        ("time < 1", ("`time < 1`", REMEDY)),
        ("True", ("`True`", "1", REMEDY)),
        ("2j", ("`2j`", "1", REMEDY)),
        ("1e999", ("`1e999`",)),
        ("deg('x')", ("`deg('x')`", "1", "`deg`")),
        ("sin", ("`sin`", "1")),
        ("sin(1, 2)", ("`sin(1, 2)`", "`sin`")),
        ("sin(x=1)", ("`sin(x=1)`", "`sin`")),
        ("sin(*L2)", ("`sin(*L2)`", "5", "`*L2`", REMEDY)),
        ("table(**L2)", ("`table(**L2)`", "9", "`**`", REMEDY)),
        ('position(2, "A")', ('`position(2, "A")`', "1")),
        ("table([0, time], [1, 2])", ("`table([0, time], [1, 2])`", "11", "`time`")),
        ("table([0, 1], [1])", ("`table([0, 1], [1])`", "2")),
    ],
)
def test_invalid_text_is_reported_with_its_place(text, message, texts):
    with pytest.raises(ValueError) as caught:
        parse(text, {"L2": ml.Parameter("L2", 0.3)})
    texts(caught.value, *message)


def test_only_text_is_read(texts):
    with pytest.raises(TypeError) as caught:
        parse(2.5)
    texts(caught.value, "2.5")


def test_a_missing_option_is_named(texts):
    with pytest.raises(ValueError) as caught:
        parse("cycloidal(0, 1)")
    texts(caught.value, "1", "`cycloidal`", "'duration'")


def test_nothing_in_a_text_is_executed(texts):
    for text in ("__import__('os').getcwd()", "().__class__", "[t for t in (1,)]", "lambda: 1", "f'{1}'"):
        with pytest.raises(ValueError) as caught:
            parse(text)
        texts(caught.value)


@pytest.mark.parametrize("depth", [3_000, 100_000])
def test_text_nested_too_deeply_is_refused(depth, texts):
    with pytest.raises(ValueError) as caught:
        parse("-" * depth + "time")
    texts(caught.value, hide=[r"-{5,}"])


def test_a_parameter_cannot_take_the_name_of_the_time(texts):
    with pytest.raises(ValueError) as caught:
        parse("time", {"time": ml.Parameter("time", 1.0)})
    texts(caught.value, "'time'")


def test_other_units_are_read_as_python_has_them():
    assert parse("mm(30)") == Constant(ml.mm(30))
    assert parse("constant_speed(rpm(45), start=deg(20))") == ml.motion_laws.constant_speed(
        ml.rpm(45), start=ml.deg(20)
    )
    assert parse("deg(30) * time") == ml.deg(30) * ml.time
