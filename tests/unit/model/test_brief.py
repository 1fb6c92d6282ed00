"""Values in messages: the beginning of what Python writes, at a cost that does not grow with the value."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import multiloop as ml
from multiloop.model.faults import name_text, printable, short_repr

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**50), 10**50) | st.floats() | st.text() | st.binary(),
    lambda part: st.lists(part) | st.tuples(part) | st.dictionaries(st.text(), part) | st.tuples(part, part),
    max_leaves=8,
)


@given(PLAIN)
def test_what_is_short_is_written_as_python_writes_it(value):
    whole = repr(value)
    if len(whole) <= 60:
        assert short_repr(value) == whole
    else:
        assert len(short_repr(value)) == 60
        assert short_repr(value).endswith("…")


@given(PLAIN)
def test_what_is_long_begins_as_python_writes_it(value):
    """Up to the quotes of a long text, which Python chooses by all of its letters."""
    whole, cut = repr(value), short_repr(value, 40)
    quoted = whole.replace("'", '"').replace('\\"', '"')
    assert quoted.startswith(cut.removesuffix("…").replace("'", '"').replace('\\"', '"'))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([10**400], "[about 1e+400]"),
        ([-25 * 10**4999], "[about -2.5e+5000]"),
        ({1}, "{1}"),
        (set(), "set()"),
        (np.array([[1, 2], [3, 4]]), "array([[1, 2], [3, 4]])"),
        (ml.Revolute("A", "a.b", "c.d"), "Revolute(name='A', first='a.b', second='c.d')"),
        (2 * ml.time, "2 * time"),
        ("\x1b[31m", "'\\x1b[31m'"),
    ],
)
def test_values_of_all_types_are_abbreviated(value, expected):
    assert short_repr(value) == expected


def test_an_object_whose_repr_fails_is_shown_by_its_type():
    class Mute:
        def __repr__(self):
            raise RuntimeError

    assert short_repr(Mute()) == "<Mute>"


def test_what_is_shared_endlessly_or_inside_itself_costs_nothing():
    """2¹⁰⁰ numbers in a list of lists, as many nodes of an expression, and a list that contains itself.

    A full traversal would never end.
    """
    shared, expression = [1.0], ml.time
    for _ in range(100):
        shared, expression = [shared, shared], expression * expression
    itself = []
    itself.append(itself)
    found = [short_repr(value) for value in (shared, expression, itself, {"a": shared}, "x" * 10**7)]
    assert all(len(text) == 60 for text in found)


def test_orders_to_a_terminal_are_written_out_and_lines_stay_lines():
    assert printable("a\x1b[2Jb\n\u202ec\r\x07é") == "a\\x1b[2Jb\n\\u202ec\\r\\x07é"


def test_names_are_shown_without_quotes_and_cut_when_long():
    assert name_text("crank") == "crank"
    assert name_text(10**400) == "about 1e+400"
    assert len(name_text("a" * 1000)) < 210
