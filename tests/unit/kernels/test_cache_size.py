"""The cache stays within its limit; the least recently used entries are removed first."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from unit.kernels.cache_entries import Filling, works

from multiloop.kernels import cache_folder as cache_size, library_cache as cache

HEAVY = 100_000


def known(here: Path) -> list[tuple[str, cache_size.CacheItem]]:
    """The entries with the keys of this test, the least recently used first."""
    keys = {cache.digest(f"{k}".encode()): f"{k}" for k in range(20)}
    return [(keys[kept.path.stem], kept) for kept in cache_size.contents(here) if kept.path.stem in keys]


def names(here: Path) -> set[str]:
    """The keys alone."""
    return {key for key, _ in known(here)}


def fill(here: Path, count: int) -> None:
    """Entries 0, 1, … with a note each, requested in this order."""
    for k in range(count):
        cache.find_or_build_entry(f"{k}", Filling(weight=HEAVY))
        cache.store_note(f"{k}", "word")
        for path in here.glob(f"{cache.digest(f'{k}'.encode())}*"):
            os.utime(path, (1e9 + k, 1e9 + k))


def test_what_is_kept_is_weighed(here: Path) -> None:
    fill(here, 2)
    kept = known(here)
    assert [(key, entry.last_used) for key, entry in kept] == [("0", 1e9)] * 2 + [("1", 1e9 + 1)] * 2
    assert sum(entry.is_library for _, entry in kept) == 2
    for _, entry in kept:
        files = list(entry.path.iterdir()) if entry.is_library else [entry.path]
        least = sum(file.stat().st_size for file in files)
        assert least <= entry.size <= least + 4096 * len(files)
    assert all(entry.size > HEAVY for _, entry in kept if entry.is_library)


def test_the_least_recently_used_go_first(here: Path) -> None:
    fill(here, 3)
    cache.find_or_build_entry("0", Filling())  # used again
    cache.load_note("0")
    removed = cache_size.shrink_to(here, 2 * (HEAVY + 30_000))
    assert {kept.path.name for kept in removed} == {cache.digest(b"1"), f"{cache.digest(b'1')}.note"}
    assert names(here) == {"0", "2"}
    assert works(cache.find_or_build_entry("2", Filling()))
    assert not list(here.glob(".making*"))


def test_a_build_makes_room(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_size, "DEFAULT_LIMIT", 4 * HEAVY)
    fill(here, 12)  # each is more than a twentieth of the limit
    assert "11" in names(here)
    assert "0" not in names(here)
    whole = sum(kept.size for kept in cache_size.contents(here))
    assert whole <= 4 * HEAVY + 2 * HEAVY  # the last one was built after entries were removed for it


def test_a_cache_limit_is_stored(here: Path) -> None:
    fill(here, 1)
    assert cache_size.cache_limit(here) == cache_size.DEFAULT_LIMIT
    cache_size.set_limit(here, 123)
    assert cache_size.cache_limit(here) == 123
    (here / cache_size.LIMIT_FILE).write_text("garbage")
    assert cache_size.cache_limit(here) == cache_size.DEFAULT_LIMIT


def test_nothing_else_is_touched(here: Path) -> None:
    fill(here, 1)
    (here / "mine").touch()
    cache_size.shrink_to(here, 0)
    assert [path.name for path in here.iterdir()] == ["mine"]
