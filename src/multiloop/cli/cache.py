"""`multiloop cache`: shows, limits or clears the cache of compiled kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from multiloop.kernels.cache_size import Kept


def cache(
    limit: Annotated[
        int | None,
        typer.Option(
            metavar="MB",
            min=1,
            help="Keep at most so many megabytes from now on; the least recently used go first.",
            show_default=False,
        ),
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Remove all that is kept.")] = False,
) -> None:
    """Show, bound or clear the folder in which built kernels are kept."""
    from multiloop.kernels.cache_folder import cache_folder, private
    from multiloop.kernels.cache_size import MEGABYTE, contents, keep_within, limit_of, set_limit

    base = private(cache_folder())
    if limit is not None:
        set_limit(base, limit * MEGABYTE)
    allowed = limit_of(base)
    removed = keep_within(base, 0 if clear else allowed) if clear or limit is not None else []
    if removed:
        typer.echo(f"Removed {_told(removed)}.")
    typer.echo(f"Built kernels are kept in {base}:")
    typer.echo(f"{_told(contents(base))} of at most {allowed / MEGABYTE:g} MB.")


def _told(kept: Sequence[Kept]) -> str:
    """Number and total size of the cached libraries."""
    from multiloop.kernels.cache_size import MEGABYTE
    from multiloop.model.names import counted

    libraries = counted(sum(one.is_library for one in kept), "library", "libraries")
    return f"{libraries}, {sum(one.size for one in kept) / MEGABYTE:.1f} MB"
