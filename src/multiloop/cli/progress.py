"""What is the program doing, for whoever waits in front of a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer


@contextmanager
def working(words: str) -> Iterator[None]:
    """A moving line on a terminal's error stream while something takes long; silent elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(words):
        yield


def wrote(path: Path) -> None:
    """Say which file was written."""
    typer.echo(f"Wrote {path}.")
