"""Do the pages on errata and on seeds name existing tests, every test of errata, and every figure and table?"""

import re
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ERRATA, SEEDS = ROOT / "docs" / "errata.md", ROOT / "docs" / "seeds.md"
LINK = re.compile(r"\[((?:test_\w+)(?: and test_\w+)*)\]\(\.\./(tests/[\w/]+\.py)\)")
ROW = re.compile(r"^\| (.+) \|$", re.MULTILINE)

ITEMS = {
    "Chaudhary and Saha": {"Fig.": [str(k) for k in range(1, 11)], "Table": ["1", "2", "3"]},
    "Koul, Shah, Saha and Manivannan": {
        "Fig.": [str(k) for k in range(1, 10)],
        "Table": [str(k) for k in range(1, 5)],
    },
    "Dado": {"Fig.": ["1", "2", "3", "4", "5", "A-1"], "Table": ["B-1", "B-2"]},
    "Saha and Angeles": {"Fig.": [str(k) for k in range(1, 7)], "Table": []},
    "Fattah": {
        "Fig.": [
            f"{chapter}.{k}"
            for chapter, count in {1: 4, 2: 4, 4: 23, 5: 13, 6: 8}.items()
            for k in range(1, count + 1)
        ],
        "Table": ["4.1", "5.1", "5.2", "6.1", "6.2", "6.3"],
    },
}
"""Captions of the papers."""


def names_on(page):
    """Pairs of a test and the file in which it is said to be; the file itself may be linked by its name."""
    for names, path in LINK.findall(page.read_text(encoding="utf-8")):
        for name in names.split(" and "):
            if f"{name}.py" != Path(path).name:
                yield name, path


def is_defined(name, path):
    return re.search(rf"^def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE) is not None


@pytest.mark.parametrize("page", [ERRATA, SEEDS], ids=lambda page: page.name)
def test_every_test_that_is_named_exists(page):
    named = set(names_on(page))
    assert len(named) > 20
    assert [pair for pair in named if not is_defined(*pair)] == []


def test_every_test_of_errata_is_named():
    named = set(names_on(ERRATA))
    for path in (ROOT / "tests" / "published").rglob("test_errata*.py"):
        place = path.relative_to(ROOT).as_posix()
        for name in re.findall(r"^def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE):
            assert (name, place) in named, name


def sections(page):
    """Titles of the second level with their text."""
    parts = re.split(r"^## (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_row_of_errata_has_a_status_and_a_test():
    """References to a wrong figure or table need none."""
    rows = 0
    for title, text in sections(ERRATA).items():
        for row in ROW.findall(text):
            cells = row.split(" | ")
            if cells[0] in ("place",) or set(row) <= set("-|"):
                continue
            if title.startswith("Not decided"):
                assert len(cells) == 3, row
                continue
            assert len(cells) == 5, row
            assert re.match(r"(wrong|doubtful|reference)\b", cells[3]), row
            assert LINK.search(cells[4]) or cells[3].startswith("reference"), row
            rows += 1
    assert rows > 60


def expanded(kind, numbers):
    """Single numbers of "4.5–4.9" and the like."""
    first, _, last = numbers.partition("–")
    if not last:
        return [(kind, first)]
    chapter, start = first.rsplit(".", 1)
    return [(kind, f"{chapter}.{k}") for k in range(int(start), int(last.rsplit(".", 1)[1]) + 1)]


@pytest.mark.parametrize("paper", ITEMS)
def test_every_figure_and_table_is_listed_once(paper):
    found = re.findall(r"^\| (Figs?\.|Tables?) (\S+) \|", sections(SEEDS)[paper], re.MULTILINE)
    kinds = {"Fig.": "Fig.", "Figs.": "Fig.", "Table": "Table", "Tables": "Table"}
    listed = list(chain.from_iterable(expanded(kinds[kind], numbers) for kind, numbers in found))
    wanted = [(kind, number) for kind, numbers in ITEMS[paper].items() for number in numbers]
    assert sorted(listed) == sorted(wanted)
