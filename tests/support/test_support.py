"""The support page agrees with the behaviour of the package."""

import pytest

from multiloop.model import LOADS, PAIRS
from support.cells import FORWARD, INVERSE, forward_cells, inverse_cells
from support.functions import FUNCTIONS, LINKS, function_cells
from support.items import ITEMS
from support.page import PAGE, text_of, written

BY_NAME = {item.name: item for item in ITEMS}

SAMPLE = [
    ("Distance", "augmented", "gear"),
    ("Gear", "virtual_work", "dop853, interpreted"),
    ("Cam, flat follower", "embedding", "rk4"),
    ("Skate", "sslm", "implicit"),
    ("Friction by the joint reaction", "system", "gear"),
    ("Strut", "slm", "rk45, interpreted"),
    ("Stop", "augmented", "rk45"),
    ("ComputedTorque", "slm", "rk4, interpreted"),
]
"""Every method and most columns."""


@pytest.mark.slow
@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.name)
def test_every_cell_agrees_with_the_page(item):
    assert forward_cells(item) == written().forward[item.name]
    assert inverse_cells(item) == written().inverse[item.name]


@pytest.mark.parametrize(("name", "method", "column"), SAMPLE)
def test_some_cells_agree_with_the_page(name, method, column):
    cell = method, column
    assert forward_cells(BY_NAME[name], [cell]) == {cell: written().forward[name][cell]}


@pytest.mark.parametrize(("name", "k"), [("Rolling", 0), ("Spring", 1), ("flexible beam", 2), ("Rack", 3)])
def test_some_inverse_cells_agree_with_the_page(name, k):
    method = INVERSE[k]
    assert inverse_cells(BY_NAME[name], [method]) == {method: written().inverse[name][method]}


@pytest.mark.slow
@pytest.mark.parametrize("name", LINKS)
def test_every_function_treats_flexible_links_as_the_page_states(name):
    assert function_cells(BY_NAME[name]) == written().functions[name]


@pytest.mark.parametrize("function", ["branches", "inverse", "save, load"])
def test_some_functions_treat_flexible_links_as_the_page_states(function):
    name = LINKS[0]
    assert function_cells(BY_NAME[name], [function]) == {function: written().functions[name][function]}


def test_the_page_is_whole_and_as_it_is_written():
    found = written()
    assert set(found.functions) == set(LINKS)
    assert all(set(cells) == set(FUNCTIONS) for cells in found.functions.values())
    assert set(found.forward) == set(found.inverse) == set(BY_NAME)
    assert all(set(cells) == set(FORWARD) for cells in found.forward.values())
    assert text_of(found) == PAGE.read_text(encoding="utf-8")


def test_every_kind_is_on_the_page():
    named = " ".join(written().forward)
    listed = [kind for kind in (*PAIRS, *LOADS.values()) if kind.__module__.startswith("multiloop.")]
    kinds = [kind.__name__ for kind in listed]  # pages of the documentation register further types
    kinds += ["Strut", "PD", "PID", "ComputedTorque", "Integral"]
    own = {
        "Friction": "Friction with a given limit",
        "Relation": "Relation of positions",
        "Cam": "Cam, flat follower",
    }
    assert [kind for kind in kinds if own.get(kind, kind) not in named] == []
