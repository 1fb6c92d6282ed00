"""Tables as text, for the terminal and for files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table


def grid(title: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """A table; columns of numbers stand on the right."""
    rows = [[str(cell) for cell in row] for row in rows]
    made = Table(title=title, box=SIMPLE_HEAD, title_justify="left", title_style="bold")
    for k, name in enumerate(head):
        numeric = all(not row[k] or row[k][0] in "0123456789-.<" for row in rows)
        made.add_column(name, justify="right" if numeric else "left", no_wrap=True)
    for row in rows:
        made.add_row(*row)
    return made


def as_text(*tables: Table, width: int = 200) -> str:
    """Tables one below the other."""
    console = Console(file=StringIO(), width=width)
    for made in tables:
        console.print(made)
    return console.file.getvalue()  # type: ignore[attr-defined]
