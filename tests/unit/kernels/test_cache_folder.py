"""Libraries are loaded only from folders that other users cannot modify; others are refused with the reason."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable
from pathlib import Path

import pytest
from texts import Texts
from unit.kernels.cache_entries import Filling, answer, works

from multiloop.kernels import cache_folder, library_cache as cache

SOMEBODY = 54321
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as a second user")


def asked(here: Path, texts: Texts, *values: object, hide: Iterable[str] = ()) -> cache.Entry:
    """An entry that is built elsewhere because of a fault of the folder, which is reported once."""
    with pytest.warns(UserWarning, match=r"MULTILOOP_CACHE|chmod go-w") as said:
        entry = cache.find_or_build_entry("seven", Filling())
    (warning,) = said
    texts(warning.message, here, *values, hide=hide)
    assert works(entry)
    assert not entry.library.path.is_relative_to(here)
    assert stat.S_IMODE(entry.library.path.parent.parent.stat().st_mode) == 0o700
    with warnings.catch_warnings():  # reported once
        warnings.simplefilter("error")
        again = cache.find_or_build_entry("eight", Filling())
    assert entry.library.path.parent.parent == again.library.path.parent.parent
    return entry


def test_folders_that_are_made_are_for_their_owner_alone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = here / "above" / "cache"
    monkeypatch.setenv("MULTILOOP_CACHE", str(deep))
    before = os.umask(0)
    try:
        path = cache.find_or_build_entry("seven", Filling()).library.path
    finally:
        os.umask(before)
    assert path.is_relative_to(deep)
    for folder in (here, deep.parent, deep, path.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_folder_that_others_may_write_is_not_used(here: Path, mode: int, texts: Texts) -> None:
    here.mkdir()
    here.chmod(mode)
    cache.store_note("key", "word")
    asked(here, texts, f"`chmod go-w {here}`")
    assert not list(here.iterdir())


@pytest.mark.parametrize("depth", [1, 2])
def test_a_folder_that_others_can_exchange_is_not_used(
    here: Path, monkeypatch: pytest.MonkeyPatch, depth: int, texts: Texts
) -> None:
    deep = here / "above" / "cache"
    monkeypatch.setenv("MULTILOOP_CACHE", str(deep))
    cache.find_or_build_entry("seven", Filling(8))
    opened = deep.parents[depth - 1]
    opened.chmod(0o777)
    asked(deep, texts, f"`chmod go-w {opened}`", "MULTILOOP_CACHE")
    opened.chmod(0o1777)  # as /tmp: users cannot rename files of others
    assert answer(cache.find_or_build_entry("seven", Filling())) == 8


def test_a_group_of_one_user_is_accepted(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = here / "cache"
    monkeypatch.setenv("MULTILOOP_CACHE", str(deep))
    cache.find_or_build_entry("seven", Filling(8))
    here.chmod(0o770)
    monkeypatch.setattr(cache_folder, "_is_own_group", lambda number: number == here.stat().st_gid)
    assert answer(cache.find_or_build_entry("seven", Filling())) == 8
    monkeypatch.setattr(cache_folder, "_is_own_group", lambda number: False)
    with pytest.warns(UserWarning, match=f"`chmod go-w {here}`"):
        assert works(cache.find_or_build_entry("seven", Filling()))


def test_a_link_is_judged_by_where_it_leads(here: Path, tmp_path: Path) -> None:
    (tmp_path / "open" / "real").mkdir(parents=True)
    (tmp_path / "open" / "real").chmod(0o700)
    (tmp_path / "open").chmod(0o777)
    here.symlink_to(tmp_path / "open" / "real")
    with pytest.warns(UserWarning, match=f"`chmod go-w {tmp_path / 'open'}`"):
        entry = cache.find_or_build_entry("seven", Filling())
    assert not entry.library.path.is_relative_to(tmp_path)


def test_a_missing_folder_is_reported(
    here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, texts: Texts
) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setenv("MULTILOOP_CACHE", str(tmp_path / "open" / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "open"))
    with pytest.raises(cache.UnbuiltError) as caught:
        cache.find_or_build_entry("seven", Filling())
    texts(caught.value, tmp_path / "open", hide=[r"multiloop-\w+"])


PLACED = """
import os, shutil, sys
place, prepared, how = sys.argv[1:4]
os.setgroups([]), os.setgid(SOMEBODY), os.setuid(SOMEBODY)
os.umask(0o077)
if os.path.lexists(place):
    os.rename(place, place + "-moved")
os.symlink(prepared, place) if how == "link" else shutil.copytree(prepared, place)
""".replace("SOMEBODY", str(SOMEBODY))


@as_root
@pytest.mark.parametrize("mode", [0o777, 0o1777], ids=["open", "sticky"])
@pytest.mark.parametrize("how", ["copy", "link"])
def test_what_a_second_user_puts_there_is_not_loaded(
    here: Path, monkeypatch: pytest.MonkeyPatch, how: str, mode: int, texts: Texts
) -> None:
    """A library of another user, or a link to one of ours that does not belong there."""
    with tempfile.TemporaryDirectory(
        dir="/tmp"
    ) as name:  # the folder of the test is not accessible to others
        shared = Path(name)
        shared.chmod(0o755)
        deep, prepared = shared / "cache", shared / "prepared"
        monkeypatch.setenv("MULTILOOP_CACHE", str(prepared))
        assert answer(cache.find_or_build_entry("seven", Filling(8))) == 8
        for path in (prepared, *prepared.rglob("*")):
            path.chmod(0o755)
        if mode == 0o777:
            deep.mkdir(mode=0o700)  # ours, which the other user moves
        shared.chmod(mode)
        subprocess.run([sys.executable, "-c", PLACED, str(deep), str(prepared), how], check=True)
        monkeypatch.setenv("MULTILOOP_CACHE", str(deep))
        asked(deep, texts, "MULTILOOP_CACHE", hide=[str(shared)])


@as_root
def test_a_folder_above_that_belongs_to_a_second_user(
    here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, texts: Texts
) -> None:
    deep = here / "cache"
    monkeypatch.setenv("MULTILOOP_CACHE", str(deep))
    cache.find_or_build_entry("seven", Filling(8))
    os.chown(here, SOMEBODY, SOMEBODY)
    asked(deep, texts, f" {here},", "MULTILOOP_CACHE")
