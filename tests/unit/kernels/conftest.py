"""A cache folder of its own for a test in this process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from multiloop.kernels import cache, cache_folder, runtime_library


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder, which is not there yet; nothing is remembered of others."""
    monkeypatch.setenv("MULTILOOP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_built_since", {})
    kept = (cache_folder.own_folder, cache._say_not_kept, cache._opened, runtime_library.runtime)
    for each in kept:
        each.cache_clear()
    yield tmp_path / "cache"
    for each in kept:
        each.cache_clear()
