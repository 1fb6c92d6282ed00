"""Progress on the terminal, and reports of written files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer


@contextmanager
def working(words: str) -> Iterator[None]:
    """Show a progress indicator on stderr if it is a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(words):
        yield


def wrote(path: Path) -> None:
    """Report that a file was written."""
    typer.echo(f"Wrote {path}.")
