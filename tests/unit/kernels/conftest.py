"""A separate cache folder for a test in this process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from multiloop.kernels import cache_folder, library_cache as cache
from multiloop.kernels.runtime import runtime_library


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder, which does not exist yet; nothing is cached of others."""
    monkeypatch.setenv("MULTILOOP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_bytes_built", {})
    kept = (
        cache_folder.process_folder,
        cache._warn_not_cached,
        cache._open_entry,
        runtime_library.load_runtime,
    )
    for each in kept:
        each.cache_clear()
    yield tmp_path / "cache"
    for each in kept:
        each.cache_clear()
