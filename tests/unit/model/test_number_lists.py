"""Long lists of numbers in a text: read as short ones are, with correct columns in messages."""

import numpy as np
import pytest

from multiloop import position, table, time
from multiloop.model.expressions import parse
from multiloop.model.expressions.parser import extract_lists

KNOTS = np.cumsum(np.random.default_rng(1).uniform(0.001, 1.0, 400)).tolist()
VALUES = np.random.default_rng(2).normal(0.0, 1e3, 400).tolist()


def test_a_long_table_reads_back_as_the_same():
    curve = table(KNOTS, VALUES, of=position("é[1, 2]"), kind="linear") + 3 * time
    text = str(curve)
    assert extract_lists(text)[1]
    assert parse(text) == curve


def test_lists_are_taken_out_by_their_bytes_and_leave_the_columns():
    text = f"table({KNOTS}, {VALUES}, of=position('é')) + table({KNOTS}, {VALUES})"
    emptied, lists = extract_lists(text)
    assert len(emptied) == len(text)
    assert [text.encode()[at : at + 1] for at in lists] == [b"["] * 4
    assert list(lists.values()) == [tuple(KNOTS), tuple(VALUES)] * 2


@pytest.mark.parametrize("wrong", ["1 2", "--1", "", "1e", "."])
def test_a_list_with_an_invalid_number_is_left_to_the_error_message(wrong, texts):
    text = f"table([{'1, ' * 500}{wrong}, 2], [1])"
    assert extract_lists(text) == (text, {})
    with pytest.raises(ValueError) as caught:
        parse(text)
    texts(caught.value)


def test_a_mistake_behind_a_long_list_has_its_column(texts):
    text = f"table({KNOTS}, {VALUES}) + tim"
    with pytest.raises(ValueError) as caught:
        parse(text)
    texts(caught.value, f"{len(text) - 2}", "`tim`")


def test_names_that_look_like_lists_are_names():
    name = f"[{'1, ' * 500}2]"
    assert parse(f'position("{name}")') == position(name)


def test_a_comma_may_stand_at_the_end_of_a_list():
    ones = ", ".join(map(str, range(500)))
    assert parse(f"table([{ones},], [{ones}, ])") == table(range(500), range(500))


def test_a_text_of_more_letters_than_anyone_writes_is_refused_unread(texts):
    with pytest.raises(ValueError) as caught:
        parse("1+" * 1_000_000 + "1")
    texts(caught.value, "2,000,001")
