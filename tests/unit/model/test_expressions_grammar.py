"""The text of an expression reads back as the same expression, and wrong text is answered with its place."""

from math import pi

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import multiloop as ml
from multiloop.model import profiles
from multiloop.model.expressions import (
    Binary,
    Clip,
    Constant,
    Parameter,
    Position,
    Rate,
    Step,
    Table,
    Unary,
    functions,
    parse,
    position,
    rate,
    table,
    time,
)
from multiloop.model.expressions.registry import generic_names

numbers = st.floats(allow_nan=False, allow_infinity=False)
names = st.text(min_size=1, max_size=6)
leaves = st.one_of(
    numbers.map(Constant),
    st.sampled_from([time, Constant(pi), Constant(-pi), Constant(-1), Constant(2)]),
    st.builds(Parameter, names, numbers),
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
        st.builds(Unary, st.sampled_from(generic_names(1)), inner),
        st.builds(Unary, st.just("negative"), inner),
        st.builds(Binary, st.sampled_from(generic_names(2)), inner, inner),
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
        (2 * time + 1, "2 * time + 1"),
        (2 * (time + 1), "2 * (time + 1)"),
        (1 - (2 - time), "1 - (2 - time)"),
        (time - 2 - 1, "time - 2 - 1"),
        (time / (2 * time), "time / (2 * time)"),
        (Constant(-1) ** 2, "(-1) ** 2"),
        (-(time**2), "-time ** 2"),
        ((-time) ** 2, "(-time) ** 2"),
        (2 ** Constant(-1), "2 ** -1"),
        ((time**2) ** 3, "(time ** 2) ** 3"),
        (time ** (time**3), "time ** time ** 3"),
        (Unary("negative", -time), "--time"),
        (-time * 2, "-time * 2"),
        (-(time * 2), "-(time * 2)"),
        (time - Constant(-2), "time - -2"),
        (Unary("negative", Constant(2)), "negative(2)"),
        (Constant(1e-300) * pi, "1e-300 * pi"),
        (Parameter("L2", 0.3), 'parameter("L2", 0.3)'),
        (position("it's", 1) + rate('a"b'), """position("it's", 1) + rate('a"b')"""),
        (functions.atan2(time, -2), "atan2(time, -2)"),
        (table([0, 0.5], [1, 2]), "table([0, 0.5], [1, 2])"),
        (
            table([0, 1], [1, 1], of=position("A"), kind="linear", periodic=True, derivative=1),
            'table([0, 1], [1, 1], of=position("A"), kind="linear", periodic=True, derivative=1)',
        ),
    ],
)
def test_texts_are_written_as_one_would_by_hand(expression, text):
    assert str(expression) == text
    assert parse(text) == expression


def test_parameters_are_found_by_their_bare_names():
    L2 = Parameter("L2", 0.3)
    assert parse("L2 * time", {"L2": L2}) == L2 * time


def test_profiles_expand():
    assert parse("constant_speed(4.7, start=0.2)") == profiles.constant_speed(4.7, start=0.2)
    assert parse("cycloidal(0, pi, duration=2) + 1") == profiles.cycloidal(0, pi, duration=2) + 1
    speed = Parameter("speed", 2.0)
    assert parse("constant_speed(2 * speed)", {"speed": speed}) == profiles.constant_speed(2 * speed)


def test_line_breaks_and_plus_signs_are_read():
    assert parse("  +time\n  + 1 ") == time + 1


REMEDY = "Use numbers, names, + - * / ** and the functions of the language."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 * tme", "cannot read `2 * tme` at column 5: unknown name `tme`. Did you mean 'time'?"),
        ("L3 + time", "cannot read `L3 + time` at column 1: unknown name `L3`. Did you mean 'L2'?"),
        (
            "1 + sine(2)",
            "cannot read `1 + sine(2)` at column 5: unknown function `sine`. Did you mean 'sin'?",
        ),
        (
            "min(1, time)",
            "cannot read `min(1, time)` at column 1: unknown function `min`. Did you mean 'minimum'?",
        ),
        ("time ^ 2", "cannot read `time ^ 2` at column 1: `^` is no operator. Powers are written with **."),
        ("2 *", f"cannot read `2 *` at column 4: invalid syntax. {REMEDY}"),
        ("", f"cannot read `` at column 1: invalid syntax. {REMEDY}"),
        ("1 + a.b", f"cannot read `1 + a.b` at column 5: `a.b` is not part of the language. {REMEDY}"),
        ("é + x[0]", "cannot read `é + x[0]` at column 1: unknown name `é`. Known are: L2, pi, time."),
        ("'é' * 1", f"cannot read `'é' * 1` at column 1: `'é'` is not part of the language. {REMEDY}"),
        (
            'rate("é") + y',
            'cannot read `rate("é") + y` at column 13: unknown name `y`. Known are: L2, pi, time.',
        ),
        ("time < 1", f"cannot read `time < 1` at column 1: `time < 1` is not part of the language. {REMEDY}"),
        ("True", f"cannot read `True` at column 1: `True` is not part of the language. {REMEDY}"),
        ("2j", f"cannot read `2j` at column 1: `2j` is not part of the language. {REMEDY}"),
        ("1e999", "cannot read `1e999` at column 1: a number too large to hold. Give a finite number."),
        (
            "deg('x')",
            "cannot read `deg('x')` at column 1: `deg` is given 'x'. Give a number or an expression.",
        ),
        ("sin", "cannot read `sin` at column 1: `sin` without its arguments. Write sin(...)."),
        ("sin(1, 2)", "cannot read `sin(1, 2)` at column 1: `sin` takes 1 argument, 2 given."),
        ("sin(x=1)", "cannot read `sin(x=1)` at column 1: `sin` takes 1 argument, x= given."),
        ("sin(*L2)", f"cannot read `sin(*L2)` at column 5: `*L2` is not part of the language. {REMEDY}"),
        (
            "table(**L2)",
            f"cannot read `table(**L2)` at column 9: `**` before an argument. {REMEDY}",
        ),
        (
            'position(2, "A")',
            'cannot read `position(2, "A")` at column 1: the joint of a position is named by text, '
            'not by int 2. Write position("A").',
        ),
        (
            "table([0, time], [1, 2])",
            "cannot read `table([0, time], [1, 2])` at column 11: `time` in a list. "
            "Lists hold plain numbers.",
        ),
        (
            "table([0, 1], [1])",
            "cannot read `table([0, 1], [1])` at column 1: table: 2 times but 1 values. "
            "Give one value for each time.",
        ),
    ],
)
def test_wrong_text_is_answered_with_its_place(text, message):
    with pytest.raises(ValueError) as caught:
        parse(text, {"L2": Parameter("L2", 0.3)})
    assert str(caught.value) == message


def test_only_text_is_read():
    with pytest.raises(TypeError, match=r"parse reads text, not float 2.5. Use lift\(...\) for numbers."):
        parse(2.5)


def test_a_missing_option_is_named():
    with pytest.raises(ValueError, match=r"column 1: `cycloidal` with missing a required.* 'duration'"):
        parse("cycloidal(0, 1)")


def test_nothing_in_a_text_is_executed():
    for text in ("__import__('os').getcwd()", "().__class__", "[t for t in (1,)]", "lambda: 1", "f'{1}'"):
        with pytest.raises(ValueError, match="cannot read"):
            parse(text)


@pytest.mark.parametrize("depth", [3_000, 100_000])
def test_text_nested_too_deeply_is_refused(depth):
    with pytest.raises(ValueError, match=r"nested too deeply|too many nested"):
        parse("-" * depth + "time")


def test_a_parameter_cannot_take_the_name_of_the_time():
    with pytest.raises(
        ValueError, match=r"a parameter is called 'time', which already means time. Rename it"
    ):
        parse("time", {"time": Parameter("time", 1.0)})


def test_other_units_are_read_as_python_has_them():
    assert parse("mm(30)") == Constant(ml.mm(30))
    assert parse("constant_speed(rpm(45), start=deg(20))") == ml.constant_speed(ml.rpm(45), start=ml.deg(20))
    assert parse("deg(30) * time") == ml.deg(30) * ml.time
