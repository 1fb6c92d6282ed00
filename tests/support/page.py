"""The table of what is supported as a page of the documentation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from support.cells import COLUMNS

PAGE = Path(__file__).parents[2] / "docs" / "support.md"

HEAD = """# What goes with what

Every cell was run: a small mechanism with the thing in its row, moved for 20 ms by the method or integrator of its
column, ends where the default one ends. A code is that of the refusal, see [messages.md](messages.md); – is not asked,
since nothing prescribes a motion. `python -m support` (from `tests/`) writes this page, and `make test-slow` runs every
cell anew.
"""


def text_of(rows: Mapping[str, Mapping[str, str]]) -> str:
    """The page."""
    lines = [HEAD, "| | " + " | ".join(COLUMNS) + " |", "|---|" + "---|" * len(COLUMNS)]
    lines += [
        f"| {name} | " + " | ".join(cells[column] for column in COLUMNS) + " |"
        for name, cells in rows.items()
    ]
    return "\n".join(lines) + "\n"


def written() -> dict[str, dict[str, str]]:
    """The cells of the page as it stands."""
    table = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    names = [cell.strip() for cell in table[0].strip("|").split("|")][1:]
    found = {}
    for line in table[2:]:
        first, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        found[first] = dict(zip(names, cells, strict=True))
    return found
