"""`multiloop cache` shows, limits and clears the cache."""

from __future__ import annotations

from pathlib import Path

import pytest
from texts import Texts
from typer.testing import CliRunner

from multiloop.cli.application import application
from multiloop.kernels import cache_folder as cache_size, library_cache as cache


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of three entries with a note each, 8 KB in all."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("MULTILOOP_CACHE", str(folder))
    for key in ("one", "two", "three"):
        cache.store_note(key, "word")
        (folder / cache.digest(key.encode())).mkdir()
        (folder / cache.digest(key.encode()) / cache.LIBRARY).write_bytes(b"x" * 400_000)
    return folder


def run(*arguments: str) -> list[str]:
    done = CliRunner().invoke(application(), ["cache", *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout.splitlines()


def test_it_shows_what_is_kept(here: Path, tmp_path: Path, texts: Texts) -> None:
    texts("\n".join(run()), here, "3", "1.2 MB", "500 MB")


def test_it_clears(here: Path, tmp_path: Path, texts: Texts) -> None:
    (here / "mine").touch()
    texts("\n".join(run("--clear")), here, "3", "1.2 MB", "0.0 MB", "500 MB")
    assert [path.name for path in here.iterdir()] == ["mine"]
    texts("\n".join(run("--clear")), here)


def test_it_bounds_from_now_on(here: Path, texts: Texts) -> None:
    texts(run("--limit", "1")[-1], "2", "0.8 MB", "1 MB")
    assert cache_size.cache_limit(here) == 1_000_000
    texts(run()[-1], "2", "0.8 MB", "1 MB")


@pytest.mark.parametrize("limit", ["0", "-3", "nan", "inf", "much"])
def test_an_invalid_limit_is_refused(here: Path, limit: str) -> None:
    done = CliRunner().invoke(application(), ["cache", "--limit", limit])
    assert done.exit_code == 2
    assert "--limit" in done.stderr


def test_a_folder_that_others_can_write_is_refused(here: Path, tmp_path: Path, texts: Texts) -> None:
    here.chmod(0o777)
    done = CliRunner().invoke(application(), ["cache", "--clear"])
    assert done.exit_code == 1
    texts(done.stderr, here, f"`chmod go-w {here}`")
