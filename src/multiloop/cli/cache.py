"""`multiloop cache`: shows, limits or clears the cache of compiled kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from multiloop.kernels.cache_folder import CacheItem


def cache(
    limit: Annotated[
        int | None,
        typer.Option(
            metavar="MB",
            min=1,
            help="Limit the cache to this size from now on; the least recently used kernels are removed first.",
            show_default=False,
        ),
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Remove all cached kernels.")] = False,
) -> None:
    """Show, limit or clear the cache of compiled kernels."""
    from multiloop.kernels.cache_folder import (
        MEGABYTE,
        cache_folder,
        cache_limit,
        contents,
        private_folder,
        set_limit,
        shrink_to,
    )

    base = private_folder(cache_folder())
    if limit is not None:
        set_limit(base, limit * MEGABYTE)
    allowed = cache_limit(base)
    removed = shrink_to(base, 0 if clear else allowed) if clear or limit is not None else []
    if removed:
        typer.echo(f"Removed {_cache_summary(removed)}.")
    typer.echo(f"Compiled kernels are cached in {base}:")
    typer.echo(f"{_cache_summary(contents(base))} of at most {allowed / MEGABYTE:g} MB.")


def _cache_summary(items: Sequence[CacheItem]) -> str:
    """Text on the number of libraries among cache items, and on the total size of the items."""
    from multiloop.kernels.cache_folder import MEGABYTE
    from multiloop.model.faults import count_text

    libraries = count_text(sum(one.is_library for one in items), "library", "libraries")
    return f"{libraries}, {sum(one.size for one in items) / MEGABYTE:.1f} MB"
