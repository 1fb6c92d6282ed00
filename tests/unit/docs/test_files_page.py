"""Does the page on files list every kind of object, each with all its fields and no others?"""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from multiloop import Mechanism
from multiloop.model.serialise.kinds import PARTS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "files.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| [^|]*\| ([^|]+?) \| ([^|]+) \|$", re.MULTILINE)
WORD = re.compile(r"`(\w+)`")
KINDS = {name: kind for name, kind in PARTS.items() if kind.__module__.startswith("multiloop.")}
"""Kinds of the package; tests register further ones."""

SHARED = {"ModalBody": "Body", "Helical": "Revolute", "Beam": "Body", "Solid": "Body"}
"""Kinds whose row refers to that of another by "as"."""


def words_of_rows():
    """The words in code font of every row, by the kinds of the row."""
    rows = [(WORD.findall(kinds), set(WORD.findall(said))) for kinds, said in ROW.findall(PAGE)]
    return {kind: said for kinds, said in rows for kind in kinds}


def test_the_page_lists_every_kind():
    kinds = set(words_of_rows())
    assert {"Body", "Revolute", "Cam", "PointOnCurve", "Friction"} <= kinds
    assert kinds == set(KINDS) - {"Marker"} | {"Mechanism"}


@pytest.mark.parametrize("kind", [*sorted(set(KINDS) - {"Marker", "ModalBody"}), "Mechanism"])
def test_the_page_lists_every_field(kind):
    rows = words_of_rows()
    said = rows[kind] | rows.get(SHARED.get(kind, ""), set())
    known = {field.name for field in fields(KINDS.get(kind, Mechanism)) if field.init}
    assert known <= said
