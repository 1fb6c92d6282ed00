"""The page of what goes with what tells what happens."""

import pytest

from multiloop.model import LOADS, PAIRS
from support.cells import COLUMNS, row
from support.items import ITEMS
from support.page import written


@pytest.mark.slow
@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_every_cell_is_as_the_page_says(item):
    assert row(item) == written()[item.name]


@pytest.mark.parametrize("k", range(0, len(ITEMS), 7))
def test_some_cells_are_as_the_page_says(k):
    columns = (COLUMNS[k % len(COLUMNS)],)
    found = row(ITEMS[k], columns)
    assert found == {column: written()[ITEMS[k].name][column] for column in columns}


def test_every_kind_is_on_the_page():
    named = " ".join(written())
    listed = [kind for kind in (*PAIRS, *LOADS.values()) if kind.__module__.startswith("multiloop.")]
    kinds = [kind.__name__ for kind in listed]  # pages of the documentation register kinds of their own
    kinds += ["Strut", "PD", "PID", "ComputedTorque", "Integral"]
    own = {"Friction": "Friction of an effort", "Relation": "Relation of positions", "Cam": "Cam, flat face"}
    assert [kind for kind in kinds if own.get(kind, kind) not in named] == []
